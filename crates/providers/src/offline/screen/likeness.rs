//! Whether two readings are of the same words: readers slip on a letter now and then.

use std::collections::BTreeMap;

/// From this share of common pairs on, two texts count as the same.
const ALIKE_FROM: f32 = 0.8;
/// In a word that is shorter, one letter makes another word.
const SLIP_LETTERS_MIN: usize = 6;

/// A text as it is compared: letters and digits alone, and how often each pair of neighbours stands in it.
#[derive(Clone, Debug)]
pub(super) struct Gist {
    letters: String,
    pairs: BTreeMap<(char, char), u16>,
    count: u16,
}

impl Gist {
    pub(super) fn of(text: &str) -> Self {
        let letters: String = text
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect();
        let mut pairs: BTreeMap<(char, char), u16> = BTreeMap::new();
        let mut count: u16 = 0;
        for pair in letters.chars().zip(letters.chars().skip(1)) {
            let held = pairs.entry(pair).or_default();
            *held = held.saturating_add(1);
            count = count.saturating_add(1);
        }
        Self {
            letters,
            pairs,
            count,
        }
    }

    /// The same but for a slip.
    pub(super) fn is_like(&self, other: &Gist) -> bool {
        if self.letters == other.letters || self.is_one_letter_off(other) {
            return true;
        }
        let shared: u32 = self
            .pairs
            .iter()
            .map(|(pair, held)| u32::from((*held).min(other.pairs.get(pair).copied().unwrap_or(0))))
            .sum();
        let all = u32::from(self.count) + u32::from(other.count);
        all > 0 && 2.0 * shared as f32 / all as f32 >= ALIKE_FROM
    }

    /// In a short line, one slip costs two of few pairs.
    fn is_one_letter_off(&self, other: &Gist) -> bool {
        let (left, right): (Vec<char>, Vec<char>) =
            (self.letters.chars().collect(), other.letters.chars().collect());
        if left.len().min(right.len()) < SLIP_LETTERS_MIN || left.len().abs_diff(right.len()) > 1 {
            return false;
        }
        let same_before = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
        let rest = left.iter().rev().zip(right.iter().rev());
        let same_behind = rest.take_while(|(a, b)| a == b).count();
        same_before + same_behind + 1 >= left.len().max(right.len())
    }

    /// Whether its words stand in a longer text.
    pub(super) fn is_in(&self, longer: &Gist) -> bool {
        !self.letters.is_empty() && longer.letters.contains(&self.letters)
    }
}
