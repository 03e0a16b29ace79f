//! Tool calls that a server leaves in the text of an answer, because it does not know its model's way of writing them:
//! `<tool_call>{…}</tool_call>`, or a bare `{"name": …, "arguments": …}`, perhaps in a code block or in double braces.

use serde_json::{Map, Value};
use vocabulary::ToolCall;

const OPEN: &str = "<tool_call>";
const CLOSE: &str = "</tool_call>";
const FENCE: &str = "```";
/// How the JSON of a call begins.
const FIRST_KEYS: [&str; 4] = ["\"name\"", "\"function\"", "\"type\"", "\"arguments\""];
/// Most calls that are read out of one text, and most places where one is looked for.
const CALLS_MAX: usize = 64;
const PLACES_MAX: usize = 64;

/// Passes the text of an answer on, and holds back what may be a call.
#[derive(Debug, Default)]
pub(crate) struct TextCalls {
    /// The tools on offer; without any, all is text.
    offered: Vec<String>,
    /// Calls in the conversation so far, so that no id comes twice.
    earlier: usize,
    /// What people and tools said, without spaces: a call that stands there is quoted.
    given: String,
    held: String,
    /// Words were passed on: what follows is no bare call, only a tagged one.
    spoke: bool,
    said: String,
}

impl TextCalls {
    pub(crate) fn new(offered: Vec<String>, earlier: usize, given: &str) -> Self {
        Self {
            given: if offered.is_empty() {
                String::new()
            } else {
                compact(given)
            },
            offered,
            earlier,
            ..Self::default()
        }
    }

    /// Takes the next piece in and gives what of it is surely text.
    pub(crate) fn push(&mut self, piece: &str) -> String {
        if self.offered.is_empty() {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        if !self.spoke && may_begin_call(&self.held) {
            return String::new();
        }
        let safe = match self.held.find(OPEN) {
            Some(start) => start,
            None => possible_tag_start(&self.held),
        };
        let text: String = self.held.drain(..safe).collect();
        self.spoke |= !text.trim().is_empty();
        self.said.push_str(&text);
        text
    }

    /// The answer is over: what was held back is a call after all, or text.
    pub(crate) fn finish(self) -> (String, Vec<ToolCall>) {
        if self.offered.is_empty() {
            return (self.held, Vec::new());
        }
        let offers = |call: &Written| self.offered.contains(&call.name) || call.is_unmistakable;
        let (text, written) = if self.is_quoted() {
            (self.held, Vec::new())
        } else if self.held.contains(OPEN) {
            tagged(&self.held)
        } else if let Some(written) = bare(&self.held, offers) {
            (String::new(), written)
        } else if is_broken(&self.held) {
            (String::new(), Vec::new())
        } else {
            let on_offer = |call: &Written| self.offered.contains(&call.name);
            let written = at_the_end(&self.said, &self.given, on_offer);
            (self.held, written.into_iter().collect())
        };
        let calls = written.into_iter().take(CALLS_MAX).enumerate();
        let calls = calls.map(|(number, call)| ToolCall {
            id: format!("call_{}", self.earlier + number),
            name: call.name,
            arguments: call.arguments,
        });
        (text, calls.collect())
    }
}

impl TextCalls {
    /// Whether what was held back shows a call and makes none: it is code, it stands between words, or it repeats what
    /// the model was given.
    fn is_quoted(&self) -> bool {
        let Some(start) = self.held.find(OPEN) else {
            return repeats(&self.given, unfenced(&self.held));
        };
        let before = format!("{}{}", self.said, &self.held[..start]);
        let after = self
            .held
            .rfind(CLOSE)
            .map_or("", |end| &self.held[end + CLOSE.len()..]);
        let has_words = |text: &str| text.chars().any(char::is_alphanumeric);
        let is_code = before.matches(FENCE).count() % 2 == 1 || before.ends_with(['`', '"', '“', '‘', '\'']);
        let end = self.held.rfind(CLOSE).unwrap_or(self.held.len());
        let inside = &self.held[start + OPEN.len()..end.max(start + OPEN.len())];
        let is_between = has_words(&before) && has_words(after);
        values(inside).0.into_iter().any(|value| read(value).is_some())
            && (is_code || is_between || repeats(&self.given, inside))
    }
}

/// Without spaces, so that it can be found however it is set.
fn compact(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Whether a call stands word for word in what was given.
fn repeats(given: &str, call: &str) -> bool {
    let call = compact(call);
    call.contains("\"name\"") && given.contains(&call)
}

/// A call as a model wrote it.
struct Written {
    name: String,
    arguments: Value,
    /// It is nothing but a name and arguments: a call, if only of a tool that the model made up.
    is_unmistakable: bool,
}

/// Calls between tags, and the words around them. What cannot be read between tags is nothing anybody should see.
fn tagged(text: &str) -> (String, Vec<Written>) {
    let mut words = String::new();
    let mut calls = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPEN) {
        words.push_str(before);
        let (inside, following) = after.split_once(CLOSE).unwrap_or((after, ""));
        calls.extend(values(inside).0.into_iter().filter_map(read));
        rest = following;
    }
    words.push_str(rest);
    let words = words.trim_end();
    (words.to_owned(), calls)
}

/// Calls that stand there as nothing but JSON. Words that follow are what the model thinks it will find.
fn bare(text: &str, offers: impl Fn(&Written) -> bool) -> Option<Vec<Written>> {
    let (values, _) = values(unfenced(text));
    let calls: Option<Vec<Written>> = values.into_iter().map(read).collect();
    calls.filter(|calls| !calls.is_empty() && calls.iter().all(offers))
}

/// Whether it was going to be a call, and cannot be read as one: nothing that anybody should see.
fn is_broken(text: &str) -> bool {
    let inside = unfenced(text).trim_start_matches(['{', '[', ' ', '\n']);
    let begins =
        inside.starts_with("\"name\"") && (text.contains("\"arguments\"") || text.contains("\"parameters\""));
    begins && values(unfenced(text)).0.is_empty()
}

/// A call that ends an answer after some words, on a line of its own. Words that announce an example (“like this:”) show
/// one, and what the model was given is repeated.
fn at_the_end(text: &str, given: &str, offers: impl Fn(&Written) -> bool) -> Option<Written> {
    let mut places = text.match_indices('{').take(PLACES_MAX);
    places.find_map(|(start, _)| {
        let before = text[..start].trim_end_matches([' ', '[', '{']);
        let words = before
            .trim_end()
            .trim_end_matches("json")
            .trim_end_matches('`')
            .trim_end();
        let begins_line = before.is_empty() || before.ends_with('\n');
        let end = text.trim_end().trim_end_matches('`').trim_end();
        let is_repeated = end.get(start..).is_some_and(|call| repeats(given, call));
        if !begins_line || words.ends_with(':') || is_repeated {
            return None;
        }
        let (mut values, ends) = values(&text[start..]);
        let call = values.pop().and_then(read)?;
        (ends && values.is_empty() && offers(&call)).then_some(call)
    })
}

/// The JSON values a text begins with, and whether no words follow them.
fn values(text: &str) -> (Vec<Value>, bool) {
    let text = text.trim();
    let as_written = parsed(text);
    if !as_written.0.is_empty() || !text.starts_with("{{") {
        return as_written;
    }
    // Some models copy the double braces of the template that showed them how, and lose count at the end.
    let once = parsed(&text[1..]);
    if !once.0.is_empty() {
        return once;
    }
    parsed(&text.replace("{{", "{").replace("}}", "}"))
}

fn parsed(text: &str) -> (Vec<Value>, bool) {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let mut values = Vec::new();
    let mut end = 0;
    while let Some(Ok(value)) = stream.next() {
        end = stream.byte_offset();
        match value {
            Value::Array(several) => values.extend(several),
            one => values.push(one),
        }
    }
    let no_words_follow = text[end..]
        .trim_matches(|mark: char| mark == '`' || mark == '}' || mark.is_whitespace())
        .is_empty();
    (values, no_words_follow)
}

fn read(value: Value) -> Option<Written> {
    let Value::Object(mut object) = value else {
        return None;
    };
    if let Some(Value::Object(function)) = object.remove("function") {
        object = function;
    }
    let Some(Value::String(name)) = object.remove("name") else {
        return None;
    };
    let arguments = object.remove("arguments").or_else(|| object.remove("parameters"));
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    Some(Written {
        is_unmistakable: object.is_empty()
            && arguments.as_ref().is_some_and(Value::is_object)
            && name.chars().all(is_word),
        name,
        arguments: match arguments {
            Some(Value::String(text)) => super::wire::arguments(&text),
            Some(Value::Null) | None => Value::Object(Map::new()),
            Some(other) => other,
        },
    })
}

/// Whether an answer that begins like this may turn out to be a call.
fn may_begin_call(text: &str) -> bool {
    let text = text.trim_start();
    if OPEN.starts_with(text) || text.starts_with(OPEN) || "```json".starts_with(text) {
        return true;
    }
    let inside = unfenced(text);
    let Some(inside) = inside.trim_start_matches('[').trim_start().strip_prefix('{') else {
        return inside.is_empty() || inside == "[";
    };
    let inside = inside.strip_prefix('{').unwrap_or(inside).trim_start();
    FIRST_KEYS
        .iter()
        .any(|key| key.starts_with(inside) || inside.starts_with(key))
}

/// Without the marks of a code block around it.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(inside) = text.strip_prefix(FENCE) else {
        return text;
    };
    let inside = inside.strip_prefix("json").unwrap_or(inside);
    inside.trim().trim_end_matches('`').trim()
}

/// Where the longest ending that a tag could begin with starts.
fn possible_tag_start(text: &str) -> usize {
    let from = text.len().saturating_sub(OPEN.len());
    (from..text.len())
        .filter(|at| text.is_char_boundary(*at))
        .find(|at| OPEN.starts_with(&text[*at..]))
        .unwrap_or(text.len())
}

#[cfg(test)]
#[path = "text_calls_tests.rs"]
mod tests;
