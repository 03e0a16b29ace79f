//! Gems without a model: patterns over who speaks, what they say of themselves, what they promise and what is decided.
//!
//! The patterns are English, like the word lists of the summariser that works without a model; of other languages only
//! code is kept. They would rather miss something than remember what was not meant: questions, hypotheticals, jokes
//! and quotations are passed over. What they miss is still found by its own words, since the turns are kept as well.

mod clauses;
mod code;
mod rules;

use vocabulary::text::{is_plain, one_line};
use vocabulary::{AuthorKind, CapturedTurn, TurnKind, WallTime};

use self::clauses::{Clause, clauses};
use self::rules::{Finding, Fit, RULES};
use super::dates::{Lean, absolute};
use super::folding::{clip, joined, words};
use super::making::Draft;
use super::person::third_person;
use super::reading::Reading;
use super::tense;
use crate::lexicon::{spelled_number, stem, weight};

/// The name gems carry that were made without a model.
pub const OFFLINE: &str = "offline";
const REST_CHARS_MAX: usize = 240;
const TURN_CHARS_MAX: usize = 8_000;
const TOPICS_MAX: usize = 3;
const TOPIC_LETTERS_MIN: usize = 3;
const TOPIC_WEIGHT_MIN: f64 = 0.6;

/// What of the turns is worth remembering, by patterns. Whoever is spoken to by one of the `names` is no part of it.
pub fn extract(batch: &[CapturedTurn], now: WallTime, names: &[String]) -> Reading {
    let names: Vec<Vec<String>> = names.iter().map(|name| words(name)).collect();
    let mut reading = Reading::default();
    for turn in batch {
        let is_said = matches!(turn.kind, TurnKind::Typed | TurnKind::Spoken);
        if turn.speaker.kind != AuthorKind::Person || !is_said {
            continue;
        }
        for draft in drafts(turn, &names) {
            let content = draft.content.clone();
            if let Err(problem) = reading.take(draft, OFFLINE, now) {
                reading.reject(&content, problem);
            }
        }
    }
    reading
}

fn drafts<'a>(turn: &'a CapturedTurn, names: &[Vec<String>]) -> Vec<Draft<'a>> {
    let text: String = turn.text.chars().take(TURN_CHARS_MAX).collect();
    let name = shown_name(&turn.speaker.name);
    let (prose, pieces) = code::apart(&text);
    let code = pieces.into_iter().map(|piece| code::finding(&piece, &name));
    let said = clauses(&prose, names)
        .into_iter()
        .filter_map(|clause| told(&clause, &name, turn));
    said.chain(code).map(|finding| draft(finding, turn)).collect()
}

/// What a clause tells, by the first rule that fits.
fn told(clause: &Clause<'_>, name: &str, turn: &CapturedTurn) -> Option<Finding> {
    RULES.iter().find_map(|rule| {
        let end = rule.pattern.at_start(&clause.words)?;
        let taken = tense::at_the_end(&clause.pieces[..end]).unwrap_or(Lean::Future);
        let lean = if rule.is_past() { Lean::Past } else { taken };
        let dated = |pieces: &[&str]| absolute(&rest(pieces), turn.at, lean);
        let dated_rest = dated(&clause.pieces[end..]);
        let told_rest = clip(&third_person(&dated_rest, name), REST_CHARS_MAX);
        let whole = dated(&clause.pieces);
        rule.tell(&Fit {
            name,
            taken: &clause.words[..end],
            rest: &rest(&clause.pieces[end..]),
            dated_rest: &dated_rest,
            told_rest: &told_rest,
            clause: &whole,
            told: &clip(&third_person(&whole, name), REST_CHARS_MAX),
        })
    })
}

/// The end of a clause without its punctuation and its last little words.
fn rest(pieces: &[&str]) -> String {
    let trailing = [
        "btw", "tbh", "though", "too", "haha", "hehe", "ok", "okay", "anyway", "please", "thanks", "as",
        "well", "atm",
    ];
    let bare = |piece: &&str| joined(piece);
    let last = pieces
        .iter()
        .rposition(|piece| !trailing.contains(&bare(piece).as_str()));
    let kept = &pieces[..last.map_or(0, |last| last + 1)];
    let text = kept.join(" ");
    let is_end = |letter: char| letter.is_whitespace() || ".,;:!?…-–—~".contains(letter);
    text.trim_matches(is_end).to_owned()
}

fn draft(finding: Finding, turn: &CapturedTurn) -> Draft<'_> {
    Draft {
        topics: topics(&finding.content, &turn.speaker.name),
        content: finding.content,
        summary: String::new(),
        importance: finding.importance,
        tags: vec![finding.tag],
        turns: vec![turn],
        speaker: &turn.speaker,
        about: &turn.speaker,
        attribute: finding.attribute,
        standing: finding.standing,
    }
}

/// The most telling words, in their order.
fn topics(content: &str, name: &str) -> Vec<String> {
    let names = words(name);
    let is_telling = |word: &String| {
        let is_name = names
            .iter()
            .any(|name| word == name || *word == format!("{name}s"));
        let counts = word == "not" || spelled_number(word).is_some();
        let tells = weight(word, word, &stem(word), false) >= TOPIC_WEIGHT_MIN && !counts;
        tells
            && !is_name
            && word.len() >= TOPIC_LETTERS_MIN
            && !word.bytes().any(|byte| byte.is_ascii_digit())
    };
    words(content)
        .into_iter()
        .filter(is_telling)
        .take(TOPICS_MAX)
        .collect()
}

/// A name on one line.
fn shown_name(name: &str) -> String {
    let name: String = name.chars().filter(|letter| is_plain(*letter)).collect();
    match one_line(&name) {
        name if name.is_empty() => "Somebody".to_owned(),
        name => name,
    }
}

#[cfg(test)]
#[path = "offline_tests.rs"]
mod offline_tests;
