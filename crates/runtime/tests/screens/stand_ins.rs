//! A store in memory that a community can be brought up on again, and a model that keeps what it was given.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use mind::JournalEntry;
use runtime::ports::{
    AskFilter, AskRecord, AskSummary, AskTotals, Batch, Committed, CommunityRecord, Delta, Forgetting,
    Forgotten, JournalQuery, KeptInstead, KeptState, Language, LanguageStatus, LayeredSettings, MessagePage,
    MessageQuery, Prepared, RawResponse, RecordedInput, Recording, RemovedCommunity, Resume, SavedSettings,
    Segment, SentInstead, Store, StoreError, StoredMessage, Swept,
};
use settings::{Document, Layers, Settings, StorageSettings};
use stand_ins::models;
use tokio::sync::mpsc;
use vocabulary::{
    AskFailure, AskId, AskOutcome, AttachmentId, Author, CommunityId, Message, MessageId, ModelRequest,
    RoomId, Span, WallTime,
};

#[derive(Default)]
pub struct MemoryStore(Mutex<Kept>);

#[derive(Default)]
pub struct Kept {
    pub inputs: Vec<RecordedInput>,
    pub journal: Vec<JournalEntry>,
    pub state: Option<(u64, String)>,
    pub asks: BTreeMap<AskId, AskRecord>,
    pub settings: SavedSettings,
    /// Nothing can be written while this is true.
    pub is_broken: bool,
}

impl MemoryStore {
    pub fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap()
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn commit(&self, _: &CommunityId, batch: Batch) -> Result<Committed, StoreError> {
        // A disk takes its time, in which others go on.
        tokio::task::yield_now().await;
        let mut kept = self.kept();
        if kept.is_broken {
            return Err(StoreError::Failed {
                doing: "writing",
                detail: "the test broke the disk".to_owned(),
            });
        }
        kept.inputs.extend(batch.inputs);
        kept.journal.extend(batch.journal);
        kept.state = batch.state.or(kept.state.take());
        Ok(Committed::default())
    }

    async fn resume(&self, _: &CommunityId) -> Result<Resume, StoreError> {
        let kept = self.kept();
        let last = kept.inputs.last();
        let stepped = kept.state.as_ref().map_or(0, |(stepped, _)| *stepped);
        Ok(Resume {
            states: kept
                .state
                .clone()
                .map(|(input, state)| KeptState {
                    input,
                    version: "0".to_owned(),
                    settings_version: 0,
                    state,
                })
                .into_iter()
                .collect(),
            inputs: kept
                .inputs
                .iter()
                .filter(|input| input.seq > stepped)
                .cloned()
                .collect(),
            last_input: last.map_or(0, |input| input.seq),
            last_moment: last.map(|input| input.now.moment).unwrap_or_default(),
            last_wall: last.map(|input| input.now.wall).unwrap_or_default(),
            last_journal: kept.journal.last().map(|entry| entry.seq).unwrap_or_default(),
            ..Resume::default()
        })
    }

    async fn begin_segment(&self, _: Segment) -> Result<(), StoreError> {
        Ok(())
    }

    async fn recording(&self, _: &CommunityId, _: Option<u64>) -> Result<Option<Recording>, StoreError> {
        Ok(None)
    }

    async fn message(&self, _: &CommunityId, _: &MessageId) -> Result<Option<StoredMessage>, StoreError> {
        Ok(None)
    }

    async fn messages(&self, _: &CommunityId, _: MessageQuery) -> Result<MessagePage, StoreError> {
        Ok(MessagePage {
            messages: Vec::new(),
            has_more: false,
        })
    }

    async fn people(&self, _: &CommunityId) -> Result<Vec<Author>, StoreError> {
        Ok(Vec::new())
    }

    async fn search(
        &self,
        _: &CommunityId,
        _: &RoomId,
        _: &str,
        _: &[MessageId],
        _: usize,
    ) -> Result<Vec<Message>, StoreError> {
        Ok(Vec::new())
    }

    async fn journal(&self, _: &CommunityId, _: JournalQuery) -> Result<Vec<JournalEntry>, StoreError> {
        Ok(self.kept().journal.clone())
    }

    async fn why(&self, _: &CommunityId, _: &MessageId) -> Result<Vec<JournalEntry>, StoreError> {
        Ok(Vec::new())
    }

    async fn start_ask(&self, record: AskRecord) -> Result<(), StoreError> {
        self.kept().asks.insert(record.ask, record);
        Ok(())
    }

    async fn finish_ask(
        &self,
        _: &CommunityId,
        ask: AskId,
        outcome: AskOutcome,
        sent_instead: Option<KeptInstead>,
        raw_response: String,
    ) -> Result<(), StoreError> {
        if let Some(record) = self.kept().asks.get_mut(&ask) {
            record.outcome = Some(outcome);
            record.raw_response = raw_response;
            if let Some(sent) = sent_instead {
                record.raw_request = sent.raw_request;
                record.url = sent.url;
            }
        }
        Ok(())
    }

    async fn ask(&self, _: &CommunityId, ask: AskId) -> Result<Option<AskRecord>, StoreError> {
        Ok(self.kept().asks.get(&ask).cloned())
    }

    async fn asks(&self, _: &CommunityId, _: AskFilter) -> Result<Vec<AskSummary>, StoreError> {
        Ok(self.kept().asks.values().map(AskSummary::of).collect())
    }

    async fn ask_totals(&self, _: &CommunityId, _: AskFilter) -> Result<Vec<AskTotals>, StoreError> {
        Ok(Vec::new())
    }

    async fn put_attachment(
        &self,
        _: &CommunityId,
        _: &AttachmentId,
        _: &str,
        _: Bytes,
    ) -> Result<(), StoreError> {
        Ok(())
    }

    async fn attachment(
        &self,
        _: &CommunityId,
        _: &AttachmentId,
    ) -> Result<Option<(String, Bytes)>, StoreError> {
        Ok(None)
    }

    async fn communities(&self) -> Result<Vec<CommunityRecord>, StoreError> {
        Ok(Vec::new())
    }

    async fn add_community(&self, _: &CommunityId, _: &str) -> Result<(), StoreError> {
        Ok(())
    }

    async fn remove_community(&self, _: &CommunityId) -> Result<RemovedCommunity, StoreError> {
        Ok(RemovedCommunity::default())
    }

    async fn settings(&self, _: &CommunityId) -> Result<LayeredSettings, StoreError> {
        let base = self.base_settings().await?;
        Ok(LayeredSettings {
            base_version: base.version,
            own_version: 0,
            layers: Layers {
                base: base.document,
                ..Layers::default()
            },
        })
    }

    async fn newest_settings(&self) -> Result<u64, StoreError> {
        Ok(self.base_settings().await?.version)
    }

    async fn base_settings(&self) -> Result<SavedSettings, StoreError> {
        Ok(self.kept().settings.clone())
    }

    async fn save_settings(
        &self,
        _: Option<&CommunityId>,
        based_on: u64,
        document: Document,
    ) -> Result<u64, StoreError> {
        let version = based_on + 1;
        self.kept().settings = SavedSettings { version, document };
        Ok(version)
    }

    async fn forget(&self, _: &CommunityId, _: Forgetting) -> Result<Forgotten, StoreError> {
        Ok(Forgotten::default())
    }

    async fn sweep(
        &self,
        _: &[(CommunityId, StorageSettings)],
        _: WallTime,
        _: Span,
    ) -> Result<Swept, StoreError> {
        Ok(Swept::default())
    }

    async fn export_copy(&self, _: &Path) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A model that puts pictures into its request as the wires do, and repeats the request in its answer.
#[derive(Default)]
pub struct Echo {
    /// The bodies that went out.
    pub sent: Mutex<Vec<String>>,
    /// Another body than the prepared one goes out.
    pub sends_another: bool,
    /// It never comes to an end.
    pub hangs: bool,
}

#[async_trait]
impl Language for Echo {
    fn prepare(
        &self,
        request: &ModelRequest,
        images: &BTreeMap<AttachmentId, Bytes>,
        _: &Settings,
    ) -> Result<Prepared, AskFailure> {
        let data: Vec<String> = images.values().map(|bytes| STANDARD.encode(bytes)).collect();
        let urls: Vec<String> = data
            .iter()
            .map(|data| format!("data:image/jpeg;base64,{data}"))
            .collect();
        let body =
            serde_json::json!({ "purpose": request.purpose.name(), "inlineData": data, "image_url": urls });
        Ok(models::prepared("echo", body.to_string()))
    }

    async fn send(
        &self,
        _: &ModelRequest,
        prepared: &Prepared,
        _: mpsc::Sender<Delta>,
        raw: RawResponse,
    ) -> AskOutcome {
        let mut body = String::from_utf8_lossy(&prepared.body).into_owned();
        if self.sends_another {
            body = body.replace("purpose", "purpose_of_another_body");
            raw.send_instead(SentInstead {
                url: prepared.url.clone(),
                body: Bytes::from(body.clone()),
            });
        }
        raw.push(body.as_bytes());
        self.sent.lock().unwrap().push(body);
        if self.hangs {
            std::future::pending::<()>().await;
        }
        models::answered("echo", "A lighthouse at dusk.")
    }

    async fn configure(&self, _: &Settings) {}

    fn status(&self, _: &Settings) -> LanguageStatus {
        models::shown_as("echo")
    }
}
