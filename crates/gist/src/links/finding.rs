//! Finds addresses in a text, as whoever reads it would click on them: bare, in Markdown, in angle brackets, in code.

use std::ops::Range;

use super::address::{canonical, scheme_length};

/// Signs after an address that belong to the sentence.
const TRAILING: [char; 13] = ['.', ',', ';', ':', '!', '?', '\'', '*', '~', '|', '…', '’', '‘'];
/// Signs at which an address ends wherever they stand.
const ENDING: [char; 20] = [
    '<', '>', '"', '`', '\\', '“', '”', '„', '»', '«', '。', '，', '、', '；', '：', '！', '？', '（', '）',
    '」',
];

/// An address as it stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub place: Range<usize>,
    /// None where it is no address of a page, though it looks like one.
    pub link: Option<String>,
}

/// The links of a text in order, each once, in canonical form.
pub fn links_of(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    for link in addresses(text).filter_map(|found| found.link) {
        if !links.contains(&link) {
            links.push(link);
        }
    }
    links
}

/// Whatever looks like an address, from the first to the last.
pub(super) fn addresses(text: &str) -> impl Iterator<Item = Found> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        let (start, scheme) = next_scheme(text, from)?;
        let end = start + scheme + length(&text[start + scheme..]);
        from = end;
        Some(Found {
            place: start..end,
            link: canonical(&text[start..end]),
        })
    })
    // A scheme by itself is a word, as in "use https:// here".
    .filter(|found| scheme_length(&text[found.place.clone()]) != Some(found.place.len()))
}

fn next_scheme(text: &str, from: usize) -> Option<(usize, usize)> {
    let mut places = text[from..].match_indices(['h', 'H']);
    places.find_map(|(at, _)| scheme_length(&text[from + at..]).map(|scheme| (from + at, scheme)))
}

/// How far an address goes on behind its scheme. A bracket that was opened before it ends it.
fn length(text: &str) -> usize {
    let mut open: Vec<char> = Vec::new();
    let mut end = text.len();
    for (at, letter) in text.char_indices() {
        let ends = match letter {
            '(' => {
                open.push(')');
                false
            }
            '[' => {
                open.push(']');
                false
            }
            '{' => {
                open.push('}');
                false
            }
            ')' | ']' | '}' => open.pop() != Some(letter),
            _ => letter.is_whitespace() || letter.is_control() || ENDING.contains(&letter),
        };
        if ends {
            end = at;
            break;
        }
    }
    text[..end].trim_end_matches(TRAILING).len()
}
