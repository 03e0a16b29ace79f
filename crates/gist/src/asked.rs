//! What a question is about, and whether a text has to do with it: by the words that tell it, and by the people in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::likeness::topics;

/// A question, whoever asks it, and the people at hand.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The words that tell what it is about, without names of people at hand, and whether each does so alone.
    words: BTreeMap<String, bool>,
    asker: BTreeSet<String>,
    /// People at hand whom it names, other than who asks.
    named: BTreeSet<String>,
    /// Whoever asks does so about themselves.
    of_self: bool,
    is_question: bool,
}

/// How much a text has to do with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// It may be the answer; otherwise it is about somebody whom the question is about.
    pub is_answer: bool,
    /// Telling words that they share.
    pub shared: usize,
}

impl Asked {
    /// What somebody said, to whom by their names, with these other people at hand.
    pub fn of(said: &str, asker: &str, to: &[&str], others: &[&str]) -> Self {
        let names = |names: &[&str]| -> BTreeSet<String> {
            let words = names.iter().flat_map(|name| topics(name));
            words.map(|(word, _)| word).collect()
        };
        let (asker, to) = (names(&[asker]), names(to));
        let mut words = topics(said);
        words.retain(|word, _| !asker.contains(word) && !to.contains(word));
        let mut named = names(others);
        named.retain(|word| words.remove(word).is_some());
        Self {
            words,
            asker,
            named,
            of_self: asks_of_self(said),
            is_question: said.contains('?'),
        }
    }

    /// How a text fits; none where it has nothing to do with the question. That it is about whoever asks is nothing, unless
    /// they ask about themselves.
    pub fn fit(&self, text: &str) -> Option<Fit> {
        let words = topics(text);
        let names = |people: &BTreeSet<String>| people.iter().any(|name| words.contains_key(name));
        let is_about = (self.of_self && names(&self.asker)) || names(&self.named);
        let shared: Vec<bool> = words
            .keys()
            .filter_map(|word| self.words.get(word).copied())
            .collect();
        let is_answer = shared.contains(&true) || (is_about && !shared.is_empty());
        (is_answer || is_about).then_some(Fit {
            is_answer,
            shared: shared.len(),
        })
    }

    /// Whether a text has one of its telling words, or one of the people it names.
    pub fn is_touched_by(&self, text: &str) -> bool {
        let is_asked = |word: &String| self.words.get(word) == Some(&true) || self.named.contains(word);
        topics(text).keys().any(is_asked)
    }

    /// Whether it asks on: it is a question, and nothing in it tells what about.
    pub fn asks_on(&self) -> bool {
        self.is_question && self.is_empty()
    }

    /// Whether nothing in it tells what it is about.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.named.is_empty()
    }
}

/// Whether somebody asks about themselves, in English. A small model answers that as if it had been asked about itself.
pub fn asks_of_self(text: &str) -> bool {
    let own = ["i", "i'm", "i’m", "im", "my", "me", "mine", "myself"];
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && !"'’".contains(letter));
    text.contains('?') && words.any(|word| own.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::{Asked, Fit};

    fn fit(question: &str, text: &str) -> Option<Fit> {
        Asked::of(question, "Nora", &["Denizen"], &["Bob"]).fit(text)
    }

    fn sure(is_answer: bool, shared: usize) -> Option<Fit> {
        Some(Fit { is_answer, shared })
    }

    #[test]
    fn who_asks_is_not_what_is_asked() {
        let rex = "Nora has a dog called Rex.";
        for question in ["12 plus 30?", "Denizen, which planet is that? Nora wants to know"] {
            assert_eq!(fit(question, rex), None, "{question}");
        }
        assert_eq!(fit("What is my dog called?", rex), sure(true, 2));
        assert_eq!(fit("Which pet do I have?", rex), sure(false, 0));
    }

    #[test]
    fn who_is_named_is_what_is_asked() {
        let nuts = "Bob is allergic to nuts.";
        assert_eq!(fit("What does Bob not eat?", nuts), sure(false, 0));
        assert_eq!(fit("Who is allergic?", nuts), sure(true, 1));
        assert_eq!(fit("What does Petra not eat?", nuts), None);
        assert_eq!(
            fit("What does Petra not eat?", "Petra eats no nuts."),
            sure(true, 2)
        );
    }
}
