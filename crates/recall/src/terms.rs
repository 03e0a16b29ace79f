//! Words as the index and remote stores know them: the hash of a stem, with how often a text has it.

use std::collections::BTreeMap;
use std::ops::Add;

use crate::stem::stem;
use crate::stop::{is_first_person, is_stop_word};
use crate::weights::{PART_WORDS, REMOTE_AVERAGE_WORDS, REMOTE_LENGTH, REMOTE_SATURATION};
use crate::words::words;

/// Nobody searches the far end of a huge paste; a bound keeps one record from filling the index.
const WORDS_MAX: usize = 4_000;
/// So many parts a record has at most.
pub const PARTS_OF_ONE_MAX: usize = WORDS_MAX.div_ceil(PART_WORDS);
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
    /// How often whoever speaks names themselves: I, my, me.
    pub first_person: u32,
}

/// A sentence, or a stretch of one that does not end.
struct Piece {
    is_question: bool,
    words: Vec<String>,
}

/// Counts the words of a text.
pub fn counted(text: &str) -> Counted {
    let mut counted = Counted::default();
    pieces(text).iter().for_each(|piece| counted.add(piece));
    counted
}

/// Counts the words of a text part by part: one of a few sentences is one part, a long one as many as make parts of about the
/// same length. There is always one.
pub fn parts(text: &str) -> Vec<Counted> {
    let pieces = pieces(text);
    let length: usize = pieces.iter().map(|piece| piece.words.len()).sum();
    let wanted = length.div_ceil(PART_WORDS).max(1);
    let mut parts = vec![Counted::default()];
    for piece in &pieces {
        let last = parts.len() - 1;
        let filled = parts[last].length.all() as usize;
        // A piece goes where more than half of it belongs.
        let is_full = (2 * filled + piece.words.len()) * wanted > 2 * length;
        if filled > 0 && is_full && parts.len() < wanted {
            parts.push(Counted::default());
        }
        if let Some(part) = parts.last_mut() {
            part.add(piece);
        }
    }
    parts
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut room = WORDS_MAX;
    for sentence in sentences(text) {
        let mut words = words(sentence);
        words.truncate(room);
        room -= words.len();
        // A question about oneself tells of oneself: "can you help me with my thesis?"
        let is_question =
            sentence.trim_end().ends_with(QUESTION_MARKS) && !words.iter().any(|word| is_first_person(word));
        let stretches = words.chunks(PART_WORDS).map(|words| Piece {
            is_question,
            words: words.to_vec(),
        });
        pieces.extend(stretches);
        if room == 0 {
            break;
        }
    }
    pieces
}

impl Counted {
    fn add(&mut self, piece: &Piece) {
        let add = |count: &mut Count| match piece.is_question {
            true => count.asked += 1,
            false => count.stated += 1,
        };
        for word in &piece.words {
            add(&mut self.length);
            self.first_person += u32::from(is_first_person(word));
            if !is_stop_word(word) {
                add(self.counts.entry(hash(&stem(word))).or_default());
            }
        }
    }

    /// As if nothing in it were a question, and nobody spoke: what a note tells of somebody, it tells by name.
    pub fn noted(mut self) -> Counted {
        self.counts
            .values_mut()
            .for_each(|count| *count = count.all_stated());
        self.length = self.length.all_stated();
        self.first_person = 0;
        self
    }
}

impl Add for Count {
    type Output = Count;

    fn add(self, other: Count) -> Count {
        Count {
            stated: self.stated + other.stated,
            asked: self.asked + other.asked,
        }
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
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
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
    let damping = REMOTE_SATURATION * (1.0 - REMOTE_LENGTH + REMOTE_LENGTH * length);
    let weight = |count: u32| count as f32 * (REMOTE_SATURATION + 1.0) / (count as f32 + damping);
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
