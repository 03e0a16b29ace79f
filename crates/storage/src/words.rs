//! Plain words from people, made into words that are worth searching for.

use std::collections::BTreeSet;

/// Words that are looked up for one search at most.
const LOOKED_UP_MAX: usize = 16;
/// Only the beginning of a long text is read.
const CHARACTERS_READ_MAX: usize = 16_000;
/// No word that people write is longer; what is longer is a link or noise.
const WORD_CHARACTERS_MAX: usize = 40;

/// Words that say nothing about what a message is about. Those of other languages are found by how common they are.
const STOP_WORDS: &[&str] = &[
    "about", "actually", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "but", "by", "can", "could", "did", "do", "does", "doing", "don", "done",
    "for", "from", "get", "got", "had", "has", "have", "he", "her", "here", "hey", "him", "his", "how", "if",
    "im", "in", "into", "is", "it", "its", "ive", "just", "know", "like", "ll", "lol", "me", "more", "my",
    "no", "not", "now", "of", "oh", "ok", "okay", "on", "one", "only", "or", "our", "out", "re", "really",
    "said", "say", "she", "should", "so", "some", "still", "tell", "than", "thanks", "that", "thats", "the",
    "their", "them", "then", "there", "these", "they", "thing", "think", "this", "those", "to", "too", "up",
    "us", "ve", "very", "was", "we", "well", "were", "what", "whats", "when", "where", "which", "who", "why",
    "will", "with", "would", "yeah", "yes", "you", "your",
];

/// The distinct words of a text that may be worth a search: no stop words, no single letters; of many, the longest.
pub(crate) fn worth_searching(text: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let read: String = text.chars().take(CHARACTERS_READ_MAX).collect();
    let mut words: Vec<String> = split(&read)
        .filter(|word| is_worthwhile(word) && seen.insert(word.clone()))
        .collect();
    // A stable sort: of words of one length, those said first stay.
    words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    words.truncate(LOOKED_UP_MAX);
    words
}

/// Every word of a text in lower case, as the index splits it, near enough.
pub(crate) fn split(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// A word as a query to the index: between quotes nothing is an operator, and a word holds no quote.
pub(crate) fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', ""))
}

/// Whether a word may say something about what a text is about.
pub(crate) fn is_worthwhile(word: &str) -> bool {
    let length = word.chars().count();
    let is_letter_alone = length == 1 && !word.chars().all(is_ideograph);
    !is_letter_alone && length <= WORD_CHARACTERS_MAX && STOP_WORDS.binary_search(&word).is_err()
}

/// One sign of these scripts is a word.
pub(crate) fn is_ideograph(character: char) -> bool {
    ('\u{2E80}'..'\u{E000}').contains(&character) || character >= '\u{20000}'
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod words_tests;
