//! Whether a long text, such as the body of a request, holds words of what is forgotten.
//!
//! Texts are compared by runs of words, whatever is between them: a request quotes, escapes and cuts what was said.
//! Where in doubt a text counts as one that holds them, since what is lost is only a record for the inspector.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::words;

/// Words in a row that give a text away; shorter texts are compared whole.
const RUN: usize = 5;
/// Of those, so many must say something.
const TELLING_WORDS: usize = 2;

/// Runs of words to look for.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    runs: HashSet<u64>,
    /// How long the runs are.
    lengths: [bool; RUN + 1],
}

impl Traces {
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut traces = Self::default();
        for text in texts {
            traces.add(text);
        }
        traces
    }

    /// Whether any of them is in a text, be it plain or escaped as JSON, once or twice.
    pub fn are_in(&self, text: &str) -> bool {
        if self.runs.is_empty() {
            return false;
        }
        let words: Vec<u64> = split(text).iter().map(hash).collect();
        (1..=RUN)
            .filter(|length| self.lengths[*length])
            .any(|length| words.windows(length).any(|run| self.runs.contains(&hash(run))))
    }

    fn add(&mut self, text: &str) {
        let words = split(text);
        let length = words.len().min(RUN);
        if length == 0 {
            return;
        }
        let telling = |run: &[String]| run.iter().filter(|word| is_telling(word)).count();
        // A text of common words only is kept out, unless it is all there is of them.
        let most = words.windows(length).map(telling).max().unwrap_or(0);
        let enough = most.min(TELLING_WORDS);
        if enough == 0 {
            return;
        }
        for run in words.windows(length).filter(|run| telling(run) >= enough) {
            let hashes: Vec<u64> = run.iter().map(hash).collect();
            self.runs.insert(hash(hashes.as_slice()));
            self.lengths[length] = true;
        }
    }
}

fn is_telling(word: &str) -> bool {
    // A very long one is a link or a key: nothing tells more.
    words::is_worthwhile(word) || word.len() > 40
}

/// Words in lower case. What JSON writes as an escape is read back, however often it was escaped.
fn split(text: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            push(&mut spaced, character);
            continue;
        }
        let mut after = rest.clone();
        let next = after.by_ref().find(|character| *character != '\\');
        match next {
            Some('u') => match code(&mut after) {
                Some(character) => {
                    push(&mut spaced, character);
                    rest = after;
                }
                None => spaced.push(' '),
            },
            Some('n' | 't' | 'r' | 'b' | 'f') => {
                spaced.push(' ');
                rest = after;
            }
            _ => spaced.push(' '),
        }
    }
    words::split(&spaced).collect()
}

/// One sign of some scripts is a word.
fn push(spaced: &mut String, character: char) {
    if words::is_ideograph(character) {
        spaced.extend([' ', character, ' ']);
    } else {
        spaced.push(character);
    }
}

/// The character of four hexadecimal digits; of a pair of halves, the whole.
fn code(rest: &mut std::str::Chars<'_>) -> Option<char> {
    let four = |rest: &mut std::str::Chars<'_>| -> Option<u16> {
        let digits: String = rest.take(4).collect();
        u16::from_str_radix(&digits, 16)
            .ok()
            .filter(|_| digits.len() == 4)
    };
    let first = four(rest)?;
    if let Some(character) = char::from_u32(u32::from(first)) {
        return Some(character);
    }
    let mut after = rest.clone();
    if after.find(|character| *character != '\\') != Some('u') {
        return None;
    }
    let second = four(&mut after)?;
    *rest = after;
    char::decode_utf16([first, second]).next()?.ok()
}

fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "traces_tests.rs"]
mod traces_tests;
