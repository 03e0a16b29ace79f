//! Text of a third party, made plain: no control characters, nothing that a person would not see, and cut to a length.

use vocabulary::text::{is_joiner, is_plain};

pub(crate) use vocabulary::text::{plain_line as paragraph, shortened as cut};

/// How strict to be with what cannot be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joiners {
    /// Some scripts and emoji need them.
    Kept,
    Stripped,
}

/// Lines stay lines; everything else that cannot be seen goes.
pub(crate) fn lines(text: &str, joiners: Joiners) -> String {
    text.chars()
        .filter(|character| matches!(character, '\n' | '\t') || is_seen(*character, joiners))
        .collect()
}

fn is_seen(character: char, joiners: Joiners) -> bool {
    is_plain(character) || (joiners == Joiners::Kept && is_joiner(character))
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
