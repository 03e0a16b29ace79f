//! Which words are rare in this room, and who used them lately: picking up a rare word of somebody's is
//! answering them.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::PersonId;

use super::slots::Slots;
use super::words::Words;

/// Shorter words carry no topic.
const WORD_LETTERS_MIN: usize = 4;
/// A word heard more often than this, in about a thousand lines, is common here.
const RARE_COUNT_MAX: u8 = 3;
/// Further back, two people using the same word is chance.
const LINES_KEPT: usize = 10;
const WORDS_KEPT_PER_LINE: usize = 16;
/// Of Denizen's own lines so many are kept, however far back.
const OWN_LINES_KEPT: usize = 12;
/// Of these the last few tell what it talks about now.
const OWN_LINES_NEAR: usize = 3;
/// A power of two; words share a counter when their hashes meet, which only makes a rare word look common.
const COUNTERS: usize = 8_192;
/// Four bits: enough to tell rare from common, and one digit each in a snapshot.
const COUNT_MAX: u8 = 15;
/// Each line halves a few counters, so that every one is halved once in about a thousand lines.
const COUNTERS_HALVED_PER_LINE: usize = 8;

/// How often words were heard, roughly, and the words of the last few lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct WordTrail {
    #[serde(with = "digits")]
    counts: Vec<u8>,
    next_halved: usize,
    lines: VecDeque<Line>,
    /// Words of Denizen's last lines, oldest first.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    own: VecDeque<Vec<u32>>,
}

/// How much a line is like others: how rare the words are that they share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Likeness {
    /// Like the one of Denizen's last lines that it is most like.
    pub(super) own: u64,
    /// Rare words that it shares with one of them.
    pub(super) own_rare: u64,
    /// Like the one of all its lines that are kept that it is most like, how many of its lines ago that was, and like all
    /// of them together.
    pub(super) own_best: u64,
    pub(super) own_best_lines: u64,
    pub(super) own_all: u64,
    /// Like the one line of somebody else's that it is most like, and how many lines ago that was; 0 is for where there
    /// is none.
    pub(super) others: u64,
    pub(super) others_lines: u64,
    /// Like the line right before, where that is somebody else's.
    pub(super) before: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Line {
    author: PersonId,
    words: Vec<u32>,
}

impl WordTrail {
    /// Lets go of what somebody said.
    pub(super) fn forget(&mut self, author: &PersonId) {
        self.lines.retain(|line| line.author != *author);
    }

    /// Whose rare word this line picks up: the last one to have used it, other than the author.
    pub(super) fn picked_up_from(&self, author: &PersonId, words: &Words) -> Option<&PersonId> {
        let rare: Vec<u32> = topic_words(words).filter(|word| self.is_rare(*word)).collect();
        if rare.is_empty() {
            return None;
        }
        self.lines
            .iter()
            .rev()
            .find(|line| line.author != *author && line.words.iter().any(|word| rare.contains(word)))
            .map(|line| &line.author)
    }

    /// How much a line is like the last lines of others, and like Denizen's.
    pub(super) fn likeness(&self, author: &PersonId, denizen: &PersonId, words: &Words) -> Likeness {
        let said = distinct(words);
        let like = |line: &[u32]| -> u64 {
            let shared = said.iter().filter(|word| line.contains(word));
            shared
                .map(|word| u64::from(COUNT_MAX + 1 - self.count(*word)))
                .sum()
        };
        let rare = |line: &Vec<u32>| {
            let shared = said.iter().filter(|word| line.contains(word));
            shared.filter(|word| self.is_rare(**word)).count() as u64
        };
        let near = || self.own.iter().rev().take(OWN_LINES_NEAR);
        let mut likeness = Likeness {
            own: near().map(|line| like(line)).max().unwrap_or_default(),
            own_rare: near().map(rare).max().unwrap_or_default(),
            ..Likeness::default()
        };
        for (line, ago) in self.own.iter().rev().zip(1..) {
            let like = like(line);
            likeness.own_all += like;
            if like > likeness.own_best {
                (likeness.own_best, likeness.own_best_lines) = (like, ago);
            }
        }
        for (line, ago) in self.lines.iter().rev().zip(1..) {
            if line.author == *author || line.author == *denizen {
                continue;
            }
            let like = like(&line.words);
            if like > likeness.others {
                likeness.others = like;
                likeness.others_lines = ago;
            }
            if ago == 1 {
                likeness.before = like;
            }
        }
        likeness
    }

    /// How much two lines are like each other.
    pub(super) fn shared(&self, one: &Slots, other: &Slots) -> u64 {
        let shared = one.iter().filter(|slot| other.contains(*slot));
        shared.map(|slot| self.weight(slot)).sum()
    }

    /// What a word weighs that two lines share: the more, the rarer it is.
    pub(super) fn weight(&self, slot: u16) -> u64 {
        u64::from(COUNT_MAX + 1 - self.count(u32::from(slot)))
    }

    /// How many words of a line are rare here.
    pub(super) fn rare(&self, line: &Slots) -> usize {
        line.iter().filter(|slot| self.is_rare(u32::from(*slot))).count()
    }

    /// Takes a line in.
    pub(super) fn observe(&mut self, author: &PersonId, denizen: &PersonId, words: &Words) {
        let kept = distinct(words);
        self.counts.resize(COUNTERS, 0);
        for word in &kept {
            let count = &mut self.counts[slot(*word)];
            *count = count.saturating_add(1).min(COUNT_MAX);
        }
        for _ in 0..COUNTERS_HALVED_PER_LINE {
            self.counts[self.next_halved % COUNTERS] /= 2;
            self.next_halved = (self.next_halved + 1) % COUNTERS;
        }
        if author == denizen {
            if self.own.len() == OWN_LINES_KEPT {
                self.own.pop_front();
            }
            self.own.push_back(kept.clone());
        }
        if self.lines.len() == LINES_KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(Line {
            author: author.clone(),
            words: kept,
        });
    }

    fn is_rare(&self, word: u32) -> bool {
        self.count(word) <= RARE_COUNT_MAX
    }

    fn count(&self, word: u32) -> u8 {
        self.counts.get(slot(word)).copied().unwrap_or_default()
    }
}

/// The first topic words of a line, each once.
fn distinct(words: &Words) -> Vec<u32> {
    let mut distinct: Vec<u32> = Vec::with_capacity(WORDS_KEPT_PER_LINE);
    for word in topic_words(words) {
        if distinct.len() == WORDS_KEPT_PER_LINE {
            break;
        }
        if !distinct.contains(&word) {
            distinct.push(word);
        }
    }
    distinct
}

/// The same as places of counters.
pub(super) fn slots(words: &Words) -> Slots {
    // There are fewer counters than numbers of two bytes.
    distinct(words)
        .into_iter()
        .map(|word| slot(word) as u16)
        .collect()
}

fn topic_words(words: &Words) -> impl Iterator<Item = u32> {
    words
        .iter()
        .filter(|word| word.chars().nth(WORD_LETTERS_MIN - 1).is_some())
        .map(hash)
}

fn slot(word: u32) -> usize {
    word as usize % COUNTERS
}

/// FNV-1a, because it is the same on every machine and in every build; its low half is kept.
fn hash(word: &str) -> u32 {
    let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash & u64::from(u32::MAX)) as u32
}

/// Counters as one string of hexadecimal digits: a snapshot stays small.
mod digits {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::{COUNT_MAX, COUNTERS};

    pub(super) fn serialize<S: Serializer>(counts: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let digit = |count: &u8| char::from(b"0123456789abcdef"[usize::from((*count).min(COUNT_MAX))]);
        let mut digits = String::with_capacity(counts.len());
        digits.extend(counts.iter().map(digit));
        serializer.serialize_str(&digits)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let digits = String::deserialize(deserializer)?;
        if digits.len() > COUNTERS {
            return Err(D::Error::custom("more word counters than a room keeps"));
        }
        // What is read is what was written, byte for byte.
        let mut counts = digits.into_bytes();
        for digit in &mut counts {
            *digit = match *digit {
                b'0'..=b'9' => *digit - b'0',
                b'a'..=b'f' => *digit - b'a' + 10,
                b'A'..=b'F' => *digit - b'A' + 10,
                _ => return Err(D::Error::custom("a word counter is not a hexadecimal digit")),
            };
        }
        Ok(counts)
    }
}

#[cfg(test)]
#[path = "word_trail_tests.rs"]
mod tests;
