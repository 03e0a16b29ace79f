//! What espeak-ng makes of a text, and the numbers that a Piper voice takes for it.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

/// Marks of a Piper voice: silence between sounds, beginning and end.
const PAD: &str = "_";
const BEGIN: &str = "^";
const END: &str = "$";

/// A piece of a text between two pauses, and the mark behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    pub(crate) words: String,
    pub(crate) mark: char,
}

/// Cuts a text at its pauses, which espeak-ng would not tell of.
pub(crate) fn clauses(text: &str) -> Vec<Clause> {
    let characters: Vec<char> = text.chars().collect();
    let mut clauses = Vec::new();
    let mut words = String::new();
    for (place, character) in characters.iter().copied().enumerate() {
        let is_mark = matches!(character, '.' | ',' | ';' | ':' | '!' | '?');
        let ends = characters
            .get(place + 1)
            .is_none_or(|next| next.is_whitespace() || !next.is_alphanumeric());
        if is_mark && ends {
            if words.chars().any(char::is_alphanumeric) {
                clauses.push(Clause {
                    words: std::mem::take(&mut words).trim().to_owned(),
                    mark: character,
                });
            }
            words.clear();
        } else if character.is_whitespace() {
            words.push(' ');
        } else {
            words.push(character);
        }
    }
    if words.chars().any(char::is_alphanumeric) {
        clauses.push(Clause {
            words: words.trim().to_owned(),
            mark: '.',
        });
    }
    clauses
}

/// The sounds of a text: what espeak-ng wrote about its clauses, a line each, with the marks put back.
pub(crate) fn sounds(clauses: &[Clause], written: &str) -> String {
    let lines: Vec<String> = written
        .lines()
        .map(without_switches)
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect();
    let mut sounds = String::new();
    for (place, line) in lines.iter().enumerate() {
        if place > 0 {
            sounds.push(' ');
        }
        sounds.push_str(line);
        // Where it has cut otherwise, a pause is a pause.
        let mark = match (clauses.len() == lines.len(), place + 1 == lines.len()) {
            (true, _) => clauses[place].mark,
            (false, true) => clauses.last().map_or('.', |last| last.mark),
            (false, false) => ',',
        };
        sounds.push(mark);
    }
    sounds
}

/// `(fr)` and `(en)` say that the language changes.
fn without_switches(line: &str) -> String {
    let mut inside = false;
    line.chars()
        .filter(|character| {
            match character {
                '(' => inside = true,
                ')' => {
                    inside = false;
                    return false;
                }
                _ => {}
            }
            !inside
        })
        .collect()
}

/// The numbers of sounds, as the voice's own list has them; what is not on it is left out.
pub(crate) fn numbers(sounds: &str, list: &BTreeMap<String, Vec<i64>>) -> Vec<i64> {
    let of = |sound: &str| list.get(sound).cloned().unwrap_or_default();
    let pad = of(PAD);
    let mut numbers = of(BEGIN);
    numbers.extend(&pad);
    for sound in sounds.nfd() {
        let found = of(sound.encode_utf8(&mut [0; 4]));
        if !found.is_empty() {
            numbers.extend(found);
            numbers.extend(&pad);
        }
    }
    numbers.extend(of(END));
    numbers
}

#[cfg(test)]
#[path = "phonemes_tests.rs"]
mod tests;
