//! The typed answer: `{"action": "reply" | "skip" | "react", "text": …, "reason": …}`, whole or still being written.

use serde_json::{Value, json};

/// JSON schema of a reply. The action comes first, so that nothing is shown before it is known. `reacts`: a reaction can
/// be the whole of it.
pub fn reply_schema(reacts: bool) -> Value {
    let (actions, action) = match reacts {
        true => (
            json!(["reply", "skip", "react"]),
            "reply to say something, skip to stay silent, react to put one emoji under the message instead of words",
        ),
        false => (
            json!(["reply", "skip"]),
            "reply to say something, skip to stay silent",
        ),
    };
    let text = match reacts {
        true => "what to say in the room; the emoji when reacting; empty when silent",
        false => "what to say in the room; empty when silent",
    };
    json!({
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": actions, "description": action},
            "text": {"type": "string", "description": text},
            "reason": {"type": "string", "description": "why, in a few words; not shown in the room"}
        },
        "required": ["action", "text", "reason"],
        "additionalProperties": false
    })
}

/// What a typed answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Envelope {
    pub silent: bool,
    /// The text is an emoji to be put under the message; that is no word, so it is silent, too.
    pub reacts: bool,
    pub text: String,
    pub reason: String,
    /// What had to be put right to read it.
    pub repaired: Option<&'static str>,
}

/// Reads an answer as a typed one; `None` if it is plain text.
pub(crate) fn read_envelope(answer: &str) -> Option<Envelope> {
    let unreadable = Envelope {
        silent: false,
        reacts: false,
        text: String::new(),
        reason: String::new(),
        repaired: Some("a typed answer that cannot be read says nothing"),
    };
    if is_unfinished_fence(answer) {
        return Some(unreadable);
    }
    let (before, body) = envelope_body(answer)?;
    let repaired = (!before.is_empty()).then_some("words around a typed answer were dropped");
    if let Some(Ok(Value::Object(object))) = serde_json::Deserializer::from_str(body)
        .into_iter::<Value>()
        .next()
    {
        let field = |name: &str| object.get(name).and_then(Value::as_str).map(str::to_owned);
        if object.contains_key("action") || object.contains_key("text") {
            let text = field("text").unwrap_or_default();
            let action = field("action");
            let silent = (action.as_deref()).map_or(text.is_empty(), is_silent);
            return Some(Envelope {
                silent,
                reacts: action.as_deref().is_some_and(is_reaction),
                text,
                reason: field("reason").unwrap_or_default(),
                repaired,
            });
        }
        return None;
    }
    // Cut off or slightly broken JSON: what can be read of the text is what it says.
    match partial_string(body, "action") {
        Some((action, _)) => Some(Envelope {
            silent: is_silent(&action),
            reacts: is_reaction(&action),
            text: partial_string(body, "text").unwrap_or_default().0,
            reason: String::new(),
            repaired,
        }),
        None => is_meant_as_typed(body).then_some(unreadable),
    }
}

/// What can be shown of a typed answer in the making: its text, once the action is known to be a reply.
pub(super) fn text_so_far(answer: &str) -> Option<String> {
    let (_, body) = envelope_body(answer)?;
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

/// How much of an answer in the making is surely not the beginning of a typed one.
pub(super) fn before_envelope(answer: &str) -> &str {
    let begins = |at: &usize| {
        let inside = answer[at + 1..].trim_start();
        FIRST_KEY.starts_with(inside) || inside.starts_with(FIRST_KEY)
    };
    let open = answer.match_indices('{').map(|(at, _)| at).find(begins);
    &answer[..open.unwrap_or(answer.len())]
}

/// The opening of a code block, of which nothing followed (yet).
pub(super) fn is_unfinished_fence(answer: &str) -> bool {
    let opening = answer.trim();
    !opening.is_empty() && "```json".starts_with(opening)
}

const FIRST_KEY: &str = "\"action\"";
const KEYS: [&str; 3] = ["action", "text", "reason"];

/// Where the typed answer begins, and the words in front of it: a model may say something before it.
fn envelope_body(answer: &str) -> Option<(&str, &str)> {
    let trimmed = answer.trim_start();
    let inner = match trimmed.strip_prefix("```") {
        Some(fenced) => fenced.strip_prefix("json").unwrap_or(fenced).trim_start(),
        None => trimmed,
    };
    if inner.starts_with('{') {
        return Some(("", inner));
    }
    let mut opens = answer.match_indices('{').map(|(at, _)| at);
    let start = opens.find(|at| answer[at + 1..].trim_start().starts_with(FIRST_KEY))?;
    Some(answer.split_at(start))
}

/// Whether JSON that cannot be read was going to be a typed answer, rather than braces in plain text.
fn is_meant_as_typed(body: &str) -> bool {
    let inside = body[1..].trim_start();
    match inside.strip_prefix('"').map(|key| key.split_once('"').ok_or(key)) {
        Some(Ok((key, _))) if KEYS.contains(&key) => true,
        Some(Err(unfinished)) => KEYS.iter().any(|key| key.starts_with(unfinished)),
        _ => inside.is_empty() || inside.contains(FIRST_KEY),
    }
}

/// Whether an action is none that says something.
pub(crate) fn is_silent(action: &str) -> bool {
    let action = action.trim().to_ascii_lowercase();
    !matches!(
        action.as_str(),
        "reply" | "say" | "speak" | "comment" | "respond" | "answer"
    )
}

fn is_reaction(action: &str) -> bool {
    matches!(action.trim().to_ascii_lowercase().as_str(), "react" | "reaction")
}

/// Finds `"name": "…"` at the top level of JSON that may be incomplete; the text so far, and whether it is whole.
pub(crate) fn partial_string(json: &str, name: &str) -> Option<(String, bool)> {
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
    let is_control = |byte: u8| byte < b' ' && byte != b'\n' && byte != b'\t';
    if !content.bytes().any(|byte| byte == b'\\' || is_control(byte)) {
        return Some(content.to_owned());
    }
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
