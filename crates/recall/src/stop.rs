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

/// In order, for the search: English, German, French, Spanish.
const FIRST_PERSON: [&str; 20] = [
    "i", "ich", "j", "je", "ma", "me", "mein", "meine", "meinem", "meinen", "meiner", "mes", "mi", "mich",
    "mine", "mir", "mis", "mon", "my", "myself",
];

/// Whether whoever says the word means themselves.
pub fn is_first_person(word: &str) -> bool {
    word.len() <= 6 && FIRST_PERSON.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_says_i_means_themselves() {
        assert!(FIRST_PERSON.is_sorted());
        assert!(is_first_person("my") && is_first_person("mich") && !is_first_person("you"));
    }
}
