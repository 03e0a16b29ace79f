//! What a gem states, apart from how: its telling words, its numbers, and whether it says yes or no.

use std::collections::BTreeSet;

use super::folding::words;
use crate::lexicon::{is_function_word, spelled_number, stem};

/// Two statements with this share of common words are one, unless a word of one stands for a word of the other.
const SAME_SHARE: f64 = 0.8;
/// So many equal letters at the beginning make two words forms of one.
const SHARED_LETTERS: usize = 5;
const LIKING: [&str; 12] = [
    "like", "likes", "liked", "love", "loves", "loved", "enjoy", "enjoys", "enjoyed", "fond", "adores",
    "adore",
];
/// Liking one thing better than others: more than liking it, and gone when it is not liked any more.
const PREFERRING: [&str; 5] = ["prefer", "prefers", "preferred", "favour", "favours"];
/// What a thing is preferred to stands behind these.
const RATHER_THAN: [&str; 5] = ["over", "to", "than", "instead", "rather"];
const DISLIKING: [&str; 9] = [
    "dislike", "dislikes", "disliked", "hate", "hates", "hated", "detests", "loathes", "despises",
];
const NEGATING: &str = " not no never dont doesnt didnt cant cannot couldnt wont wouldnt shouldnt isnt arent wasnt werent havent \
    hasnt hadnt aint without neither nor stopped quit former formerly ";
/// Words around a negation that add nothing to it, and those of saying.
const EMPTY: &str = " any anymore more longer used to now currently anymore really very quite much so still also does do did is are \
    was were be been am has have had will would that ";

/// What is stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub words: BTreeSet<String>,
    pub numbers: BTreeSet<String>,
    pub negative: bool,
    /// Something is liked better than something else.
    pub prefers: bool,
}

impl Statement {
    /// What a text states of liking, where it tells what somebody prefers: `prefers tea over coffee` states that they
    /// like tea.
    pub fn of_liking(text: &str) -> Self {
        let told = words(text);
        let preferring = told.iter().position(|word| PREFERRING.contains(&word.as_str()));
        let Some(at) = preferring else {
            return Self::of(text);
        };
        let rest = told[at + 1..].iter();
        let thing = rest.take_while(|word| !RATHER_THAN.contains(&word.as_str()));
        let liked: Vec<&str> = told[..at]
            .iter()
            .map(String::as_str)
            .chain(["like"])
            .chain(thing.map(String::as_str))
            .collect();
        Self::of(&liked.join(" "))
    }

    pub fn of(text: &str) -> Self {
        let told = words(text);
        let mut statement = Self {
            words: BTreeSet::new(),
            numbers: BTreeSet::new(),
            negative: false,
            prefers: told.iter().any(|word| PREFERRING.contains(&word.as_str())),
        };
        for (at, word) in told.iter().enumerate() {
            let next = told.get(at + 1).map_or("", String::as_str);
            let word = word.as_str();
            let ends_it = (word == "used" && next == "to") || (word == "no" && next == "longer");
            if DISLIKING.contains(&word) {
                statement.negative = !statement.negative;
                statement.words.insert("like".to_owned());
            } else if LIKING.contains(&word) {
                statement.words.insert("like".to_owned());
            } else if ends_it || NEGATING.contains(&format!(" {word} ")) {
                statement.negative = !statement.negative;
            } else if word.bytes().any(|byte| byte.is_ascii_digit()) || spelled_number(word).is_some() {
                statement
                    .numbers
                    .insert(spelled_number(word).unwrap_or(word).to_owned());
            } else if !EMPTY.contains(&format!(" {word} ")) && !is_article(word) {
                statement.words.insert(stem(word));
            }
        }
        statement
    }

    /// The share of words, numbers among them, that two statements have in common.
    pub fn overlap(&self, other: &Self) -> f64 {
        let all = |statement: &Self| -> BTreeSet<String> {
            statement.words.union(&statement.numbers).cloned().collect()
        };
        let (mine, theirs) = (all(self), all(other));
        let union = mine.union(&theirs).count();
        if union == 0 {
            return 0.0;
        }
        mine.intersection(&theirs).count() as f64 / union as f64
    }

    /// Whether both speak of the same, be it yes or no.
    pub fn is_about(&self, other: &Self) -> bool {
        self.numbers == other.numbers
            && (self.words == other.words || self.overlap(other) >= SAME_SHARE)
            && !self.swaps_a_word(other)
    }

    /// Whether both speak of the same and of nothing less: who does not like to hike alone may well like to hike.
    pub fn is_wholly_about(&self, other: &Self) -> bool {
        let adds = |mine: &Self, theirs: &Self| {
            let mut only = mine.words.difference(&theirs.words);
            only.any(|word| {
                let is_form = |their: &String| shared_letters(word, their) >= SHARED_LETTERS;
                !is_function_word(word) && !theirs.words.iter().any(is_form)
            })
        };
        self.is_about(other) && !adds(self, other) && !adds(other, self)
    }

    /// Whether both say the same.
    pub fn says(&self, other: &Self) -> bool {
        self.negative == other.negative && self.is_about(other)
    }

    /// `the red cake` and `the blue cake` have most words in common, and are not the same.
    fn swaps_a_word(&self, other: &Self) -> bool {
        let telling = |mine: &Self, theirs: &Self| -> Vec<String> {
            let only = mine
                .words
                .difference(&theirs.words)
                .filter(|word| !is_function_word(word));
            only.cloned().collect()
        };
        let (mine, theirs) = (telling(self, other), telling(other, self));
        let is_form = |word: &String| {
            theirs
                .iter()
                .any(|their| shared_letters(word, their) >= SHARED_LETTERS)
        };
        !theirs.is_empty() && mine.iter().any(|word| !is_form(word))
    }
}

fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

fn shared_letters(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count()
}
