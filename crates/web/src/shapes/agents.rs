//! What other agents send and get.

use serde_json::Value;
use utoipa::ToSchema;

use super::Found;

/// Turns of one conversation.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTurns {
    /// The conversation, by a name of the agent's own: `my-agent/42`.
    #[schema(min_length = 1, max_length = 200, example = "my-agent/42")]
    pub session: String,
    /// May be empty where `ended` or `contextUsage` is said.
    #[schema(required = false, max_items = 100)]
    pub turns: Vec<NewTurn>,
    pub scope: Option<AgentScope>,
    pub context_usage: Option<ContextUsage>,
    /// The conversation is over: gems are made of what waits.
    #[schema(required = false)]
    pub ended: bool,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTurn {
    /// An id of the agent's own, unique within the session: the turn is taken once, however often it is sent.
    #[schema(max_length = 100)]
    pub id: Option<String>,
    pub speaker: Speaker,
    #[schema(min_length = 1, max_length = 20000)]
    pub text: String,
    /// A time like `2026-02-23T15:26:00Z`, or Unix milliseconds; now without it.
    pub at: Option<Value>,
    /// `typed` (without it), `spoken`, `ambient` or `screen_note`.
    pub kind: Option<String>,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Speaker {
    /// Whoever has the same id is the same person; the name is taken without it. One with a colon is taken as it is, any
    /// other belongs to the community.
    pub id: Option<String>,
    #[schema(min_length = 1, max_length = 100, example = "Alice")]
    pub name: String,
    /// `person` (without it) or `agent`.
    pub kind: Option<String>,
}

/// Where it belongs.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AgentScope {
    /// `agents` without it.
    #[schema(max_length = 100)]
    pub community: Option<String>,
    /// The part of the session before its first slash without it.
    #[schema(max_length = 100)]
    pub room: Option<String>,
    /// It comes up in this room alone.
    #[schema(required = false)]
    pub private: bool,
}

/// How full the agent's own context is: tokens and window, or a per cent.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContextUsage {
    pub tokens: Option<u64>,
    pub context_window: Option<u64>,
    #[schema(minimum = 0.0, maximum = 100.0)]
    pub percent: Option<f64>,
}

#[derive(Debug, ToSchema)]
pub struct TurnsAnswer {
    /// Turns that are new.
    pub accepted: usize,
    /// Turns that were taken in before.
    pub repeated: usize,
    /// The conversation as memory calls it.
    pub session: String,
    /// The turns as memory calls them, in order.
    pub ids: Vec<String>,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecallQuestion {
    /// A question or plain words.
    #[schema(min_length = 1, max_length = 1000)]
    pub query: String,
    pub scope: Option<AgentView>,
    /// Only what is about or by this person: an id, or a name of the community.
    pub person: Option<String>,
    /// `gems`, `turns` or `both` (without it).
    pub kinds: Option<String>,
    /// 10 without it.
    #[schema(minimum = 1, maximum = 50)]
    pub limit: Option<usize>,
    /// How sure a match must be; `memory.minConfidence` without it.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub min_confidence: Option<f64>,
    /// Also what does not hold any more.
    #[schema(required = false)]
    pub superseded: bool,
}

/// From where the agent looks.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AgentView {
    /// `agents` without it.
    pub community: Option<String>,
    /// What is private to this room is seen too.
    pub room: Option<String>,
    /// Who is present; with the reach `everywhere`, what is known of them follows them.
    #[schema(required = false, max_items = 50)]
    pub people: Vec<String>,
    /// `room`, `community` or `everywhere`; `memory.reach` without it.
    pub reach: Option<String>,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecallAnswer {
    pub found: Vec<Found>,
    pub took_ms: u64,
    /// How many more there were that are too unsure.
    pub below_threshold: usize,
    #[schema(nullable = false)]
    pub remark: Option<String>,
}

/// One thing to remember.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewGem {
    /// A sentence that stands alone.
    #[schema(min_length = 1, max_length = 2000)]
    pub content: String,
    #[schema(max_length = 200)]
    pub summary: Option<String>,
    #[schema(required = false, max_items = 12)]
    pub topics: Vec<String>,
    /// 0.5 without it.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub importance: Option<f64>,
    /// Some of `decision`, `fact`, `preference`, `todo` and `code`; `fact` without it.
    #[schema(required = false)]
    pub tags: Vec<String>,
    /// Whom it is about: an id, or a name of the community.
    pub person: Option<String>,
    pub scope: Option<AgentScope>,
    /// The conversation it comes from.
    #[schema(max_length = 200)]
    pub session: Option<String>,
}
