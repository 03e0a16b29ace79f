//! What a model's answer says about its thought, read with patience. In doubt nothing is posted: a stray sentence of
//! reasoning must not end up in a room.

mod fields;
mod torn;
mod words;

use gist::gems::redaction::redact;
use serde_json::{Map, Value};
use vocabulary::{MediaWish, named};

use self::fields::{action, field, media, reply_to, text_field};
use self::words::{cleaned, deliberates, one_line, without_handles};
use crate::reply::{is_bare, without_reasoning, without_tokens};
use crate::watch::reading::objects;
use crate::watch::reading::wording::{refuses, shortened};

/// Longest text of a thought, of a wish for media, and of a reason.
pub const THOUGHT_CHARS_MAX: usize = 1_800;
pub const MEDIA_PROMPT_CHARS_MAX: usize = 900;
pub const REASON_CHARS_MAX: usize = 240;
/// Longest name of a channel that is taken over.
const CHANNEL_CHARS_MAX: usize = 200;
/// More of an answer than this is not read; the output cap is far below it.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

named! {
    /// What is to become of a thought.
    pub enum ThoughtAction {
        PostNow = "post_now",
        Hold = "hold",
        Drop = "drop",
    }
}

/// An answer, read.
#[derive(Clone, Debug, PartialEq)]
pub struct ThoughtReading {
    pub action: ThoughtAction,
    /// What to say; empty only where the action is to drop it, or where media says it all.
    pub text: String,
    /// The channel it is meant for, as the model wrote it; empty: none named.
    pub channel: String,
    /// The handle of the message it answers, such as `m3`.
    pub reply_to: Option<String>,
    pub media: Option<MediaWish>,
    pub reason: String,
    /// What had to be mended to read it.
    pub repaired: Option<&'static str>,
    /// Whether it is what the model decided, and not only the absence of a decision.
    pub is_understood: bool,
}

/// Reads an answer. Whatever cannot be understood posts nothing, and says why.
pub fn read_thought(answer: &str, name: &str) -> ThoughtReading {
    let answer = without_reasoning(&answer[..answer.floor_char_boundary(ANSWER_BYTES_MAX)]).trim();
    // Some servers give an object as a string of JSON.
    let quoted = serde_json::from_str::<String>(answer).ok();
    let answer = quoted.as_deref().unwrap_or(answer);
    let found = objects::in_a_row(answer);
    let answers: Vec<&Map<String, Value>> = found.iter().filter_map(answer_in).collect();
    if let Some(object) = answers.first() {
        if answers.iter().any(|other| decides_otherwise(object, other)) {
            return unreadable("it gave several answers that contradict each other", None);
        }
        let alone = objects::stands_alone(answer) && found.len() == 1;
        return read_object(
            object,
            name,
            (!alone).then_some("words around the answer were left out"),
        );
    }
    if let Some(object) = torn::mended(answer) {
        return match answer_in(&object).filter(|object| is_whole(object)) {
            Some(object) => read_object(
                object,
                name,
                Some("an answer that was cut off or broken was mended"),
            ),
            None => unreadable(
                "the answer was cut off before it was whole",
                Some("the rest of a torn answer was left out"),
            ),
        };
    }
    if found.iter().any(is_tool_call) {
        return unreadable("it wrote a tool call as words, and that is not run", None);
    }
    read_plain(answer)
}

/// An answer that is no object: silence is understood, and nothing else.
fn read_plain(answer: &str) -> ThoughtReading {
    let (rest, had_token) = without_tokens(answer);
    if answer.is_empty() {
        return unreadable("the answer was empty", None);
    }
    if had_token || is_bare(&rest, false) {
        let only_that = is_bare(&rest, false) || !rest.chars().any(char::is_alphanumeric);
        let repaired = (!only_that).then_some("words around a silence token were dropped with it");
        return dropped("it chose silence", repaired);
    }
    if objects::stands_alone(answer) || objects::is_torn(answer, &["action", "text"]) {
        return unreadable(
            "the answer could not be understood: no action can be read from it",
            None,
        );
    }
    unreadable(
        "the answer could not be understood: plain words instead of an action",
        Some("plain words are never posted by themselves"),
    )
}

fn read_object(object: &Map<String, Value>, name: &str, repaired: Option<&'static str>) -> ThoughtReading {
    let reason = shortened(&one_line(&text_field(object, "reason")), REASON_CHARS_MAX);
    let written = text_field(object, "action");
    let Some(action) = action(&written) else {
        let written = shortened(&one_line(&written), 40);
        return unreadable(
            &format!("the action “{written}” is none of post_now, hold and drop"),
            repaired,
        );
    };
    let (text, had_token) = without_tokens(&text_field(object, "text"));
    let (text, handle) = without_handles(&cleaned(&text, name));
    let (media, strange_media) = media(object);
    let mut reading = ThoughtReading {
        action,
        channel: channel(object),
        reply_to: reply_to(field(object, "replyto")).or(handle),
        media,
        reason: if reason.is_empty() {
            "it gave no reason".to_owned()
        } else {
            reason
        },
        repaired: repaired.or(strange_media),
        is_understood: true,
        text: shortened(&text, THOUGHT_CHARS_MAX),
    };
    if reading.text.len() < text.len() {
        reading.repaired = Some("a thought that was too long was cut");
    }
    if action == ThoughtAction::Drop {
        return reading;
    }
    if deliberates(&reading.reason) {
        let repaired = "a thought whose reason says the opposite is dropped";
        return dropped("its own reason says that there is nothing to say", Some(repaired));
    }
    if let Some((why, repaired)) = unfit(&text, had_token, reading.media.is_some()) {
        return dropped(why, repaired.or(reading.repaired));
    }
    reading
}

/// Why a thought that was to be posted or held cannot be.
fn unfit(text: &str, had_token: bool, has_media: bool) -> Option<(&'static str, Option<&'static str>)> {
    let has_words = text.chars().any(char::is_alphanumeric);
    if had_token || (has_words && is_bare(text, false)) {
        let repaired = "a silence token inside a thought drops the thought";
        return Some(("it chose silence in its words", Some(repaired)));
    }
    let says_something = text
        .chars()
        .any(|letter| !letter.is_ascii_punctuation() && !letter.is_whitespace());
    if !says_something && !has_media {
        return Some(("it wanted to say something, and there were no words", None));
    }
    if deliberates(text) {
        let repaired = "deliberation about posting is not posted";
        return Some(("its words only say that there is nothing to say", Some(repaired)));
    }
    if refuses(text) {
        return Some(("the model declined", Some("a refusal is not posted")));
    }
    if redact(text).secrets > 0 {
        return Some((
            "it held something that looks like a password or a key",
            Some("a secret is not posted"),
        ));
    }
    None
}

fn dropped(reason: &str, repaired: Option<&'static str>) -> ThoughtReading {
    ThoughtReading {
        action: ThoughtAction::Drop,
        text: String::new(),
        channel: String::new(),
        reply_to: None,
        media: None,
        reason: reason.to_owned(),
        repaired,
        is_understood: true,
    }
}

/// Nobody can tell what it decided.
fn unreadable(reason: &str, repaired: Option<&'static str>) -> ThoughtReading {
    ThoughtReading {
        is_understood: false,
        ..dropped(reason, repaired)
    }
}

/// The object with the action: this one, or one that it wraps.
fn answer_in(object: &Map<String, Value>) -> Option<&Map<String, Value>> {
    let has_action = |object: &Map<String, Value>| field(object, "action").is_some();
    if has_action(object) {
        return Some(object);
    }
    let mut inside = object.values().filter_map(Value::as_object);
    inside.find(|object| has_action(object))
}

/// Of an answer that was torn off, at least the words must be there; silence needs none.
fn is_whole(object: &Map<String, Value>) -> bool {
    let action = action(&text_field(object, "action"));
    action == Some(ThoughtAction::Drop) || field(object, "text").is_some()
}

fn decides_otherwise(object: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let decision = |object| (action(&text_field(object, "action")), text_field(object, "text"));
    decision(object) != decision(other)
}

fn is_tool_call(object: &Map<String, Value>) -> bool {
    object.contains_key("name")
        && ["arguments", "parameters"]
            .iter()
            .any(|key| object.contains_key(*key))
}

fn channel(object: &Map<String, Value>) -> String {
    let name = one_line(&text_field(object, "channel"));
    let name = name.trim_matches(['"', '\'', '`', '“', '”', ' ']);
    let is_none = ["null", "none", "n/a"]
        .iter()
        .any(|word| name.eq_ignore_ascii_case(word));
    if is_none || name.chars().count() > CHANNEL_CHARS_MAX {
        return String::new();
    }
    name.to_owned()
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod reading_tests;
