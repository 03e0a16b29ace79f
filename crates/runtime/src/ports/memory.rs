//! Memory beyond a session: where captured turns wait, where gems and turns are kept and found, and who tells what texts mean.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use vocabulary::{
    CapturedTurn, CommunityId, Forget, Found, Gem, GemId, PersonId, Record, RecordId, RoomId, Search,
    SessionId, TurnKey,
};

/// What is wrong with memory, for a person: what failed, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MemoryFault {
    /// It cannot be reached now, and may be later.
    #[error("{what} cannot be reached at {place}: {detail}. {remedy}")]
    Unreachable {
        what: &'static str,
        place: String,
        detail: String,
        remedy: String,
    },
    /// Vectors of one embedder cannot be compared with those of another.
    #[error(
        "the memory was embedded by {stored} ({stored_dimensions} dimensions), and the settings name {wanted} ({wanted_dimensions}). Run `denizen memory reembed`, or set memory.embedding back"
    )]
    OtherEmbedder {
        stored: String,
        stored_dimensions: usize,
        wanted: String,
        wanted_dimensions: usize,
    },
    /// What was asked for makes no sense.
    #[error("{0}")]
    Refused(String),
    #[error("memory failed while {doing}: {detail}")]
    Failed { doing: &'static str, detail: String },
}

/// Which model made vectors, and how long they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EmbedderIdentity {
    /// Provider and model, `builtin:table-1`, `openai:text-embedding-3-small`.
    pub name: String,
    pub dimensions: usize,
}

/// Whether a text is kept or looked for; some models tell the two apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbedRole {
    Passage,
    Query,
}

/// Whoever tells what texts mean, as vectors of length one.
#[async_trait]
pub trait Embedder: Send + Sync {
    fn identity(&self) -> EmbedderIdentity;
    /// One vector per text, in order.
    async fn embed(&self, texts: &[String], role: EmbedRole) -> Result<Vec<Vec<f32>>, MemoryFault>;
}

/// Whoever judges how well finds answer what was looked for.
#[async_trait]
pub trait Reranker: Send + Sync {
    /// Who judges, for a person.
    fn name(&self) -> String;
    /// How sure each find is, 0 to 1, in order; none where it is busy with others. Dropping it stops the work as soon as may be.
    async fn judge(&self, words: &str, found: &[Found]) -> Result<Option<Vec<f64>>, MemoryFault>;
}

/// Whose turns are meant, and what was remembered of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhoseTurns {
    All,
    /// Those of one community.
    Of(CommunityId),
    /// Those of every community but these.
    NotOf(Vec<CommunityId>),
}

impl WhoseTurns {
    pub fn covers(&self, community: &CommunityId) -> bool {
        match self {
            WhoseTurns::All => true,
            WhoseTurns::Of(wanted) => wanted == community,
            WhoseTurns::NotOf(others) => !others.contains(community),
        }
    }
}

/// Where captured turns wait until gems were made of them. Nothing leaves it before that.
#[async_trait]
pub trait TurnBuffer: Send + Sync {
    /// For a person: which buffer, and where.
    fn describe(&self) -> String;
    /// Puts turns at the end; a turn that was put before is not put again.
    async fn push(&self, turns: &[CapturedTurn]) -> Result<(), MemoryFault>;
    /// The oldest turns that nobody holds; they are this process's from now on, and nobody else's while it lives.
    async fn claim(&self, whose: &WhoseTurns, max: usize) -> Result<Vec<CapturedTurn>, MemoryFault>;
    /// What this process holds and has not settled, oldest first; after a restart, what it held before.
    async fn held(&self, whose: &WhoseTurns) -> Result<Vec<CapturedTurn>, MemoryFault>;
    /// The communities that turns wait of, in no order.
    async fn waiting(&self) -> Result<Vec<CommunityId>, MemoryFault>;
    /// Gems were made of these: they leave the buffer.
    async fn settle(&self, turns: &[TurnKey]) -> Result<(), MemoryFault>;
    /// Removes turns, held or not; how many.
    async fn forget(&self, what: &Forget) -> Result<usize, MemoryFault>;
    /// Replaces the text of a turn that is still here.
    async fn edit(&self, turn: &TurnKey, text: &str) -> Result<(), MemoryFault>;
    async fn count(&self, whose: &WhoseTurns) -> Result<BufferCount, MemoryFault>;
    /// Why turns are kept back, where they are; as of the last try.
    fn trouble(&self) -> Option<String> {
        None
    }
}

/// A buffer of this machine's own that turns pass through on their way to a shared one.
#[async_trait]
pub trait Outbox: TurnBuffer {
    /// The oldest turns that nobody holds, left where they are.
    async fn peek(&self, max: usize) -> Result<Vec<CapturedTurn>, MemoryFault>;
    /// The shared buffer has these now; one that is not here any more is no fault.
    async fn remove(&self, turns: &[TurnKey]) -> Result<(), MemoryFault>;
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BufferCount {
    /// Nobody holds them.
    pub waiting: usize,
    /// Held by this process.
    pub held: usize,
    /// Captured here and not yet handed to a shared buffer, because it cannot be reached.
    pub kept_back: usize,
}

/// A record to be stored, with what its text means. An empty vector: not known yet, so it is found by its words alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    pub record: Record,
    pub vector: Vec<f32>,
}

/// Which records to list, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    pub community: Option<CommunityId>,
    pub room: Option<RoomId>,
    pub person: Option<PersonId>,
    pub session: Option<SessionId>,
    /// Gems that do not hold any more are left out.
    pub current_only: bool,
    /// Of gems, only standing and pinned ones.
    pub ageless_only: bool,
    /// Pages go on after the last record of the one before, as the page said.
    pub after: Option<String>,
    pub limit: usize,
}

/// A page of a listing; `next` is given where there is more.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "describe", schemars(rename = "{T}Page"))]
pub struct Page<T> {
    pub items: Vec<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What a store holds of some communities; the sizes are those of all together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StoreStats {
    pub gems: usize,
    pub superseded: usize,
    pub turns: usize,
    /// On disk, where that is known.
    pub disk_bytes: Option<u64>,
    /// Of this process, for the index.
    pub memory_bytes: Option<u64>,
}

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Removed {
    pub gems: Vec<GemId>,
    pub turns: Vec<TurnKey>,
}

/// Where gems and turns are kept and found.
#[async_trait]
pub trait GemStore: Send + Sync {
    /// For a person: which store, and where.
    fn describe(&self) -> String;
    /// Whose vectors it holds; none while it is empty of them.
    async fn embedder(&self) -> Result<Option<EmbedderIdentity>, MemoryFault>;
    /// Declares whose vectors it will hold. Refused while it holds another's, unless `anew`: then every vector
    /// goes, records stay and are found by their words until they are embedded again by `put`.
    async fn set_embedder(&self, embedder: &EmbedderIdentity, anew: bool) -> Result<(), MemoryFault>;
    /// Stores records; one of the same id is replaced whole. Durable and findable when the call returns.
    async fn put(&self, records: Vec<Embedded>) -> Result<(), MemoryFault>;
    /// Those that are there, in the order asked for.
    async fn get(&self, ids: &[RecordId]) -> Result<Vec<Record>, MemoryFault>;
    /// Best first; only what the view may see.
    async fn search(&self, search: &Search) -> Result<Vec<Found>, MemoryFault>;
    async fn gems(&self, listing: &Listing) -> Result<Page<Gem>, MemoryFault>;
    async fn turns(&self, listing: &Listing) -> Result<Page<CapturedTurn>, MemoryFault>;
    /// The conversation before a turn of a session, oldest first, at most so many characters, newest kept.
    async fn history(
        &self,
        session: &SessionId,
        before: u64,
        max_chars: usize,
    ) -> Result<Vec<CapturedTurn>, MemoryFault>;
    /// The greatest turn number of a session; 0 where there is none.
    async fn last_number(&self, session: &SessionId) -> Result<u64, MemoryFault>;
    /// Gems that cite any of these turns.
    async fn gems_of(&self, turns: &[TurnKey]) -> Result<Vec<Gem>, MemoryFault>;
    /// Records whose vector is missing, after the embedder changed; so many at most.
    async fn unembedded(&self, limit: usize) -> Result<Vec<Record>, MemoryFault>;
    /// Removes for good: record, vector and words. A person's gems go wherever they were learnt from.
    async fn forget(&self, what: &Forget) -> Result<Removed, MemoryFault>;
    /// What it holds of these communities.
    async fn stats(&self, whose: &WhoseTurns) -> Result<StoreStats, MemoryFault>;
}
