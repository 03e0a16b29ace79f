//! The ambient cycle as a page shows it. All times are wall times or spans in milliseconds.

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, FeedSource, MediaKind, MediaWish, MessageId, RoomId, Span, TurnId, WallTime, named};

use super::feed::{Candidate, ScoreParts, SourceTally};
use super::gate_docs::GateDoc;
use super::reading::ThoughtAction;
pub use crate::spending::view::Meter;

/// Everything at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AmbientView {
    pub enabled: bool,
    pub attention: AttentionView,
    /// Until the next tick; none: no tick is wanted.
    pub next_tick_in: Option<Span>,
    /// What would stop the next tick, as things stand; none: nothing but chance.
    pub stopped_by: Option<Stop>,
    /// The chance of a fresh thought once nothing stops it, in percent.
    pub eagerness: u64,
    /// The configured channels, and whether each could be posted to.
    pub channels: Vec<ChannelView>,
    pub thought: Option<ThoughtView>,
    /// What it holds in the voice of rooms, one thought in each.
    pub aloud: Vec<AloudView>,
    /// What is under way.
    pub run: Option<RunView>,
    /// What the operator's last "think now" came to, or how far it is.
    pub trial: Option<RunView>,
    /// Every gate there is.
    pub gates: Vec<GateDoc>,
    /// Newest first; equal ones in a row are one.
    pub receipts: Vec<Receipt>,
    pub budget: BudgetView,
    pub posts_per_day: Meter,
    pub media: Vec<MediaMeter>,
    /// Newest first.
    pub posts: Vec<PostView>,
    pub sources: Vec<SourceView>,
    /// The items the last thought was shown.
    pub candidates: Vec<CandidateView>,
    pub interests: Vec<String>,
    pub tools: Vec<ToolView>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AttentionView {
    /// `ambient` or `active`.
    pub state: String,
    /// While active: for how long still, and where.
    pub ends_in: Option<Span>,
    pub room: Option<RoomId>,
}

/// A gate that is shut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Stop {
    /// Its name in the journal.
    pub gate: String,
    /// In words, with what would open it.
    pub words: String,
    /// When it opens by itself, where that is known.
    pub opens_in: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChannelView {
    pub room: RoomId,
    pub eligible: bool,
    /// Why not.
    pub why: String,
}

/// The thought that is held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThoughtView {
    pub text: String,
    pub room: RoomId,
    pub media: Option<MediaWish>,
    pub reason: String,
    pub created_at: WallTime,
    pub expires_at: WallTime,
    /// How it came to be what it is, oldest first.
    pub history: Vec<Revision>,
    /// People wrote in its channels since it was last looked at.
    pub room_moved_on: bool,
}

/// A thought that is held in the voice of a room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AloudView {
    pub text: String,
    pub room: RoomId,
    /// Why it was held the last time.
    pub reason: String,
    pub created_at: WallTime,
    /// How often it was looked at.
    pub looks: u64,
    /// Something happened in the room since it was last looked at.
    pub room_moved_on: bool,
}

/// One look at a thought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    pub at: WallTime,
    pub ask: AskId,
    pub action: ThoughtAction,
    pub text: String,
    pub room: Option<RoomId>,
    pub media: Option<MediaWish>,
    pub reason: String,
}

/// A run from its gates to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "describe", schemars(rename = "ThoughtRun"))]
pub struct RunView {
    pub turn: TurnId,
    pub started_at: WallTime,
    pub ended_at: Option<WallTime>,
    pub stage: RunStage,
    /// A held thought is looked at again.
    pub revisits: bool,
    /// What happened so far, oldest first.
    pub steps: Vec<RunStep>,
    pub decision: Option<Revision>,
    /// The message that would be (or was) sent, after links and mentions were seen to.
    pub post: Option<String>,
    /// What would have become of it, or did, in words.
    pub outcome: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunStep {
    pub at: WallTime,
    pub kind: RunStepKind,
    pub words: String,
    /// The model call, for the context inspector.
    pub ask: Option<AskId>,
}

named! {
    /// How far a run is.
    pub enum RunStage {
        Gathering = "gathering",
        Thinking = "thinking",
        UsingTools = "using_tools",
        MakingMedia = "making_media",
        Posting = "posting",
        Done = "done",
        Failed = "failed",
    }
}

named! {
    /// What happened in a step of a run.
    pub enum RunStepKind {
        Gathered = "gathered",
        Asked = "asked",
        Answered = "answered",
        Tool = "tool",
        Media = "media",
        Decided = "decided",
        Failed = "failed",
    }
}

/// One tick, or several equal ones in a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub first_at: WallTime,
    pub last_at: WallTime,
    pub ticks: u64,
    /// Whether a model was asked.
    pub ran: bool,
    /// The gate that stopped it; none: it ran.
    pub gate: Option<String>,
    pub words: String,
    /// The newest roll, where chance decided, and what it had to be below.
    pub roll: Option<u64>,
    pub below: Option<u64>,
    /// What came of it: `post_now`, `hold`, `drop`, `failed`; none while it runs, or where it did not.
    pub action: Option<String>,
    pub turn: Option<TurnId>,
    /// The room in whose voice it was to be said; none: it was to be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<RoomId>,
}

impl Receipt {
    /// A receipt that says nothing yet.
    pub(crate) fn at(at: WallTime) -> Self {
        Self {
            first_at: at,
            last_at: at,
            ticks: 1,
            ran: false,
            gate: None,
            words: String::new(),
            roll: None,
            below: None,
            action: None,
            turn: None,
            room: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BudgetView {
    pub calls: Meter,
    pub tokens: Meter,
    /// In millionths of a dollar.
    pub cost: Meter,
    /// Calls whose price nobody knows.
    pub unpriced_calls: u64,
    /// What the gates kept from being asked in the last 24 hours.
    pub saved: Vec<Saved>,
    /// What one thought cost on average, all its calls together.
    pub cost_of_a_thought: Option<u64>,
    pub tokens_of_a_thought: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    pub gate: String,
    pub words: String,
    /// Ticks it stopped.
    pub ticks: u64,
    /// What they would have cost at the average; none where that is not known.
    pub tokens: Option<u64>,
    pub cost: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MediaMeter {
    pub kind: MediaKind,
    #[serde(flatten)]
    pub meter: Meter,
    /// Why it cannot be had; empty: it can.
    pub why_not: String,
}

/// A post and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PostView {
    pub turn: TurnId,
    pub room: RoomId,
    pub messages: Vec<MessageId>,
    pub text: String,
    pub at: WallTime,
    pub links: Vec<PostLink>,
    pub media: Option<MediaKind>,
    pub reactions: u64,
    pub replies: u64,
    /// It was said in the voice of its room.
    pub spoken: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PostLink {
    pub url: String,
    /// The source it came from; none: it was found otherwise.
    pub source: Option<FeedSource>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SourceView {
    pub source: FeedSource,
    /// Denizen added it itself: when and why.
    pub own: bool,
    pub added_at: Option<WallTime>,
    pub reason: String,
    #[serde(flatten)]
    pub tally: SourceTally,
    /// What became of it when it was read last.
    pub last_report: Option<vocabulary::SourceReport>,
    pub last_read_at: Option<WallTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolView {
    pub name: String,
    /// `denizen`, `web`, or the name of an MCP server.
    pub origin: String,
    /// Whether it is offered while thinking; else why not.
    pub offered: bool,
    pub why_not: String,
}

/// An item with why it stands where it does, and what each part adds to its score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CandidateView {
    #[serde(flatten)]
    pub candidate: Candidate,
    pub parts: ScoreParts,
}

impl From<Candidate> for CandidateView {
    fn from(candidate: Candidate) -> Self {
        Self {
            parts: candidate.parts(),
            candidate,
        }
    }
}
