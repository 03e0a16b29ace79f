//! Reads an earlier summary back into what it said: its own (`Name: a; b, c.`) or one that a model wrote in prose.

use std::collections::BTreeSet;

use super::draft::{Draft, clip, heading};
use super::sentence::{Manner, split};
use super::telegram::{Reading, Word, telegram};
use crate::lexicon::{DateYear, Language};

/// The mark of a picture's description.
pub const PICTURE_MARK: &str = "pic ";
/// The mark of a question, at its end.
pub const QUESTION_MARK: &str = "?";
/// The mark of the year from which on dates are: `in 2023: `.
pub const YEAR_MARK: &str = "in ";
/// No summary is longer; more would be somebody's mistake.
const SUMMARY_CHARS_MAX: usize = 16_000;
const HEADING_CHARS_MAX: usize = 40;

/// An earlier summary on one line.
pub fn one_line(previous: &str) -> String {
    let is_blank = |character: char| character.is_whitespace() || character.is_control();
    let words: Vec<&str> = clip(previous, SUMMARY_CHARS_MAX)
        .split(is_blank)
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// What an earlier summary said, in its order.
pub fn read_back(previous: &str, speakers: &[&str], language: Language) -> Draft {
    let mut draft = Draft::default();
    let sentences = paragraphs(previous);
    let known: BTreeSet<String> = speakers
        .iter()
        .map(|speaker| heading(speaker))
        .chain(
            sentences
                .iter()
                .filter_map(|sentence| headed(sentence))
                .map(|(name, _)| name.to_owned()),
        )
        .collect();
    for sentence in sentences {
        match headed(sentence) {
            Some((name, statements)) => add_statements(&mut draft, name, statements, language),
            None => add_prose(&mut draft, sentence, &known, language),
        }
    }
    draft
}

/// Sentences, but with the semicolons and dashes inside them.
fn paragraphs(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut end = 0;
    for part in split(text) {
        // `split` borrows from `text` in order, so each part is found at or after the end of the one before.
        end += text[end..].find(part).unwrap_or(0) + part.len();
        if part.ends_with(['.', '!', '?', '…', '。', '！', '？']) {
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// The heading of `Name: statements`, and the statements.
fn headed(sentence: &str) -> Option<(&str, &str)> {
    let (name, statements) = sentence.split_once(": ")?;
    let is_name = !name.is_empty()
        && name.chars().count() <= HEADING_CHARS_MAX
        && !name.contains([';', ',', '.', '?', '!', ':']);
    is_name.then_some((name, statements))
}

fn add_statements(draft: &mut Draft, name: &str, statements: &str, language: Language) {
    let group = draft.group(name);
    let nobody = BTreeSet::new();
    let reading = Reading {
        present: &nobody,
        names: &nobody,
        begins_sentence: false,
        is_whole: false,
        is_telegram: true,
        language,
        said: None,
    };
    for statement in statements.trim_end_matches(['.', '!']).split("; ") {
        let (year, statement) = dated(statement);
        let year = draft.said_in(group, year);
        let (statement, is_question) = match statement.strip_suffix(QUESTION_MARK) {
            Some(asked) => (asked, true),
            None => (statement, false),
        };
        let (statement, manner) = match statement.strip_prefix(PICTURE_MARK) {
            Some(shown) => (shown, Manner::Picture),
            None if is_question => (statement, Manner::RememberedQuestion),
            None => (statement, Manner::Remembered),
        };
        // A model may have written sentences under a name; a telegram has no grammar of English.
        let is_sentence = Language::of(statement) == Some(Language::English);
        let is_telegram = !is_sentence;
        let mut runs = telegram(
            statement,
            Reading {
                is_telegram,
                ..reading
            },
        );
        let open = |word: &&mut Word| word.year == DateYear::Open;
        for word in runs.iter_mut().flatten().filter(open).filter(|_| year.is_some()) {
            word.year = DateYear::OfTheTalk;
        }
        draft.add(group, manner, None, runs);
    }
}

/// The year of `in 2023: statement`, from which on its dates and those after it are, and the statement.
fn dated(statement: &str) -> (Option<i16>, &str) {
    let marked = statement.strip_prefix(YEAR_MARK).and_then(|rest| {
        let (year, statement) = rest.split_once(": ")?;
        Some((year.parse().ok()?, statement))
    });
    marked.map_or((None, statement), |(year, statement)| (Some(year), statement))
}

/// Prose stays whole, because its parts need its subject; a leading name that is known becomes the heading.
fn add_prose(draft: &mut Draft, sentence: &str, known: &BTreeSet<String>, language: Language) {
    let subject = known.iter().find(|name| {
        let rest = sentence.strip_prefix(name.as_str());
        rest.is_some_and(|rest| rest.starts_with(' ') && !rest.starts_with(" and "))
    });
    let (name, statement) = subject.map_or(("", sentence), |name| (name.as_str(), &sentence[name.len()..]));
    let nobody = BTreeSet::new();
    // In prose about people a sentence begins with a name more often than with any other uncommon word.
    let reading = Reading {
        present: &nobody,
        names: &nobody,
        begins_sentence: false,
        is_whole: true,
        is_telegram: false,
        language,
        said: None,
    };
    let group = draft.group(name);
    let manner = if sentence.ends_with(['?', '？']) {
        Manner::Question
    } else {
        Manner::Remembered
    };
    let is_closed = sentence.ends_with(['.', '!', '?', '…', '。', '！', '？']);
    let prose = if is_closed {
        sentence.to_owned()
    } else {
        format!("{sentence}.")
    };
    draft.add(group, manner, Some(prose), telegram(statement, reading));
}
