//! A line as plain words: folded, so that accents, case and punctuation never decide whether a name was said.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A call stands in the first sentences; further on there are only pasted logs, and the work stays bounded.
const WORDS_READ_MAX: usize = 256;

/// The words of one line, in order.
#[derive(Debug)]
pub(super) struct Words {
    folded: String,
    spans: Vec<Span>,
    asks: bool,
}

#[derive(Debug)]
struct Span {
    start: usize,
    end: usize,
    set_off: bool,
}

impl Words {
    /// Cuts a line into folded words.
    pub(super) fn of(text: &str) -> Self {
        let folded = fold(text);
        let mut spans: Vec<Span> = Vec::with_capacity(16);
        let mut open: Option<usize> = None;
        for (at, character) in folded.char_indices() {
            if character.is_alphanumeric() {
                if open.is_none() {
                    if spans.len() == WORDS_READ_MAX {
                        break;
                    }
                    open = Some(at);
                }
                continue;
            }
            if let Some(start) = open.take() {
                spans.push(Span {
                    start,
                    end: at,
                    set_off: false,
                });
            }
            if let (':' | ',' | ';' | '>', Some(last)) = (character, spans.last_mut()) {
                last.set_off = true;
            }
        }
        if let Some(start) = open {
            spans.push(Span {
                start,
                end: folded.len(),
                set_off: false,
            });
        }
        if let Some(last) = spans.last_mut() {
            last.set_off = true;
        }
        Self {
            folded,
            spans,
            asks: text.contains(['?', '？', '؟']),
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<&str> {
        self.spans
            .get(index)
            .map(|span| &self.folded[span.start..span.end])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.spans.iter().map(|span| &self.folded[span.start..span.end])
    }

    /// Whether a colon, comma or the end of the line sets the word apart from what follows, as after a call.
    pub(super) fn set_off(&self, index: usize) -> bool {
        self.spans.get(index).is_some_and(|span| span.set_off)
    }

    /// Whether the line holds a question mark.
    pub(super) fn asks(&self) -> bool {
        self.asks
    }
}

/// NFKD without marks, in lower case.
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkd()
        .filter(|character| !is_combining_mark(*character))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
