//! Tools a model may call: what is offered, what is called, what comes back.

use serde::{Deserialize, Serialize};

/// A tool as it is offered to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// JSON schema of the arguments.
    pub parameters: serde_json::Value,
}

/// A model's wish to run a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct ToolCall {
    /// The provider's id of the call; the result must carry it back.
    pub id: String,
    pub name: String,
    pub arguments: serde_json::Value,
}

/// What a tool call gave; every call gets exactly one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    pub call_id: String,
    pub name: String,
    pub text: String,
    /// The call did not do what was wanted; the text says why.
    pub failed: bool,
}

/// Where a tool comes from that the mind does not bring along itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolOrigin {
    /// The web: search, pages, a browser.
    Web,
    /// A server of the operator's that speaks the Model Context Protocol.
    Mcp { server: String },
}

/// A tool that can be run out there now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutsideTool {
    pub spec: ToolSpec,
    pub origin: ToolOrigin,
    /// Offered while a reply is written, and while it thinks by itself.
    pub in_replies: bool,
    pub in_thoughts: bool,
    /// How long one call may take.
    pub deadline: crate::Span,
}
