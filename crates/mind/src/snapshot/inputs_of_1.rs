//! Inputs of schema 1 were one flat list; they are sorted by whom they come from now.

use serde_json::{Map, Value, json};

/// Whom an input comes from, and whether it named its room beside what happened there.
enum Sort {
    /// The room stands in the data, and leaves it.
    InRoom,
    /// The data itself says in which room it is.
    NamesRoom,
    Answer,
    Memory,
    Operator,
    Shell,
}

fn sort(kind: &str) -> Option<Sort> {
    Some(match kind {
        "message_edited" | "message_deleted" | "typing_changed" | "reaction_changed" | "note_taken"
        | "frame_arrived" | "share_ended" | "watch_chosen" | "frame_refused" | "session_ended" => {
            Sort::InRoom
        }
        "message_arrived" | "share_started" => Sort::NamesRoom,
        "message_sent"
        | "send_failed"
        | "ask_progressed"
        | "ask_ended"
        | "recalled"
        | "tool_ended"
        | "surroundings_gathered"
        | "media_ended"
        | "gems_stored" => Sort::Answer,
        "turns_buffered" | "context_used" | "conversation_ended" | "forgotten" => Sort::Memory,
        "think_now" | "thought_dropped" | "source_dropped" => Sort::Operator,
        "capabilities_changed"
        | "request_refused"
        | "settings_changed"
        | "wake_reached"
        | "restarted"
        | "shutdown_requested" => Sort::Shell,
        _ => return None,
    })
}

/// An input of schema 1 as schema 2 writes it; one that is unknown stays as it is.
pub(super) fn sorted(input: Value) -> Value {
    let Some((kind, data)) = taken_apart(&input) else {
        return input;
    };
    let event = |data: Value| match &data {
        Value::Null => json!(kind),
        Value::Object(fields) if fields.is_empty() => json!(kind),
        _ => json!({ kind: data }),
    };
    match sort(kind) {
        None => input,
        Some(Sort::InRoom) => {
            let mut fields: Map<String, Value> = data.as_object().cloned().unwrap_or_default();
            let room = fields.remove("room").unwrap_or_default();
            json!({"room": [room, event(Value::Object(fields))]})
        }
        Some(Sort::NamesRoom) => json!({"room": [data["room"].clone(), event(data.clone())]}),
        Some(Sort::Answer) => json!({"answer": event(data.clone())}),
        Some(Sort::Memory) => json!({"memory": event(data.clone())}),
        Some(Sort::Operator) => json!({"operator": event(data.clone())}),
        Some(Sort::Shell) => json!({"shell": event(data.clone())}),
    }
}

/// The kind of an input and what it carries.
fn taken_apart(input: &Value) -> Option<(&str, &Value)> {
    match input {
        Value::String(kind) => Some((kind, &Value::Null)),
        Value::Object(one) if one.len() == 1 => one.iter().next().map(|(kind, data)| (kind.as_str(), data)),
        _ => None,
    }
}

#[cfg(test)]
#[path = "inputs_of_1_tests.rs"]
mod tests;
