//! The words of a note: cleaned, without secrets, short enough, and told from words that say nothing.

use std::sync::LazyLock;

use gist::gems::folding::words;
use gist::gems::pattern::Pattern;
use gist::gems::redaction::redact;
use vocabulary::text::one_line;

use crate::prompt::budget::cut_at_sentence;
use crate::watch::note::NOTE_CHARS_MAX;

/// Ways to say that nothing is new, by the words that matter.
static NOTHING_NEW: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let phrases = include_str!("nothing_new.txt").lines().map(telling);
    phrases.filter(|phrase| !phrase.is_empty()).collect()
});
/// Words beside such a phrase that add nothing to it.
static FILLERS: LazyLock<Vec<String>> = LazyLock::new(|| words(include_str!("fillers.txt")));
static REFUSALS: LazyLock<Vec<Pattern>> = LazyLock::new(|| Pattern::read_all(include_str!("refusals.txt")));

/// What stands in front of a note without being part of it.
const LABELS: [&str; 5] = ["note:", "new note:", "observation:", "screen note:", "screen:"];

/// A note on one line as it is kept; none where it says nothing, or nothing new.
pub(super) fn note_text(text: &str) -> Option<String> {
    let line = without_label(without_lead_in(text.trim()));
    let line = shortened(&redact(&one_line(line)).text, NOTE_CHARS_MAX);
    let says_something = line.chars().any(char::is_alphanumeric) && !says_nothing_new(&line);
    says_something.then_some(line)
}

/// Whether a model declines, or says that it sees no picture: nothing that anybody wants noted or said.
pub(crate) fn refuses(text: &str) -> bool {
    // Further on, it is told what stands on the screen.
    let opening: Vec<String> = words(text).into_iter().take(16).collect();
    REFUSALS
        .iter()
        .any(|pattern| pattern.at_start(&opening).is_some())
}

/// The beginning of a text within a limit: whole sentences where they take up half of it, else whole words.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return text.to_owned();
    };
    let sentences = cut_at_sentence(text, limit);
    if sentences.chars().count() * 2 >= limit {
        return sentences.to_owned();
    }
    let head = &text[..end];
    let at_word = head.rfind(char::is_whitespace).unwrap_or(end);
    head[..at_word].trim_end().to_owned()
}

fn says_nothing_new(line: &str) -> bool {
    NOTHING_NEW.contains(&telling(line))
}

/// The folded words of a line without those that add nothing.
fn telling(line: &str) -> Vec<String> {
    let said = words(line).into_iter();
    said.filter(|word| !FILLERS.contains(word)).collect()
}

/// "Here is the note:" on a line of its own is no part of it.
fn without_lead_in(text: &str) -> &str {
    match text.split_once('\n') {
        Some((first, rest)) if first.trim_end().ends_with(':') && !rest.trim().is_empty() => rest.trim(),
        _ => text,
    }
}

fn without_label(text: &str) -> &str {
    const MARKS: [char; 8] = ['*', '_', '"', '“', '”', '`', '-', '•'];
    let is_mark = |letter: char| letter.is_whitespace() || MARKS.contains(&letter);
    let text = text.trim_start_matches(is_mark);
    let label = LABELS.iter().find(|label| {
        let head = text.get(..label.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(label))
    });
    let text = label.map_or(text, |label| text[label.len()..].trim_start_matches(is_mark));
    text.trim_end_matches(['*', '_', '`', ' '])
}
