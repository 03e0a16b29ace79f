//! What the tools are called with, read with care: a model that gets one wrong is told which, and what it takes.

use rmcp::model::JsonObject;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use vocabulary::{GemId, GemTag, TurnKey};

use crate::access::{ForgetTarget, Recall, Remember};

/// Longest content of a gem.
pub(crate) const CONTENT_CHARS_MAX: usize = 2_000;
pub(crate) const QUERY_CHARS_MAX: usize = 1_000;
pub(crate) const FOUND_USUAL: usize = 8;
pub(crate) const FOUND_MAX: usize = 50;
/// Candidates that are shown when something is to be forgotten by its words.
const CANDIDATES: usize = 5;
const TAGS: [&str; 5] = ["decision", "fact", "preference", "todo", "code"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RememberArguments {
    content: String,
    person: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    importance: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecallArguments {
    query: String,
    person: Option<String>,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ForgetArguments {
    id: Option<String>,
    person: Option<String>,
    query: Option<String>,
}

/// What a call of `forget` asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum ForgetCall {
    Now(ForgetTarget),
    /// Show what it could be.
    Candidates(Recall),
}

pub(crate) fn remember(arguments: Option<JsonObject>) -> Result<Remember, String> {
    let given: RememberArguments = read(arguments)?;
    let mut tags = Vec::new();
    for tag in &given.tags {
        tags.push(
            GemTag::named(tag)
                .ok_or_else(|| format!("tags: “{tag}” is no tag. Give some of {}.", TAGS.join(", ")))?,
        );
    }
    if let Some(importance) = given.importance.filter(|given| !(0.0..=1.0).contains(given)) {
        return Err(format!(
            "importance: {importance} is out of range. Give a number from 0 to 1."
        ));
    }
    Ok(Remember {
        content: text("content", &given.content, CONTENT_CHARS_MAX)?,
        person: name(given.person),
        tags,
        importance: given.importance,
    })
}

pub(crate) fn recall(arguments: Option<JsonObject>) -> Result<Recall, String> {
    let given: RecallArguments = read(arguments)?;
    let limit = given.limit.unwrap_or(FOUND_USUAL);
    if !(1..=FOUND_MAX).contains(&limit) {
        return Err(format!(
            "limit: {limit} is out of range. Give a number from 1 to {FOUND_MAX}."
        ));
    }
    Ok(Recall {
        query: text("query", &given.query, QUERY_CHARS_MAX)?,
        person: name(given.person),
        limit,
        however_unsure: false,
    })
}

pub(crate) fn forget(arguments: Option<JsonObject>) -> Result<ForgetCall, String> {
    let given: ForgetArguments = read(arguments)?;
    match (name(given.id), name(given.person), name(given.query)) {
        (Some(id), None, None) => Ok(ForgetCall::Now(record(&id))),
        (None, Some(person), None) => Ok(ForgetCall::Now(ForgetTarget::Person(person))),
        (None, None, Some(query)) => Ok(ForgetCall::Candidates(Recall {
            query: text("query", &query, QUERY_CHARS_MAX)?,
            person: None,
            limit: CANDIDATES,
            however_unsure: true,
        })),
        _ => Err("Give exactly one of id, person and query. With query, nothing is forgotten yet: candidates are listed, and you call again with the id of one.".to_owned()),
    }
}

fn record(id: &str) -> ForgetTarget {
    match id.split_once(':') {
        Some(("turn", turn)) => ForgetTarget::Turn(TurnKey::from(turn)),
        Some(("gem", gem)) => ForgetTarget::Gem(GemId::from(gem)),
        _ => ForgetTarget::Gem(GemId::from(id)),
    }
}

fn read<T: DeserializeOwned>(arguments: Option<JsonObject>) -> Result<T, String> {
    let given = Value::Object(arguments.unwrap_or_default());
    serde_json::from_value(given).map_err(|problem| {
        format!("The arguments do not fit: {problem}. The tool's input schema says what it takes.")
    })
}

fn text(field: &str, given: &str, most: usize) -> Result<String, String> {
    let given = given.trim();
    match given.chars().count() {
        0 => Err(format!("{field}: it is empty. Give 1 to {most} characters.")),
        length if length > most => Err(format!(
            "{field}: it has {length} characters, more than {most}. Make it shorter, or call once for each part."
        )),
        _ => Ok(given.to_owned()),
    }
}

/// Models like to send an empty text where they mean nothing.
fn name(given: Option<String>) -> Option<String> {
    given
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod arguments_tests;
