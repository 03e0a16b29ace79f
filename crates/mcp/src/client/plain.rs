//! Text of a third party, made plain: no control characters, nothing that a person would not see, and cut to a length.

use vocabulary::text::{is_joiner, is_plain};

pub(crate) use vocabulary::text::{plain_line as paragraph, shortened as cut};

/// Lines stay lines, and what some scripts and emoji need stays; everything else that cannot be seen goes.
pub(crate) fn lines(text: &str) -> String {
    text.chars()
        .filter(|letter| matches!(letter, '\n' | '\t') || is_plain(*letter) || is_joiner(*letter))
        .collect()
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
