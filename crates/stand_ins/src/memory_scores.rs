//! How well a record fits some words, as simply as can be: the share of the words that it has.

use vocabulary::{Found, Record, Scores};

/// The record with its score; none where no word fits.
pub(super) fn scored(record: Record, words: &str) -> Option<Found> {
    let wanted = terms(words);
    let about = match &record {
        Record::Gem(gem) => format!("{} {} {}", gem.content, gem.person_name, gem.topics.join(" ")),
        Record::Turn(turn) => format!("{} {}", turn.speaker.name, turn.text),
    };
    let there = terms(&about);
    let matched: Vec<String> = wanted
        .iter()
        .filter(|word| there.contains(word))
        .cloned()
        .collect();
    if matched.is_empty() {
        return None;
    }
    let share = matched.len() as f64 / wanted.len() as f64;
    Some(Found {
        record,
        scores: Scores {
            total: share,
            confidence: share,
            lexical: share,
            recency: 1.0,
            importance: 1.0,
            ..Scores::default()
        },
        matched,
        through: Vec::new(),
    })
}

fn terms(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| word.len() > 2)
        .map(str::to_lowercase)
        .collect()
}
