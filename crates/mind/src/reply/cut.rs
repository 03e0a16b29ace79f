//! Answers that did not come to their end: what of them stands as a whole sentence, and that it says so.

use vocabulary::{Finish, ModelAnswer};

const SENTENCE_ENDS: [char; 7] = ['.', '!', '?', '…', '。', '！', '？'];
/// What may follow the end of a sentence and belongs to it.
const CLOSERS: [char; 9] = ['"', '\'', ')', ']', '”', '’', '»', '*', '_'];
const FENCE: &str = "```";

/// Whether an answer was cut or stopped before its end.
pub(crate) fn is_cut(answer: &ModelAnswer) -> bool {
    matches!(answer.finish, Finish::Length | Finish::Refused)
}

/// What an answer says, where it came to its end: nothing that nobody waits for is said by half.
pub(crate) fn whole_words(answer: &ModelAnswer) -> &str {
    if is_cut(answer) { "" } else { &answer.text }
}

/// What of a cut answer is said: its whole sentences, and why there are no more.
pub(crate) fn standing(text: &str, finish: Finish) -> Option<String> {
    let why = match finish {
        Finish::Length => "(Cut off here: the answer had reached its length.)",
        Finish::Refused => "(Cut off here: the model was stopped.)",
        Finish::Complete | Finish::ToolCalls => return Some(text.to_owned()),
    };
    let whole = whole_sentences(text)?;
    let open = whole.matches(FENCE).count() % 2 == 1;
    let closed = if open { "\n```" } else { "" };
    let gap = if open || whole.contains('\n') { "\n" } else { " " };
    Some(format!("{whole}{closed}{gap}{why}"))
}

/// A text up to its last whole sentence.
fn whole_sentences(text: &str) -> Option<&str> {
    let ends = text
        .char_indices()
        .filter(|(_, letter)| SENTENCE_ENDS.contains(letter));
    let mut ends = ends.filter_map(|(at, letter)| {
        let after = &text[at + letter.len_utf8()..];
        let rest = after.trim_start_matches(CLOSERS);
        // The dot in "3.5" ends nothing, and neither does the one after the number of a list.
        let is_end = rest.is_empty() || rest.starts_with(char::is_whitespace);
        let numbers_a_line = text[..at].lines().last().is_some_and(|line| {
            let line = line.trim();
            !line.is_empty() && line.chars().all(|letter| letter.is_ascii_digit())
        });
        (is_end && !(letter == '.' && numbers_a_line)).then_some(text.len() - rest.len())
    });
    let whole = text[..ends.next_back()?].trim();
    whole.chars().any(char::is_alphanumeric).then_some(whole)
}

#[cfg(test)]
#[path = "cut_tests.rs"]
mod tests;
