//! Is a summary one? It must be words about what was said, and name nothing that nobody said.

use std::collections::BTreeSet;

use gist::lexicon::sentence_end;
use vocabulary::calendar;

use super::SUMMARY_CHARS_MAX;

/// Openings of answers that are about the task instead of the conversation.
const NOT_A_SUMMARY: &str = "summary unavailable|summary not available|summary is unavailable|summary: unavailable|\
    the summary is unavailable|no summary|no new summary|n/a|i cannot|i can't|i am unable|i'm unable|i'm sorry|\
    i am sorry|i apologi|sorry,|as an ai|unable to |cannot summar|error:|there is nothing to summar|nothing to summar";
/// A summary with fewer names and numbers than this may be rewritten out of recognition.
const TELLING_WORDS_MIN: usize = 8;
/// Of so many, at least one must be left.
const FORGOTTEN_SHARE: usize = 5;
const SENTENCE_ENDS: [char; 4] = ['.', '!', '?', ';'];
/// Answers that say nothing when they are all there is.
const NOTHING: &str = "none nothing null empty unavailable unknown ok okay summary";
/// Words that are written with a capital without naming anybody.
const CAPITALISED: &[&str] = &["i", "i'm", "i'll", "i've", "i'd", "earlier", "english", "ok"];

fn is_capitalised(word: &str) -> bool {
    CAPITALISED.contains(&word) || calendar::is_whole_name(word)
}

/// What a model said, as one line of prose; none if it is not a summary at all.
pub(super) fn as_summary(answer: &str) -> Option<String> {
    // Thoughts that were never finished are all there is: the answer itself did not come.
    let after_thinking = match answer.rsplit_once("</think>") {
        Some((_, rest)) => rest,
        None if answer.contains("<think>") => return None,
        None => answer,
    };
    // Models that copy lines copy their times too, which tell nothing in a summary.
    let told = after_thinking.split_whitespace().filter(|word| !is_stamp(word));
    let line = told.collect::<Vec<_>>().join(" ");
    let line = line
        .trim_matches(|letter| letter == '"' || letter == '`')
        .trim()
        .to_owned();
    let bare = line
        .trim_matches(|letter: char| !letter.is_alphanumeric())
        .to_lowercase()
        .replace('’', "'");
    let refused = NOT_A_SUMMARY.split('|').any(|opening| bare.starts_with(opening));
    let says_nothing = bare.is_empty() || NOTHING.split(' ').any(|word| word == bare);
    (!refused && !says_nothing).then_some(line)
}

/// `[12:03]`, as it stands before a line of transcript.
fn is_stamp(word: &str) -> bool {
    let inner = word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|time| {
        time.contains(':')
            && time
                .chars()
                .all(|letter| letter.is_ascii_digit() || letter == ':')
    })
}

/// Whether a summary with room to spare has lost nearly all the names and numbers of the one before it.
pub(super) fn forgets(summary: &str, previous: &str) -> bool {
    let before = telling(previous);
    let kept = telling(summary).intersection(&before).count();
    before.len() >= TELLING_WORDS_MIN
        && summary.chars().count() < SUMMARY_CHARS_MAX / 2
        && kept * FORGOTTEN_SHARE < before.len()
}

/// Names and numbers, wherever they stand.
fn telling(text: &str) -> BTreeSet<String> {
    let telling = words(text).filter(|word| {
        word.text
            .starts_with(|letter: char| letter.is_uppercase() || letter.is_numeric())
    });
    telling
        .map(|word| stem(&word.text.to_lowercase()).to_owned())
        .filter(|word| !is_capitalised(word))
        .collect()
}

/// The text without a last sentence that was cut off in the middle, unless that is all there is.
pub(super) fn without_torn_end(text: &str) -> &str {
    match sentences(text)[..] {
        [.., _, torn] if !torn.ends_with(SENTENCE_ENDS) => {
            text.trim_end().strip_suffix(torn).unwrap_or(text).trim_end()
        }
        _ => text,
    }
}

/// Names and numbers in a summary that occur in none of its sources.
pub(super) fn inventions<'a>(summary: &str, sources: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    for word in sources.into_iter().flat_map(words) {
        know(word.text.to_lowercase(), &mut known);
    }
    known.sort_unstable();
    known.dedup();
    let mut found: Vec<String> = Vec::new();
    for word in words(summary) {
        let lower = word.text.to_lowercase();
        let is_number = word.text.chars().any(|letter| letter.is_ascii_digit());
        let is_name = !word.opens_sentence
            && word.text.chars().next().is_some_and(char::is_uppercase)
            && word.text.chars().count() > 1
            && !is_capitalised(&lower);
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

/// A plural or a possessive of a known word is known too, and so is a compound of known words.
fn is_known(lower: &str, known: &[String]) -> bool {
    let holds = |word: &str| known.binary_search_by(|known| known.as_str().cmp(word)).is_ok();
    let is_known = |word: &str| holds(word) || holds(stem(word));
    is_known(lower) || pieces(stem(lower)).all(is_known)
}

/// Notes a word, its stem, and the words it is made of; half of a number is no number of its own.
fn know(lower: String, known: &mut Vec<String>) {
    let stem = stem(&lower);
    if stem.len() < lower.len() {
        known.push(stem.to_owned());
    }
    if !lower.chars().all(char::is_alphanumeric) {
        let words_in_it =
            pieces(&lower).filter(|piece| !piece.contains(|letter: char| letter.is_ascii_digit()));
        known.extend(words_in_it.map(str::to_owned));
    }
    known.push(lower);
}

fn pieces(word: &str) -> impl Iterator<Item = &str> {
    word.split(|letter: char| !letter.is_alphanumeric())
        .filter(|piece| !piece.is_empty())
}

fn stem(lower: &str) -> &str {
    let endings = ["'s", "’s", "s"];
    endings
        .iter()
        .find_map(|ending| lower.strip_suffix(ending))
        .unwrap_or(lower)
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
        let is_pause = letter == ';' && text[at + 1..].starts_with(char::is_whitespace);
        let end = is_pause.then_some(at + 1).or_else(|| sentence_end(text, at));
        if let Some(end) = end.filter(|end| *end > start) {
            parts.push(text[start..end].trim());
            start = end;
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}
