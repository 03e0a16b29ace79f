//! Whether two short remarks say the same, or are about the same: by the words that carry them, whatever surrounds those.

use std::collections::{BTreeMap, BTreeSet};

use vocabulary::text::is_invisible;

use crate::interests::is_stop_word;
use crate::lexicon::{Token, WEAK, is_function_word, negation, plain, stem, tokens, weight};

/// Remarks that have so large a part of their telling words in common say the same.
const IN_COMMON: f64 = 0.66;

/// Whether whoever heard the one would take the other for a repetition. Other numbers, or a "not", make another remark.
pub fn say_the_same(one: &str, other: &str) -> bool {
    let (one, other) = (Remark::of(one), Remark::of(other));
    if one.all.is_empty() || other.all.is_empty() {
        return one.signs == other.signs;
    }
    if one.numbers != other.numbers || one.negated != other.negated {
        return false;
    }
    if one.telling.is_empty() || other.telling.is_empty() {
        return one.all == other.all;
    }
    let common = one.telling.intersection(&other.telling).count();
    let together = one.telling.union(&other.telling).count();
    common as f64 >= IN_COMMON * together as f64
}

/// The words that tell what a text is about, by their beginnings, and whether each does so alone: an everyday verb does
/// not. Words that only build sentences, in any language that is known here, are none.
pub fn topics(text: &str) -> BTreeMap<String, bool> {
    const LETTERS_MIN: usize = 3;
    const LETTERS_COMPARED: usize = 5;
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let is_number = |word: &str| word.chars().all(char::is_numeric);
    let words = words.filter(|word| word.chars().count() >= LETTERS_MIN || is_number(word));
    let told = words.filter_map(|word| {
        let plain = plain(word);
        let stem = stem(&plain);
        let telling = weight(word, &plain, &stem, false);
        let beginning = stem.chars().take(LETTERS_COMPARED).collect();
        (telling > 0.0 && !is_stop_word(&plain)).then_some((beginning, telling > WEAK))
    });
    told.collect()
}

struct Remark {
    /// Every word, in order.
    all: Vec<String>,
    /// The words that say something, numbers among them.
    telling: BTreeSet<String>,
    numbers: BTreeSet<String>,
    negated: bool,
    /// What can be seen of it, for remarks without a word.
    signs: String,
}

impl Remark {
    fn of(text: &str) -> Self {
        let words = tokens(text).into_iter().filter_map(|token| match token {
            Token::Word(word) => Some(plain(&word)),
            Token::Break | Token::Stop => None,
        });
        let all: Vec<String> = words.filter(|word| !word.is_empty()).collect();
        // "That's one huge boss" counts nothing.
        let telling = all
            .iter()
            .filter(|word| !is_function_word(word) && *word != "one");
        let telling: BTreeSet<String> = telling.map(|word| stem(word)).collect();
        let is_number = |word: &&String| word.chars().any(char::is_numeric);
        Self {
            numbers: telling.iter().filter(is_number).cloned().collect(),
            negated: all.iter().any(|word| negation(word).is_some()),
            signs: text
                .chars()
                .filter(|sign| !sign.is_whitespace() && !is_invisible(*sign))
                .collect(),
            telling,
            all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{say_the_same, topics};

    #[test]
    fn what_a_text_is_about_is_told_by_its_telling_words() {
        let alone = |text: &str| -> Vec<String> {
            let words = topics(text).into_iter().filter(|(_, alone)| *alone);
            words.map(|(word, _)| word).collect()
        };
        assert_eq!(alone("What is my cat called?"), ["cat"]);
        assert!(topics("What is my cat called?").contains_key("call"));
        assert_eq!(topics("tests"), topics("test"));
        assert_eq!(alone("12 plus 30?"), ["12", "30"]);
        for nothing in [
            "and what do you have for me?",
            "do you know that?",
            "was hast du denn für mich?",
            "",
        ] {
            assert!(alone(nothing).is_empty(), "{nothing}: {:?}", topics(nothing));
        }
    }

    #[test]
    fn remarks_say_the_same_by_their_telling_words() {
        for (one, other) in [
            ("Nice jump!", "nice jump"),
            ("Ooh, that is a huge boss!", "That's one huge boss."),
            ("The build failed again.", "and again the build has failed…"),
            (
                "Look at that sunset over the lake",
                "look, that sunset over the lake!",
            ),
            ("😂😂", "😂 😂"),
            ("Oh well.", "oh well"),
        ] {
            assert!(say_the_same(one, other), "“{one}” and “{other}”");
        }
    }

    #[test]
    fn other_numbers_a_not_or_other_words_make_another_remark() {
        for (one, other) in [
            ("Wave 3 begins!", "Wave 4 begins!"),
            ("The tests pass", "The tests do not pass"),
            ("Nice jump!", "Nice shot!"),
            ("The boss is down", "Alice is down"),
            ("😂", "😭"),
            ("Oh well.", "Oh no."),
            ("Ha!", "A dragon!"),
        ] {
            assert!(!say_the_same(one, other), "“{one}” and “{other}”");
        }
    }
}
