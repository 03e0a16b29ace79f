//! The shapes of bodies as the description of the API states them. A test holds real answers against them.

mod agents;
mod ambient;
mod asks;
mod discovery;
mod journal;
mod memory;
mod messages;
mod session;
mod settings;
mod watch;

use serde_json::Value;
use utoipa::ToSchema;

pub use agents::{
    AgentScope, AgentView, ContextUsage, NewGem, NewTurn, NewTurns, RecallAnswer, RecallQuestion, Speaker,
    TurnsAnswer,
};
pub use ambient::{
    AmbientView, AttentionView, BudgetView, ChannelView, MediaMeter, MediaWish, Meter, Nothing, PostLink,
    PostView, Reach, Receipt, Revision, RunStep, Saved, Stop, ThoughtRun, ThoughtView, ToolStatus, ToolView,
};
pub use asks::{
    Answered, AskAnswer, AskOutcome, AskRecord, AskSummary, Asks, ChatTurn, Failed, ModelChoice,
    ModelRequest, Section, Usage,
};
pub use discovery::{
    Candidate, Checked, FeedItem, FeedSource, NamedSource, Preview, SourceReport, SourceReports, SourceView,
};
pub use journal::{EventDoc, EventDocs, JournalEntry, JournalPage, Link, Verdict, Why};
pub use memory::{
    CapturedTurn, Embedder, Found, Gem, GemAnswer, GemEdit, GemOnly, GemPage, GemSource, MemoryPeople,
    MemoryPerson, MemoryRun, MemoryRuns, MemoryStats, MemoryStatus, Place, Record, Reembedding, RejectedGems,
    Removed, RemovedAnswer, Scores, SearchAnswer, Supersede, Superseded, Timeline, TimelineItem, Waiting,
};
pub use messages::{
    Attachment, Author, MessageAnswer, MessageEdit, MessagePage, NewAttachment, NewMessage, NewReaction,
    Reaction, Room, Rooms, StoredMessage, Typing,
};
pub use session::{FinishedRun, NewNote, PendingNote, RunView, SessionView, TimelineTurn};
pub use settings::{
    Knob, Limits, Migration, MigrationNote, MigrationView, SettingChange, SettingProblem, SettingsChange,
    SettingsView,
};
pub use watch::{
    AskingView, CallsView, CommentaryView, GateView, NewShare, NoteTakerView, ScreenNote, SeenFrame,
    ShareLink, ShareView, TakenFrame, Thresholds, WatchChoice, WatchMark, WatchView,
};

/// Every refusal looks like this.
#[derive(Debug, ToSchema)]
#[schema(example = json!({"error": {"code": "empty_message", "message": "A message needs words or a picture. Write something, or add one."}}))]
pub struct ErrorBody {
    pub error: Problem,
}

/// What went wrong and what to do about it.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// A stable word for programs.
    #[schema(example = "empty_message")]
    pub code: String,
    /// For a person, with the remedy.
    pub message: String,
    /// One item for each thing that is wrong, where there may be several.
    #[schema(required = false)]
    pub details: Vec<Value>,
    /// With `stale_settings`: the newest version.
    #[schema(required = false, nullable = false)]
    pub newest_version: Option<u64>,
}

/// How Denizen is.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// Always `ok`: whoever is unwell does not answer.
    #[schema(example = "ok")]
    pub status: String,
    pub version: String,
    /// Milliseconds since the process started.
    pub uptime_ms: u64,
    pub community: String,
    pub denizen: Denizen,
    pub model: LanguageStatus,
    /// The version of the settings in force.
    pub settings_version: u64,
    /// The number of the newest journal line, if there is one.
    #[schema(nullable = false)]
    pub journal_seq: Option<u64>,
}

/// Who Denizen is here.
#[derive(Debug, ToSchema)]
pub struct Denizen {
    pub id: String,
    pub name: String,
}

/// Which model is in use.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LanguageStatus {
    pub provider: String,
    pub model: String,
    pub base_url: String,
    /// The built-in model without a network.
    pub offline: bool,
    /// How it was chosen.
    pub because: String,
    /// What to do to use another one.
    pub how_to_change: String,
}
