//! Whether somebody asks about the screen, so that the reply sees it and not only the notes on it.
//!
//! A guess by phrases: what it misses, the notes answer or the model asks to see; what it takes for a question by mistake
//! costs one picture.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gist::gems::folding::words;
use gist::gems::pattern::Pattern;

/// A question stands in the first sentences; further on there are only pasted logs.
const TEXT_BYTES_MAX: usize = 4_000;

/// Whoever is asked.
static ANYBODY: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let languages = [
        include_str!("screen_question/english.txt"),
        include_str!("screen_question/german.txt"),
        include_str!("screen_question/french.txt"),
        include_str!("screen_question/spanish.txt"),
    ];
    read(&languages.join("\n"))
});
/// Only where it was said to Denizen.
static ADDRESSED: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| read(include_str!("screen_question/addressed.txt")));
/// It is about something else, whatever else it looks like.
static ELSEWHERE: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| read(include_str!("screen_question/elsewhere.txt")));
/// What stands for a list of words in the patterns.
static LISTS: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("screen_question/lists.txt").lines();
    lines.filter_map(|line| line.split_once(' ')).collect()
});

/// Whether a message asks about what is on the screen. Some ways of asking only count when it was said to Denizen.
pub fn asks_about_screen(text: &str, directly_addressed: bool) -> bool {
    let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
    clauses(text).any(|clause| {
        let said = plain_words(clause);
        let is_one = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.find(&said).is_some());
        !is_one(&ELSEWHERE) && (is_one(&ANYBODY) || (directly_addressed && is_one(&ADDRESSED)))
    })
}

/// The parts of a text between marks; a point amid a word is none.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| ",;:?!¿¡()\n\"“”„«»…—–".contains(letter))
        .flat_map(|part| part.split(". "))
}

/// Folded words, with short forms written out.
fn plain_words(clause: &str) -> Vec<String> {
    let mut plain = Vec::new();
    for word in words(clause) {
        let written_out: &[&str] = match word.as_str() {
            "whats" | "wats" | "wuts" => &["what", "is"],
            "whatre" => &["what", "are"],
            "wat" | "wut" => &["what"],
            "u" | "ya" | "yall" => &["you"],
            "ur" => &["your"],
            "cant" | "could" | "couldnt" => &["can"],
            other => {
                plain.push(other.to_owned());
                continue;
            }
        };
        plain.extend(written_out.iter().map(|word| (*word).to_owned()));
    }
    plain
}

/// Patterns, one a line, with lists of words in the place of their names.
fn read(patterns: &str) -> Vec<Pattern> {
    let slot = |slot: &str| {
        let bare = slot.trim_start_matches(['?', '!', '-']);
        let choices: Vec<&str> = bare
            .split('|')
            .map(|word| LISTS.get(word).copied().unwrap_or(word))
            .collect();
        slot[..slot.len() - bare.len()].to_owned() + &choices.join("|")
    };
    let line = |line: &str| line.split_whitespace().map(slot).collect::<Vec<_>>().join(" ");
    Pattern::read_all(&patterns.lines().map(line).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
#[path = "screen_question_tests.rs"]
mod screen_question_tests;
