//! How much of what was said a summary still tells, whoever wrote it: its telling words, each once.

use std::collections::{BTreeMap, BTreeSet};

use crate::lexicon::{Language, Token, plain, stem, tokens, weight_in};

/// Weights are told in tenths, so that sums are whole numbers.
const PARTS: f64 = 10.0;

/// What words weigh that occur in what was said: the same for every summary of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scale {
    weights: BTreeMap<String, u64>,
    /// Of all that was given; none where it is not one that is known here, or has no words apart.
    language: Option<Language>,
}

impl Scale {
    /// Learns the words of what was said, and of what was made of it without inventing anything.
    pub fn of<'a>(given: impl IntoIterator<Item = &'a str>) -> Self {
        let mut weights: BTreeMap<String, u64> = BTreeMap::new();
        let mut all = String::new();
        for text in given {
            all.push_str(text);
            all.push('\n');
            let language = Language::of(text).unwrap_or_default();
            for (word, opens) in words(text) {
                let plain = plain(&word);
                let stem = stem(&plain);
                let is_capitalised = !opens && word.starts_with(char::is_uppercase);
                let weight = weight_in(language, &word, &plain, &stem, is_capitalised);
                let known = weights.entry(stem).or_default();
                *known = (*known).max((weight * PARTS) as u64);
            }
        }
        weights.retain(|_, weight| *weight > 0);
        Self {
            weights,
            language: Language::of(&all),
        }
    }

    /// Whether words say which of two summaries tells more: not where what was said is in none of the known languages, and not
    /// where the summary is in another one.
    pub fn weighs(&self, summary: &str) -> bool {
        let other = Language::of(summary).filter(|its| Some(*its) != self.language);
        self.language.is_some() && other.is_none()
    }

    /// What a summary tells of it. Words that nobody said weigh nothing.
    pub fn worth(&self, summary: &str) -> u64 {
        let told: BTreeSet<String> = words(summary).map(|(word, _)| stem(&plain(&word))).collect();
        told.iter().filter_map(|stem| self.weights.get(stem)).sum()
    }
}

/// The words of a text, and whether each opens a sentence.
fn words(text: &str) -> impl Iterator<Item = (String, bool)> {
    let mut opens = true;
    tokens(text).into_iter().filter_map(move |token| match token {
        Token::Word(word) => Some((word, std::mem::take(&mut opens))),
        Token::Stop => {
            opens = true;
            None
        }
        Token::Break => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: [&str; 2] = [
        "I adopted a hedgehog, and it is called Quill.",
        "My sister moved to Lisbon in 2019, oh well.",
    ];

    #[test]
    fn whoever_tells_more_of_what_was_said_is_worth_more() {
        let scale = Scale::of(SAID);
        let both = scale.worth("Ann: adopted hedgehog Quill. Bob: sister moved Lisbon 2019.");
        let one = scale.worth("Ann adopted a hedgehog that is called Quill.");
        assert!(both > one && one > 0, "{both} {one}");
        assert_eq!(scale.worth(""), 0);
    }

    #[test]
    fn words_are_counted_once_in_whatever_form_and_only_if_they_were_said() {
        let scale = Scale::of(SAID);
        let once = scale.worth("A hedgehog.");
        assert_eq!(scale.worth("Hedgehogs, hedgehog and hedgehog!"), once);
        assert_eq!(scale.worth("A hedgehog from Paris with a submarine."), once);
        assert_eq!(scale.worth("it is to in and a"), 0);
    }

    #[test]
    fn names_and_numbers_weigh_more_than_things() {
        let scale = Scale::of(SAID);
        assert!(scale.worth("Lisbon") > scale.worth("hedgehog"));
        assert!(scale.worth("2019") > scale.worth("hedgehog"));
    }
}
