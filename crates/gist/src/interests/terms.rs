//! The telling words of a text, alone and in pairs, with what makes two of them the same.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::lexicon::{Token, WordTable, is_function_word, plain, spelled_number, stem, tokens, weight};

use super::hosts::name_of_site;
use crate::links::{keep_links, links_of};

/// More of a text is not looked at.
const TEXT_BYTES_MAX: usize = 4_000;
const WORD_CHARS_MIN: usize = 3;
const WORD_CHARS_MAX: usize = 30;
/// Words less telling than this are no topics: verbs of every day, words that describe.
const TELLING_MIN: f64 = 0.7;
/// How much names, pairs and sites tell, where an ordinary noun tells 1.
const NAME_TELLING: f64 = 1.3;
const PAIR_TELLING: f64 = 1.6;
const SITE_TELLING: f64 = 0.7;

/// Stop words of other languages than English, and words that every chat is full of.
static STOP_WORDS: LazyLock<WordTable<()>> = LazyLock::new(|| {
    let words = include_str!("stop_words.txt").split_whitespace();
    WordTable::of(words.map(|word| (word, ())))
});

/// Whether it is one of those.
pub(crate) fn is_stop_word(plain: &str) -> bool {
    STOP_WORDS.get(plain).is_some()
}

/// A word, or two in a row, that may be a topic.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    /// Its stems: equal for `boss` and `bosses`.
    pub parts: Vec<String>,
    pub spelling: String,
    pub telling: f64,
}

/// A word of a text as it was read.
struct Word {
    plain: String,
    stem: String,
    weight: f64,
    is_capitalised: bool,
    /// It could be a topic by itself.
    tells: bool,
    /// It follows the word before it with nothing in between.
    follows: bool,
}

/// The terms of a text in order, without words of these names.
pub(super) fn terms(text: &str, names: &BTreeSet<String>) -> Vec<Term> {
    let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
    let words = words(&keep_links(&without_code(text), 0));
    let is_name = |word: &Word| names.contains(&word.plain);
    let mut found: Vec<Term> = Vec::new();
    for word in words.iter().filter(|word| word.tells && !is_name(word)) {
        found.push(Term {
            parts: vec![word.stem.clone()],
            spelling: word.plain.clone(),
            telling: if word.is_capitalised {
                NAME_TELLING
            } else {
                word.weight.min(1.0)
            },
        });
    }
    for pair in words.windows(2) {
        let [first, second] = pair else { continue };
        let is_pair = second.follows
            && !pair.iter().any(is_name)
            && first.stem != second.stem
            && (pair.iter().all(|word| word.tells)
                || pair.iter().all(|word| word.is_capitalised && word.weight > 0.0));
        if is_pair {
            found.push(Term {
                parts: vec![first.stem.clone(), second.stem.clone()],
                spelling: format!("{} {}", first.plain, second.plain),
                telling: PAIR_TELLING,
            });
        }
    }
    let sites = links_of(text).into_iter().filter_map(|link| name_of_site(&link));
    found.extend(sites.map(|site| Term {
        parts: vec![stem(&site)],
        spelling: site,
        telling: SITE_TELLING,
    }));
    found
}

/// The stems of the telling words of a text, in order, for comparing texts.
pub fn stems(text: &str) -> Vec<String> {
    let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
    let said = words(text).into_iter().filter(|word| word.weight > 0.0);
    said.map(|word| word.stem).collect()
}

/// The words by which people are called: a name of one word, and the first of a longer one.
pub(super) fn words_of_names<'a>(names: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let first_word = |name: &str| {
        tokens(name).into_iter().find_map(|token| match token {
            Token::Word(word) => Some(plain(&word)),
            Token::Break | Token::Stop => None,
        })
    };
    names.filter_map(first_word).collect()
}

fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let (mut follows, mut begins_sentence) = (false, true);
    for token in tokens(text) {
        let word = match token {
            Token::Word(word) => word,
            Token::Break => {
                follows = false;
                continue;
            }
            Token::Stop => {
                (follows, begins_sentence) = (false, true);
                continue;
            }
        };
        let is_capitalised = !begins_sentence && word.starts_with(char::is_uppercase);
        let plain = plain(&word);
        let stem = stem(&plain);
        let weight = weight(&word, &plain, &stem, is_capitalised);
        found.push(Word {
            tells: weight >= TELLING_MIN && may_be_topic(&plain),
            plain,
            stem,
            weight,
            is_capitalised,
            follows,
        });
        (follows, begins_sentence) = (true, false);
    }
    found
}

fn may_be_topic(plain: &str) -> bool {
    let length = plain.chars().count();
    let letters = plain.chars().filter(|letter| letter.is_alphabetic()).count();
    let is_word = |letter: char| letter.is_alphanumeric() || "-+#.&".contains(letter);
    // `go` and `c#` are topics too, but `hm` and `ok` come up far more often.
    let is_long_enough = length >= WORD_CHARS_MIN || !plain.is_ascii() || plain.ends_with(['#', '+']);
    is_long_enough
        && length <= WORD_CHARS_MAX
        && letters * 2 >= length
        && plain.chars().all(is_word)
        && spelled_number(plain).is_none()
        && !is_function_word(plain)
        && !is_stop_word(plain)
}

/// Without blocks of code: their words are no talk.
fn without_code(text: &str) -> String {
    text.split("```").step_by(2).collect::<Vec<_>>().join("\n")
}
