//! Words as the index and remote stores know them: the hash of a stem, with how often a text has it.

use std::collections::BTreeMap;

use crate::stem::stem;
use crate::stop::is_stop_word;
use crate::weights::{BM25_LENGTH, BM25_SATURATION, REMOTE_AVERAGE_WORDS};
use crate::words::words;

/// Nobody searches the far end of a huge paste; a bound keeps one record from filling the index.
const WORDS_MAX: u32 = 4_000;
const QUESTION_MARKS: [char; 4] = ['?', '？', '؟', '⁇'];

/// How often a text has a word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    pub stated: u32,
    /// In questions: they tell what the answer behind them is about more than what they are about themselves.
    pub asked: u32,
}

/// A text by its words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counted {
    /// How often it has each word, by hash, stop words aside.
    pub counts: BTreeMap<u64, Count>,
    /// All words, stop words too.
    pub length: Count,
}

/// Counts the words of a text.
pub fn counted(text: &str) -> Counted {
    let mut counted = Counted::default();
    for sentence in sentences(text) {
        let is_question = sentence.trim_end().ends_with(QUESTION_MARKS);
        let add = |count: &mut Count| match is_question {
            true => count.asked += 1,
            false => count.stated += 1,
        };
        for word in words(sentence) {
            if counted.length.all() >= WORDS_MAX {
                return counted;
            }
            add(&mut counted.length);
            if !is_stop_word(&word) {
                add(counted.counts.entry(hash(&stem(&word))).or_default());
            }
        }
    }
    counted
}

impl Counted {
    /// As if nothing in it were a question.
    pub fn all_stated(mut self) -> Counted {
        self.counts
            .values_mut()
            .for_each(|count| *count = count.all_stated());
        self.length = self.length.all_stated();
        self
    }
}

impl Count {
    pub fn all(self) -> u32 {
        self.stated + self.asked
    }

    fn all_stated(self) -> Count {
        Count {
            stated: self.all(),
            asked: 0,
        }
    }
}

/// Cuts behind full stops, marks and line ends.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |character: char| {
        matches!(character, '.' | '!' | '\n' | '。' | '！') || QUESTION_MARKS.contains(&character)
    };
    let mut rest = text;
    std::iter::from_fn(move || {
        let words = rest.find(|character| !is_end(character))?;
        let end = rest[words..].find(is_end).map_or(rest.len(), |end| words + end);
        let behind = rest[end..].find(|character| !is_end(character) || character == '\n');
        let (sentence, after) = rest.split_at(behind.map_or(rest.len(), |behind| end + behind));
        rest = after;
        Some(&sentence[words..])
    })
}

/// What a remote store's sparse vector of a text holds: words by a short hash, weighted as BM25 weights how often a text of
/// that length has them. The store multiplies by how rare a word is.
pub fn terms(text: &str) -> Vec<(u32, f32)> {
    let counted = counted(text);
    let length = counted.length.all() as f32 / REMOTE_AVERAGE_WORDS;
    let damping = BM25_SATURATION as f32 * (1.0 - BM25_LENGTH as f32 + BM25_LENGTH as f32 * length);
    let weight = |count: u32| count as f32 * (BM25_SATURATION as f32 + 1.0) / (count as f32 + damping);
    folded(
        counted
            .counts
            .into_iter()
            .map(|(word, count)| (word, weight(count.all()))),
    )
}

/// What to ask a remote store's sparse vectors for: each word once, all alike.
pub fn query_terms(words: &str) -> Vec<(u32, f32)> {
    folded(counted(words).counts.into_keys().map(|word| (word, 1.0)))
}

/// Words by 32 bits of their hash, in order; the heavier counts where two fall together.
fn folded(terms: impl Iterator<Item = (u64, f32)>) -> Vec<(u32, f32)> {
    let mut folded: BTreeMap<u32, f32> = BTreeMap::new();
    for (word, weight) in terms {
        let kept = folded.entry((word >> 32) as u32).or_default();
        *kept = kept.max(weight);
    }
    folded.into_iter().collect()
}

/// FNV-1a with a final mix: stable across versions and machines, since remote stores keep it.
pub fn hash(text: &str) -> u64 {
    let mut hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
}

#[cfg(test)]
#[path = "terms_tests.rs"]
mod tests;
