//! The fields of one entry, read one by one: each refusal names the key, the type it has and the one it should have.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::client::redaction::Secrets;
use crate::client::substitution;

/// An entry while it is read.
pub(super) struct Fields<'a> {
    object: &'a Map<String, Value>,
    environment: &'a dyn Fn(&str) -> Option<String>,
    read: BTreeSet<&'static str>,
    secrets: Vec<String>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(
        object: &'a Map<String, Value>,
        environment: &'a dyn Fn(&str) -> Option<String>,
    ) -> Self {
        Self {
            object,
            environment,
            read: BTreeSet::new(),
            secrets: Vec::new(),
        }
    }

    pub(super) fn switch(&mut self, key: &'static str) -> Result<Option<bool>, String> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Bool(on)) => Ok(Some(*on)),
            Some(other) => Err(wrong(key, other, "true or false")),
        }
    }

    pub(super) fn whole(&mut self, key: &'static str, min: u64, max: u64) -> Result<Option<u64>, String> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value.as_u64() {
            Some(number) if (min..=max).contains(&number) => Ok(Some(number)),
            Some(number) => Err(format!(
                "has {number} as `{key}`. Write a number from {min} to {max}"
            )),
            None => Err(wrong(key, value, &format!("a whole number from {min} to {max}"))),
        }
    }

    pub(super) fn text(&mut self, key: &'static str) -> Result<Option<String>, String> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
            Some(Value::String(_)) => Err(format!("has an empty `{key}`. Fill it in or take it out")),
            Some(other) => Err(wrong(key, other, "a string")),
        }
    }

    pub(super) fn list(&mut self, key: &'static str, example: &str) -> Result<Option<Vec<String>>, String> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let should = format!("a list of strings, such as {example}");
        let Value::Array(items) = value else {
            return Err(wrong(key, value, &should));
        };
        let texts = items.iter().map(|item| match item {
            Value::String(text) => Ok(text.clone()),
            other => Err(format!(
                "has {} in the list `{key}`, which should be {should}",
                kind(other)
            )),
        });
        texts.collect::<Result<_, _>>().map(Some)
    }

    /// A text with the environment's variables in it.
    pub(super) fn filled(&mut self, key: &'static str) -> Result<Option<String>, String> {
        let text = self.text(key)?;
        text.map(|text| self.fill(key, &text)).transpose()
    }

    pub(super) fn filled_list(
        &mut self,
        key: &'static str,
        example: &str,
    ) -> Result<Option<Vec<String>>, String> {
        let Some(texts) = self.list(key, example)? else {
            return Ok(None);
        };
        texts
            .iter()
            .map(|text| self.fill(key, text))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Names and values. All values are secrets, whether they come from the environment or stand in the file.
    pub(super) fn filled_map(
        &mut self,
        key: &'static str,
        example: &str,
    ) -> Result<BTreeMap<String, String>, String> {
        let Some(value) = self.get(key) else {
            return Ok(BTreeMap::new());
        };
        let should = format!("an object of strings, such as {example}");
        let Value::Object(object) = value else {
            return Err(wrong(key, value, &should));
        };
        let mut filled = BTreeMap::new();
        for (name, value) in object {
            let Value::String(text) = value else {
                return Err(format!(
                    "has {} as `{key}.{name}`, where a string should be: {should}",
                    kind(value)
                ));
            };
            let text = self.fill(&format!("{key}.{name}"), text)?;
            self.secrets.push(text.clone());
            filled.insert(name.clone(), text);
        }
        Ok(filled)
    }

    /// Refuses a key that makes no sense here.
    pub(super) fn absent(&mut self, key: &'static str, why: &str) -> Result<(), String> {
        match self.get(key) {
            None => Ok(()),
            Some(_) => Err(format!("has `{key}`, but {why}")),
        }
    }

    /// A key that nobody read.
    pub(super) fn unknown(&self) -> Option<&str> {
        self.object
            .keys()
            .map(String::as_str)
            .find(|key| !self.read.contains(key))
    }

    pub(super) fn secrets(self) -> Secrets {
        Secrets::new(self.secrets)
    }

    fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.read.insert(key);
        self.object.get(key)
    }

    fn fill(&mut self, key: &str, text: &str) -> Result<String, String> {
        substitution::fill(text, self.environment, &mut self.secrets)
            .map_err(|why| format!("{why} (in `{key}`)"))
    }
}

/// What sort of value it is; the value itself may be a secret.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn wrong(key: &str, value: &Value, should: &str) -> String {
    format!("has {} as `{key}`. Write {should}", kind(value))
}
