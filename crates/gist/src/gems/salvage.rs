//! Finds the list of gems in what a model wrote: bare, fenced, amid prose, or torn off in the middle.

use serde_json::{Deserializer, Value};

/// More than this of an answer is not read; the output cap is far below it.
const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// Places tried before giving up: each may read to the end of the answer.
const TRIES_MAX: usize = 64;
/// The keys one of which an object must have to pass for a gem.
const GEM_KEYS: [&str; 2] = ["content", "summary"];

/// The elements of the list, as far as they are whole; none where there is no list at all.
pub(super) fn elements(answer: &str) -> Option<Vec<Value>> {
    let answer = without_thinking(head(answer));
    wrapped(answer).or_else(|| torn(answer)).or_else(|| bare(answer))
}

fn head(answer: &str) -> &str {
    let mut end = answer.len().min(ANSWER_BYTES_MAX);
    while !answer.is_char_boundary(end) {
        end -= 1;
    }
    &answer[..end]
}

/// What follows the thoughts of a model that writes them down. Unfinished thoughts are not an answer.
fn without_thinking(answer: &str) -> &str {
    match answer.rsplit_once("</think>") {
        Some((_, rest)) => rest,
        None if answer.trim_start().starts_with("<think>") => "",
        None => answer,
    }
}

/// `{"gems": [...]}`, wherever it stands.
fn wrapped(answer: &str) -> Option<Vec<Value>> {
    let objects = answer.match_indices('{').take(TRIES_MAX);
    objects
        .filter_map(|(at, _)| first_value(&answer[at..]).map(|(value, _)| value))
        .find_map(|mut value| match value.get_mut("gems").map(Value::take) {
            Some(Value::Array(elements)) => Some(elements),
            _ => None,
        })
}

/// A list, or a single gem, without the object around it.
fn bare(answer: &str) -> Option<Vec<Value>> {
    let starts = answer.match_indices(['[', '{']).take(TRIES_MAX);
    starts
        .filter_map(|(at, _)| first_value(&answer[at..]).map(|(value, _)| value))
        .find_map(|value| match value {
            Value::Array(elements) if elements.iter().any(is_gem) => Some(elements),
            single if is_gem(&single) => Some(vec![single]),
            _ => None,
        })
}

/// A list that was cut off or is broken somewhere: its elements that are whole.
fn torn(answer: &str) -> Option<Vec<Value>> {
    let list = answer.find("\"gems\"").map_or(answer, |at| &answer[at..]);
    let mut rest = &list[list.find('[')?..];
    let mut found = Vec::new();
    for _ in 0..TRIES_MAX {
        let Some(at) = rest.find('{') else { break };
        rest = &rest[at..];
        match first_value(rest).filter(|(value, _)| is_gem(value)) {
            Some((value, end)) => {
                found.push(value);
                rest = &rest[end..];
            }
            None => rest = &rest[1..],
        }
    }
    (!found.is_empty()).then_some(found)
}

fn first_value(text: &str) -> Option<(Value, usize)> {
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

fn is_gem(value: &Value) -> bool {
    GEM_KEYS.iter().any(|key| value.get(key).is_some())
}
