//! The typed answer: `{"action": "reply" | "skip", "text": …, "reason": …}`, whole or still being written.

use serde_json::{Value, json};

/// JSON schema of a reply. The action comes first, so that nothing is shown before it is known.
pub fn reply_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "action": {
                "type": "string", "enum": ["reply", "skip"],
                "description": "reply to say something, skip to stay silent"
            },
            "text": {"type": "string", "description": "what to say in the room; empty when silent"},
            "reason": {"type": "string", "description": "why, in a few words; not shown in the room"}
        },
        "required": ["action", "text", "reason"],
        "additionalProperties": false
    })
}

/// What a typed answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Envelope {
    pub silent: bool,
    pub text: String,
    pub reason: String,
}

/// Reads an answer as a typed one; `None` if it is plain text.
pub(super) fn read_envelope(answer: &str) -> Option<Envelope> {
    let body = envelope_body(answer)?;
    if let Some(Ok(Value::Object(object))) = serde_json::Deserializer::from_str(body)
        .into_iter::<Value>()
        .next()
    {
        let field = |name: &str| object.get(name).and_then(Value::as_str).map(str::to_owned);
        if object.contains_key("action") || object.contains_key("text") {
            let text = field("text").unwrap_or_default();
            let silent = field("action").map_or(text.is_empty(), |action| is_silent(&action));
            return Some(Envelope {
                silent,
                text,
                reason: field("reason").unwrap_or_default(),
            });
        }
        return None;
    }
    // Cut off or slightly broken JSON: what can be read of the text is what it says.
    let action = partial_string(body, "action")?;
    let text = partial_string(body, "text").unwrap_or_default();
    Some(Envelope {
        silent: is_silent(&action.0),
        text: text.0,
        reason: String::new(),
    })
}

/// What can be shown of a typed answer in the making: its text, once the action is known to be a reply.
pub(super) fn text_so_far(answer: &str) -> Option<String> {
    let body = envelope_body(answer)?;
    let (action, whole) = partial_string(body, "action")?;
    if !whole || is_silent(&action) {
        return None;
    }
    partial_string(body, "text").map(|(text, _)| text)
}

/// Whether an answer in the making looks like a typed one.
pub(super) fn looks_typed(answer: &str) -> bool {
    envelope_body(answer).is_some()
}

fn envelope_body(answer: &str) -> Option<&str> {
    let trimmed = answer.trim_start();
    let inner = match trimmed.strip_prefix("```") {
        Some(fenced) => fenced.strip_prefix("json").unwrap_or(fenced).trim_start(),
        None => trimmed,
    };
    inner.starts_with('{').then_some(inner)
}

fn is_silent(action: &str) -> bool {
    !matches!(action, "reply" | "say" | "respond" | "answer")
}

/// Finds `"name": "…"` at the top level of JSON that may be incomplete; the text so far, and whether it is whole.
fn partial_string(json: &str, name: &str) -> Option<(String, bool)> {
    let mut rest = json.strip_prefix('{')?;
    loop {
        rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
        let (key, after) = scan_string(rest.strip_prefix('"')?)?;
        let after = after?.trim_start().strip_prefix(':')?.trim_start();
        let (value, after) = scan_string(after.strip_prefix('"')?)?;
        if key == name {
            return Some((value, after.is_some()));
        }
        rest = after?;
    }
}

/// Reads a JSON string whose opening quote is behind us; and what follows its closing quote, if that has come.
fn scan_string(text: &str) -> Option<(String, Option<&str>)> {
    let mut end = None;
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => {
                end = Some(at);
                break;
            }
            _ => {}
        }
    }
    let content = &text[..end.unwrap_or(text.len())];
    let after = end.map(|end| &text[end + 1..]);
    unescape(content).map(|value| (value, after))
}

/// Undoes JSON escapes; an escape that is not complete yet is left out.
fn unescape(content: &str) -> Option<String> {
    // An unfinished escape is at most six bytes (`\u` and four digits), or twelve for a surrogate pair.
    let tail = (0..=12).filter(|cut| content.len() >= *cut && content.is_char_boundary(content.len() - cut));
    for cut in tail {
        let quoted = format!(
            "\"{}\"",
            content[..content.len() - cut]
                .replace('\n', "\\n")
                .replace('\t', "\\t")
        );
        if let Ok(value) = serde_json::from_str(&quoted) {
            return Some(value);
        }
    }
    None
}
