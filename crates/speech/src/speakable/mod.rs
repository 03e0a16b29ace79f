//! From what is written to what is said: markdown, links, code, emoji, numbers and abbreviations become words that a
//! voice can say, and what is not for ears is left out. Pure.
//!
//! Positions are kept: how far into the writing somebody has heard follows from how far into the saying.

mod chatter;
mod emoji;
mod english;
mod inline;
mod places;
mod structure;
mod token;
mod tongue;

pub use tongue::Tongue;

use token::Token;

/// Longest writing that is looked at; a voice would take more than ten minutes for it.
const CHARACTERS_MAX: usize = 10_000;

/// What is to be said of something written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sayable {
    text: String,
    /// For each word, in order: at which character of the saying it ends, and at which of the writing.
    ends: Vec<(usize, usize)>,
    written: usize,
}

impl Sayable {
    /// The words to be said; empty where nothing of the writing is for ears.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// How many characters of the writing are said, when so many of the saying are: whole words.
    pub fn written_until(&self, said: usize) -> usize {
        let whole = self.ends.partition_point(|(end, _)| *end <= said);
        if whole == self.ends.len() {
            return self.written;
        }
        whole.checked_sub(1).map_or(0, |last| self.ends[last].1)
    }

    fn join(tokens: &[Token], written: usize) -> Self {
        let mut said = Sayable {
            written,
            ..Sayable::default()
        };
        let mut length = 0;
        for token in tokens {
            if token.is_only_brackets() {
                continue;
            }
            let stops = token.is_only_punctuation();
            if stops && (said.text.is_empty() || said.text.ends_with(['.', '!', '?', ',', ':', ';'])) {
                continue;
            }
            if !said.text.is_empty() && !stops {
                said.text.push(' ');
                length += 1;
            }
            said.text.push_str(&token.said);
            length += token.said.chars().count();
            said.ends.push((length, token.end));
        }
        if said.text.chars().any(char::is_alphanumeric) {
            said
        } else {
            Sayable {
                written,
                ..Sayable::default()
            }
        }
    }
}

/// What is to be said of something written in this language.
pub fn speakable(written: &str, tongue: &Tongue) -> Sayable {
    let characters: Vec<char> = written.chars().take(CHARACTERS_MAX).collect();
    let silent = chatter::silent(&characters);
    let mut tokens = structure::tokens(&characters, &silent, tongue);
    if tongue.is_english() {
        tokens = english::spoken(tokens);
    }
    let said = Sayable::join(&tokens, characters.len());
    if said.is_empty() {
        return Sayable::join(&emoji::named(&characters, &silent, tongue), characters.len());
    }
    said
}

#[cfg(test)]
#[path = "speakable_tests.rs"]
mod tests;

#[cfg(test)]
mod meaning_tests;
