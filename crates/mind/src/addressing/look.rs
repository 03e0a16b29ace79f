//! How a line looks without its topic: how it begins, how long it is, whether it thanks.

use serde::{Deserialize, Serialize};

use super::words::Words;

/// Longer lines count as this long.
const WORDS_COUNTED: usize = 64;
/// Words that begin an answer, thanks, a greeting and a question: function words, which any room has.
const OPENINGS: [&[&str]; 4] = [
    &[
        "yes", "yeah", "yep", "yup", "no", "nope", "nah", "ok", "okay", "sure", "right", "true", "indeed",
        "oh", "ah", "hmm", "well", "lol", "cool", "nice", "maybe",
    ],
    &THANKS,
    &["hi", "hello", "hey", "hiya", "greetings", "bye"],
    &[
        "what", "how", "why", "where", "when", "which", "who", "is", "are", "can", "could", "do", "does",
        "did", "will", "would", "should", "has", "have", "any",
    ],
];
const THANKS: [&str; 5] = ["thanks", "thank", "thx", "ty", "cheers"];

/// Of those, the third.
const GREETING: u8 = 3;

/// A line without its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Look {
    /// With what kind of word it begins; 0 is any other.
    #[serde(default, rename = "b", skip_serializing_if = "is_zero")]
    pub(super) begins: u8,
    /// In words.
    #[serde(default, rename = "l", skip_serializing_if = "is_zero")]
    pub(super) length: u8,
    #[serde(default, rename = "t", skip_serializing_if = "std::ops::Not::not")]
    pub(super) thanks: bool,
}

impl Look {
    pub(super) fn of(words: &Words) -> Self {
        Self {
            begins: words.get(0).map_or(0, opening),
            length: words.iter().take(WORDS_COUNTED).count() as u8,
            thanks: words.iter().any(|word| THANKS.contains(&word)),
        }
    }
}

impl Look {
    /// A name alone, or after a greeting: "thanks Denizen" and "lol Denizen" are no beginning of anything.
    pub(super) fn may_be_bare_call(self) -> bool {
        !self.thanks && (self.begins == GREETING || (self.begins == 0 && self.length == 1))
    }
}

fn opening(word: &str) -> u8 {
    let kind = OPENINGS.iter().position(|words| words.contains(&word));
    kind.map_or(0, |kind| kind as u8 + 1)
}

/// What is left out where it is written down; serde hands over a reference.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(text: &str) -> (u8, u8, bool) {
        let look = Look::of(&Words::of(text));
        (look.begins, look.length, look.thanks)
    }

    #[test]
    fn a_line_is_known_by_how_it_begins_how_long_it_is_and_whether_it_thanks() {
        assert_eq!(look("yes, that works"), (1, 3, false));
        assert_eq!(look("that works, thanks"), (0, 3, true));
        assert_eq!(look("How so?"), (4, 2, false));
        assert_eq!(look(""), (0, 0, false));
        assert_eq!(look(&"word ".repeat(90)).1, 64);
    }
}
