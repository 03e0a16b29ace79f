//! The tools a model is offered while it writes a reply.

use serde_json::json;
use settings::Settings;
use vocabulary::ToolSpec;

/// The tool by which a model searches older messages of a room.
pub const SEARCH_TOOL: &str = "search_messages";
/// The tool by which a model searches memory.
pub const MEMORY_TOOL: &str = "memory_search";

/// The tool by which a model looks at the screen that is shared.
pub const LOOK_TOOL: &str = "look_at_screen";

/// What a tool cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    Nothing,
    /// This argument, as text.
    Argument(&'static str),
}

/// The tools on offer. There is something to look at only while a frame of a shared screen is there.
pub(crate) fn tools_offered(settings: &Settings, screen_in_view: bool) -> Vec<ToolSpec> {
    let mut tools = vec![search_tool()];
    if settings.memory.enabled {
        tools.push(memory_tool());
    }
    if screen_in_view {
        tools.push(look_tool());
    }
    tools
}

/// What a tool needs, by its name; none: there is no such tool.
pub(crate) fn needed_argument(tool: &str) -> Option<Needed> {
    match tool {
        SEARCH_TOOL => Some(Needed::Argument("words")),
        MEMORY_TOOL => Some(Needed::Argument("query")),
        LOOK_TOOL => Some(Needed::Nothing),
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

/// The screen that is being shared, as it is now.
fn look_tool() -> ToolSpec {
    ToolSpec {
        name: LOOK_TOOL.to_owned(),
        description: "Shows you the screen that is being shared in this room, as it is at this moment. Use it when what you have noted about the screen does not answer what is asked, or when a detail has to be read exactly.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {},
            "required": [],
            "additionalProperties": false
        }),
    }
}
