//! Takes what is to be forgotten out of a running summary: every statement that names the person or retells the words.

use std::collections::{BTreeMap, BTreeSet};

use super::folding::words;
use crate::lexicon::{split_after, stem, weight};

/// Words at least this telling give a retelling away.
const TELLING: f64 = 0.8;
/// A statement that shares so many telling words with a forgotten text retells it.
const SHARED_WORDS: usize = 2;
/// And one that shares this part of its own telling words, be they few.
const SHARED_PART: f64 = 0.5;
/// In fewer sentences, a word is not everywhere.
const EVERYWHERE_MIN: usize = 3;
/// A name that is a word of its own (`Will`, `May`, `Al`) is compared with its case.
const NAME_WEIGHT_MIN: f64 = 1.0;

/// So many words in a row are a quote, and so is a number of so many signs.
const QUOTED_WORDS: usize = 4;
const NUMBER_MIN: usize = 3;

/// What is to be forgotten.
#[derive(Clone, Copy, Debug)]
pub struct ScrubBrief<'a> {
    /// Names of the persons.
    pub names: &'a [String],
    /// What they said, or what was known.
    pub texts: &'a [String],
}

/// The summary without every statement that names one of the persons or retells one of the texts; none when nothing
/// had to go. It would rather leave out too much: what is forgotten by mistake can be said again.
pub fn scrub_summary(summary: &str, what: &ScrubBrief<'_>) -> Option<String> {
    let texts: Vec<BTreeSet<String>> = what.texts.iter().map(|text| telling(text)).collect();
    let sentences = sentences(summary);
    // A word that half the summary has tells nothing of one text.
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for word in sentences.iter().flat_map(|sentence| telling(sentence)) {
        *counts.entry(word).or_default() += 1;
    }
    let is_rare = |word: &String| {
        let count = counts.get(word).copied().unwrap_or(0);
        count <= EVERYWHERE_MIN || count * 2 <= sentences.len()
    };
    let is_forgotten = |part: &str| {
        let told: BTreeSet<String> = telling(part).into_iter().filter(is_rare).collect();
        names_one(part, what.names) || texts.iter().any(|text| retells(&told, text))
    };
    let kept: Vec<String> = sentences
        .iter()
        .filter_map(|sentence| scrubbed(sentence, what.names, &is_forgotten))
        .collect();
    let result = kept.join(" ");
    let unchanged = sentences.join(" ");
    (result != unchanged).then_some(result)
}

/// Whether somebody is named in a text, or some of the words are said again: so many in a row, or a number of theirs. That
/// it is about the same is not enough: others talk about that, too.
pub fn quotes(text: &str, what: &ScrubBrief<'_>) -> bool {
    let said = words(text);
    let is_number = |word: &&String| word.len() >= NUMBER_MIN && word.chars().any(|c| c.is_ascii_digit());
    let is_quoted = |forgotten: &String| {
        let theirs = words(forgotten);
        let in_a_row = |run: &[String]| theirs.windows(QUOTED_WORDS).any(|their| their == run);
        said.iter().filter(is_number).any(|word| theirs.contains(word))
            || said.windows(QUOTED_WORDS).any(in_a_row)
    };
    names_one(text, what.names) || what.texts.iter().any(is_quoted)
}

/// What stays of a sentence. The offline summariser's `Name: one; two; three.` is taken apart further.
fn scrubbed(sentence: &str, names: &[String], is_forgotten: &dyn Fn(&str) -> bool) -> Option<String> {
    let Some((heading, statements)) = headed(sentence) else {
        return (!is_forgotten(sentence)).then(|| sentence.to_owned());
    };
    if names_one(heading, names) {
        return None;
    }
    let end = if sentence.ends_with('.') { "." } else { "" };
    let statements = statements.strip_suffix('.').unwrap_or(statements);
    let all: Vec<&str> = statements
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let kept: Vec<&str> = all.iter().copied().filter(|part| !is_forgotten(part)).collect();
    match kept.len() {
        0 => None,
        count if count == all.len() => Some(sentence.to_owned()),
        _ => Some(format!("{heading}: {}{end}", kept.join("; "))),
    }
}

fn headed(sentence: &str) -> Option<(&str, &str)> {
    let (heading, statements) = sentence.split_once(": ")?;
    let is_short = heading.split_whitespace().count() <= 4;
    (is_short && !statements.is_empty()).then_some((heading, statements))
}

/// Whether a text names one of the persons, in whatever case, alone or as `Name's`.
fn names_one(text: &str, names: &[String]) -> bool {
    let said = words(text);
    names.iter().any(|name| {
        let parts = words(name);
        let is_word = |part: &String| weight(part, part, &stem(part), false) < NAME_WEIGHT_MIN;
        if let [only] = &parts[..]
            && is_word(only)
        {
            let mut pieces = text.split(|letter: char| !letter.is_alphanumeric());
            return pieces.any(|piece| piece == name.trim());
        }
        let is_part = |word: &String, part: &String| word == part || word.strip_suffix('s') == Some(part);
        let is_here = |window: &[String]| window.iter().zip(&parts).all(|(word, part)| is_part(word, part));
        // Of a long name the first part is what people say.
        let first = parts.first().filter(|part| parts.len() > 1 && !is_word(part));
        let is_called = first.is_some_and(|first| said.iter().any(|word| is_part(word, first)));
        !parts.is_empty() && (is_called || said.windows(parts.len()).any(is_here))
    })
}

fn retells(told: &BTreeSet<String>, text: &BTreeSet<String>) -> bool {
    let shared = told.intersection(text).count();
    let most = shared as f64 >= told.len() as f64 * SHARED_PART;
    shared >= SHARED_WORDS || (shared > 0 && most)
}

/// Stems of the words that tell something, numbers among them.
fn telling(text: &str) -> BTreeSet<String> {
    let tells = |word: &String| weight(word, word, &stem(word), false) >= TELLING;
    words(text)
        .into_iter()
        .filter(tells)
        .map(|word| stem(&word))
        .collect()
}

/// Sentences of prose; a semicolon ends none, since headed statements have them.
fn sentences(text: &str) -> Vec<&str> {
    let mut parts = split_after(text, |_, letter, next| {
        let before_space = next.is_none_or(char::is_whitespace);
        (".!?…".contains(letter) && before_space) || "\n。！？".contains(letter)
    });
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
#[path = "scrub_tests.rs"]
mod scrub_tests;
