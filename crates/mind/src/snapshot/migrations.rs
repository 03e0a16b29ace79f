//! From each schema to the next. A step changes what it knows and leaves everything else as it is: what then does not
//! fit is found when the state is read, and salvaged.

use serde_json::Value;

use super::{SCHEMA, inputs_v1, state_v1};

/// A state of a schema, brought to the newest.
pub(super) fn state(schema: u32, mut body: Value) -> Value {
    for from in schema..SCHEMA {
        body = match from {
            1 => state_v1::from_v1(body),
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
