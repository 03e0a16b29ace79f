//! A line as plain words: folded, so that accents, case and punctuation never decide whether a name was said.

use std::ops::Range;

use vocabulary::names::{self, folded};

/// A call stands in the first sentences; further on there are only pasted logs, and the work stays bounded.
const WORDS_READ_MAX: usize = 256;
/// So many backticks open a fence.
const FENCE_TICKS: usize = 3;
/// Bits of code looked for in one line.
const CODE_SPANS_MAX: usize = 64;

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
    /// Something before it makes it part of an address, a path or a longer identifier.
    glued_before: bool,
    glued_after: bool,
}

impl Words {
    /// Cuts a line into folded words.
    pub(super) fn of(text: &str) -> Self {
        let folded = folded(text);
        let code = code_in(&folded);
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
                spans.push(Span::of(&folded, start, at, &code));
            }
            if let (':' | ',' | ';' | '>', Some(last)) = (character, spans.last_mut()) {
                last.set_off = true;
            }
        }
        if let Some(start) = open {
            spans.push(Span::of(&folded, start, folded.len(), &code));
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

    /// Whether these words stand for themselves: no part of an address of the web or of mail, a path, a channel, a
    /// longer identifier or code.
    pub(super) fn stand_alone(&self, from: usize, to: usize) -> bool {
        let free =
            |index: usize, glued: fn(&Span) -> bool| self.spans.get(index).is_some_and(|span| !glued(span));
        free(from, |span| span.glued_before) && free(to, |span| span.glued_after)
    }

    /// Whether nothing but a space or so stands between these words.
    pub(super) fn run_on(&self, from: usize, to: usize) -> bool {
        (from..to).all(|index| !self.set_off(index))
    }

    /// Whether the line holds a question mark.
    pub(super) fn asks(&self) -> bool {
        self.asks
    }
}

impl Span {
    fn of(folded: &str, start: usize, end: usize, code: &[Range<usize>]) -> Self {
        let is_gap = char::is_whitespace;
        let before = folded[..start].rsplit(is_gap).next().unwrap_or("");
        let after = folded[end..].split(is_gap).next().unwrap_or("");
        let in_code = code.iter().any(|code| code.contains(&start));
        let in_address = in_code || is_address(before, &folded[start..end], after);
        Self {
            start,
            end,
            set_off: false,
            glued_before: in_address || leads_into_identifier(before),
            glued_after: in_address || !names::ends_before(after),
        }
    }
}

/// Where a line quotes code, between backticks or behind a fence that nobody closed: what stands there calls nobody.
fn code_in(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let ticks_at = |at: usize| text[at..].bytes().take_while(|byte| *byte == b'`').count();
    let mut from = 0;
    while let Some(at) = text[from..].find('`').map(|at| from + at) {
        let ticks = ticks_at(at);
        from = at + ticks;
        let mut close = from;
        let end = loop {
            let Some(next) = text[close..].find('`').map(|next| close + next) else {
                break (ticks >= FENCE_TICKS).then_some(text.len());
            };
            close = next + ticks_at(next);
            if close - next == ticks {
                break Some(close);
            }
        };
        if let Some(end) = end {
            found.push(at..end);
            from = end;
        }
        if found.len() == CODE_SPANS_MAX {
            break;
        }
    }
    found
}

/// Whether a word with what stands directly before and after it is part of an address or a path.
fn is_address(before: &str, word: &str, after: &str) -> bool {
    if before.contains("://") || after.starts_with("://") || before.starts_with("www.") {
        return true;
    }
    // "cafe.example/menu", "/usr/share", "~/notes": a single slash between two words ("tea/coffee") is none.
    let is_path = |text: &str| text.starts_with(['/', '~', '\\']);
    let has_dot = |text: &str| text.trim_end_matches(['.', '/']).contains('.');
    let slashes = before.matches('/').count() + after.matches('/').count();
    slashes > 0 && (is_path(before) || has_dot(before) || has_dot(after) || slashes > 1)
        || (word == "www" && after.starts_with('.'))
}

/// Whether what stands directly before a word makes it the tail of something else: `my_`, `x-`, `x.`, `x@`, `#`, `$`.
fn leads_into_identifier(before: &str) -> bool {
    let mut letters = before.chars().rev();
    match letters.next() {
        Some('#' | '$' | '\\') => true,
        Some('_' | '-' | '.' | '@' | '+' | '=') => letters.next().is_some_and(char::is_alphanumeric),
        _ => false,
    }
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
