//! Takes credentials out of a text before anything remembers it: keys, tokens, passwords, cards, account numbers.
//!
//! Phone numbers, e-mail addresses and the like stay: they are personal data, which people tell in order to be
//! remembered and may have forgotten again, and not the key to anything. So do commit hashes and UUIDs. The words that
//! announce a password are English, with a few other languages' for `password:`.

mod assignments;
mod numbers;
mod tokens;

use std::ops::Range;

/// How every replacement begins.
pub(super) const MARK: &str = "[redacted: ";
/// A replacement may bring to light another secret beside it; so many rounds settle any text.
const ROUNDS_MAX: usize = 8;

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    pub text: String,
    /// How many were taken out.
    pub secrets: usize,
}

/// Where a secret stands, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Secret {
    at: Range<usize>,
    kind: &'static str,
}

/// Replaces every secret by `[redacted: kind]`. Doing so twice changes nothing.
pub fn redact(text: &str) -> Redacted {
    let mut redacted = Redacted {
        text: text.to_owned(),
        secrets: 0,
    };
    for _ in 0..ROUNDS_MAX {
        let secrets = secrets(&redacted.text);
        if secrets.is_empty() {
            break;
        }
        redacted.secrets += secrets.len();
        redacted.text = replaced(&redacted.text, &secrets);
    }
    redacted
}

/// What is left of a text once its replacements are left out.
pub(super) fn without_marks(text: &str) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(MARK) {
        left.push_str(before);
        rest = after.split_once(']').map_or("", |(_, after)| after);
    }
    left + rest
}

/// All secrets in order; where two overlap, the one that was found first by kind.
fn secrets(text: &str) -> Vec<Secret> {
    let mut found = tokens::find(text);
    found.extend(numbers::find(text));
    found.extend(assignments::find(text));
    if found.is_empty() {
        return found;
    }
    let marks = marks(text);
    let overlaps = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
    let mut kept: Vec<Secret> = Vec::new();
    for secret in found {
        let taken = kept.iter().any(|other| overlaps(&other.at, &secret.at));
        if !taken && !marks.iter().any(|mark| overlaps(mark, &secret.at)) {
            kept.push(secret);
        }
    }
    kept.sort_by_key(|secret| secret.at.start);
    kept
}

/// Where earlier replacements stand.
fn marks(text: &str) -> Vec<Range<usize>> {
    text.match_indices(MARK)
        .filter_map(|(at, _)| text[at..].find(']').map(|end| at..at + end + 1))
        .collect()
}

fn replaced(text: &str, secrets: &[Secret]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut end = 0;
    for secret in secrets {
        result.push_str(&text[end..secret.at.start]);
        result.push_str(MARK);
        result.push_str(secret.kind);
        result.push(']');
        end = secret.at.end;
    }
    result.push_str(&text[end..]);
    result
}

#[cfg(test)]
#[path = "redaction_tests.rs"]
mod redaction_tests;
