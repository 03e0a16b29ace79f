//! The service of memory: one door to the store, the buffer and the embedder, for the mind, the pages, other agents and the command line.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use mind::memory::gems::redaction::redact;
use serde::Serialize;
use tokio::sync::Notify;
use vocabulary::{
    CapturedTurn, CommunityId, Forget, Found, Gem, GemId, Kinds, PersonId, Record, RecordId, Search,
    SessionId, TurnKey, Viewpoint,
};

use super::changing::{Changing, Quiet};
use crate::clock::wall;
use crate::ports::{
    BufferCount, EmbedRole, Embedded, Embedder, EmbedderIdentity, GemStore, Listing, MemoryFault, Page,
    StoreStats, TurnBuffer, WhoseTurns,
};

/// Texts that are embedded in one call.
pub(super) const EMBED_BATCH: usize = 64;

/// What to do when the store holds another embedder's vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnOtherEmbedder {
    /// Say so; nothing is touched.
    Refuse,
    /// Let them go, and make new ones in the background.
    Reembed,
}

/// A question to memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub words: String,
    pub view: Viewpoint,
    pub person: Option<PersonId>,
    pub kinds: Kinds,
    pub exclude: Vec<TurnKey>,
    pub superseded: bool,
    pub limit: usize,
}

/// What a question found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recalled {
    pub found: Vec<Found>,
    /// Why meaning played no part, where it did not.
    pub by_words_only: Option<String>,
}

/// How far the vectors have been made anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Reembedding {
    pub done: usize,
    pub total: usize,
    /// Why it stands still, when it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// How memory is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MemoryStatus {
    pub store: String,
    pub buffer: String,
    pub embedder: Option<EmbedderIdentity>,
    pub stats: StoreStats,
    pub waiting: BufferCount,
    pub reembedding: Option<Reembedding>,
    /// What does not work right now, for a person.
    pub trouble: Option<String>,
}

/// The service of memory. Cheap to clone.
#[derive(Clone)]
pub struct MemoryService {
    pub(super) gems: Arc<dyn GemStore>,
    pub(super) buffer: Arc<dyn TurnBuffer>,
    /// Stores that were moved away from and still hold a copy: whatever is forgotten is forgotten there too.
    pub(super) left_behind: Vec<Arc<dyn GemStore>>,
    /// None while it could not be opened: everything is found by its words alone.
    embedder: Arc<RwLock<Option<Arc<dyn Embedder>>>>,
    /// Whether the store is known to hold this embedder's vectors; until then it is given none.
    pub(super) agreed: Arc<AtomicBool>,
    pub(super) reembedding: Arc<Mutex<Option<Reembedding>>>,
    changing: Arc<Changing>,
    captured: Arc<Notify>,
}

impl std::fmt::Debug for MemoryService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryService")
            .field("gems", &self.gems.describe())
            .field("buffer", &self.buffer.describe())
            .finish_non_exhaustive()
    }
}

impl MemoryService {
    /// Opens memory, and sees to it that store and embedder agree.
    pub async fn open(
        gems: Arc<dyn GemStore>,
        buffer: Arc<dyn TurnBuffer>,
        embedder: Option<Arc<dyn Embedder>>,
        on_other: OnOtherEmbedder,
    ) -> Result<Self, MemoryFault> {
        let service = Self {
            gems,
            buffer,
            left_behind: Vec::new(),
            embedder: Arc::new(RwLock::new(embedder)),
            agreed: Arc::default(),
            reembedding: Arc::default(),
            changing: Arc::default(),
            captured: Arc::default(),
        };
        match service.agree(on_other).await {
            Err(fault @ MemoryFault::Unreachable { .. }) if on_other == OnOtherEmbedder::Reembed => {
                tracing::warn!(%fault, "memory waits for its store; turns are kept until it is there");
            }
            agreed => agreed?,
        }
        Ok(service)
    }

    /// A store that was moved away from and still holds a copy.
    #[must_use]
    pub fn with_left_behind(mut self, store: Arc<dyn GemStore>) -> Self {
        self.left_behind.push(store);
        self
    }

    /// Whoever tells what texts mean, where there is somebody.
    pub fn embedder(&self) -> Option<Arc<dyn Embedder>> {
        self.embedder
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Takes an embedder that could not be opened at the start; what was stored meanwhile is embedded in the background.
    pub async fn take_embedder(&self, embedder: Arc<dyn Embedder>) -> Result<(), MemoryFault> {
        *self.embedder.write().unwrap_or_else(PoisonError::into_inner) = Some(embedder);
        self.agree(OnOtherEmbedder::Reembed).await
    }

    /// Takes turns in, as another agent's. Durable when it returns; a turn that was taken before is not taken again.
    pub async fn capture(&self, turns: &[CapturedTurn]) -> Result<(), MemoryFault> {
        self.buffer.push(turns).await?;
        self.note_captured();
        Ok(())
    }

    /// Keeps others from changing what is remembered of a community, or of all.
    pub(super) async fn quiet(&self, community: Option<&CommunityId>) -> Quiet {
        self.changing.quiet(community).await
    }

    /// Turns were put into the buffer.
    pub(crate) fn note_captured(&self) {
        self.captured.notify_one();
    }

    /// Waits until turns were put into the buffer.
    pub(super) async fn captured(&self) {
        self.captured.notified().await;
    }

    /// Looks for what fits, best first.
    pub async fn recall(&self, question: &Question) -> Result<Recalled, MemoryFault> {
        let (vector, by_words_only) = match self.meaning(&question.words).await {
            Ok(vector) => (vector, None),
            Err(why) => (None, Some(why)),
        };
        let found = self
            .gems
            .search(&Search {
                words: question.words.clone(),
                vector,
                view: question.view.clone(),
                person: question.person.clone(),
                kinds: question.kinds,
                exclude: question.exclude.clone(),
                superseded: question.superseded,
                now: wall(),
                limit: question.limit,
            })
            .await?;
        Ok(Recalled { found, by_words_only })
    }

    pub async fn gem(&self, id: &GemId) -> Result<Option<Gem>, MemoryFault> {
        let found = self.gems.get(&[RecordId::Gem(id.clone())]).await?;
        Ok(found.into_iter().find_map(|record| match record {
            Record::Gem(gem) => Some(*gem),
            Record::Turn(_) => None,
        }))
    }

    /// The turns of these ids that are there.
    pub async fn turns_of(&self, ids: &[TurnKey]) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let ids: Vec<RecordId> = ids.iter().cloned().map(RecordId::Turn).collect();
        let found = self.gems.get(&ids).await?.into_iter();
        Ok(found
            .filter_map(|record| match record {
                Record::Turn(turn) => Some(turn),
                Record::Gem(_) => None,
            })
            .collect())
    }

    /// Somebody changed what they wrote: what is found of it is how it stands now.
    pub async fn edit_turn(
        &self,
        community: &CommunityId,
        id: &TurnKey,
        text: &str,
    ) -> Result<(), MemoryFault> {
        let _quiet = self.quiet(Some(community)).await;
        let Some(mut turn) = self.turns_of(std::slice::from_ref(id)).await?.pop() else {
            return Ok(());
        };
        turn.text = redact(text).text;
        self.put(vec![Record::Turn(turn)]).await
    }

    /// Somebody took back what they wrote: it is not found any more, nor are gems that came from nothing else.
    pub async fn drop_turn(&self, community: &CommunityId, id: &TurnKey) -> Result<(), MemoryFault> {
        let _quiet = self.quiet(Some(community)).await;
        self.gems.forget(&Forget::Turns(vec![id.clone()])).await?;
        Ok(())
    }

    /// Gems, newest first.
    pub async fn gems(&self, listing: &Listing) -> Result<Page<Gem>, MemoryFault> {
        self.gems.gems(listing).await
    }

    /// Turns, newest first.
    pub async fn turns(&self, listing: &Listing) -> Result<Page<CapturedTurn>, MemoryFault> {
        self.gems.turns(listing).await
    }

    /// The conversation before a turn, for a model to understand it by.
    pub async fn history(
        &self,
        session: &SessionId,
        before: u64,
        max_chars: usize,
    ) -> Result<Vec<CapturedTurn>, MemoryFault> {
        self.gems.history(session, before, max_chars).await
    }

    /// What is known of a person and may be seen from there, newest first.
    pub async fn of_person(
        &self,
        person: &PersonId,
        view: &Viewpoint,
        limit: usize,
    ) -> Result<Vec<Gem>, MemoryFault> {
        let listing = Listing {
            person: Some(person.clone()),
            current_only: true,
            limit,
            ..Listing::default()
        };
        let page = self.gems.gems(&listing).await?;
        let mut gems = page.items;
        gems.retain(|gem| view.sees(&gem.place, gem.person.as_ref()));
        Ok(gems)
    }

    /// Stores records with their vectors; those that cannot be embedded now are found by their words until they are.
    pub async fn put(&self, records: Vec<Record>) -> Result<(), MemoryFault> {
        for chunk in records.chunks(EMBED_BATCH) {
            let texts: Vec<String> = chunk.iter().map(embedded_text).collect();
            let embedder = self.embedder().filter(|_| self.agreed.load(Ordering::Acquire));
            let vectors = match embedder {
                Some(embedder) => embedder.embed(&texts, EmbedRole::Passage).await,
                None => Ok(vec![Vec::new(); texts.len()]),
            };
            let vectors = vectors.unwrap_or_else(|fault| {
                tracing::warn!(%fault, "some memories are found by their words alone until they can be embedded");
                vec![Vec::new(); texts.len()]
            });
            let records = chunk.iter().cloned().zip(vectors);
            let records = records.map(|(record, vector)| Embedded { record, vector });
            self.gems.put(records.collect()).await?;
        }
        Ok(())
    }

    pub async fn status(&self) -> MemoryStatus {
        let stats = self.gems.stats().await;
        let waiting = self.buffer.count(&WhoseTurns::All).await;
        let reembedding = self.progress();
        let trouble = [
            stats.as_ref().err().map(ToString::to_string),
            waiting.as_ref().err().map(ToString::to_string),
            self.buffer.trouble(),
            reembedding.as_ref().and_then(|progress| progress.trouble.clone()),
        ];
        let trouble: Vec<String> = trouble.into_iter().flatten().collect();
        MemoryStatus {
            store: self.gems.describe(),
            buffer: self.buffer.describe(),
            embedder: self.embedder().map(|embedder| embedder.identity()),
            stats: stats.unwrap_or_default(),
            waiting: waiting.unwrap_or_default(),
            reembedding,
            trouble: (!trouble.is_empty()).then(|| trouble.join(" ")),
        }
    }

    /// How far vectors have been made anew; none when there is nothing to do.
    pub fn progress(&self) -> Option<Reembedding> {
        self.reembedding
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// What the words mean; none without an embedder, and why not when it failed.
    async fn meaning(&self, words: &str) -> Result<Option<Vec<f32>>, String> {
        let Some(embedder) = self.embedder().filter(|_| self.agreed.load(Ordering::Acquire)) else {
            return Err("there is no embedder yet, or the store has not agreed with it".to_owned());
        };
        let texts = [words.to_owned()];
        match embedder.embed(&texts, EmbedRole::Query).await {
            Ok(mut vectors) => Ok(vectors.pop().filter(|vector| !vector.is_empty())),
            Err(fault) => Err(fault.to_string()),
        }
    }
}

/// What of a record is embedded: whose words they are helps to find them.
pub(super) fn embedded_text(record: &Record) -> String {
    match record {
        Record::Gem(gem) => gem.content.clone(),
        Record::Turn(turn) => format!("{}: {}", turn.speaker.name, turn.text),
    }
}
