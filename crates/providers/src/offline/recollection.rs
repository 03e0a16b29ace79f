//! What the request says is remembered: dated facts about the people at hand, and others that may fit.

use vocabulary::ModelRequest;

use super::transcript::{Speaker, Utterance};
use super::words::all_words;

/// The parts of a request that hold memories.
const SECTIONS: [&str; 2] = ["user_facts", "relevant_facts"];

/// Something remembered, as it stands in the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    /// The day it was said on.
    pub(super) on: String,
    pub(super) text: String,
}

/// The facts of a request, and the messages of other days among them.
pub(super) fn read(request: &ModelRequest) -> (Vec<Fact>, Vec<Utterance>) {
    let sections = request.sections.iter();
    let told = sections.filter(|section| SECTIONS.contains(&section.name.as_str()));
    let (mut facts, mut lines) = (Vec::new(), Vec::new());
    for line in told.flat_map(|section| section.text.lines()) {
        let Some((stamp, text)) = line.strip_prefix('(').and_then(|rest| rest.split_once(") ")) else {
            continue;
        };
        let (on, remark) = stamp.split_once(", ").unwrap_or((stamp, ""));
        // What somebody merely claims answers nothing.
        if remark.contains("claim") {
            continue;
        }
        match text.split_once(" said: \"") {
            Some((name, words)) => lines.push(Utterance {
                who: Speaker::Person(name.to_owned()),
                at: on.to_owned(),
                text: words.trim_end_matches('"').to_owned(),
            }),
            None => facts.push(Fact {
                on: on.to_owned(),
                text: text.to_owned(),
            }),
        }
    }
    (facts, lines)
}

impl Fact {
    /// The fact as it is told to somebody: what is said of them by name is said to them.
    pub(super) fn told_to(&self, name: &str) -> String {
        let text = self.text.trim_end_matches('.');
        let first = all_words(name).into_iter().next().unwrap_or_default();
        if first.is_empty() {
            return text.to_owned();
        }
        let text = match text.strip_prefix(name) {
            // A name of several words is spoken of as a whole, mostly at the beginning.
            Some(rest) if name.contains(' ') => format!("{first}{rest}"),
            _ => text.to_owned(),
        };
        let mut told: Vec<String> = Vec::new();
        let mut after_name = false;
        for piece in text.split_whitespace() {
            let core = piece.trim_matches(|letter: char| !letter.is_alphanumeric());
            let (head, tail) = piece.split_once(core).unwrap_or(("", ""));
            let lower = core.to_lowercase().replace('’', "'");
            let was_after_name = std::mem::take(&mut after_name);
            let said = match lower.strip_suffix("'s") {
                Some(owner) if owner == first => "your".to_owned(),
                _ if lower == first => {
                    after_name = true;
                    "you".to_owned()
                }
                _ if was_after_name && ADVERBS.contains(&lower.as_str()) => {
                    after_name = true;
                    core.to_owned()
                }
                _ if was_after_name => second_person(core),
                _ => core.to_owned(),
            };
            told.push(format!("{head}{said}{tail}"));
        }
        told.join(" ")
    }
}

const ADVERBS: [&str; 8] = [
    "also", "always", "just", "never", "often", "only", "really", "still",
];
/// Words in -s that are no verbs of one person.
const UNCHANGED: [&str; 4] = ["as", "was", "its", "this"];

/// "likes" to "like", "is" to "are".
fn second_person(verb: &str) -> String {
    match verb {
        "is" => return "are".to_owned(),
        "was" => return "were".to_owned(),
        "has" => return "have".to_owned(),
        "does" => return "do".to_owned(),
        "goes" => return "go".to_owned(),
        _ if UNCHANGED.contains(&verb) => return verb.to_owned(),
        _ => {}
    }
    let stem = verb.strip_suffix("ies").filter(|stem| stem.len() > 1);
    if let Some(stem) = stem {
        return format!("{stem}y");
    }
    let hissing = ["shes", "ches", "sses", "xes", "zzes"];
    if hissing.iter().any(|ending| verb.ends_with(ending)) {
        return verb[..verb.len() - 2].to_owned();
    }
    match verb.strip_suffix('s') {
        Some(stem) if !stem.ends_with('s') => stem.to_owned(),
        _ => verb.to_owned(),
    }
}

#[cfg(test)]
#[path = "recollection_tests.rs"]
mod recollection_tests;
