//! The journal, and why.

use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{AskSummary, StoredMessage};

#[derive(Debug, ToSchema)]
pub struct JournalPage {
    pub entries: Vec<JournalEntry>,
    /// What to give as `after` for the lines that follow.
    pub next: u64,
}

/// One line of the journal.
#[derive(Debug, ToSchema)]
pub struct JournalEntry {
    pub seq: u64,
    /// Milliseconds on the community's own time line.
    pub moment: u64,
    /// Unix milliseconds.
    pub wall: i64,
    pub community: String,
    #[schema(nullable = false)]
    pub room: Option<String>,
    #[schema(nullable = false)]
    pub turn: Option<u64>,
    /// The number of the line that led to this one.
    #[schema(nullable = false)]
    pub cause: Option<u64>,
    /// The messages it concerns.
    #[schema(required = false)]
    pub messages: Vec<String>,
    /// Stable; GET /api/journal/events says what it means.
    #[schema(example = "reply_skipped")]
    pub name: String,
    #[schema(value_type = Object)]
    pub data: Map<String, Value>,
}

#[derive(Debug, ToSchema)]
pub struct EventDocs {
    pub events: Vec<EventDoc>,
}

#[derive(Debug, ToSchema)]
pub struct EventDoc {
    pub name: String,
    pub meaning: String,
    pub fields: Vec<String>,
}

#[derive(Debug, ToSchema)]
pub struct Why {
    pub message: StoredMessage,
    pub verdict: Verdict,
    /// Every line about the message and its turns, in order.
    pub chain: Vec<Link>,
    /// The model calls of its turns.
    pub asks: Vec<AskSummary>,
    /// The ids of the messages that answered it.
    pub replies: Vec<String>,
}

/// What became of the message.
#[derive(Debug, ToSchema)]
pub struct Verdict {
    /// `answered`, `silent`, `waiting`, `failed` or `own`.
    #[schema(example = "silent")]
    pub outcome: String,
    /// Why, in plain words.
    pub sentence: String,
}

#[derive(Debug, ToSchema)]
pub struct Link {
    /// The line in plain words.
    pub sentence: String,
    pub entry: JournalEntry,
}
