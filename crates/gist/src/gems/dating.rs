//! The dates of a gem that a model wrote: relative ones become absolute, and one that does not follow from what was
//! said is set right where that is plain. Small models copy "next Friday", or count wrongly.

use std::collections::BTreeSet;

use vocabulary::{CapturedTurn, calendar, rfc3339};

use super::dates::{Lean, absolute};
use super::folding::{each_word, joined};
use super::tense;

const DATE_CHARS: usize = 10;
/// The content with its dates made absolute, counted from the newest turn it comes from; or the date that nobody gave.
pub(super) fn dated(content: &str, turns: &[&CapturedTurn]) -> Result<String, String> {
    let Some(newest) = turns.iter().max_by_key(|turn| (turn.at, turn.number)) else {
        return Ok(content.to_owned());
    };
    let lean = lean(turns).unwrap_or(Lean::Future);
    // A weekday beside a date only explains it.
    let content = if names_month(content) || !dates(content).is_empty() {
        content.to_owned()
    } else {
        absolute(content, newest.at, lean)
    };
    let Some(given) = Given::by(turns, lean) else {
        return Ok(content);
    };
    let told = dates(&content);
    let tells_a_given_one = told.iter().any(|date| given.either_way.contains(date));
    let said_on: BTreeSet<String> = turns.iter().map(|turn| rfc3339::date(turn.at)).collect();
    let follows =
        |date: &String| given.either_way.contains(date) || (said_on.contains(date) && tells_a_given_one);
    let is_wrong = |date: &&String| !follows(date);
    let wrong: Vec<&String> = told.iter().filter(is_wrong).collect();
    match (&wrong[..], given.likely.first()) {
        ([], _) => Ok(content),
        ([date], Some(right)) if given.likely.len() == 1 && !tells_a_given_one => {
            Ok(content.replace(date.as_str(), right))
        }
        // When it was said is no invention, only no answer.
        ([date, ..], _) if said_on.contains(*date) => Ok(content),
        ([date, ..], _) => Err((*date).clone()),
    }
}

/// The days that the relative dates of some turns mean.
struct Given {
    /// Whether a plain weekday is ahead or past, where its sentence does not tell.
    either_way: BTreeSet<String>,
    likely: BTreeSet<String>,
}

impl Given {
    /// None where the turns give dates in another way too, or none at all: then nothing can be said about others.
    fn by(turns: &[&CapturedTurn], lean: Lean) -> Option<Self> {
        let mut given = Given {
            either_way: BTreeSet::new(),
            likely: BTreeSet::new(),
        };
        for turn in turns {
            if names_month(&turn.text) || !dates(&turn.text).is_empty() {
                return None;
            }
            for way in [Lean::Past, Lean::Future] {
                let resolved = absolute(&turn.text, turn.at, way);
                let of_period = ["week of ", "weekend of ", "in 20"];
                if of_period.iter().any(|words| resolved.contains(words)) || names_month(&resolved) {
                    return None;
                }
                let found = dates(&resolved);
                if way == lean {
                    given.likely.extend(found.iter().cloned());
                }
                given.either_way.extend(found);
            }
        }
        (!given.either_way.is_empty()).then_some(given)
    }
}

fn names_month(text: &str) -> bool {
    let mut names = false;
    each_word(text, |word| names = names || calendar::month(word).is_some());
    names
}

/// The dates such as 2026-02-23 that stand in a text.
fn dates(text: &str) -> BTreeSet<String> {
    text.split(|letter: char| !letter.is_ascii_digit() && letter != '-')
        .map(|piece| piece.trim_matches('-'))
        .filter(|piece| piece.len() == DATE_CHARS && rfc3339::parse(piece).is_some())
        .map(str::to_owned)
        .collect()
}

/// Which way the turns look where they name a weekday.
fn lean(turns: &[&CapturedTurn]) -> Option<Lean> {
    turns.iter().find_map(|turn| {
        let pieces: Vec<&str> = turn.text.split_whitespace().collect();
        let is_weekday = |piece: &&str| calendar::WEEKDAYS.contains(&joined(piece).as_str());
        let at = pieces.iter().position(is_weekday)?;
        tense::around(&pieces, at..at + 1)
    })
}

#[cfg(test)]
#[path = "dating_tests.rs"]
mod dating_tests;
