//! A store in memory and a model that is never asked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use bytes::Bytes;
use mind::context::compaction::SessionView;
use mind::{Input, JournalEntry};
use runtime::ports::{
    AskEnding, AskFilter, AskRecord, AskSummary, AskTotals, Batch, Committed, CommunityRecord, Delta,
    Forgetting, Forgotten, JournalQuery, KeptInstead, Language, LanguageStatus, LayeredSettings,
    MessageChange, MessagePage, MessageQuery, Prepared, RawResponse, Reaction, Recording, RemovedCommunity,
    Resume, SavedSettings, Segment, Store, StoreError, StoredMessage, Swept,
};
use settings::{Document, Settings, StorageSettings};
use stand_ins::models;
use tokio::sync::mpsc;
use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, AttachmentId, Author, AuthorKind, CommunityId, Forget,
    Message, MessageId, ModelRequest, PersonId, RoomId, Span, WallTime,
};

/// Asking for this message breaks the handler, as a defect would.
pub const DEFECTIVE: &str = "defective";
/// Asking for this message fails, as a broken disk would.
pub const UNREADABLE: &str = "unreadable";

#[derive(Default)]
pub struct MemoryStore(Mutex<Kept>);

#[derive(Default)]
pub struct Kept {
    pub messages: Vec<StoredMessage>,
    pub journal: Vec<JournalEntry>,
    pub asks: Vec<AskRecord>,
    pub attachments: BTreeMap<AttachmentId, (String, Bytes)>,
    pub settings: LayeredSettings,
    pub segment: Option<Segment>,
    /// What the driver shows when it is asked for a room's session.
    pub sessions: BTreeMap<RoomId, SessionView>,
    /// Inputs that are not about messages, as they came.
    pub heard: Vec<Input>,
    /// The methods of requests that were refused, as they are journaled.
    pub refused: Vec<String>,
    /// Ids are used once, even by messages that were taken back.
    used: BTreeSet<MessageId>,
    seq: u64,
}

impl MemoryStore {
    pub fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap()
    }
}

impl Kept {
    pub fn apply(&mut self, change: MessageChange) {
        match change {
            MessageChange::Added { message, turn, ask } => {
                if self.used.insert(message.id.clone()) {
                    self.seq += 1;
                    self.messages.push(StoredMessage {
                        seq: self.seq,
                        message,
                        edited_at: None,
                        turn,
                        ask,
                        reactions: Vec::new(),
                    });
                }
            }
            MessageChange::Edited { id, text, at } => {
                if let Some(stored) = self.messages.iter_mut().find(|stored| stored.message.id == id) {
                    stored.message.text = text;
                    stored.edited_at = Some(at);
                }
            }
            MessageChange::Deleted { id, .. } => self.messages.retain(|stored| stored.message.id != id),
            MessageChange::Reacted {
                message,
                person,
                emoji,
                added,
                ..
            } => {
                let mut messages = self.messages.iter_mut();
                if let Some(stored) = messages.find(|stored| stored.message.id == message) {
                    react(&mut stored.reactions, person, emoji, added);
                }
            }
        }
    }
}

fn react(reactions: &mut Vec<Reaction>, person: PersonId, emoji: String, added: bool) {
    for reaction in reactions.iter_mut().filter(|reaction| reaction.emoji == emoji) {
        reaction.people.retain(|known| *known != person);
    }
    if added {
        match reactions.iter_mut().find(|reaction| reaction.emoji == emoji) {
            Some(reaction) => reaction.people.push(person),
            None => reactions.push(Reaction {
                emoji,
                people: vec![person],
            }),
        }
    }
    reactions.retain(|reaction| !reaction.people.is_empty());
}

#[async_trait]
impl Store for MemoryStore {
    async fn commit(&self, _: &CommunityId, batch: Batch) -> Result<Committed, StoreError> {
        let mut kept = self.kept();
        batch.changes.into_iter().for_each(|change| kept.apply(change));
        kept.journal.extend(batch.journal);
        Ok(Committed::default())
    }

    async fn resume(&self, _: &CommunityId) -> Result<Resume, StoreError> {
        Ok(Resume::default())
    }

    async fn begin_segment(&self, segment: Segment) -> Result<(), StoreError> {
        self.kept().segment = Some(segment);
        Ok(())
    }

    async fn recording(&self, _: &CommunityId, _: Option<u64>) -> Result<Option<Recording>, StoreError> {
        let kept = self.kept();
        Ok(kept.segment.clone().map(|segment| Recording {
            segment,
            inputs: Vec::new(),
            journal: kept.journal.clone(),
            settings: Vec::new(),
        }))
    }

    async fn message(&self, _: &CommunityId, id: &MessageId) -> Result<Option<StoredMessage>, StoreError> {
        assert_ne!(id.as_str(), DEFECTIVE, "a defect on purpose");
        if id.as_str() == UNREADABLE {
            return Err(StoreError::Failed {
                doing: "reading a message",
                detail: "disk I/O error".into(),
            });
        }
        Ok(self
            .kept()
            .messages
            .iter()
            .find(|stored| stored.message.id == *id)
            .cloned())
    }

    async fn messages(&self, _: &CommunityId, query: MessageQuery) -> Result<MessagePage, StoreError> {
        let kept = self.kept();
        let mut fitting: Vec<StoredMessage> = kept
            .messages
            .iter()
            .filter(|stored| stored.message.room == query.room)
            .filter(|stored| query.before.is_none_or(|before| stored.seq < before))
            .filter(|stored| query.after.is_none_or(|after| stored.seq > after))
            .cloned()
            .collect();
        let has_more = fitting.len() > query.limit;
        if query.after.is_some() {
            fitting.truncate(query.limit);
        } else {
            fitting.drain(..fitting.len().saturating_sub(query.limit));
        }
        Ok(MessagePage {
            messages: fitting,
            has_more,
        })
    }

    async fn people(&self, _: &CommunityId) -> Result<Vec<Author>, StoreError> {
        let kept = self.kept();
        let authors = kept.messages.iter().map(|stored| stored.message.author.clone());
        Ok(authors
            .filter(|author| author.kind != AuthorKind::Denizen)
            .collect())
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

    async fn journal(&self, _: &CommunityId, query: JournalQuery) -> Result<Vec<JournalEntry>, StoreError> {
        let kept = self.kept();
        let mut fitting: Vec<JournalEntry> = kept
            .journal
            .iter()
            .filter(|entry| entry.seq > query.after)
            .filter(|entry| query.room.is_none() || entry.scope.room == query.room)
            .filter(|entry| {
                query
                    .name
                    .as_deref()
                    .is_none_or(|name| entry.event.name() == name)
            })
            .cloned()
            .collect();
        if query.newest {
            fitting.drain(..fitting.len().saturating_sub(query.limit));
        }
        fitting.truncate(query.limit);
        Ok(fitting)
    }

    async fn why(&self, _: &CommunityId, message: &MessageId) -> Result<Vec<JournalEntry>, StoreError> {
        let kept = self.kept();
        let about = |entry: &&JournalEntry| entry.scope.messages.contains(message);
        let turns: Vec<_> = kept
            .journal
            .iter()
            .filter(about)
            .filter_map(|entry| entry.scope.turn)
            .collect();
        let in_turn = |entry: &JournalEntry| entry.scope.turn.is_some_and(|turn| turns.contains(&turn));
        Ok(kept
            .journal
            .iter()
            .filter(|entry| about(entry) || in_turn(entry))
            .cloned()
            .collect())
    }

    async fn start_ask(&self, record: AskRecord) -> Result<(), StoreError> {
        self.kept().asks.push(record);
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
        if let Some(record) = self.kept().asks.iter_mut().find(|record| record.ask == ask) {
            if let Some(sent) = sent_instead {
                record.raw_request = sent.raw_request;
                record.url = sent.url;
            }
            record.outcome = Some(outcome);
            record.raw_response = raw_response;
        }
        Ok(())
    }

    async fn ask(&self, _: &CommunityId, ask: AskId) -> Result<Option<AskRecord>, StoreError> {
        Ok(self.kept().asks.iter().find(|record| record.ask == ask).cloned())
    }

    async fn asks(&self, _: &CommunityId, filter: AskFilter) -> Result<Vec<AskSummary>, StoreError> {
        let kept = self.kept();
        let fitting = kept
            .asks
            .iter()
            .rev()
            .filter(|record| filter.room.as_ref().is_none_or(|room| record.room == *room))
            .filter(|record| filter.turn.is_none_or(|turn| record.turn == turn))
            .filter(|record| filter.before.is_none_or(|before| record.ask < before))
            .map(AskSummary::of)
            .filter(|ask| {
                filter
                    .purpose
                    .as_ref()
                    .is_none_or(|purpose| ask.purpose == *purpose)
            })
            .filter(|ask| filter.ending.is_none_or(|ending| ending == ending_of(&ask.state)));
        Ok(fitting.take(filter.limit).collect())
    }

    async fn ask_totals(
        &self,
        community: &CommunityId,
        filter: AskFilter,
    ) -> Result<Vec<AskTotals>, StoreError> {
        let limit = usize::MAX;
        let mut totals: BTreeMap<String, AskTotals> = BTreeMap::new();
        for ask in self
            .asks(
                community,
                AskFilter {
                    limit,
                    before: None,
                    ..filter
                },
            )
            .await?
        {
            let sum = totals.entry(ask.purpose.clone()).or_default();
            sum.purpose = ask.purpose;
            sum.calls += 1;
        }
        Ok(totals.into_values().collect())
    }

    async fn put_attachment(
        &self,
        _: &CommunityId,
        id: &AttachmentId,
        mime: &str,
        bytes: Bytes,
    ) -> Result<(), StoreError> {
        self.kept().attachments.insert(id.clone(), (mime.into(), bytes));
        Ok(())
    }

    async fn attachment(
        &self,
        _: &CommunityId,
        id: &AttachmentId,
    ) -> Result<Option<(String, Bytes)>, StoreError> {
        Ok(self.kept().attachments.get(id).cloned())
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
        Ok(self.kept().settings.clone())
    }

    async fn newest_settings(&self) -> Result<u64, StoreError> {
        Ok(self.kept().settings.version())
    }

    async fn base_settings(&self) -> Result<SavedSettings, StoreError> {
        let kept = self.kept();
        Ok(SavedSettings {
            version: kept.settings.base_version,
            document: kept.settings.layers.base.clone(),
        })
    }

    async fn save_settings(
        &self,
        layer: Option<&CommunityId>,
        based_on: u64,
        document: Document,
    ) -> Result<u64, StoreError> {
        let settings = &mut self.kept().settings;
        let next = settings.version() + 1;
        let (newest, saved) = match layer {
            None => (&mut settings.base_version, &mut settings.layers.base),
            Some(_) => (&mut settings.own_version, &mut settings.layers.own),
        };
        if *newest != based_on {
            return Err(StoreError::StaleSettings {
                yours: based_on,
                newest: *newest,
            });
        }
        (*newest, *saved) = (next, document);
        Ok(next)
    }

    async fn forget(&self, _: &CommunityId, forgetting: Forgetting) -> Result<Forgotten, StoreError> {
        let mut kept = self.kept();
        let before = kept.messages.len();
        kept.messages.retain(|stored| {
            let message = &stored.message;
            let is_named = forgetting
                .turns
                .iter()
                .any(|turn| turn.as_str() == message.id.as_str());
            let is_meant = match &forgetting.what {
                Forget::Person { person, .. } => message.author.id == *person,
                Forget::Room { room, .. } => message.room == *room,
                Forget::Community(_) => true,
                Forget::Gems(_) | Forget::Turns(_) | Forget::Session(_) => false,
            };
            !is_named && !is_meant
        });
        Ok(Forgotten {
            messages: (before - kept.messages.len()) as u64,
            ..Forgotten::default()
        })
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

/// A model that says which settings it was given last.
#[derive(Default)]
pub struct SilentModel(Mutex<u32>);

#[async_trait]
impl Language for SilentModel {
    fn prepare(
        &self,
        _: &ModelRequest,
        _: &BTreeMap<AttachmentId, Bytes>,
        _: &Settings,
    ) -> Result<Prepared, AskFailure> {
        Err(never_asked())
    }

    async fn send(
        &self,
        _: &ModelRequest,
        _: &Prepared,
        _: mpsc::Sender<Delta>,
        _: RawResponse,
    ) -> AskOutcome {
        AskOutcome::Failed(never_asked())
    }

    async fn configure(&self, _: &Settings) {
        *self.0.lock().unwrap() += 1;
    }

    fn status(&self, _: &Settings) -> LanguageStatus {
        LanguageStatus {
            because: format!("looked {} times", *self.0.lock().unwrap()),
            ..models::shown_as("silent")
        }
    }
}

fn never_asked() -> AskFailure {
    AskFailure {
        kind: AskFailureKind::Rejected,
        detail: "no test asks a model".into(),
        retry_after: None,
        usage: None,
        tries: 1,
    }
}

fn ending_of(state: &str) -> AskEnding {
    match state {
        "answered" => AskEnding::Answered,
        "under_way" => AskEnding::UnderWay,
        _ => AskEnding::Failed,
    }
}
