//! Journal lines and times as a person reads them.

use mind::JournalEntry;
use serde_json::Value;
use vocabulary::Moment;

/// `MM:SS`, with the fraction where there is one; hours come in front from the first on.
pub fn clock(at: Moment) -> String {
    let (seconds, fraction) = (at.0 / 1_000, at.0 % 1_000);
    let mut text = format!("{:02}:{:02}", seconds / 60 % 60, seconds % 60);
    if seconds >= 3_600 {
        text = format!("{}:{text}", seconds / 3_600);
    }
    if fraction > 0 {
        text.push_str(format!(".{fraction:03}").trim_end_matches('0'));
    }
    text
}

/// A journal line: time, room and turn, name, fields.
pub fn line(entry: &JournalEntry) -> String {
    let mut text = format!("{} {}", clock(entry.moment), entry.event.name());
    for (key, value) in fields(entry) {
        if value != Value::Null && value != Value::String(String::new()) && value != Value::Array(Vec::new())
        {
            text.push_str(&format!(" {key}={}", shown(&value)));
        }
    }
    text
}

/// What can be asked of a line: its fields by their names in words_like_these, and `room`, `turn` and `about`.
pub(crate) fn fields(entry: &JournalEntry) -> Vec<(String, Value)> {
    let mut fields = Vec::new();
    let scope = &entry.scope;
    if let Some(room) = &scope.room {
        fields.push(("room".to_owned(), Value::from(room.as_str())));
    }
    if let Some(turn) = scope.turn {
        fields.push(("turn".to_owned(), Value::from(turn.0)));
    }
    let about: Vec<&str> = scope.messages.iter().map(|id| id.as_str()).collect();
    fields.push(("about".to_owned(), Value::from(about)));
    let event = serde_json::to_value(&entry.event).expect("journal events are plain data");
    if let Some(Value::Object(data)) = event.get("data") {
        for (key, value) in data {
            fields.push((snake_case(key), value.clone()));
        }
    }
    fields
}

/// A value without the quotes of JSON, except where it holds blanks.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if !text.contains([' ', '"', ',']) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(shown).collect();
            format!("[{}]", items.join(","))
        }
        other => other.to_string(),
    }
}

fn snake_case(key: &str) -> String {
    let mut text = String::with_capacity(key.len() + 4);
    for letter in key.chars() {
        if letter.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
