//! Values out of the configuration that must not be seen: they are taken out of everything a server says.

use std::fmt;

/// Shorter values are not taken for secrets: taking every `1` or `on` out of a text would leave nothing of it.
const SECRET_CHARACTERS_MIN: usize = 6;

/// What stands where a secret was.
const HIDDEN: &str = "[hidden]";

/// The values of one server's configuration.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    pub(crate) fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut secrets: Vec<String> = Vec::new();
        for value in values {
            // `Bearer abc`: servers quote the second word alone.
            let words = value.split_whitespace().map(str::to_owned);
            let whole = [value.trim().to_owned()];
            for secret in words.chain(whole) {
                if secret.chars().count() >= SECRET_CHARACTERS_MIN && !secrets.contains(&secret) {
                    secrets.push(secret);
                }
            }
        }
        // A longer one first: it may have a shorter one in it.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self(secrets)
    }

    /// The text without them.
    pub(crate) fn hide(&self, text: &str) -> String {
        let mut hidden = text.to_owned();
        for secret in &self.0 {
            if hidden.contains(secret.as_str()) {
                hidden = hidden.replace(secret.as_str(), HIDDEN);
            }
        }
        hidden
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Secrets({})", self.0.len())
    }
}

#[cfg(test)]
#[path = "redaction_tests.rs"]
mod tests;
