//! Model calls.

use serde_json::Value;
use utoipa::ToSchema;

#[derive(Debug, ToSchema)]
pub struct Asks {
    pub asks: Vec<AskSummary>,
}

/// A model call in a list.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskSummary {
    pub ask: u64,
    pub room: String,
    pub turn: u64,
    /// Unix milliseconds.
    pub started_at: i64,
    #[schema(example = "text_reply")]
    pub purpose: String,
    pub provider: String,
    pub model: String,
    /// `under_way`, `answered`, or the name of the failure.
    pub state: String,
    #[schema(required = true)]
    pub took_ms: Option<u64>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    #[schema(required = true)]
    pub cost_micro_dollars: Option<u64>,
}

#[derive(Debug, ToSchema)]
pub struct AskAnswer {
    pub ask: AskRecord,
    /// The call before it for the same room and purpose.
    #[schema(required = true)]
    pub previous: Option<AskRecord>,
}

/// What a model call was given and what it gave.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskRecord {
    pub community: String,
    pub ask: u64,
    pub room: String,
    pub turn: u64,
    /// Unix milliseconds.
    pub started_at: i64,
    pub provider: String,
    pub model: String,
    pub url: String,
    pub request: ModelRequest,
    /// The body exactly as it was sent.
    pub raw_request: String,
    /// The response as it came, cut at a bound.
    pub raw_response: String,
    /// None while it is under way.
    #[schema(required = true)]
    pub outcome: Option<AskOutcome>,
    #[schema(required = true)]
    pub previous: Option<u64>,
}

/// The request before it was put into a provider's format.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelRequest {
    pub purpose: String,
    pub choice: ModelChoice,
    pub system: String,
    pub turns: Vec<ChatTurn>,
    #[schema(required = false, value_type = Vec<Object>)]
    pub tools: Vec<Value>,
    /// `"text"`, or `{"json": {"name", "schema"}}`.
    #[schema(value_type = Value)]
    pub output: Value,
    pub max_output_tokens: u32,
    pub temperature: f64,
    /// Milliseconds.
    pub deadline: u64,
    pub sections: Vec<Section>,
}

#[derive(Debug, ToSchema)]
pub struct ModelChoice {
    pub provider: String,
    pub model: String,
}

#[derive(Debug, ToSchema)]
pub struct ChatTurn {
    /// `user`, `assistant` or `tool`.
    pub role: String,
    /// Each one of `{"text"}`, `{"image"}`, `{"tool_call"}` and `{"tool_result"}`.
    #[schema(value_type = Vec<Object>)]
    pub parts: Vec<Value>,
}

/// What became of one section of the prompt.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    pub name: String,
    /// `kept`, `trimmed`, `dropped` or `empty`.
    pub fate: String,
    pub priority: u8,
    pub wanted_chars: usize,
    pub kept_chars: usize,
    pub cap_chars: usize,
    pub remark: String,
    pub text: String,
}

/// Exactly one of the two.
#[derive(Debug, ToSchema)]
pub struct AskOutcome {
    #[schema(nullable = false)]
    pub answered: Option<Answered>,
    #[schema(nullable = false)]
    pub failed: Option<Failed>,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    pub provider: String,
    pub model: String,
    pub text: String,
    #[schema(required = false, value_type = Vec<Object>)]
    pub tool_calls: Vec<Value>,
    /// `complete`, `length`, `tool_calls` or `refused`.
    pub finish: String,
    pub usage: Usage,
    /// Milliseconds to the first piece of text.
    #[schema(required = true)]
    pub first_text: Option<u64>,
    /// Milliseconds.
    pub took: u64,
    pub tries: u32,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub input_tokens: u64,
    pub cached_input_tokens: u64,
    pub output_tokens: u64,
    #[schema(required = true)]
    pub cost_micro_dollars: Option<u64>,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Failed {
    pub kind: String,
    /// For a person, with the remedy.
    pub detail: String,
    /// Milliseconds the provider asked us to wait.
    #[schema(nullable = false)]
    pub retry_after: Option<u64>,
}
