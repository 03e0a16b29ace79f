//! The tools Denizen brings along itself, by name and as a model is offered them; and the names of the web's.

use serde_json::{Value, json};
use vocabulary::{FeedFamily, MediaKind, ToolSpec};

use super::output::object;

/// The tool by which a model searches older messages of a room.
pub const SEARCH_TOOL: &str = "search_messages";
/// The tool by which a model searches memory.
pub const MEMORY_TOOL: &str = "memory_search";
/// The tool by which a model looks at the screen that is shared.
pub const LOOK_TOOL: &str = "look_at_screen";
/// The tools by which a model has a picture made, or a GIF found, to go with its reply.
pub const PICTURE_TOOL: &str = "make_picture";
pub const GIF_TOOL: &str = "find_gif";
/// The tools by which a model sees to the sources it reads.
pub const SOURCE_ADD_TOOL: &str = "discovery_source_add";
pub const SOURCE_REMOVE_TOOL: &str = "discovery_source_remove";
pub const SOURCE_LIST_TOOL: &str = "discovery_source_list";
/// The tools by which a model looks things up on the web; the shell has them or has them not.
pub const WEB_SEARCH_TOOL: &str = "web_search";
pub const WEB_SCRAPE_TOOL: &str = "web_scrape";
pub const BROWSE_TOOL: &str = "browser_browse";

const OWN_TOOLS: [&str; 8] = [
    SEARCH_TOOL,
    MEMORY_TOOL,
    LOOK_TOOL,
    PICTURE_TOOL,
    GIF_TOOL,
    SOURCE_ADD_TOOL,
    SOURCE_REMOVE_TOOL,
    SOURCE_LIST_TOOL,
];
pub(crate) const WEB_TOOLS: [&str; 3] = [WEB_SEARCH_TOOL, WEB_SCRAPE_TOOL, BROWSE_TOOL];

/// Whether a tool is one of Denizen's own.
pub(crate) fn is_own_tool(name: &str) -> bool {
    OWN_TOOLS.contains(&name)
}

/// Older messages of the room it is in.
pub(crate) fn search_tool() -> ToolSpec {
    let words = json!({"words": text("words that the messages contain")});
    spec(
        SEARCH_TOOL,
        "Looks for older messages of this channel by their words. Use it when somebody refers to something that is not in the conversation you see.",
        words,
        &["words"],
    )
}

/// What is remembered from other days.
pub(crate) fn memory_tool() -> ToolSpec {
    let query =
        json!({"query": text("what you want to remember, as a question or in plain words, with names")});
    spec(
        MEMORY_TOOL,
        "Searches what you remember of past conversations: facts, decisions, preferences, plans, and what was said. Use it when somebody asks about something from another day that you do not see here.",
        query,
        &["query"],
    )
}

/// The screen that is being shared, as it is now.
pub(crate) fn look_tool() -> ToolSpec {
    spec(
        LOOK_TOOL,
        "Shows you the screen that is being shared in this room, as it is at this moment. Use it when what you have noted about the screen does not answer what is asked, or when a detail has to be read exactly.",
        json!({}),
        &[],
    )
}

/// Something that goes with the reply; none for what no reply can have.
pub(crate) fn media_tool(kind: MediaKind) -> Option<ToolSpec> {
    let tool = match kind {
        MediaKind::Image => spec(
            PICTURE_TOOL,
            "Makes a picture and sends it together with your reply. Use it when somebody asks you to draw, paint or show something, and not otherwise. It is the only way to send a picture.",
            json!({"prompt": text("what is to be seen, in plain words, with style and mood; it is kept as the description of the picture")}),
            &["prompt"],
        ),
        MediaKind::Gif => spec(
            GIF_TOOL,
            "Finds a GIF, a short moving picture, and sends it together with your reply. Use it when somebody asks for a GIF or wants to be shown something that exists, and not otherwise.",
            json!({"query": text("what to look for, in a few words")}),
            &["query"],
        ),
        MediaKind::Video => return None,
    };
    Some(tool)
}

/// What a tool of Denizen's own makes or finds, and the argument that says what is to be seen.
pub(crate) fn media_of(tool: &str) -> Option<(MediaKind, &'static str)> {
    match tool {
        PICTURE_TOOL => Some((MediaKind::Image, "prompt")),
        GIF_TOOL => Some((MediaKind::Gif, "query")),
        _ => None,
    }
}

/// What it does to the sources it reads.
pub(crate) fn source_tools() -> [ToolSpec; 3] {
    let family = || {
        let families: Vec<&str> = FeedFamily::ALL.into_iter().map(FeedFamily::name).collect();
        json!({"type": "string", "enum": families, "description": "the kind of source"})
    };
    let name = || {
        text(
            "a subreddit without r/, a feed's address, a YouTube channel's id, a handle on X; for hacker_news the list, top",
        )
    };
    [
        spec(
            SOURCE_ADD_TOOL,
            "Adds a source to your feed, once it has been read successfully. Use it for something this community would go on enjoying, not for one item.",
            json!({"family": family(), "name": name(), "reason": text("why it suits this community, in a sentence")}),
            &["family", "name", "reason"],
        ),
        spec(
            SOURCE_REMOVE_TOOL,
            "Removes a source from your feed that you added yourself.",
            json!({"family": family(), "name": name()}),
            &["family", "name"],
        ),
        spec(
            SOURCE_LIST_TOOL,
            "Lists the sources of your feed, which of them are your own, and how much room is left.",
            json!({}),
            &[],
        ),
    ]
}

fn spec(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: object(properties, required),
    }
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}
