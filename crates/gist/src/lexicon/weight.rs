//! How telling a word is in itself: a name or a number says more than an everyday noun, an everyday verb says
//! little, and compliments, interjections and grammar say nothing that a summary needs.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::WordTable;
use super::language::Language;
use super::stem::{spelled_number, stem};

/// A word at most this telling is left out at the edges of a piece when space is short.
pub const WEAK: f64 = 0.3;
const EVERYDAY: f64 = 0.8;
const UNCOMMON: f64 = 1.0;
const NAME: f64 = 2.5;
const NUMBER: f64 = 1.6;
const SPELLED_NUMBER: f64 = 1.3;
const DESCRIPTION: f64 = 0.6;
const SHORT: f64 = 0.2;

/// Endings of words that describe rather than name.
const DESCRIPTION_ENDINGS: [&str; 9] = ["ful", "ous", "ive", "able", "ible", "ly", "ness", "less", "ish"];

/// What kind of common English word a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Common {
    /// Compliments and feelings at large.
    Filler,
    /// Everyday verbs and abstract nouns.
    Weak,
    /// Everyday things.
    Everyday,
}

static COMMON_STEMS: LazyLock<WordTable<Common>> = LazyLock::new(|| {
    let lists = [
        (include_str!("lists/everyday.txt"), Common::Everyday),
        (include_str!("lists/weak.txt"), Common::Weak),
        (include_str!("lists/filler.txt"), Common::Filler),
    ];
    let words = lists
        .into_iter()
        .flat_map(|(list, common)| list.split_whitespace().map(move |word| (stem(word), common)));
    let words: Vec<(String, Common)> = words.collect();
    WordTable::of(words.iter().map(|(word, common)| (word.as_str(), *common)))
});

/// The phrases that begin with a word, the longest first, so that one is not taken for its own beginning.
struct FillerPhrases {
    phrases: Vec<Vec<Vec<&'static str>>>,
    /// Where those stand that begin so.
    by_first: WordTable<usize>,
}

static FILLER_PHRASES: LazyLock<FillerPhrases> = LazyLock::new(|| {
    let mut phrases: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for line in include_str!("lists/phrases.txt").lines() {
        let phrase: Vec<&str> = line.split_whitespace().collect();
        if let Some(first) = phrase.first() {
            phrases.entry(first).or_default().push(phrase);
        }
    }
    for phrases in phrases.values_mut() {
        phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    }
    FillerPhrases {
        by_first: WordTable::of(phrases.keys().copied().zip(0..)),
        phrases: phrases.into_values().collect(),
    }
});

/// Grammar and interjections: pronouns, articles, auxiliaries, prepositions, hedges, greetings.
pub fn is_function_word(plain: &str) -> bool {
    Language::English.has_function_word(plain)
}

/// Words that may not be dropped without turning a statement into its opposite, in the form they are kept in.
pub fn negation(plain: &str) -> Option<&'static str> {
    match plain {
        "no" => Some("no"),
        "never" => Some("never"),
        "without" => Some("without"),
        "not" | "nor" | "cannot" | "dont" | "doesnt" | "didnt" | "cant" | "couldnt" | "wont" | "wouldnt"
        | "shouldnt" | "isnt" | "arent" | "wasnt" | "werent" | "havent" | "hasnt" | "hadnt" | "aint" => {
            Some("not")
        }
        _ => None,
    }
}

/// How many of the leading words are a phrase that says nothing, such as `by the way`.
pub fn filler_phrase(lower_words: &[String]) -> usize {
    let known = &FILLER_PHRASES;
    let first = lower_words.first().and_then(|word| known.by_first.get(word));
    let spoken = |phrase: &&Vec<&str>| {
        phrase.len() <= lower_words.len() && phrase.iter().zip(lower_words).all(|(said, word)| said == word)
    };
    let found = first.and_then(|first| known.phrases[first].iter().find(spoken));
    found.map_or(0, Vec::len)
}

/// What kind of word a word is, from the least telling to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Never kept.
    Nothing,
    Weak,
    Short,
    Description,
    Everyday,
    Uncommon,
    /// A German noun, which may be a name.
    Noun,
    SpelledNumber,
    Number,
    Name,
}

/// How telling a word is; 0 for one that is never kept. A capital counts only where a sentence does not begin.
pub fn weight(word: &str, plain: &str, stem: &str, is_capitalised: bool) -> f64 {
    match kind(word, plain, stem, is_capitalised) {
        Kind::Nothing => 0.0,
        Kind::Weak => WEAK,
        Kind::Short => SHORT,
        Kind::Description => DESCRIPTION,
        Kind::Everyday => EVERYDAY,
        Kind::Uncommon | Kind::Noun => UNCOMMON,
        Kind::SpelledNumber => SPELLED_NUMBER,
        Kind::Number => NUMBER,
        Kind::Name => NAME,
    }
}

/// How telling a word of one of the known languages is in a summary, where each has to earn its room.
pub fn weight_in(language: Language, word: &str, plain: &str, stem: &str, is_capitalised: bool) -> f64 {
    let kind = match language {
        Language::English => kind(word, plain, stem, is_capitalised),
        _ => kind_in(language, word, plain, is_capitalised),
    };
    match kind {
        Kind::Nothing => 0.0,
        Kind::Weak => WEAK,
        Kind::Short => SHORT,
        Kind::Description => DESCRIPTION,
        Kind::Everyday | Kind::Uncommon => 1.0,
        Kind::Noun => 1.3,
        Kind::Number => NUMBER,
        Kind::SpelledNumber => 2.0,
        Kind::Name => 3.0,
    }
}

fn kind(word: &str, plain: &str, stem: &str, is_capitalised: bool) -> Kind {
    // With a capital inside a sentence, these are a month and a man.
    if is_capitalised && matches!(plain, "may" | "will") {
        return Kind::Everyday;
    }
    // `let's` is grammar, though `let` is a verb.
    let is_contracted = |word: &str| is_function_word(&word.to_lowercase().replace('\'', ""));
    if is_function_word(plain) || (word.contains('\'') && is_contracted(word)) {
        return Kind::Nothing;
    }
    if word.chars().any(char::is_numeric) {
        return Kind::Number;
    }
    if spelled_number(plain).is_some() {
        return Kind::SpelledNumber;
    }
    match COMMON_STEMS.get(stem) {
        Some(Common::Filler) => Kind::Nothing,
        Some(Common::Weak) => Kind::Weak,
        Some(Common::Everyday) if !is_capitalised => Kind::Everyday,
        _ if is_capitalised => Kind::Name,
        _ if plain.is_ascii() && plain.len() < 2 => Kind::Nothing,
        _ if plain.is_ascii() && plain.len() < 3 => Kind::Short,
        _ if DESCRIPTION_ENDINGS.iter().any(|ending| plain.ends_with(ending)) => Kind::Description,
        _ => Kind::Uncommon,
    }
}

/// The same in a language that has no lists of everyday things here.
fn kind_in(language: Language, word: &str, plain: &str, is_capitalised: bool) -> Kind {
    if language.has_function_word(plain) {
        return Kind::Nothing;
    }
    if word.chars().any(char::is_numeric) {
        return Kind::Number;
    }
    let tongue = language.tongue();
    let letters = plain.chars().count();
    match () {
        () if tongue.numbers.contains(&plain) => Kind::SpelledNumber,
        () if language.has_weak_word(plain) => Kind::Weak,
        // In German every noun has one.
        () if is_capitalised && language == Language::German => Kind::Noun,
        () if is_capitalised => Kind::Name,
        () if letters < 2 => Kind::Nothing,
        () if letters < 3 => Kind::Short,
        () if tongue.descriptions.iter().any(|ending| plain.ends_with(ending)) => Kind::Description,
        () => Kind::Uncommon,
    }
}
