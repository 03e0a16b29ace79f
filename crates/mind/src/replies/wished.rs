//! Whether the words of a message ask for a look-up: a small model is not asked which tool it wants, it calls whatever it
//! is offered. The words are data, of four languages; an address of a page and the names of tools are understood anyway.

mod phrases;

use serde_json::json;
use vocabulary::{ToolCall, ToolSpec};

use self::phrases::{Phrases, Word, folded_words, words_of};
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
    let phrases = Phrases::known();
    let said = folded_words(text);
    let told = said.iter().filter(|word| !phrases.is_filler(word));
    let told: Vec<String> = told.cloned().collect();
    let asks = |list: &[Vec<String>]| {
        let asked = |phrase: &Vec<String>| holds(&said, phrase) || holds(&told, phrase);
        list.iter().any(asked)
    };
    if let Some(address) = page_in(text).filter(|_| has(WEB_SCRAPE_TOOL)) {
        return Wished::LookUp(call(WEB_SCRAPE_TOOL, "url", address));
    }
    // A picture is paid for: "did it end in a draw?" and "I saw a picture of you" order none.
    let wants_picture = opens_with(&phrases.picture, text, names);
    for (tool, wanted) in [(PICTURE_TOOL, wants_picture), (GIF_TOOL, asks(&phrases.gif))] {
        if let Some((_, argument)) = media_of(tool).filter(|_| has(tool) && wanted) {
            return Wished::LookUp(call(tool, argument, &query(text, names)));
        }
    }
    if has(SEARCH_TOOL) && asks(&phrases.room) {
        return Wished::LookUp(call(SEARCH_TOOL, "words", &query(text, names)));
    }
    if has(WEB_SEARCH_TOOL) && asks(&phrases.web) {
        return Wished::LookUp(call(WEB_SEARCH_TOOL, "query", &query(text, names)));
    }
    let of_servers = tools.iter().filter(|tool| !is_own_tool(&tool.name));
    let named: Vec<ToolSpec> = of_servers
        .filter(|tool| !tool.name.starts_with("web_") && is_named(&tool.name, &said))
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

fn holds(said: &[String], phrase: &[String]) -> bool {
    !phrase.is_empty() && said.windows(phrase.len()).any(|words| words == phrase)
}

/// Whether a telling part of a tool's name is one of the words.
fn is_named(tool: &str, said: &[String]) -> bool {
    let parts = tool.split(|letter: char| !letter.is_alphanumeric());
    parts
        .filter(|part| part.chars().count() >= NAMED_CHARS_MIN)
        .map(str::to_lowercase)
        .any(|part| !EVERYDAY.contains(&part.as_str()) && said.contains(&part))
}

/// The address of a page, without what a sentence puts behind it.
fn page_in(text: &str) -> Option<&str> {
    let begins = text.find("https://").or_else(|| text.find("http://"))?;
    let word = text[begins..].split_whitespace().next()?;
    Some(word.trim_end_matches(|letter: char| ".,;:!?)>]}\"'".contains(letter)))
}

/// Whether a message begins with one of the phrases, but for whom it is said to and being asked politely.
fn opens_with(list: &[Vec<String>], text: &str, names: &[&str]) -> bool {
    let names: Vec<Vec<String>> = names.iter().map(|name| folded_words(name)).collect();
    // "mal mir ein Haus": what is a filler elsewhere may begin a request.
    [words_of(text), told_words(text)].iter().any(|told| {
        let mut words = &told[..];
        loop {
            if list.iter().any(|phrase| begins(words, phrase)) {
                return true;
            }
            match without_lead(words, &names) {
                Some(rest) => words = rest,
                None => return false,
            }
        }
    })
}

/// The words of a message that say something.
fn told_words(text: &str) -> Vec<Word> {
    let mut told = words_of(text);
    told.retain(|word| !Phrases::known().is_filler(&word.folded));
    told
}

/// What follows a name or the beginning of a request; none where there is neither.
fn without_lead<'a>(words: &'a [Word], names: &[Vec<String>]) -> Option<&'a [Word]> {
    // The longest that fits goes first, so that "search for" does not leave the "for" of "search the web for".
    let leads = names.iter().chain(&Phrases::known().lead);
    let longest = leads.filter(|lead| begins(words, lead)).map(Vec::len).max()?;
    Some(&words[longest..])
}

/// What is looked for: the message without whom it is said to and without being asked politely.
fn query(text: &str, names: &[&str]) -> String {
    let phrases = Phrases::known();
    let names: Vec<Vec<String>> = names.iter().map(|name| folded_words(name)).collect();
    let told = told_words(text);
    let mut words = &told[..];
    while let Some(rest) = without_lead(words, &names) {
        words = rest;
    }
    while let Some(longest) = (phrases.tail.iter())
        .filter(|tail| ends(words, tail))
        .map(Vec::len)
        .max()
    {
        words = &words[..words.len() - longest];
    }
    let query = match (words.first(), words.last()) {
        (Some(first), Some(last)) => &text[first.start..end_of_word(text, last.end)],
        _ => text.trim(),
    };
    query.chars().take(QUERY_CHARS_MAX).collect()
}

/// Where a word ends that ends in more than letters: `C++`.
fn end_of_word(text: &str, end: usize) -> usize {
    let is_over = |letter: char| letter.is_whitespace() || ".,;:!?…\"'”’)]}".contains(letter);
    text[end..]
        .find(is_over)
        .map_or(text.len(), |length| end + length)
}

fn begins(words: &[Word], lead: &[String]) -> bool {
    let head = words.get(..lead.len()).filter(|_| !lead.is_empty());
    head.is_some_and(|head| head.iter().map(|word| &word.folded).eq(lead))
}

fn ends(words: &[Word], tail: &[String]) -> bool {
    let from = words.len().checked_sub(tail.len()).filter(|_| !tail.is_empty());
    from.is_some_and(|from| words[from..].iter().map(|word| &word.folded).eq(tail))
}

#[cfg(test)]
#[path = "wished_tests.rs"]
mod tests;
