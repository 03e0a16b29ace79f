//! The summary that is written without a model: what was said before the recent window, in at most so many characters.
//!
//! Every sentence becomes a telegram of its telling words, under the name of whoever said it. The earlier summary is
//! read back into the same form, and the most telling pieces of both are kept: names and numbers before things,
//! things before doings, what a speaker tells of themselves before questions and praise, the new before the old.

mod draft;
mod read_back;
mod render;
mod select;
mod sentence;
mod telegram;
mod worth;

#[cfg(test)]
mod dates_tests;
#[cfg(test)]
mod summary_tests;
#[cfg(test)]
mod whose_tests;

use crate::lexicon::{Language, Token, is_word_character, tokens};
use draft::heading;
use read_back::{one_line, read_back};
use vocabulary::WallTime;
pub use worth::Scale;

/// One turn to fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoldedTurn<'a> {
    pub speaker: &'a str,
    pub text: &'a str,
    /// When it was said: then "yesterday" becomes a date.
    pub at: Option<WallTime>,
}

/// The best summary of at most `limit_chars` characters of what was known and what is new.
pub fn summarise(previous: &str, turns: &[FoldedTurn<'_>], notes: &[&str], limit_chars: usize) -> String {
    let previous = one_line(previous);
    let speakers: Vec<&str> = turns.iter().map(|turn| turn.speaker).collect();
    let said: Vec<&str> = turns.iter().map(|turn| draft::clip(turn.text, 400)).collect();
    let language = Language::of(&said.join(" ")).unwrap_or_default();
    let mut draft = read_back(&previous, &speakers, language);
    let known = draft.pieces.len();
    draft.add_turns(turns, language);
    draft.add_notes(notes);
    if draft.pieces.len() == known && !previous.is_empty() && previous.chars().count() <= limit_chars {
        return previous;
    }
    let kept = select::select(&draft, limit_chars);
    let summary = render::render(&draft, &kept, limit_chars);
    if summary.is_empty() {
        first_words(turns, limit_chars)
    } else {
        summary
    }
}

/// The first characters of a text, without a word that they would cut.
fn whole_words(text: &str, chars: usize) -> &str {
    let begun = draft::clip(text, chars);
    let is_cut = text[begun.len()..].starts_with(is_word_character);
    let whole = begun.trim_end_matches(is_word_character);
    if is_cut && !whole.is_empty() { whole } else { begun }
}

/// Where nothing telling was said, or nothing telling fits: how the newest turn with words begins.
fn first_words(turns: &[FoldedTurn<'_>], limit_chars: usize) -> String {
    let begin = |turn: &FoldedTurn<'_>| {
        let mut line = String::new();
        for token in tokens(whole_words(turn.text, limit_chars.saturating_mul(4))) {
            let Token::Word(word) = token else { continue };
            let longer = if line.is_empty() {
                format!("{}: {word}", heading(turn.speaker))
            } else {
                format!("{line} {word}")
            };
            // One more for the full stop.
            if longer.chars().count() < limit_chars {
                line = longer;
            }
        }
        line
    };
    let line = turns.iter().rev().map(begin).find(|line| !line.is_empty());
    line.map_or_else(String::new, |line| format!("{line}."))
}
