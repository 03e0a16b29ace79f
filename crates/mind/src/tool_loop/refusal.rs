//! Why a call is not run, in words for the model that made it.

use vocabulary::{ToolCall, ToolSpec};

use super::arguments;
use crate::prompt::{LOOK_TOOL, is_own_tool};
use crate::step_context::Capabilities;

pub(super) const BUDGET_SPENT: &str = "the budget for look-ups is spent; answer with what you have";
pub(super) const TIME_SPENT: &str = "the time for look-ups is over; answer with what you have";

/// Why this call cannot be run as it is.
pub(super) fn refusal(call: &ToolCall, offered: &[ToolSpec], outside: &Capabilities) -> Option<String> {
    let Some(spec) = offered.iter().find(|tool| tool.name == call.name) else {
        return Some(not_offered(&call.name, outside));
    };
    arguments::trouble(&call.arguments, &spec.parameters)
}

fn not_offered(name: &str, outside: &Capabilities) -> String {
    let exists = is_own_tool(name) || outside.tools.iter().any(|tool| tool.spec.name == name);
    match name {
        LOOK_TOOL => "no screen is to be seen here now",
        _ if exists => "that tool is not on offer now",
        _ => "there is no such tool",
    }
    .to_owned()
}
