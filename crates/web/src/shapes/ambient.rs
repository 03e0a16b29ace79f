//! Thoughts of its own: the cycle, the thought that is held, runs, receipts and budgets. Spans are milliseconds.

use utoipa::ToSchema;

use super::discovery::{Candidate, FeedSource, SourceView};

/// An empty object.
#[derive(Debug, ToSchema)]
pub struct Nothing {}

/// The ambient cycle as it is now.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmbientView {
    /// Whether it thinks of something by itself at all: `initiative.text.enabled`.
    pub enabled: bool,
    pub attention: AttentionView,
    /// Until the next tick; none: no tick is wanted.
    #[schema(required = true)]
    pub next_tick_in: Option<u64>,
    /// What would stop the next tick, as things stand; none: nothing but chance.
    #[schema(required = true)]
    pub stopped_by: Option<Stop>,
    /// The chance of a fresh thought once nothing stops it, in percent.
    pub eagerness: u64,
    /// The configured channels, and whether each could be posted to.
    pub channels: Vec<ChannelView>,
    /// The thought that is held.
    #[schema(required = true)]
    pub thought: Option<ThoughtView>,
    /// What is under way.
    #[schema(required = true)]
    pub run: Option<ThoughtRun>,
    /// What the last trial came to, or how far it is.
    #[schema(required = true)]
    pub trial: Option<ThoughtRun>,
    /// Newest first; equal ones in a row are one.
    pub receipts: Vec<Receipt>,
    pub budget: BudgetView,
    pub posts_per_day: Meter,
    pub media: Vec<MediaMeter>,
    /// Its posts, newest first.
    pub posts: Vec<PostView>,
    /// Everything that is read.
    pub sources: Vec<SourceView>,
    /// The items the last thought was shown.
    pub candidates: Vec<Candidate>,
    /// What the community is into, strongest first.
    pub interests: Vec<String>,
    pub tools: Vec<ToolView>,
}

/// Whether an exchange is going on.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttentionView {
    /// `ambient` or `active`.
    #[schema(example = "ambient")]
    pub state: String,
    /// While active: for how long still.
    #[schema(required = true)]
    pub ends_in: Option<u64>,
    /// While active: where.
    #[schema(required = true)]
    pub room: Option<String>,
}

/// A gate that is shut.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stop {
    /// Its name in the journal.
    pub gate: String,
    /// In words, with what would open it.
    pub words: String,
    /// When it opens by itself, where that is known.
    #[schema(required = true)]
    pub opens_in: Option<u64>,
}

/// A channel of the pool.
#[derive(Debug, ToSchema)]
pub struct ChannelView {
    pub room: String,
    pub eligible: bool,
    /// Why not.
    pub why: String,
}

/// The thought that is held.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ThoughtView {
    pub text: String,
    pub room: String,
    #[schema(required = true)]
    pub media: Option<MediaWish>,
    pub reason: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// How it came to be what it is, oldest first.
    pub history: Vec<Revision>,
    /// People wrote in its channels since it was last looked at.
    pub room_moved_on: bool,
}

/// A picture, clip or GIF that is wanted.
#[derive(Debug, ToSchema)]
pub struct MediaWish {
    /// `image`, `video` or `gif`.
    #[schema(example = "image")]
    pub kind: String,
    pub prompt: String,
}

/// One look at a thought.
#[derive(Debug, ToSchema)]
pub struct Revision {
    /// Unix milliseconds.
    pub at: i64,
    pub ask: u64,
    /// `post_now`, `hold` or `drop`.
    #[schema(example = "hold")]
    pub action: String,
    pub text: String,
    #[schema(required = true)]
    pub room: Option<String>,
    #[schema(required = true)]
    pub media: Option<MediaWish>,
    pub reason: String,
}

/// A run from its gates to its end.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ThoughtRun {
    pub turn: u64,
    /// Unix milliseconds.
    pub started_at: i64,
    /// Unix milliseconds; none while it is under way.
    #[schema(required = true)]
    pub ended_at: Option<i64>,
    /// `gathering`, `thinking`, `using_tools`, `making_media`, `posting`, `done` or `failed`.
    #[schema(example = "thinking")]
    pub stage: String,
    /// A held thought is looked at again.
    pub revisits: bool,
    /// What happened so far, oldest first.
    pub steps: Vec<RunStep>,
    #[schema(required = true)]
    pub decision: Option<Revision>,
    /// The message that would be (or was) sent.
    #[schema(required = true)]
    pub post: Option<String>,
    /// What would have become of it, or did, in words.
    pub outcome: String,
}

/// One thing that happened in a run.
#[derive(Debug, ToSchema)]
pub struct RunStep {
    /// Unix milliseconds.
    pub at: i64,
    /// `gathered`, `asked`, `answered`, `tool`, `media`, `decided` or `failed`.
    #[schema(example = "asked")]
    pub kind: String,
    pub words: String,
    /// The model call.
    #[schema(required = true)]
    pub ask: Option<u64>,
}

/// One tick, or several equal ones in a row.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// Unix milliseconds.
    pub first_at: i64,
    /// Unix milliseconds.
    pub last_at: i64,
    pub ticks: u64,
    /// Whether a model was asked.
    pub ran: bool,
    /// The gate that stopped it; none: it ran.
    #[schema(required = true)]
    pub gate: Option<String>,
    pub words: String,
    /// The newest roll, where chance decided.
    #[schema(required = true)]
    pub roll: Option<u64>,
    /// What the roll had to be below.
    #[schema(required = true)]
    pub below: Option<u64>,
    /// `post_now`, `hold`, `drop` or `failed`; none while it runs, or where it did not.
    #[schema(required = true)]
    pub action: Option<String>,
    #[schema(required = true)]
    pub turn: Option<u64>,
}

/// How much of an allowance of 24 hours is used.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Meter {
    pub used: u64,
    pub limit: u64,
    /// When some of it comes back.
    #[schema(required = true)]
    pub frees_in: Option<u64>,
}

/// What thinking costs.
#[derive(Debug, ToSchema)]
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
    /// What one thought cost on average, in millionths of a dollar.
    #[schema(required = true)]
    pub cost_of_a_thought: Option<u64>,
    #[schema(required = true)]
    pub tokens_of_a_thought: Option<u64>,
}

/// What a gate kept from being asked.
#[derive(Debug, ToSchema)]
pub struct Saved {
    pub gate: String,
    pub words: String,
    /// Ticks it stopped.
    pub ticks: u64,
    /// What they would have cost at the average; none where that is not known.
    #[schema(required = true)]
    pub tokens: Option<u64>,
    /// In millionths of a dollar.
    #[schema(required = true)]
    pub cost: Option<u64>,
}

/// An allowance of pictures, clips or GIFs.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaMeter {
    /// `image`, `video` or `gif`.
    #[schema(example = "image")]
    pub kind: String,
    pub used: u64,
    pub limit: u64,
    /// When some of it comes back.
    #[schema(required = true)]
    pub frees_in: Option<u64>,
    /// Why it cannot be had; empty: it can.
    pub why_not: String,
}

/// A post and what came of it.
#[derive(Debug, ToSchema)]
pub struct PostView {
    pub turn: u64,
    pub room: String,
    pub messages: Vec<String>,
    pub text: String,
    /// Unix milliseconds.
    pub at: i64,
    pub links: Vec<PostLink>,
    /// `image`, `video` or `gif`.
    #[schema(required = true)]
    pub media: Option<String>,
    pub reactions: u64,
    pub replies: u64,
}

/// A link of a post.
#[derive(Debug, ToSchema)]
pub struct PostLink {
    pub url: String,
    /// The source it came from; none: it was found otherwise.
    #[schema(required = true)]
    pub source: Option<FeedSource>,
}

/// A tool, and whether it is offered while thinking.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolView {
    pub name: String,
    /// `denizen`, `web`, or the name of an MCP server.
    pub origin: String,
    pub offered: bool,
    /// Why it is not offered.
    pub why_not: String,
}

/// What it can reach out with.
#[derive(Debug, ToSchema)]
pub struct Reach {
    pub tools: Vec<ToolStatus>,
    pub media: Vec<ToolStatus>,
}

/// How it stands with a search service, the browser, an MCP server, or a maker of media.
#[derive(Debug, ToSchema)]
pub struct ToolStatus {
    pub name: String,
    pub ready: bool,
    /// What it is, or why not and what to do.
    pub detail: String,
    /// The tools it has.
    pub tools: Vec<String>,
}
