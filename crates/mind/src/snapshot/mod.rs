//! What was kept by earlier versions, made readable for this one.

mod inputs_v1;
mod outboxes_of_1;

use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

pub use inputs_v1::from_v1 as input_from_v1;
pub use outboxes_of_1::outboxes as state_from_v1;

use crate::input::Input;
use crate::mind::Mind;

/// Reads a state of any schema.
pub fn read_state(json: &str) -> Result<Mind, serde_json::Error> {
    let value: Value = serde_json::from_str(json)?;
    serde_json::from_value(state_from_v1(value))
}

/// Reads a recorded input of any schema.
pub fn read_input(json: &str) -> Result<Input, serde_json::Error> {
    serde_json::from_str(json).or_else(|_| {
        let value: Value = serde_json::from_str(json)?;
        serde_json::from_value(input_from_v1(value))
    })
}

/// The same, for fields of types that are read by serde.
pub fn deserialize_input<'de, D: Deserializer<'de>>(from: D) -> Result<Input, D::Error> {
    let value = Value::deserialize(from)?;
    serde_json::from_value(input_from_v1(value)).map_err(D::Error::custom)
}
