//! The body of a request without parameters that its server does not take. All else stays as it was written, in its order.

use std::borrow::Cow;
use std::fmt;

use runtime::ports::Wire;
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::refused::{Parameter, STREAM, plain};

/// A limit that some servers know by another name.
const OTHER_NAMES: [(&str, &str); 2] = [
    ("max_tokens", "max_completion_tokens"),
    ("max_completion_tokens", "max_tokens"),
];
/// Anthropic takes no request without it.
const ANTHROPIC_CAP: &str = "max_tokens";

/// Whether an answer is asked for in pieces.
pub(crate) fn streams(refused: &[Parameter]) -> bool {
    refused.iter().all(|parameter| parameter.name() != STREAM)
}

/// Whether a request still says how long its answer may be.
pub(crate) fn is_capped(wire: Wire, refused: &[Parameter]) -> bool {
    let is_refused = |name: &str| {
        refused
            .iter()
            .any(|parameter| parameter.steps().ends_with(&[plain(name)]))
    };
    !match wire {
        Wire::OpenAiChat => is_refused("max_tokens") && is_refused("max_completion_tokens"),
        Wire::OpenAiResponses | Wire::Gemini => is_refused("max_output_tokens"),
        Wire::AnthropicMessages | Wire::Offline => false,
    }
}

/// The body without these parameters.
pub(super) fn without(body: Vec<u8>, wire: Wire, refused: &[Parameter]) -> Vec<u8> {
    let Ok(mut fields) = serde_json::from_slice::<Fields<'_>>(&body) else {
        return body;
    };
    let is_refused = |name: &str| refused.iter().any(|parameter| parameter.name() == name);
    if wire == Wire::OpenAiChat {
        for (name, other) in OTHER_NAMES {
            if is_refused(name) && !is_refused(other) {
                fields.rename(name, other);
            }
        }
        // Servers refuse it where nothing is streamed.
        if !streams(refused) {
            fields.leave_out(&[plain("stream_options")]);
        }
    }
    for parameter in refused {
        let is_needed = wire == Wire::AnthropicMessages && parameter.name() == ANTHROPIC_CAP;
        if !is_needed {
            fields.leave_out(&parameter.steps());
        }
    }
    serde_json::to_vec(&fields).expect("plain data is always JSON")
}

/// The fields of an object, in their order.
#[derive(Default)]
struct Fields<'a>(Vec<(Cow<'a, str>, Cow<'a, RawValue>)>);

impl Fields<'_> {
    fn rename(&mut self, name: &str, other: &'static str) {
        for (known, _) in &mut self.0 {
            if known == name {
                *known = Cow::Borrowed(other);
            }
        }
    }

    /// Leaves out what stands there; whether there was something.
    fn leave_out(&mut self, steps: &[String]) -> bool {
        let (step, rest) = match steps {
            [] => return false,
            [last] => {
                let before = self.0.len();
                self.0.retain(|(name, _)| plain(name) != *last);
                return self.0.len() < before;
            }
            [step, rest @ ..] => (step, rest),
        };
        let mut found = false;
        for (name, value) in &mut self.0 {
            if plain(name) == *step
                && let Some(lighter) = lighter(value, rest)
            {
                *value = Cow::Owned(lighter);
                found = true;
            }
        }
        found
    }
}

/// A value without what stands there; none where nothing does.
fn lighter(value: &RawValue, steps: &[String]) -> Option<Box<RawValue>> {
    let text = value.get();
    if text.starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
        // Some name a place in a list, and some do not.
        let rest = match steps {
            [any, rest @ ..] if any == "*" => rest,
            steps => steps,
        };
        let lighter: Vec<Option<Box<RawValue>>> = items.iter().map(|item| lighter(item, rest)).collect();
        if lighter.iter().all(Option::is_none) {
            return None;
        }
        let items: Vec<Cow<'_, RawValue>> = items
            .into_iter()
            .zip(lighter)
            .map(|(item, lighter)| lighter.map_or(Cow::Borrowed(item), Cow::Owned))
            .collect();
        return to_raw_value(&items).ok();
    }
    let mut fields: Fields<'_> = serde_json::from_str(text).ok()?;
    fields
        .leave_out(steps)
        .then(|| to_raw_value(&fields).ok())
        .flatten()
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Taking;
        impl<'de> Visitor<'de> for Taking {
            type Value = Fields<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Fields::default();
                while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
                    fields.0.push((Cow::Owned(name), Cow::Borrowed(value)));
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(Taking)
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
#[path = "without_tests.rs"]
mod tests;
