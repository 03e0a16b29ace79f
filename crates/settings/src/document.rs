//! What an operator said: the keys they set, and nothing else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

/// Explicitly set values by full key. Defaults are never in here, so a changed default reaches everyone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Document(BTreeMap<String, Value>);

/// A settings document that cannot be read at all.
#[derive(Debug, Error)]
pub enum DocumentError {
    #[error("the settings are not JSON: {0}. Correct the text at that place, or start from {{}}")]
    NotJson(#[from] serde_json::Error),
    #[error("the settings are {0}, not a JSON object. Write them as {{\"section\": {{\"key\": value}}}}")]
    NotAnObject(&'static str),
}

impl Document {
    /// Reads JSON, nested (`{"llm": {"model": "…"}}`) or flat (`{"llm.model": "…"}`), or both.
    pub fn from_json(text: &str) -> Result<Self, DocumentError> {
        Self::from_value(serde_json::from_str(text)?)
    }

    /// Takes a JSON value, nested or flat.
    pub fn from_value(value: Value) -> Result<Self, DocumentError> {
        let Value::Object(object) = value else {
            return Err(DocumentError::NotAnObject(kind(&value)));
        };
        let mut document = Self::default();
        document.take_in("", object);
        Ok(document)
    }

    fn take_in(&mut self, prefix: &str, object: Map<String, Value>) {
        for (name, value) in object {
            let key = if prefix.is_empty() {
                name
            } else {
                format!("{prefix}.{name}")
            };
            match value {
                Value::Object(inner) => self.take_in(&key, inner),
                other => {
                    self.0.insert(key, other);
                }
            }
        }
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    pub fn set(&mut self, key: impl Into<String>, value: Value) {
        self.0.insert(key.into(), value);
    }

    /// Takes a key back to its default.
    pub fn reset(&mut self, key: &str) -> Option<Value> {
        self.0.remove(key)
    }

    /// Takes every value of another document; keys that it does not name stay as they are.
    pub fn lay_over(&mut self, other: Document) {
        self.0.extend(other.0);
    }

    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys whose value differs between two documents.
    pub fn changed_keys(&self, other: &Document) -> Vec<String> {
        let mut keys: Vec<String> = self.0.keys().chain(other.0.keys()).cloned().collect();
        keys.sort();
        keys.dedup();
        keys.retain(|key| self.get(key) != other.get(key));
        keys
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
