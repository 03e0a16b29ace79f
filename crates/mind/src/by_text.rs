//! Values read as types, and types as values, by way of their text.
//!
//! What a mind is made of is read from text anyway. To read it from values, too, would have all of that code in the program a
//! second time, for older schemas and damaged states alone.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) fn read<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    serde_json::from_str(&value.to_string())
}

pub(crate) fn written<T: Serialize>(it: &T) -> serde_json::Result<Value> {
    serde_json::from_str(&serde_json::to_string(it)?)
}
