//! The ways to say a name: all its words, the words run together, or its first word alone.

use serde::{Deserialize, Serialize};

use super::words::Words;

/// Shorter first words are too often ordinary ones ("the", "dr").
const FIRST_WORD_LETTERS_MIN: usize = 4;
/// First words that say what somebody is, not who.
const KINDS: [&str; 3] = ["bot", "ai", "assistant"];

/// One way to say somebody's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Spelling {
    pub(super) first: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) rest: Vec<String>,
    /// The whole name, not only its first word.
    pub(super) whole: bool,
}

impl Spelling {
    /// Every way to say a name; none if it has no letters or digits.
    pub(super) fn all(name: &str) -> Vec<Self> {
        let words: Vec<String> = Words::of(name).iter().map(str::to_owned).collect();
        let Some((first, rest)) = words.split_first() else {
            return Vec::new();
        };
        let mut all = vec![Self {
            first: first.clone(),
            rest: rest.to_vec(),
            whole: true,
        }];
        if rest.is_empty() {
            return all;
        }
        all.push(Self {
            first: words.concat(),
            rest: Vec::new(),
            whole: true,
        });
        let letters = first
            .chars()
            .filter(|character| character.is_alphabetic())
            .count();
        if letters >= FIRST_WORD_LETTERS_MIN && !KINDS.contains(&first.as_str()) {
            all.push(Self {
                first: first.clone(),
                rest: Vec::new(),
                whole: false,
            });
        }
        all
    }

    /// How many words it takes.
    pub(super) fn len(&self) -> usize {
        1 + self.rest.len()
    }

    /// How many characters it takes.
    pub(super) fn characters(&self) -> usize {
        self.first.chars().count() + self.rest.iter().map(|word| word.chars().count()).sum::<usize>()
    }

    /// Whether the line says it from the given word on.
    pub(super) fn is_said(&self, words: &Words, from: usize) -> bool {
        words.get(from) == Some(&self.first)
            && self
                .rest
                .iter()
                .enumerate()
                .all(|(index, word)| words.get(from + 1 + index) == Some(word))
            && words.stand_alone(from, from + self.rest.len())
    }
}

#[cfg(test)]
#[path = "name_tests.rs"]
mod tests;
