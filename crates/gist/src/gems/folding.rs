//! What makes two texts the same to memory: case, marks, punctuation, articles and invisible characters set aside.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use vocabulary::text::is_invisible;

use crate::lexicon::split_after;

const ARTICLES: [&str; 3] = ["a", "an", "the"];
/// Lower case, compatibility forms resolved, without marks and invisible characters, apostrophes straight.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        // Nothing in it has a form to resolve, a mark, or is invisible.
        let lower = text.to_ascii_lowercase();
        return match lower.contains('`') {
            true => lower.replace('`', "'"),
            false => lower,
        };
    }
    visible(text)
        .nfkd()
        .filter(|letter| !is_combining_mark(*letter))
        .flat_map(char::to_lowercase)
        .map(|letter| match letter {
            '’' | '‘' | '`' | '´' | 'ʼ' => '\'',
            '“' | '”' | '„' | '«' | '»' => '"',
            other => other,
        })
        .collect()
}

/// The characters of a text that can be seen; tag characters, which spell out hidden ASCII, become that ASCII.
pub(super) fn visible(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter_map(|letter| match letter {
        '\u{e0020}'..='\u{e007e}' => char::from_u32(letter as u32 - 0xe0000),
        _ if is_invisible(letter) => None,
        _ => Some(letter),
    })
}

/// Folded words in order: `don't` is one, and so are `1,200` (as `1200`), `3.5` and `10:30`.
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_word(text, |word| found.push(word.to_owned()));
    found
}

/// The folded words of a text written as one: what a piece between two spaces is called.
pub(super) fn joined(text: &str) -> String {
    let mut found = String::new();
    each_word(text, |word| found.push_str(word));
    found
}

/// Goes through the folded words of a text. Most of them are looked at and not kept.
pub(super) fn each_word(text: &str, mut take: impl FnMut(&str)) {
    let folded = fold(text);
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| folded.as_bytes().get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let mut word = String::new();
    for (at, letter) in folded.char_indices() {
        let between_digits = || is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
        match letter {
            letter if letter.is_alphanumeric() => word.push(letter),
            '\'' if !word.is_empty() => {}
            ',' if between_digits() => {}
            '.' | ':' if between_digits() => word.push(letter),
            _ if word.is_empty() => {}
            _ => {
                take(&word);
                word.clear();
            }
        }
    }
    if !word.is_empty() {
        take(&word);
    }
}

/// The words without articles, joined: equal for two ways to write the same sentence.
pub(super) fn plain(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    each_word(text, |word| {
        if !ARTICLES.contains(&word) {
            if !kept.is_empty() {
                kept.push(' ');
            }
            kept.push_str(word);
        }
    });
    kept
}

/// The first characters of a text, cut at a word where that loses little.
pub(super) fn clip(text: &str, chars: usize) -> String {
    let text = text.trim();
    let Some((end, _)) = text.char_indices().nth(chars) else {
        return text.to_owned();
    };
    let head = &text[..end];
    let at_word = head.rfind(' ').filter(|at| at * 2 > end);
    format!("{}…", head[..at_word.unwrap_or(end)].trim_end())
}

/// The sentences of a text: ended by a mark before a space, by a semicolon, or by the end of a line.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut parts = split_after(text, |part, letter, next| {
        let before_space = next.is_none_or(|next| next.is_whitespace() || "\"”'’)".contains(next));
        match letter {
            '\n' | '\r' | ';' | '。' | '！' | '？' => true,
            '.' => before_space && !ends_abbreviation(part),
            '!' | '?' | '…' => before_space,
            _ => false,
        }
    });
    parts.retain(|part| part.chars().any(char::is_alphanumeric));
    parts
}

fn ends_abbreviation(text: &str) -> bool {
    let last = text
        .rsplit(|letter: char| !letter.is_alphanumeric())
        .next()
        .unwrap_or("");
    let initial = last.chars().count() == 1 && last.chars().all(char::is_uppercase) && last != "I";
    initial
        || matches!(
            last,
            "Dr" | "Mr" | "Mrs" | "Ms" | "St" | "Prof" | "vs" | "approx" | "etc" | "eg" | "ie"
        )
}
