//! From each schema to the next. A step changes what it knows and leaves everything else as it is: what then does not
//! fit is found when the state is read, and salvaged.

use serde_json::Value;

use super::{SCHEMA, flights_v1, inputs_v1, logs_v1, outboxes_of_1, posts_of_2, rooms_of_2, watch_v1};

/// A state of a schema, brought to the newest.
pub(super) fn state(schema: u32, mut body: Value) -> Value {
    for from in schema..SCHEMA {
        body = match from {
            1 => state_from_1(body),
            2 => state_from_2(body),
            3 => state_from_3(body),
            _ => body,
        };
    }
    body
}

/// An input of a schema, brought to the newest.
pub(super) fn input(schema: u32, mut input: Value) -> Value {
    for from in schema..SCHEMA {
        input = match from {
            1 => inputs_v1::from_v1(input),
            _ => input,
        };
    }
    input
}

/// Takes a part out, where there is one: a damaged state may have anything in its place.
pub(super) fn taken(from: &mut Value, name: &str) -> Value {
    from.get_mut(name).map(Value::take).unwrap_or_default()
}

fn state_from_1(body: Value) -> Value {
    // Watches are taken apart after what was asked and said of them was found where schema 1 had it.
    let body = outboxes_of_1::outboxes(flights_v1::from_v1(body));
    logs_v1::from_v1(watch_v1::from_v1(body))
}

fn state_from_2(body: Value) -> Value {
    rooms_of_2::taken_apart(posts_of_2::posts(body))
}

/// What schema 4 adds is empty in a state of schema 3.
fn state_from_3(body: Value) -> Value {
    body
}
