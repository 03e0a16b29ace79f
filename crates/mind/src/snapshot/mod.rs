//! How a mind and its inputs are written down, and how what an older version wrote is read.
//!
//! A state is kept as `{schema, body}`, an input as `{schema, input}`; without a schema it is of schema 1. What is of an
//! older schema goes through `migrations`, one step after the other. A state that still cannot be read is not thrown
//! away: `salvage` carries over what it can, field by field, and tells what it could not.

mod flights_v1;
mod inputs_v1;
mod logs_v1;
mod migrations;
mod outboxes_of_1;
mod posts_of_2;
mod rooms_of_2;
mod salvage;
mod watch_v1;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use thiserror::Error;

use crate::by_text;
use crate::input::Input;
use crate::mind::{Genesis, Mind};

pub use salvage::Salvage;

/// The schema that is written. Raise it with every change of the shape of a state or an input that a `serde` default
/// does not cover, together with a step in `migrations` and golden files of the schema before.
pub const SCHEMA: u32 = 4;
/// What was written before there were schema numbers.
const UNNUMBERED: u32 = 1;

/// A state that cannot be read as it is.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unreadable {
    #[error("it is not JSON: {0}")]
    Damaged(String),
    #[error("it is of another shape (schema {schema}, this version writes {SCHEMA}): {detail}")]
    OtherShape { schema: u32, detail: String },
}

#[derive(Serialize)]
struct KeptState<'a> {
    schema: u32,
    body: &'a Mind,
}

#[derive(Serialize)]
struct KeptInput<'a> {
    schema: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    stepped_before: Option<u64>,
    input: &'a Input,
}

/// What is around a state or an input that has a schema number.
#[derive(Deserialize)]
struct Envelope<'a> {
    schema: u32,
    #[serde(default)]
    stepped_before: Option<u64>,
    #[serde(borrow, alias = "input")]
    body: &'a RawValue,
}

/// A state as it is kept.
pub fn keep(mind: &Mind) -> String {
    let kept = KeptState {
        schema: SCHEMA,
        body: mind,
    };
    serde_json::to_string(&kept).expect("a mind is plain data with text keys")
}

/// An input as it is stored; of a reflex, before which other it was stepped.
pub fn keep_input(input: &Input, stepped_before: Option<u64>) -> String {
    let kept = KeptInput {
        schema: SCHEMA,
        stepped_before,
        input,
    };
    serde_json::to_string(&kept).expect("an input is plain data with text keys")
}

/// Reads a state, whole or not at all.
pub fn read(text: &str) -> Result<Mind, Unreadable> {
    // Most are as `keep` writes them, and need not be gone through twice.
    let newest = format!("{{\"schema\":{SCHEMA},\"body\":");
    let body = text.strip_prefix(&newest).and_then(|rest| rest.strip_suffix('}'));
    if let Some(mind) = body.and_then(|body| serde_json::from_str(body).ok()) {
        return countable(mind);
    }
    let Opened { schema, body, .. } = opened(text)?;
    let mind = if schema == SCHEMA {
        serde_json::from_str(body)
    } else {
        by_text::read(&migrations::state(schema, parts(body)?))
    };
    let mind: Mind = mind.map_err(|error| Unreadable::OtherShape {
        schema,
        detail: error.to_string(),
    })?;
    countable(mind)
}

/// Whether a state was written by this version's schema, so that its inputs give the very lines they gave then.
pub fn is_current(text: &str) -> bool {
    opened(text).is_ok_and(|opened| opened.schema == SCHEMA)
}

/// A mind whose numbers can go on; one that has counted to the end was never written by Denizen.
fn countable(mind: Mind) -> Result<Mind, Unreadable> {
    match mind.can_count_on() {
        true => Ok(mind),
        false => Err(Unreadable::Damaged("its numbers are beyond counting".to_owned())),
    }
}

/// Reads what can be read of a state: a mind that begins anew from `genesis`, with everything carried over that fits.
pub fn salvage(text: &str, genesis: Genesis) -> Result<(Mind, Salvage), Unreadable> {
    let Opened { schema, body, .. } = opened(text)?;
    let body = migrations::state(schema, parts(body)?);
    let (mind, salvage) = salvage::salvage(&body, genesis);
    Ok((countable(mind)?, salvage))
}

/// Reads a stored input, and before which other it was stepped.
pub fn read_input(text: &str) -> Result<(Input, Option<u64>), Unreadable> {
    let Opened {
        schema,
        stepped_before,
        body,
    } = opened(text)?;
    let input = if schema == SCHEMA {
        serde_json::from_str(body).map_err(|error| Unreadable::OtherShape {
            schema,
            detail: error.to_string(),
        })?
    } else {
        input_of(schema, parsed(body)?)?
    };
    Ok((input, stepped_before))
}

/// Reads an input of a schema that is known from elsewhere, such as the head of a recording.
pub fn input_of(schema: u32, input: Value) -> Result<Input, Unreadable> {
    by_text::read(&migrations::input(schema, input)).map_err(|error| Unreadable::OtherShape {
        schema,
        detail: error.to_string(),
    })
}

struct Opened<'a> {
    schema: u32,
    stepped_before: Option<u64>,
    body: &'a str,
}

fn opened(text: &str) -> Result<Opened<'_>, Unreadable> {
    match serde_json::from_str::<Envelope<'_>>(text) {
        Ok(envelope) => Ok(Opened {
            schema: envelope.schema,
            stepped_before: envelope.stepped_before,
            body: envelope.body.get(),
        }),
        Err(error) if error.is_syntax() || error.is_eof() => Err(Unreadable::Damaged(error.to_string())),
        Err(_) => Ok(Opened {
            schema: UNNUMBERED,
            stepped_before: None,
            body: text,
        }),
    }
}

fn parsed(body: &str) -> Result<Value, Unreadable> {
    serde_json::from_str(body).map_err(|error| Unreadable::Damaged(error.to_string()))
}

/// The parts of a state.
fn parts(body: &str) -> Result<Value, Unreadable> {
    let parts = parsed(body)?;
    match parts.is_object() {
        true => Ok(parts),
        false => Err(Unreadable::Damaged("it has no parts".to_owned())),
    }
}

#[cfg(test)]
#[path = "snapshot_tests.rs"]
mod tests;
