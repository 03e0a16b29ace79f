//! Whether the words of a message ask for a look-up: a small model is not asked which tool it wants, it calls whatever it
//! is offered. English, like the other lists here; an address of a page and the names of tools are understood anyway.

use serde_json::json;
use vocabulary::{ToolCall, ToolSpec};

use super::prompt::BY_WORDS;
use crate::prompt::{
    GIF_TOOL, PICTURE_TOOL, SEARCH_TOOL, WEB_SCRAPE_TOOL, WEB_SEARCH_TOOL, is_own_tool, media_of,
};

/// Longest query that is made of a message.
const QUERY_CHARS_MAX: usize = 200;
/// Shortest part of a tool's name that counts as being named.
const NAMED_CHARS_MIN: usize = 4;
/// Parts of names of tools that every second message has.
const EVERYDAY: &[&str] = &[
    "make", "list", "read", "send", "show", "find", "tool", "with", "from", "this",
];

/// What asks for the web, wherever it stands.
const WEB: &[&str] = &[
    "look up",
    "look it up",
    "look that up",
    "look this up",
    "search for",
    "search the web",
    "search the internet",
    "search online",
    "web search",
    "google",
    "find out",
    "check online",
    "look online",
    "the weather",
    "weather forecast",
    "weather in",
    "news about",
    "news on",
    "any news",
    "the news",
    "latest news",
    "latest version",
    "newest version",
    "current version",
    "exchange rate",
    "stock price",
];
/// What asks for older messages of the room, wherever it stands.
const ROOM: &[&str] = &[
    "search this channel",
    "search the channel",
    "search this room",
    "search the room",
    "search this chat",
    "search the chat",
    "search here",
    "search our messages",
    "find the message",
    "find the link",
    "who posted",
    "write here",
    "wrote here",
    "say here",
    "said here",
    "post here",
    "posted here",
    "in this channel last",
];
/// What asks for a picture, and for a GIF.
const PICTURE: &[&str] = &[
    "draw",
    "paint me",
    "sketch me",
    "make a picture",
    "make me a picture",
    "picture of",
];
const GIF: &[&str] = &["a gif", "gif of", "find gif"];
/// What a query does not need at its beginning, longest first where one begins like another.
const POLITE: &[&str] = &[
    "please",
    "hey",
    "hi",
    "hello",
    "can you",
    "could you",
    "would you",
    "will you",
    "check online whether",
    "check online if",
    "check online",
    "look online for",
    "look up",
    "search the web for",
    "search the internet for",
    "search online for",
    "search this channel for",
    "search the channel for",
    "search this room for",
    "search the room for",
    "search this chat for",
    "search the chat for",
    "search here for",
    "search for",
    "google for",
    "google",
    "find out",
    "find the message about",
    "find the message where",
    "find the link to",
    "draw me",
    "draw",
    "paint me",
    "sketch me",
    "make me a picture of",
    "make a picture of",
    "send me a gif of",
    "find me a gif of",
    "find a gif of",
    "a gif of",
    "the link to",
    "the message about",
];
/// … and at its end.
const TRAILING: &[&str] = &[
    "please",
    "look it up",
    "look that up",
    "look this up",
    "thanks",
    "thank you",
];

/// What the words of a message ask for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wished {
    Nothing,
    /// This look-up: it is made without asking a model.
    LookUp(ToolCall),
    /// Tools that are named in it: only a model can say what they are to do.
    Named(Vec<ToolSpec>),
}

/// Reads a message that is meant for Denizen, with the tools there are.
pub(super) fn wished(text: &str, names: &[&str], tools: &[ToolSpec]) -> Wished {
    let has = |name: &str| tools.iter().any(|tool| tool.name == name);
    let folded = folded(text);
    let asks = |phrases: &[&str]| phrases.iter().any(|phrase| holds(&folded, phrase));
    if let Some(address) = page_in(text).filter(|_| has(WEB_SCRAPE_TOOL)) {
        return Wished::LookUp(call(WEB_SCRAPE_TOOL, "url", address));
    }
    for (tool, phrases) in [(PICTURE_TOOL, PICTURE), (GIF_TOOL, GIF)] {
        if let Some((_, argument)) = media_of(tool).filter(|_| has(tool) && asks(phrases)) {
            return Wished::LookUp(call(tool, argument, &query(text, names)));
        }
    }
    if has(SEARCH_TOOL) && asks(ROOM) {
        return Wished::LookUp(call(SEARCH_TOOL, "words", &query(text, names)));
    }
    if has(WEB_SEARCH_TOOL) && asks(WEB) {
        return Wished::LookUp(call(WEB_SEARCH_TOOL, "query", &query(text, names)));
    }
    let of_servers = tools.iter().filter(|tool| !is_own_tool(&tool.name));
    let named: Vec<ToolSpec> = of_servers
        .filter(|tool| !tool.name.starts_with("web_") && is_named(&tool.name, &folded))
        .cloned()
        .collect();
    match named.is_empty() {
        true => Wished::Nothing,
        false => Wished::Named(named),
    }
}

fn call(tool: &str, argument: &str, value: &str) -> ToolCall {
    ToolCall {
        id: format!("{BY_WORDS}{tool}"),
        name: tool.to_owned(),
        arguments: json!({ argument: value }),
    }
}

/// Small letters, single spaces, nothing but words between them, and one space at each end.
fn folded(text: &str) -> String {
    let lower = text.to_lowercase().replace(['\'', '’'], "");
    let words = lower.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

fn holds(folded: &str, phrase: &str) -> bool {
    folded.contains(&format!(" {phrase} "))
}

/// Whether a telling part of a tool's name is one of the words.
fn is_named(tool: &str, folded: &str) -> bool {
    let parts = tool.split(|letter: char| !letter.is_alphanumeric());
    parts
        .filter(|part| part.chars().count() >= NAMED_CHARS_MIN)
        .map(str::to_lowercase)
        .any(|part| !EVERYDAY.contains(&part.as_str()) && holds(folded, &part))
}

/// The address of a page, without what a sentence puts behind it.
fn page_in(text: &str) -> Option<&str> {
    let begins = text.find("https://").or_else(|| text.find("http://"))?;
    let word = text[begins..].split_whitespace().next()?;
    Some(word.trim_end_matches(|letter: char| ".,;:!?)>]}\"'".contains(letter)))
}

/// What is looked for: the message without whom it is said to and without being asked politely.
fn query(text: &str, names: &[&str]) -> String {
    let mut rest = text.trim();
    loop {
        let before = rest;
        for lead in names.iter().chain(POLITE) {
            rest = without_lead(rest, lead);
        }
        if rest == before {
            break;
        }
    }
    loop {
        let before = rest;
        rest = rest.trim_end_matches(|letter: char| letter.is_whitespace() || ".,;:!?".contains(letter));
        for tail in TRAILING {
            rest = without_tail(rest, tail);
        }
        if rest == before {
            break;
        }
    }
    let query = if rest.is_empty() { text.trim() } else { rest };
    query.chars().take(QUERY_CHARS_MAX).collect()
}

fn without_lead<'t>(text: &'t str, lead: &str) -> &'t str {
    let text = text.trim_start_matches(|letter: char| letter.is_whitespace() || ",:;@".contains(letter));
    match text.get(..lead.len()) {
        Some(head) if !lead.is_empty() && head.eq_ignore_ascii_case(lead) => {
            let rest = &text[lead.len()..];
            match rest.starts_with(|letter: char| letter.is_alphanumeric()) {
                true => text,
                false => {
                    rest.trim_start_matches(|letter: char| letter.is_whitespace() || ",:;".contains(letter))
                }
            }
        }
        _ => text,
    }
}

fn without_tail<'t>(text: &'t str, tail: &str) -> &'t str {
    let Some(at) = text.len().checked_sub(tail.len()) else {
        return text;
    };
    match (text.get(..at), text.get(at..)) {
        (Some(head), Some(end))
            if end.eq_ignore_ascii_case(tail) && !head.ends_with(|letter: char| letter.is_alphanumeric()) =>
        {
            head
        }
        _ => text,
    }
}

#[cfg(test)]
#[path = "wished_tests.rs"]
mod tests;
