//! Names: when two of them are the same, when one passes for another, and which characters a name may hold.
//!
//! The only rule for it in the workspace: the room refuses by it, and addressing hears by it.

mod bones;
mod passing;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::{is_invisible, is_joiner, is_plain};

pub use passing::{Care, looks_like, passes_for};

/// A text as names are compared in it: compatibility forms resolved, in lower case, without accents and without what
/// nobody sees.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    visible(text)
        .flat_map(char::to_lowercase)
        // Sharp and final forms, and what lower case takes apart (`İ`).
        .flat_map(|letter| match letter {
            'ß' => ['s', 's'].into_iter().take(2),
            'ς' => ['σ', ' '].into_iter().take(1),
            other => [other, ' '].into_iter().take(1),
        })
        .filter(|letter| !is_combining_mark(*letter) || spells_with_marks(*letter))
        .collect()
}

/// Whether two names are the same one, written differently.
pub fn is_same(one: &str, other: &str) -> bool {
    let words = |name: &str| crate::text::one_line(&folded(name));
    words(one) == words(other)
}

/// The first character that must not stand in a name: what nobody sees makes two names look the same. Joiners may stand
/// where they make one picture of two emoji, or shape letters of scripts that need it.
pub fn stray(name: &str) -> Option<char> {
    let letters: Vec<char> = name.chars().collect();
    let is_stray = |at: usize| {
        let letter = letters[at];
        let before = letters[..at].iter().rev().find(|letter| !is_selector(**letter));
        let after = letters.get(at + 1);
        let is_in_place = match letter {
            '\u{fe0e}' | '\u{fe0f}' => {
                before.is_some_and(|before| is_picture(*before))
                    || (before.is_some_and(|before| before.is_ascii()) && after == Some(&'\u{20e3}'))
            }
            '\u{200c}' | '\u{200d}' => {
                let beside = |holds: fn(char) -> bool| {
                    before.is_some_and(|before| holds(*before)) && after.is_some_and(|after| holds(*after))
                };
                (letter == '\u{200d}' && beside(is_picture)) || beside(needs_joiners)
            }
            _ => false,
        };
        !(is_plain(letter) || is_joiner(letter) && is_in_place)
    };
    (0..letters.len()).find(|at| is_stray(*at)).map(|at| letters[at])
}

/// Whether a name ends before this rest of a line, rather than being the head of something longer: `denizens`,
/// `denizen_bot`, `denizen-rs`, `denizen.dev`, `denizen@work`.
pub fn ends_before(rest: &str) -> bool {
    let mut letters = rest.chars();
    match letters.next() {
        Some('_' | '-' | '.' | '@' | '+' | '=') => !letters.next().is_some_and(char::is_alphanumeric),
        Some('(') => letters.next() != Some(')'),
        Some(letter) => !letter.is_alphanumeric(),
        None => true,
    }
}

/// Letters without what nobody sees and without accents. Marks that are vowels or sounds of their script stay: `राम` and
/// `रीमा` are two people.
fn visible(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut base = ' ';
    // Once more after the forms are resolved: some of them hold fillers.
    text.chars()
        .filter(|letter| !is_invisible(*letter))
        .nfkd()
        .filter(move |letter| {
            let is_mark = is_combining_mark(*letter);
            if !is_mark {
                base = *letter;
            }
            !is_invisible(*letter) && (!is_mark || spells_with_marks(base) && spells_with_marks(*letter))
        })
}

/// Scripts from Devanagari to Myanmar, of the Philippines to the Himalaya, and kana.
fn spells_with_marks(letter: char) -> bool {
    matches!(letter, '\u{900}'..='\u{109f}' | '\u{1700}'..='\u{1aaf}' | '\u{1b00}'..='\u{1cff}' | '\u{3040}'..='\u{30ff}'
        | '\u{a800}'..='\u{aaff}' | '\u{abc0}'..='\u{abff}' | '\u{11000}'..='\u{11fff}')
}

fn is_selector(letter: char) -> bool {
    matches!(letter, '\u{fe0e}' | '\u{fe0f}')
}

/// Emoji and other symbols: no letters, digits or marks.
fn is_picture(letter: char) -> bool {
    matches!(letter, '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{2049}' | '\u{2122}'..='\u{2bff}' | '\u{3030}' | '\u{303d}'
        | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
        && !letter.is_alphanumeric()
}

/// Scripts from Arabic to Sinhala, Myanmar, Khmer and Mongolian.
fn needs_joiners(letter: char) -> bool {
    matches!(letter, '\u{600}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{fb50}'..='\u{fdff}')
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
