//! What would have differed, in words: as it was, and with these settings.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use runtime::replay::{
    Difference, ScreenDecisions, ScreenDifference, SpokenOver, ThoughtDecisions, VoiceStays,
    VoiceThoughtDecisions,
};
use vocabulary::MessageId;
use vocabulary::text::{counted, plain_line};

use super::TEXT_CHARS_MAX;
use crate::command::colour::Colour;

/// Messages, typed or said aloud.
pub fn messages(differences: &[Difference], said: &BTreeMap<&MessageId, String>) -> String {
    let count = |changed: bool| {
        let like = differences.iter().filter(|one| one.changes_outcome() == changed);
        like.count()
    };
    let (changed, otherwise) = (count(true), count(false));
    let changed_words = match changed {
        0 => "No message".to_owned(),
        changed => counted(changed, "message"),
    };
    let others = match otherwise {
        0 => String::new(),
        others => format!(
            ", and {} to the same for another reason",
            counted(others, "message")
        ),
    };
    let mut told = format!("{changed_words} would have come to something else{others}:\n\n");
    for (place, difference) in differences.iter().enumerate() {
        let Difference {
            message,
            before,
            after,
            ..
        } = difference;
        // What comes to something else stands first.
        if place == changed && changed > 0 {
            told.push_str("\nThe same, for another reason:\n\n");
        }
        let words = said
            .get(message)
            .map_or_else(|| message.to_string(), String::clone);
        let words = format!("{}  ({message})", Colour::of_stdout().bold(&words));
        let both = |fate: &runtime::replay::Fate| (fate.outcome.clone(), fate.admission.clone());
        side_by_side(&mut told, &words, &both(before), &both(after));
    }
    told
}

/// One that fared otherwise, in three lines.
fn side_by_side(told: &mut String, what: &str, before: &(String, String), after: &(String, String)) {
    let line = |name: &str, outcome: &str, width: usize, admission: &str| {
        let pad = " ".repeat(44_usize.saturating_sub(width));
        format!("    {name:<21} {outcome}{pad} {admission}")
            .trim_end()
            .to_owned()
    };
    let changed = Colour::of_stdout().changed(or_nothing(&after.0));
    let width = or_nothing(&after.0).chars().count();
    let before_width = or_nothing(&before.0).chars().count();
    let _ = writeln!(
        told,
        "{what}\n{}\n{}",
        line("as it was", or_nothing(&before.0), before_width, &before.1),
        line("with these settings", &changed, width, &after.1)
    );
}

fn or_nothing(word: &str) -> &str {
    if word.is_empty() { "–" } else { word }
}

/// Rooms in whose voice it would have been otherwise.
pub fn stays(differences: &[VoiceStays]) -> Option<String> {
    if differences.is_empty() {
        return None;
    }
    let mut told = "In the voice of rooms:\n\n".to_owned();
    for VoiceStays { room, before, after } in differences {
        let only = |word: &String| (word.clone(), String::new());
        side_by_side(&mut told, room.as_str(), &only(before), &only(after));
    }
    Some(told)
}

/// Those who spoke while it did.
pub fn spoken_over(differences: &[SpokenOver]) -> Option<String> {
    if differences.is_empty() {
        return None;
    }
    let mut told = "Who spoke while it did:\n\n".to_owned();
    for over in differences {
        let name = over.name.clone().unwrap_or_else(|| over.person.to_string());
        let words = match &over.words {
            Some(words) => format!(": “{}”", plain_line(words, TEXT_CHARS_MAX)),
            None => ", and was not understood".to_owned(),
        };
        let what = Colour::of_stdout().bold(&format!("{name} in {}{words}", over.room));
        let only = |word: &str| match word {
            "" => ("it was not heard then".to_owned(), String::new()),
            word => (word.to_owned(), String::new()),
        };
        side_by_side(&mut told, &what, &only(&over.before), &only(&over.after));
    }
    Some(told)
}

/// Thoughts of its own that are said aloud.
pub fn voice_thoughts(before: &VoiceThoughtDecisions, after: &VoiceThoughtDecisions) -> Option<String> {
    if before == after {
        return None;
    }
    let mut told = heading("Thoughts of its own, aloud:");
    let mut count = |what: &str, before: u64, after: u64| row(&mut told, what, &before, &after);
    count("looked for or at a thought", before.thoughts, after.thoughts);
    count("said", before.said.len() as u64, after.said.len() as u64);
    count("held", before.held, after.held);
    count("dropped", before.dropped, after.dropped);
    count("overtaken by the room", before.overtaken, after.overtaken);
    count("failed", before.failed, after.failed);
    if before.not_known + after.not_known > 0 {
        count("a model's answer is not known", before.not_known, after.not_known);
    }
    gates(&mut told, "silences", &before.stopped, &after.stopped);
    let only = |one: &VoiceThoughtDecisions, other: &VoiceThoughtDecisions, when: &str| -> String {
        let lost = one.said.iter().filter(|words| !other.said.contains(words));
        lost.map(|words| format!("said {when} only: “{}”\n", plain_line(words, TEXT_CHARS_MAX)))
            .collect()
    };
    told.push_str(&only(before, after, "as it was"));
    told.push_str(&only(after, before, "with these settings"));
    Some(told)
}

/// Frames of shared screens.
pub fn frames(differences: &[ScreenDifference], before: ScreenDecisions, after: ScreenDecisions) -> String {
    let mut told = heading("On shared screens:");
    let mut count = |what: &str, before: usize, after: usize| row(&mut told, what, &before, &after);
    count("notes asked for", before.notes, after.notes);
    count("comments considered", before.considered, after.considered);
    count("comments made", before.comments, after.comments);
    told.push('\n');
    for difference in differences {
        let what = format!("{}, frame {}", difference.room, difference.frame);
        row(
            &mut told,
            &what,
            &or_nothing(&difference.before),
            &or_nothing(&difference.after),
        );
    }
    told
}

/// Thoughts of its own that are written.
pub fn thoughts(before: &ThoughtDecisions, after: &ThoughtDecisions) -> String {
    let mut told = heading("Thoughts of its own:");
    let mut count = |what: &str, before: u64, after: u64| row(&mut told, what, &before, &after);
    count("looked for or at a thought", before.thoughts, after.thoughts);
    count("posted", before.posted, after.posted);
    count("held", before.held, after.held);
    count("dropped", before.dropped, after.dropped);
    count("failed", before.failed, after.failed);
    gates(&mut told, "minutes", &before.stopped, &after.stopped);
    told
}

fn heading(what: &str) -> String {
    format!("{what}\n\n{:<38} {:<52} with these settings\n", "", "as it was")
}

fn row(told: &mut String, what: &str, before: &dyn std::fmt::Display, after: &dyn std::fmt::Display) {
    let _ = writeln!(told, "{what:<38} {:<52} {after}", before.to_string());
}

/// How often each gate stopped it.
fn gates(
    told: &mut String,
    what: &str,
    before: &BTreeMap<&'static str, u64>,
    after: &BTreeMap<&'static str, u64>,
) {
    let gates: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    let of =
        |stopped: &BTreeMap<&'static str, u64>, gate: &str| stopped.get(gate).copied().unwrap_or_default();
    for gate in gates {
        row(
            told,
            &format!("{what} stopped by {gate}"),
            &of(before, gate),
            &of(after, gate),
        );
    }
}
