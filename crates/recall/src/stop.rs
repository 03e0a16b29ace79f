//! Words that say nothing about what is looked for. They count for the length of a text and are otherwise not kept.

/// In order, for the search.
const STOP_WORDS: [&str; 66] = [
    "a", "an", "and", "are", "as", "at", "be", "been", "by", "can", "could", "did", "do", "does", "for",
    "from", "had", "has", "have", "he", "her", "him", "his", "how", "in", "is", "it", "its", "may", "might",
    "of", "on", "or", "s", "she", "should", "t", "that", "the", "their", "them", "they", "this", "to", "was",
    "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with", "would", "am",
    "d", "i", "ll", "m", "my", "re", "ve", "you",
];

/// Whether the word is too common to be looked for.
pub fn is_stop_word(word: &str) -> bool {
    word.len() <= 6 && STOP_WORDS.contains(&word)
}
