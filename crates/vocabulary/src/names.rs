//! Names: when two of them are the same, when one passes for another, and which characters a name may hold.
//!
//! The only rule for it in the workspace: the room refuses by it, and addressing hears by it.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::{is_invisible, is_joiner, is_plain};

/// A text as names are compared in it: compatibility forms resolved, in lower case, without marks and without what
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
        .filter(|letter| !is_combining_mark(*letter))
        .collect()
}

/// Whether two names are the same one, written differently.
pub fn is_same(one: &str, other: &str) -> bool {
    let words = |name: &str| crate::text::one_line(&folded(name));
    words(one) == words(other)
}

/// What is left of a name for somebody who only glances at it: equal for two that look alike, letters of other
/// alphabets, digits that stand for letters, gaps and punctuation included.
pub fn skeleton(name: &str) -> String {
    let mut bones = String::with_capacity(name.len());
    for letter in visible(name) {
        let letter = look_alike(letter).unwrap_or(letter);
        for lower in letter.to_lowercase().filter(|lower| !is_combining_mark(*lower)) {
            match look_alike(lower).unwrap_or(lower) {
                'm' => bones.push_str("rn"),
                'w' => bones.push_str("vv"),
                other if other.is_alphanumeric() => bones.push(other),
                _ => {}
            }
        }
    }
    if bones.is_empty() {
        // A name of pictures alone.
        return visible(name).filter(|letter| !letter.is_whitespace()).collect();
    }
    bones
}

/// Whether one name can be taken for the other at a glance.
pub fn looks_like(one: &str, other: &str) -> bool {
    skeleton(one) == skeleton(other)
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

fn visible(text: &str) -> impl Iterator<Item = char> + '_ {
    // Once more after the forms are resolved: some of them hold fillers.
    text.chars()
        .filter(|letter| !is_invisible(*letter))
        .nfkd()
        .filter(|letter| !is_combining_mark(*letter) && !is_invisible(*letter))
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

/// The Latin letter that a letter, digit or sign can be taken for.
fn look_alike(letter: char) -> Option<char> {
    let offset_from =
        |first: char| char::from(b'a' + u8::try_from(letter as u32 - first as u32).unwrap_or(0) % 26);
    Some(match letter {
        '\u{1f150}'..='\u{1f169}' => offset_from('\u{1f150}'),
        '\u{1f170}'..='\u{1f189}' => offset_from('\u{1f170}'),
        '\u{1f1e6}'..='\u{1f1ff}' => offset_from('\u{1f1e6}'),
        'А' | 'а' | 'Α' | 'α' | 'Ꭺ' | 'ɑ' | 'ᴀ' | 'ӕ' | 'Ⲁ' | '@' => 'a',
        'В' | 'в' | 'ь' | 'Β' | 'β' | 'Ᏼ' | 'ʙ' | 'Ⲃ' | 'ƀ' => 'b',
        'С' | 'с' | 'Ꮯ' | 'ᴄ' | 'Ϲ' | 'ϲ' | 'Ⲥ' | 'ƈ' | 'ȼ' => 'c',
        'ԁ' | 'ԃ' | 'Ꭰ' | 'ᴅ' | 'đ' | 'ð' | 'ɖ' | 'ɗ' | 'ȡ' | 'ꝺ' | 'Ð' | 'ᗪ' => 'd',
        'Е' | 'е' | 'э' | 'є' | 'Ε' | 'ε' | 'ϵ' | 'Ꭼ' | 'ᴇ' | 'ɛ' | 'ɇ' | 'ə' | 'ǝ' | 'ɘ' | 'ҽ' | 'Ⲉ'
        | '3' | 'З' | 'з' | 'Σ' | '€' => 'e',
        'ғ' | 'ꜰ' | 'ƒ' | 'Ϝ' => 'f',
        'ɡ' | 'ɢ' | 'ԍ' | 'Ꮐ' | 'ց' | 'ɠ' | 'ǥ' => 'g',
        'Н' | 'һ' | 'Η' | 'Ꮋ' | 'ʜ' | 'հ' | 'ħ' | 'Ⲏ' => 'h',
        'І' | 'і' | 'ӏ' | 'Ӏ' | 'Ι' | 'ι' | 'ı' | 'ɩ' | 'ɪ' | 'ɨ' | 'Ꭵ' | 'Ⲓ' | 'l' | 'ł' | 'ʟ' | 'ɭ'
        | 'Ꮮ' | '1' | '|' | '!' | '¡' | 'ǀ' | 'ߊ' | '׀' => 'i',
        'Ј' | 'ј' | 'ϳ' | 'Ꭻ' | 'ᴊ' | 'ɉ' => 'j',
        'К' | 'к' | 'Κ' | 'κ' | 'Ꮶ' | 'ᴋ' | 'ƙ' | 'Ⲕ' => 'k',
        'М' | 'м' | 'Μ' | 'μ' | 'Ꮇ' | 'ᴍ' | 'ɱ' | 'Ⲙ' => 'm',
        'Ν' | 'п' | 'П' | 'и' | 'И' | 'η' | 'ո' | 'ռ' | 'ɴ' | 'ŋ' | 'ɲ' | 'ɳ' | 'ȵ' | 'ƞ' | 'Ⲛ' | 'ղ' => {
            'n'
        }
        'О' | 'о' | 'Ο' | 'ο' | 'σ' | 'Օ' | 'օ' | 'ᴏ' | 'ø' | 'ɵ' | 'Ⲟ' | '0' | 'ө' | 'Θ' | 'θ' | '๐'
        | '০' => 'o',
        'Р' | 'р' | 'Ρ' | 'ρ' | 'Ꮲ' | 'ᴘ' | 'þ' | 'Ⲣ' => 'p',
        'ԛ' | 'զ' | 'ɋ' => 'q',
        'г' | 'Ꮢ' | 'ʀ' | 'Я' | 'я' | 'ɾ' | 'ɼ' => 'r',
        'Ѕ' | 'ѕ' | 'Տ' | 'Ꮪ' | 'ꜱ' | 'ʂ' | '$' | 'ș' => 's',
        'Т' | 'т' | 'Τ' | 'τ' | 'Ꭲ' | 'ᴛ' | 'ŧ' | 'Ⲧ' | 'ƭ' => 't',
        'υ' | 'ս' | 'ᴜ' | 'ц' | 'ʉ' => 'u',
        'ѵ' | 'ν' | 'Ꮩ' | 'ᴠ' | 'ʋ' => 'v',
        'ԝ' | 'ω' | 'Ꮃ' | 'ᴡ' | 'ш' | 'щ' => 'w',
        'Х' | 'х' | 'Χ' | 'χ' | 'Ⲭ' | '×' => 'x',
        'У' | 'у' | 'ү' | 'Υ' | 'γ' | 'ʏ' | 'Ⲩ' | 'ɏ' => 'y',
        'Ζ' | 'ζ' | 'Ꮓ' | 'ᴢ' | 'ʐ' | 'ʑ' | 'ƶ' | 'ȥ' | 'ɀ' | 'ⱬ' | 'Ⲍ' => 'z',
        _ => return None,
    })
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
