//! Words that carry meaning, cut to a rough stem, so that "trains" finds "train".

/// Words that say nothing about what is asked.
const EMPTY_WORDS: &[&str] = &[
    "a",
    "about",
    "again",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "anyone",
    "anybody",
    "are",
    "as",
    "at",
    "be",
    "been",
    "but",
    "by",
    "can",
    "could",
    "did",
    "do",
    "does",
    "for",
    "from",
    "get",
    "got",
    "had",
    "has",
    "have",
    "he",
    "her",
    "here",
    "him",
    "his",
    "how",
    "i",
    "if",
    "in",
    "is",
    "it",
    "its",
    "just",
    "know",
    "let",
    "like",
    "may",
    "me",
    "mine",
    "my",
    "no",
    "not",
    "of",
    "ok",
    "on",
    "or",
    "our",
    "please",
    "remember",
    "remind",
    "said",
    "say",
    "says",
    "she",
    "should",
    "so",
    "some",
    "somebody",
    "someone",
    "tell",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "to",
    "told",
    "up",
    "us",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "would",
    "yes",
    "you",
    "your",
    "s",
    "t",
    "re",
    "ve",
    "m",
    "d",
    "ll",
    "im",
    "whats",
    "whos",
    "wheres",
    "whens",
    "called",
    "mention",
    "mentioned",
    "ask",
    "asked",
    "wrote",
    "write",
    "think",
    "thinks",
];

/// Every word, lower-cased.
pub(super) fn all_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in text
        .to_lowercase()
        .replace(['’', '\''], "")
        .split(|c: char| !c.is_alphanumeric())
    {
        // Scripts without spaces have no runs worth comparing; each sign stands for itself.
        if run.chars().any(|c| ('\u{3040}'..='\u{9fff}').contains(&c)) {
            words.extend(run.chars().map(String::from));
        } else if !run.is_empty() {
            words.push(run.to_owned());
        }
    }
    words
}

/// The stems of the words that mean something, each once, in order.
pub(super) fn content_words(text: &str) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for word in all_words(text) {
        if EMPTY_WORDS.contains(&word.as_str()) {
            continue;
        }
        let stem = stem(&word);
        if !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

pub(super) fn stem(word: &str) -> String {
    let cut = |ending: &str, least: usize| {
        word.strip_suffix(ending)
            .filter(|rest| rest.chars().count() >= least && !rest.ends_with('s'))
    };
    cut("ing", 3)
        .or_else(|| cut("ies", 3))
        .or_else(|| cut("ed", 3))
        .or_else(|| cut("es", 3))
        .or_else(|| cut("s", 3))
        .or_else(|| cut("y", 3))
        .or_else(|| cut("e", 3))
        .unwrap_or(word)
        .to_owned()
}

/// Whether a question may begin with this word.
pub(super) fn opens_a_question(word: &str) -> bool {
    matches!(
        word,
        "what"
            | "whats"
            | "who"
            | "whos"
            | "when"
            | "whens"
            | "where"
            | "wheres"
            | "why"
            | "how"
            | "which"
            | "whose"
            | "remind"
    )
}

/// Words that only greet.
pub(super) const GREETINGS: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "hiya",
    "greetings",
    "good",
    "morning",
    "evening",
    "afternoon",
    "hallo",
    "everyone",
    "all",
];
/// Words for saying something.
pub(super) const SAYING: &[&str] = &[
    "say",
    "said",
    "says",
    "tell",
    "told",
    "mention",
    "mentioned",
    "write",
    "wrote",
    "ask",
    "asked",
    "suggest",
    "suggested",
];
