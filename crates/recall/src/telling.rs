//! The part of a long text that tells most of what is looked for, in its own words.

use crate::query::Query;
use crate::stem::stem;
use crate::terms::{hash, sentences};
use crate::words::words;

/// So many words in a row are a part: two or three sentences, as whoever judges it reads them at a glance.
const TELLING_WORDS: usize = 60;
/// Nobody looks for the far end of a huge paste.
const TEXT_BYTES_MAX: usize = 32_000;
/// A word is about so many characters; scripts without spaces are cut by characters.
const STRETCH_CHARS: usize = 6 * TELLING_WORDS / 2;

/// A sentence, or a stretch of one that does not end.
struct Piece<'a> {
    text: &'a str,
    words: usize,
    /// By bit, which words of the search it has.
    has: u64,
}

/// Sentences in a row that have the most words of the search, at most about sixty words of them; the first where several have as many.
/// A short text is its own part.
pub fn telling_part(search: &str, text: &str) -> String {
    let text = clipped(text.trim());
    let terms: Vec<u64> = Query::read(search).terms.iter().map(|term| term.hash).collect();
    let pieces = pieces(text, &terms);
    if pieces.iter().map(|piece| piece.words).sum::<usize>() <= TELLING_WORDS {
        return text.to_owned();
    }
    let mut best: (u32, &[Piece<'_>]) = (0, &[]);
    for start in 0..pieces.len() {
        let mut length = 0;
        let row = pieces[start..].iter().take_while(|piece| {
            length += piece.words;
            length <= TELLING_WORDS
        });
        let row = &pieces[start..start + row.count().max(1)];
        let has = row.iter().fold(0, |has, piece| has | piece.has).count_ones();
        if best.1.is_empty() || has > best.0 {
            best = (has, row);
        }
    }
    let told: Vec<&str> = best.1.iter().map(|piece| piece.text.trim()).collect();
    told.join(" ")
}

/// The pieces of a text that have words, so that a row of them is never longer than it may have words: of lines of dashes a
/// text has thousands.
fn pieces<'a>(text: &'a str, terms: &[u64]) -> Vec<Piece<'a>> {
    sentences(text)
        .flat_map(stretches)
        .map(|piece| Piece::read(piece, terms))
        .filter(|piece| piece.words > 0)
        .collect()
}

impl<'a> Piece<'a> {
    fn read(text: &'a str, terms: &[u64]) -> Self {
        let words = words(text);
        let mut has = 0;
        for word in &words {
            let word = hash(&stem(word));
            let place = terms.iter().position(|term| *term == word);
            has |= place.map_or(0, |place| 1 << (place % 64));
        }
        Piece {
            text,
            words: words.len(),
            has,
        }
    }
}

/// A sentence in pieces that fit twice into a part, cut between words where there are spaces.
fn stretches(sentence: &str) -> impl Iterator<Item = &str> {
    let mut rest = sentence;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some((cut, _)) = rest.char_indices().nth(STRETCH_CHARS) else {
            return Some(std::mem::take(&mut rest));
        };
        let space = rest[..cut].rfind(char::is_whitespace).filter(|space| *space > 0);
        let (piece, after) = rest.split_at(space.unwrap_or(cut));
        rest = after;
        Some(piece)
    })
}

/// The beginning of a text, cut between characters.
fn clipped(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]
}

#[cfg(test)]
#[path = "telling_tests.rs"]
mod tests;
