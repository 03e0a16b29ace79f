//! Questions to models as they are stored, for the inspector.

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, AskOutcome, CommunityId, ModelRequest, RoomId, TurnId, Usage, WallTime};

/// What a model call was given and what it gave.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AskRecord {
    pub community: CommunityId,
    pub ask: AskId,
    pub room: RoomId,
    pub turn: TurnId,
    pub started_at: WallTime,
    pub provider: String,
    pub model: String,
    pub url: String,
    pub request: ModelRequest,
    /// The body exactly as it was sent; of several tries, the last one's.
    pub raw_request: String,
    /// The response as it came, cut at a bound.
    pub raw_response: String,
    /// None while it is under way, or when the process ended before it did.
    pub outcome: Option<AskOutcome>,
    /// The ask for the same room and purpose before this one.
    pub previous: Option<AskId>,
}

/// An ask in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AskSummary {
    pub ask: AskId,
    pub room: RoomId,
    pub turn: TurnId,
    pub started_at: WallTime,
    pub purpose: String,
    pub provider: String,
    pub model: String,
    /// `under_way`, `answered`, or the failure's name.
    pub state: String,
    pub took_ms: Option<u64>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cost_micro_dollars: Option<u64>,
}

impl AskSummary {
    /// The short form of a record.
    pub fn of(record: &AskRecord) -> Self {
        let under_way = Self {
            ask: record.ask,
            room: record.room.clone(),
            turn: record.turn,
            started_at: record.started_at,
            purpose: record.request.purpose.name().to_owned(),
            provider: record.provider.clone(),
            model: record.model.clone(),
            state: "under_way".to_owned(),
            took_ms: None,
            input_tokens: 0,
            output_tokens: 0,
            cost_micro_dollars: None,
        };
        match &record.outcome {
            None => under_way,
            Some(outcome) => under_way.ended(outcome),
        }
    }

    /// The same once it has ended.
    #[must_use]
    pub fn ended(self, outcome: &AskOutcome) -> Self {
        let (state, took_ms, usage) = match outcome {
            AskOutcome::Answered(answer) => ("answered", Some(answer.took.0), answer.usage),
            AskOutcome::Failed(failure) => (failure.kind.name(), None, Usage::default()),
        };
        Self {
            state: state.to_owned(),
            took_ms,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cost_micro_dollars: usage.cost_micro_dollars,
            ..self
        }
    }
}

/// Which asks, newest first.
#[derive(Clone, Debug, Default)]
pub struct AskFilter {
    pub room: Option<RoomId>,
    pub turn: Option<TurnId>,
    /// Only those of a purpose, by its name.
    pub purpose: Option<String>,
    pub ending: Option<AskEnding>,
    /// Only those before this one.
    pub before: Option<AskId>,
    pub limit: usize,
}

/// How asks ended, or that they have not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskEnding {
    Answered,
    Failed,
    UnderWay,
}

/// What the asks of one purpose come to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AskTotals {
    pub purpose: String,
    pub calls: u64,
    pub failed: u64,
    pub under_way: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Of those whose price is known.
    pub cost_micro_dollars: u64,
    /// Answered, and nobody knows the price.
    pub unpriced: u64,
}

/// What an ask really sent, as it may be written down, where that is not what it started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptInstead {
    pub url: String,
    pub raw_request: String,
}
