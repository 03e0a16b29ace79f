//! What servers have been found not to take, remembered so that the next request leaves it out at once.

use std::collections::BTreeSet;
use std::sync::Mutex;

use bytes::Bytes;
use vocabulary::ModelRequest;

use crate::trouble::Feature;

/// Models of servers that are remembered; far more than one process talks to.
const REMEMBERED_MAX: usize = 256;

/// The memory. Lost with the process, because servers are updated.
#[derive(Debug, Default)]
pub(crate) struct Quirks {
    refused: Mutex<BTreeSet<Trait>>,
}

/// Address, model, whether tools were offered (some servers take a schema or tools, never both), and what.
type Trait = (String, String, bool, &'static str);

const PICTURES: &str = "pictures";

impl Quirks {
    /// Gives everybody who could not see another try: a server may have been given eyes under the same name.
    pub(crate) fn forget_blindness(&self) {
        let mut refused = self.refused.lock().expect("no holder of this lock can panic");
        refused.retain(|(_, _, _, name)| *name != PICTURES);
    }

    pub(crate) fn remember(&self, url: &str, model: &str, request: &ModelRequest, feature: Feature) {
        let mut refused = self.refused.lock().expect("no holder of this lock can panic");
        if refused.len() >= REMEMBERED_MAX {
            refused.clear();
        }
        refused.insert(key(url, model, request, feature));
    }

    pub(crate) fn takes(&self, url: &str, model: &str, request: &ModelRequest, feature: Feature) -> bool {
        let refused = self.refused.lock().expect("no holder of this lock can panic");
        !refused.contains(&key(url, model, request, feature))
    }
}

fn key(url: &str, model: &str, request: &ModelRequest, feature: Feature) -> Trait {
    let (with_tools, name) = match feature {
        Feature::StructuredOutput => (!request.tools.is_empty(), "structured output"),
        Feature::Temperature => (false, "temperature"),
        Feature::Pictures => (false, PICTURES),
    };
    (url.to_owned(), model.to_owned(), with_tools, name)
}

/// The same body without its temperature, if it has one.
///
/// The bodies are ours: the field stands before anything a person wrote, and inside a text its quotes would be
/// escaped, so the first occurrence is the field.
pub(crate) fn without_temperature(body: &Bytes) -> Option<Bytes> {
    const FIELD: &[u8] = b",\"temperature\":";
    let start = body.windows(FIELD.len()).position(|window| window == FIELD)?;
    let value = start + FIELD.len();
    let length = body[value..]
        .iter()
        .position(|byte| matches!(byte, b',' | b'}'))?;
    Some(Bytes::from([&body[..start], &body[value + length..]].concat()))
}

#[cfg(test)]
#[path = "quirks_tests.rs"]
mod tests;
