//! Answers in words for a model to read, and as data for a program.

use std::fmt::Write;

use runtime::ports::Removed;
use serde_json::{Value, json};
use vocabulary::{Found, Gem, Record, rfc3339};

use crate::access::RecallReply;

pub(crate) fn remembered(gem: &Gem) -> (String, Value) {
    let words = format!("Remembered as gem:{}: {}", gem.gem_id, gem.content);
    (words, json!({"id": format!("gem:{}", gem.gem_id), "gem": gem}))
}

pub(crate) fn recalled(recalled: &RecallReply) -> (String, Value) {
    let mut words = if recalled.found.is_empty() {
        "Nothing known fits.".to_owned()
    } else {
        list(&recalled.found)
    };
    if recalled.below_threshold > 0 {
        let _ = write!(
            words,
            "\n({} more were too unsure to bring up.)",
            recalled.below_threshold
        );
    }
    if let Some(remark) = &recalled.remark {
        let _ = write!(words, "\n({remark})");
    }
    let data = json!({
        "memories": recalled.found.iter().map(memory).collect::<Vec<_>>(),
        "belowThreshold": recalled.below_threshold,
    });
    (words, data)
}

pub(crate) fn candidates(recalled: &RecallReply) -> (String, Value) {
    let words = if recalled.found.is_empty() {
        "Nothing was forgotten: nothing like that is known.".to_owned()
    } else {
        format!(
            "Nothing was forgotten yet. Call forget again with the id of the one that is meant:\n{}",
            list(&recalled.found)
        )
    };
    let data = json!({"candidates": recalled.found.iter().map(memory).collect::<Vec<_>>()});
    (words, data)
}

pub(crate) fn forgotten(removed: &Removed) -> (String, Value) {
    let words = match (removed.gems.len(), removed.turns.len()) {
        (0, 0) => "There was nothing to forget; it may be gone already.".to_owned(),
        (gems, turns) => format!("Forgotten for good: {}.", both(gems, turns)),
    };
    (words, json!({ "removed": removed }))
}

fn both(gems: usize, turns: usize) -> String {
    let count = |number: usize, noun: &str| match number {
        1 => format!("1 {noun}"),
        more => format!("{more} {noun}s"),
    };
    match (gems, turns) {
        (gems, 0) => count(gems, "gem"),
        (0, turns) => count(turns, "turn"),
        (gems, turns) => format!("{} and {}", count(gems, "gem"), count(turns, "turn")),
    }
}

fn list(found: &[Found]) -> String {
    let mut words = String::new();
    for (index, found) in found.iter().enumerate() {
        let separator = if index == 0 { "" } else { "\n" };
        let _ = write!(words, "{separator}{}. {}", index + 1, line(found));
    }
    words
}

fn line(found: &Found) -> String {
    let sure = format!("sure {:.2}", found.scores.confidence);
    match &found.record {
        Record::Gem(gem) => {
            let mut marks = vec![rfc3339::date(gem.valid_from)];
            marks.extend(gem.tags.iter().map(|tag| tag.name().to_owned()));
            if gem.claim {
                marks.push("a claim somebody made, not guidance".to_owned());
            }
            if !gem.is_current() {
                let until = gem.valid_until.map_or_else(String::new, rfc3339::date);
                marks.push(format!("held until {until}, not any more"));
            }
            marks.push(sure);
            format!("{} ({}) [gem:{}]", gem.content, marks.join(", "), gem.gem_id)
        }
        Record::Turn(turn) => format!(
            "{} said on {}: “{}” ({sure}) [turn:{}]",
            turn.speaker.name,
            rfc3339::date(turn.at),
            turn.text,
            turn.id
        ),
    }
}

fn memory(found: &Found) -> Value {
    let confidence = found.scores.confidence;
    match &found.record {
        Record::Gem(gem) => json!({
            "id": format!("gem:{}", gem.gem_id), "kind": "gem", "text": gem.content, "person": gem.person,
            "personName": gem.person_name, "tags": gem.tags, "importance": gem.importance,
            "since": rfc3339::format(gem.valid_from), "until": gem.valid_until.map(rfc3339::format),
            "claim": gem.claim, "confidence": confidence,
        }),
        Record::Turn(turn) => json!({
            "id": format!("turn:{}", turn.id), "kind": "turn", "text": turn.text, "person": turn.speaker.id,
            "personName": turn.speaker.name, "since": rfc3339::format(turn.at), "confidence": confidence,
        }),
    }
}
