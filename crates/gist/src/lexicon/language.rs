//! In which of four languages a text is, by the small words that it cannot do without, and what those words are.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::WordTable;
use super::tongues::{ENGLISH, FRENCH, GERMAN, SPANISH, Tongue};

/// A language whose grammar words are known here. Any other is read like the nearest of them, or like English.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    English,
    German,
    Spanish,
    French,
}

/// A text says so many grammar words of English before it is believed.
const WORDS_MIN: usize = 2;
/// A text of another language says so many more of that: `car` and `son` are grammar in French.
const LEAD_MIN: usize = 3;

/// By word, a bit for each language that has it.
static FUNCTION_WORDS: LazyLock<WordTable<u8>> = LazyLock::new(|| {
    let lists = [
        include_str!("lists/function.txt"),
        include_str!("lists/function.de.txt"),
        include_str!("lists/function.es.txt"),
        include_str!("lists/function.fr.txt"),
    ];
    let mut languages: BTreeMap<&str, u8> = BTreeMap::new();
    for (list, language) in lists.into_iter().zip(Language::ALL) {
        for word in list.split_whitespace() {
            *languages.entry(word).or_default() |= language.bit();
        }
    }
    WordTable::of(languages)
});

static WEAK_WORDS: LazyLock<[Vec<&str>; 4]> = LazyLock::new(|| {
    [
        "",
        include_str!("lists/weak.de.txt"),
        include_str!("lists/weak.es.txt"),
        include_str!("lists/weak.fr.txt"),
    ]
    .map(sorted)
});

fn sorted(list: &'static str) -> Vec<&'static str> {
    let mut words: Vec<&str> = list.split_whitespace().collect();
    words.sort_unstable();
    words
}

impl Language {
    pub(super) const ALL: [Language; 4] = [
        Language::English,
        Language::German,
        Language::Spanish,
        Language::French,
    ];

    /// The language that most of the grammar words are of; none where there are hardly any, or another than English leads
    /// it by little.
    pub fn of(text: &str) -> Option<Language> {
        let mut hits = [0_usize; 4];
        // What is no letter parts words, whatever it is.
        let lower = text.to_lowercase();
        let words = lower.split(|letter: char| !letter.is_alphanumeric());
        for word in words.filter(|word| !word.is_empty()) {
            let Some(bits) = FUNCTION_WORDS.get(word) else {
                continue;
            };
            for language in Self::ALL {
                hits[language as usize] += usize::from(bits & language.bit() != 0);
            }
        }
        let english = hits[Language::English as usize];
        let most = hits.iter().max().copied().unwrap_or(0);
        if most >= english + LEAD_MIN {
            return Self::ALL
                .into_iter()
                .find(|language| hits[*language as usize] == most);
        }
        (english >= WORDS_MIN && english == most).then_some(Language::English)
    }

    /// Grammar and interjections of this language.
    pub fn has_function_word(self, plain: &str) -> bool {
        FUNCTION_WORDS
            .get(plain)
            .is_some_and(|languages| languages & self.bit() != 0)
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Everyday verbs, abstract nouns and compliments; English has lists of its own.
    pub(super) fn has_weak_word(self, plain: &str) -> bool {
        WEAK_WORDS[self as usize].binary_search(&plain).is_ok()
    }

    /// Its words for days, months, persons and numbers.
    pub fn tongue(self) -> &'static Tongue {
        match self {
            Language::English => &ENGLISH,
            Language::German => &GERMAN,
            Language::Spanish => &SPANISH,
            Language::French => &FRENCH,
        }
    }

    /// A word that denies, as it is kept.
    pub fn negation(self, plain: &str) -> Option<&'static str> {
        let negations = self.tongue().negations;
        negations.iter().find(|word| **word == plain).copied()
    }

    /// `am 7. Mai` without the full stop, which would end the sentence.
    pub fn with_whole_dates(self, text: &str) -> String {
        let mut text = text.to_owned();
        if self == Language::German {
            for month in self.tongue().months {
                for digit in '0'..='9' {
                    text = text.replace(&format!("{digit}. {month}"), &format!("{digit} {month}"));
                }
            }
        }
        text
    }

    /// `l'école` is `école`, in French.
    pub fn without_elision(self, word: &str) -> &str {
        if self != Language::French {
            return word;
        }
        match word.split_once('\'') {
            Some((head, rest)) if !rest.is_empty() => {
                let head = head.to_lowercase();
                let elided = [
                    "l", "d", "j", "m", "t", "s", "n", "c", "qu", "lorsqu", "puisqu", "jusqu",
                ];
                if elided.contains(&head.as_str()) {
                    rest
                } else {
                    word
                }
            }
            _ => word,
        }
    }
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod tests;
