//! From words that are being written to sentences that can be said: whole ones only, and nothing that only eyes can read.

use gist::lexicon::sentence_end;

/// What ends a sentence whatever follows.
const WIDE_ENDS: [char; 3] = ['。', '！', '？'];
/// A sentence of fewer letters is said with the next one.
const LETTERS_MIN: usize = 4;

/// The sentences that are finished at the beginning of a text that goes on, and how many bytes of it they take.
pub(crate) fn finished(text: &str) -> (Vec<String>, usize) {
    let mut sentences = Vec::new();
    let mut from = 0;
    for (at, letter) in text.char_indices() {
        let after = at + letter.len_utf8();
        if after <= from {
            continue;
        }
        let Some(end) = end_at(text, at, letter) else {
            continue;
        };
        let letters = text[from..end]
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .count();
        if letters < LETTERS_MIN {
            continue;
        }
        sentences.extend(speakable(&text[from..end]));
        from = end;
    }
    (sentences, from)
}

/// All sentences of a text that is whole.
pub(crate) fn all(text: &str) -> Vec<String> {
    let (mut sentences, taken) = finished(text);
    sentences.extend(speakable(&text[taken..]));
    sentences
}

/// Where a sentence ends that ends with this letter. What comes after a mark at the end may still make it none.
fn end_at(text: &str, at: usize, letter: char) -> Option<usize> {
    if letter == '\n' {
        return Some(at + letter.len_utf8());
    }
    sentence_end(text, at).filter(|end| *end < text.len() || WIDE_ENDS.contains(&letter))
}

/// A sentence without marks that only eyes can read; none where no word is left.
pub(crate) fn speakable(text: &str) -> Option<String> {
    let mut line = text.trim();
    for mark in ["#", ">", "- ", "* ", "• "] {
        line = line.trim_start_matches(mark).trim_start();
    }
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['*', '_', '`', '~', '[', '@']) {
        let mark = rest[at..].chars().next().unwrap_or_default();
        plain.push_str(&rest[..at]);
        let after = &rest[at + mark.len_utf8()..];
        let link = after
            .split_once("](")
            .filter(|(words, _)| mark == '[' && !words.contains('['))
            .and_then(|(words, address)| Some((words, address.split_once(')')?.1)));
        rest = match link {
            Some((words, beyond)) => {
                plain.push_str(words);
                beyond
            }
            None => {
                // A mark inside a word belongs to it: `snake_case`.
                let inside = matches!(mark, '_' | '@')
                    && plain.ends_with(char::is_alphanumeric)
                    && after.starts_with(char::is_alphanumeric);
                if inside || mark == '[' {
                    plain.push(mark);
                }
                after
            }
        };
    }
    plain.push_str(rest);
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    plain.chars().any(char::is_alphanumeric).then_some(plain)
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
