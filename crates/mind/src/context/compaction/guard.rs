//! Is a summary one? It must be words about what was said, and name nothing that nobody said.

use std::collections::BTreeSet;

/// Openings of answers that are about the task instead of the conversation.
const NOT_A_SUMMARY: &[&str] = &[
    "summary unavailable",
    "no summary",
    "n/a",
    "i cannot",
    "i can't",
    "i can’t",
    "i'm sorry",
    "i’m sorry",
    "i am sorry",
    "sorry,",
    "as an ai",
    "unable to summar",
    "there is nothing to summar",
];
/// Words that are written with a capital without naming anybody.
const CAPITALISED: &[&str] = &[
    "i",
    "i'm",
    "i'll",
    "i've",
    "i'd",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "earlier",
    "english",
    "ok",
];

/// What a model said, as one line of prose; none if it is not a summary at all.
pub(super) fn as_summary(answer: &str) -> Option<String> {
    let after_thinking = answer.rsplit("</think>").next().unwrap_or(answer);
    let line = after_thinking.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line
        .trim_matches(|letter| letter == '"' || letter == '`')
        .trim()
        .to_owned();
    let start = line.to_lowercase();
    let refused = NOT_A_SUMMARY.iter().any(|opening| start.starts_with(opening));
    (line.chars().any(char::is_alphanumeric) && !refused).then_some(line)
}

/// Names and numbers in a summary that occur in none of its sources.
pub(super) fn inventions<'a>(summary: &str, sources: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let known: BTreeSet<String> = sources
        .into_iter()
        .flat_map(words)
        .map(|word| word.text.to_lowercase())
        .collect();
    let mut found: Vec<String> = Vec::new();
    for word in words(summary) {
        let lower = word.text.to_lowercase();
        let is_number = word.text.chars().any(|letter| letter.is_ascii_digit());
        let is_name = !word.opens_sentence
            && word.text.chars().next().is_some_and(char::is_uppercase)
            && word.text.chars().count() > 1
            && !CAPITALISED.contains(&lower.as_str());
        if (is_number || is_name) && !is_known(&lower, &known) && !found.contains(&word.text.to_owned()) {
            found.push(word.text.to_owned());
        }
    }
    found
}

/// The sentences of a summary that name nothing invented.
pub(super) fn without_inventions(summary: &str, invented: &[String]) -> String {
    let clean = |sentence: &&str| !words(sentence).any(|word| invented.iter().any(|name| name == word.text));
    sentences(summary)
        .into_iter()
        .filter(clean)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A plural or a possessive of a known word is known too.
fn is_known(lower: &str, known: &BTreeSet<String>) -> bool {
    let stem = lower
        .strip_suffix("'s")
        .or_else(|| lower.strip_suffix("’s"))
        .or_else(|| lower.strip_suffix('s'))
        .unwrap_or(lower);
    known.contains(lower) || known.contains(stem) || known.contains(&format!("{stem}s"))
}

struct Word<'a> {
    text: &'a str,
    opens_sentence: bool,
}

fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut opens_sentence = true;
    text.split(|letter: char| {
        letter.is_whitespace() || matches!(letter, '—' | '–' | '/' | '(' | ')' | '"' | '“' | '”')
    })
    .filter(|piece| !piece.is_empty())
    .flat_map(move |piece| {
        let opens = opens_sentence;
        opens_sentence = piece.ends_with(['.', '!', '?', ':', ';']);
        let bare = piece.trim_matches(|letter: char| !letter.is_alphanumeric());
        (!bare.is_empty()).then_some(Word {
            text: bare,
            opens_sentence: opens,
        })
    })
}

fn sentences(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, letter) in text.char_indices() {
        let end = at + letter.len_utf8();
        let closes = matches!(letter, '.' | '!' | '?' | ';')
            && text[end..].chars().next().is_none_or(char::is_whitespace);
        if closes {
            parts.push(text[start..end].trim());
            start = end;
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}
