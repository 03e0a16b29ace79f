//! Answers that did not come to their end: what of them stands as a whole sentence, and that it says so.

use gist::lexicon::sentence_end;
use vocabulary::{Finish, ModelAnswer};

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
    let mut ends = text.char_indices().filter_map(|(at, _)| sentence_end(text, at));
    let whole = text[..ends.next_back()?].trim();
    whole.chars().any(char::is_alphanumeric).then_some(whole)
}

#[cfg(test)]
#[path = "cut_tests.rs"]
mod tests;
