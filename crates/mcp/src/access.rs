//! What the tools need of memory, whoever keeps it.

use async_trait::async_trait;
use runtime::ports::Removed;
use vocabulary::{Found, Gem, GemId, GemTag, TurnKey};

/// Something to be remembered.
#[derive(Clone, Debug, PartialEq)]
pub struct Remember {
    pub content: String,
    /// Whom it is about: a name, or an id as recall shows it.
    pub person: Option<String>,
    pub tags: Vec<GemTag>,
    /// 0 to 1.
    pub importance: Option<f64>,
}

/// Something to look for.
#[derive(Clone, Debug, PartialEq)]
pub struct Recall {
    pub query: String,
    pub person: Option<String>,
    pub limit: usize,
    /// Also what is less sure than the settings ask for: what to forget is chosen by its id, not by its score.
    pub however_unsure: bool,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecallReply {
    pub found: Vec<Found>,
    /// How many more there were that are too unsure.
    pub below_threshold: usize,
    /// What the caller should know about this search.
    pub remark: Option<String>,
}

/// What is to be forgotten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForgetTarget {
    Gem(GemId),
    Turn(TurnKey),
    /// Everything a person said, and everything known about them; a name, or an id.
    Person(String),
}

/// The door to memory. A refusal is a sentence for a person, with the remedy.
#[async_trait]
pub trait MemoryAccess: Send + Sync {
    async fn remember(&self, new: Remember) -> Result<Gem, String>;
    async fn recall(&self, question: Recall) -> Result<RecallReply, String>;
    async fn forget(&self, what: ForgetTarget) -> Result<Removed, String>;
}
