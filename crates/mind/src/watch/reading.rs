//! What a model said about a screen, read with a little patience: typed or plain, fenced, torn off, or nothing at all.

mod inline;
pub(crate) mod objects;
pub(crate) mod wording;

use gist::gems::folding::words;
use gist::gems::redaction::redact;
use serde_json::{Map, Value};
use vocabulary::text::one_line;

use self::wording::{note_text, refuses, shortened};
use super::note::WHY_CHARS_MAX;
use crate::reply::{
    Envelope, ReplyOutcome, is_bare, is_silent, partial_string, read_answer, read_envelope, read_typed,
    without_own_name, without_reasoning, without_tokens,
};

/// Most notes that one comment gives.
pub(crate) const COMMENT_NOTES_MAX: usize = 4;
/// Longest comment: whoever watches along does not lecture.
pub(crate) const COMMENT_CHARS_MAX: usize = 600;
/// More of an answer than this is not read; the output cap is far below it.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// What models call a note that was asked for by another name.
const OTHER_NAMES: [&str; 4] = ["observation", "description", "text", "summary"];

/// A note as a model gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoteReading {
    Note {
        text: String,
        why: String,
    },
    /// It says that there is nothing to say.
    Nothing,
    /// No note could be made out.
    Unreadable,
}

/// A comment as a model gave it: words or silence, and what it noted on the side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommentaryReading {
    /// What to say; none: it stays silent.
    pub say: Option<String>,
    /// What it noted, each with why it matters (may be empty).
    pub notes: Vec<(String, String)>,
    /// Why it is silent, in the model's words.
    pub why: String,
    /// What had to be put right to read it.
    pub repaired: Option<&'static str>,
}

/// Reads the answer to a question for a note.
pub(crate) fn read_note(answer: &str) -> NoteReading {
    let answer = without_reasoning(head(answer)).trim();
    let (text, why) = match objects::first_with(answer, &["note", "nothing_new"]) {
        Some(object) if is_true(object.get("nothing_new")) => return NoteReading::Nothing,
        Some(object) => (field(&object, "note"), field(&object, "why")),
        None if objects::is_torn(answer, &["note", "nothing_new"]) => match torn_note(answer) {
            Some(text) => (text, String::new()),
            None => return NoteReading::Unreadable,
        },
        None => match objects::whole(answer) {
            Some(object) => match OTHER_NAMES.iter().find(|name| object.contains_key(**name)) {
                Some(name) => (field(&object, name), field(&object, "why")),
                None => return NoteReading::Unreadable,
            },
            None => (answer.to_owned(), String::new()),
        },
    };
    let (around, mut inline) = inline::take_notes(&text);
    let text = if inline.is_empty() {
        around
    } else {
        inline.remove(0)
    };
    let (text, had_token) = without_tokens(&text);
    if had_token || is_bare(&text, false) {
        return NoteReading::Nothing;
    }
    if refuses(&text) {
        return NoteReading::Unreadable;
    }
    match note_text(&text) {
        Some(text) => NoteReading::Note {
            text,
            why: reason(&why),
        },
        None => NoteReading::Nothing,
    }
}

/// Reads the answer to a question for a comment.
pub(crate) fn read_commentary(answer: &str, denizen: &str) -> CommentaryReading {
    let answer = without_reasoning(head(answer)).trim();
    let (reading, notes) = match typed(answer) {
        Some((envelope, mut notes)) => {
            let (words, inline) = inline::take_notes(&envelope.text);
            notes.extend(inline.into_iter().map(|note| (note, String::new())));
            let envelope = Envelope {
                text: own_words(&words, denizen),
                ..envelope
            };
            (read_typed(&envelope, denizen, false), notes)
        }
        None => {
            let (words, inline) = inline::take_notes(answer);
            let notes = inline.into_iter().map(|note| (note, String::new())).collect();
            (read_answer(&own_words(&words, denizen), denizen, false), notes)
        }
    };
    let mut read = CommentaryReading {
        notes: worth_keeping(notes),
        repaired: reading.repaired,
        ..CommentaryReading::default()
    };
    match reading.outcome {
        ReplyOutcome::Say(text) => say(&text, &mut read),
        ReplyOutcome::Skip { why } | ReplyOutcome::React { why, .. } => read.why = reason(&why),
        ReplyOutcome::Empty | ReplyOutcome::EmptyAfterMedia => {}
    }
    read
}

/// Takes up what is to be said, unless it had better not be.
fn say(text: &str, read: &mut CommentaryReading) {
    let is_mark = |letter: char| letter.is_ascii_punctuation() || letter.is_whitespace();
    if text.chars().all(is_mark) {
        return;
    }
    if refuses(text) {
        read.why = reason(text);
        read.repaired = Some("a refusal is not said");
        return;
    }
    let redacted = redact(text);
    if redacted.secrets > 0 {
        read.repaired = Some("a secret that was seen is not said");
    }
    let short = shortened(&redacted.text, COMMENT_CHARS_MAX);
    if short.len() < redacted.text.len() {
        read.repaired = read.repaired.or(Some("a comment that was too long was cut"));
    }
    read.say = Some(short);
}

/// An answer as a typed one, with the notes in it; none where it is plain words.
fn typed(answer: &str) -> Option<(Envelope, Vec<(String, String)>)> {
    const KEYS: [&str; 3] = ["action", "text", "notes"];
    if let Some(object) = objects::first_with(answer, &KEYS) {
        let text = field(&object, "text");
        let envelope = Envelope {
            silent: match object.get("action").and_then(Value::as_str) {
                Some(action) => is_silent(action),
                None => text.is_empty(),
            },
            // There is nothing under which a comment could put an emoji.
            reacts: false,
            text,
            reason: field(&object, "reason"),
            repaired: (!objects::stands_alone(answer)).then_some("words around a typed answer were dropped"),
        };
        return Some((envelope, listed(object.get("notes"))));
    }
    let torn = objects::is_torn(answer, &KEYS);
    let unreadable = || Envelope {
        silent: true,
        reacts: false,
        text: String::new(),
        reason: String::new(),
        repaired: Some("a typed answer that cannot be read says nothing"),
    };
    let envelope = match read_envelope(answer) {
        Some(envelope) => envelope,
        None if torn => unreadable(),
        None => return None,
    };
    let notes = objects::all_with(answer, "note", COMMENT_NOTES_MAX);
    Some((envelope, notes.iter().map(listed_note).collect()))
}

/// The notes beside a comment: a list of objects or of texts, or one of them alone.
fn listed(notes: Option<&Value>) -> Vec<(String, String)> {
    let as_note = |value: &Value| match value {
        Value::String(text) => Some((text.clone(), String::new())),
        Value::Object(object) => Some(listed_note(object)),
        _ => None,
    };
    match notes {
        Some(Value::Array(notes)) => notes.iter().filter_map(as_note).collect(),
        Some(single) => as_note(single).into_iter().collect(),
        None => Vec::new(),
    }
}

fn listed_note(object: &Map<String, Value>) -> (String, String) {
    (field(object, "note"), field(object, "why"))
}

/// Notes that say something, each once, and no more than are kept.
fn worth_keeping(notes: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut kept: Vec<(String, String)> = Vec::new();
    for (text, why) in notes {
        let Some(text) = note_text(&text).filter(|text| !refuses(text)) else {
            continue;
        };
        let is_known = kept.iter().any(|(other, _)| words(other) == words(&text));
        if !is_known && kept.len() < COMMENT_NOTES_MAX {
            kept.push((text, reason(&why)));
        }
    }
    kept
}

/// Every line without a "Name:" in front that a model has taken over from the transcript.
fn own_words(text: &str, denizen: &str) -> String {
    let lines = text.lines().map(|line| without_own_name(line.trim(), denizen));
    lines.collect::<Vec<_>>().join("\n")
}

/// What can be read of a note that was cut off: without its last word, which may be half of one.
fn torn_note(answer: &str) -> Option<String> {
    let (text, whole) = partial_string(objects::body(answer)?, "note")?;
    let end = if whole { text.len() } else { text.rfind(' ')? };
    Some(text[..end].to_owned())
}

fn field(object: &Map<String, Value>, name: &str) -> String {
    let text = object.get(name).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

fn is_true(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(is_true)) => *is_true,
        Some(Value::String(word)) => word.trim().eq_ignore_ascii_case("true"),
        _ => false,
    }
}

fn reason(text: &str) -> String {
    shortened(&redact(&one_line(text)).text, WHY_CHARS_MAX)
}

fn head(answer: &str) -> &str {
    &answer[..answer.floor_char_boundary(ANSWER_BYTES_MAX)]
}

#[cfg(test)]
#[path = "reading_commentary_tests.rs"]
mod reading_commentary_tests;
#[cfg(test)]
#[path = "reading_tests.rs"]
mod reading_tests;
