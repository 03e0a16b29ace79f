//! Tools a model may call: what is offered, what is called, what comes back.

use serde::{Deserialize, Serialize};

/// A tool as it is offered to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// JSON schema of the arguments.
    pub parameters: serde_json::Value,
}

/// A model's wish to run a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id of the call; the result must carry it back.
    pub id: String,
    pub name: String,
    pub arguments: serde_json::Value,
}

/// What a tool call gave; every call gets exactly one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    pub call_id: String,
    pub name: String,
    pub text: String,
    /// The call did not do what was wanted; the text says why.
    pub failed: bool,
}
