//! Finds JSON objects in what a model wrote: bare, in a code block, amid prose, or torn off.

use serde_json::{Deserializer, Map, Value};

/// Places tried before giving up: each may read to the end of the answer.
const TRIES_MAX: usize = 64;

/// The first whole object that has one of these keys.
pub(super) fn first_with(answer: &str, keys: &[&str]) -> Option<Map<String, Value>> {
    objects(answer).find(|object| keys.iter().any(|key| object.contains_key(*key)))
}

/// Whole objects with this key, wherever they stand.
pub(super) fn all_with(answer: &str, key: &str, most: usize) -> Vec<Map<String, Value>> {
    let with_key = objects(answer).filter(|object| object.contains_key(key));
    with_key.take(most).collect()
}

/// The object that an answer is, with nothing but a code block around it.
pub(super) fn whole(answer: &str) -> Option<Map<String, Value>> {
    let mut values = Deserializer::from_str(body(answer)?).into_iter::<Value>();
    match values.next() {
        Some(Ok(Value::Object(object))) => Some(object),
        _ => None,
    }
}

/// Whole objects one behind the other, none inside another.
pub(crate) fn in_a_row(answer: &str) -> Vec<Map<String, Value>> {
    let mut found = Vec::new();
    let mut from = 0;
    for _ in 0..TRIES_MAX {
        let Some(at) = answer[from..].find('{').map(|at| from + at) else {
            break;
        };
        let mut values = Deserializer::from_str(&answer[at..]).into_iter::<Value>();
        from = match values.next() {
            Some(Ok(Value::Object(object))) => {
                found.push(object);
                at + values.byte_offset()
            }
            _ => at + 1,
        };
    }
    found
}

/// Whether an answer was going to be an object with one of these keys, and no whole one came of it.
pub(crate) fn is_torn(answer: &str, keys: &[&str]) -> bool {
    let Some(body) = body(answer) else {
        return !answer.is_empty() && "```json".starts_with(answer);
    };
    let inside = body[1..].trim_start();
    let names = |key: &&str| body.contains(&format!("\"{key}\""));
    let may_begin = |key: &&str| format!("\"{key}\"").starts_with(inside);
    inside.is_empty() || keys.iter().any(|key| names(key) || may_begin(key))
}

/// Whether nothing but a code block stands around an object.
pub(crate) fn stands_alone(answer: &str) -> bool {
    body(answer).is_some()
}

/// The answer from its opening brace on, where it begins with one, code block or not.
pub(super) fn body(answer: &str) -> Option<&str> {
    let answer = answer.trim_start();
    let inner = match answer.strip_prefix("```") {
        Some(fenced) => fenced
            .trim_start_matches(|letter: char| letter.is_ascii_alphabetic())
            .trim_start(),
        None => answer,
    };
    inner.starts_with('{').then_some(inner)
}

fn objects(answer: &str) -> impl Iterator<Item = Map<String, Value>> {
    let opens = answer.match_indices('{').take(TRIES_MAX);
    opens.filter_map(|(at, _)| {
        let mut values = Deserializer::from_str(&answer[at..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Object(object))) => Some(object),
            _ => None,
        }
    })
}
