//! The tools a model is offered while it writes a reply.

use serde_json::json;
use settings::Settings;
use vocabulary::ToolSpec;

pub(crate) const SEARCH_TOOL: &str = "search_messages";
/// The tool by which a model searches memory.
pub const MEMORY_TOOL: &str = "memory_search";

/// The tools on offer.
pub(crate) fn tools_offered(settings: &Settings) -> Vec<ToolSpec> {
    let mut tools = vec![search_tool()];
    if settings.memory.enabled {
        tools.push(memory_tool());
    }
    tools
}

/// The argument that a tool cannot do without, by the tool's name.
pub(crate) fn needed_argument(tool: &str) -> Option<&'static str> {
    match tool {
        SEARCH_TOOL => Some("words"),
        MEMORY_TOOL => Some("query"),
        _ => None,
    }
}

/// Older messages of the room it is in.
fn search_tool() -> ToolSpec {
    ToolSpec {
        name: SEARCH_TOOL.to_owned(),
        description: "Looks for older messages of this channel by their words. Use it when somebody refers to something that is not in the conversation you see.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"words": {"type": "string", "description": "words that the messages contain"}},
            "required": ["words"],
            "additionalProperties": false
        }),
    }
}

/// What is remembered from other days.
fn memory_tool() -> ToolSpec {
    ToolSpec {
        name: MEMORY_TOOL.to_owned(),
        description: "Searches what you remember of past conversations: facts, decisions, preferences, plans, and what was said. Use it when somebody asks about something from another day that you do not see here.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"query": {"type": "string", "description": "what you want to remember, as a question or in plain words, with names"}},
            "required": ["query"],
            "additionalProperties": false
        }),
    }
}
