//! What makes two texts the same to memory: case, marks, punctuation, articles and invisible characters set aside.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use vocabulary::text::is_invisible;

use crate::lexicon::split_after;

const ARTICLES: [&str; 3] = ["a", "an", "the"];
/// Lower case, compatibility forms resolved, without marks and invisible characters, apostrophes straight.
pub(super) fn fold(text: &str) -> String {
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
    let letters: Vec<char> = fold(text).chars().collect();
    let mut found = Vec::new();
    let mut word = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let between_digits = || {
            let before = at.checked_sub(1).map(|at| letters[at]);
            let digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
            digit(before) && digit(letters.get(at + 1).copied())
        };
        match letter {
            letter if letter.is_alphanumeric() => word.push(letter),
            '\'' if !word.is_empty() => {}
            ',' if between_digits() => {}
            '.' | ':' if between_digits() => word.push(letter),
            _ => found.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
        }
    }
    found.extend(Some(word).filter(|word| !word.is_empty()));
    found
}

/// The words without articles, joined: equal for two ways to write the same sentence.
pub(super) fn plain(text: &str) -> String {
    let kept: Vec<String> = words(text)
        .into_iter()
        .filter(|word| !ARTICLES.contains(&word.as_str()))
        .collect();
    kept.join(" ")
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
