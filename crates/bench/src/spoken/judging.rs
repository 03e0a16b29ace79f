//! `denizen-bench spoken FILE`: how well it is told who is meant, by what was said and by what ears understood of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use mind::addressing::{Conversation, FollowupLimits, Heard, Identity, NameCue};
use mind::admission::VoiceAdmissionReason;
use vocabulary::{PersonId, Span, WallTime};

use super::heard::{HeardLine, HeardRoom, read};
use super::listener::Listener;
use super::rooms::{Half, NAME};
use super::words::{WordErrors, words};
use crate::admission::{Score, fraction, is_admitted};

#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Transcripts, one reading of a room a line.
    #[arg(default_value = "crates/bench/spoken/heard.jsonl")]
    file: PathBuf,
}

/// Which words of a line are gone by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    Said,
    Heard,
}

impl Words {
    fn of(self, line: &HeardLine) -> &str {
        match self {
            Words::Said => &line.said,
            Words::Heard => &line.heard,
        }
    }
}

/// What came of judging rooms.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    score: Score,
    /// The same where a classifier takes something that sounds like the name for the name.
    with_cue: Score,
    /// Lines that a classifier would be asked about, and how many of them were meant.
    asked: u64,
    asked_and_meant: u64,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let rooms = read(&options.file)?;
    let file = options.file.with_file_name("spellings.json");
    let spellings: Vec<String> = match std::fs::read_to_string(&file) {
        Ok(text) => serde_json::from_str(&text).with_context(|| format!("{} is no list", file.display()))?,
        Err(_) => Vec::new(),
    };
    println!(
        "learnt from the Piper voice alone, the ears write the name also as: {}",
        spellings.join(", ")
    );
    for half in [Half::Tune, Half::Judge] {
        let rooms: Vec<&HeardRoom> = rooms.iter().filter(|room| room.half == half).collect();
        print_half(half, &rooms, &spellings);
    }
    Ok(())
}

fn print_half(half: Half, rooms: &[&HeardRoom], spellings: &[String]) {
    let lines: Vec<&HeardLine> = rooms
        .iter()
        .flat_map(|room| &room.lines)
        .filter(|line| !line.voice.is_empty())
        .collect();
    let meant = lines.iter().filter(|line| line.meant == Some(true)).count();
    println!(
        "{}: {} readings, {} lines, {meant} of them said to Denizen",
        half.words(),
        rooms.len(),
        lines.len()
    );
    println!(
        "  {:<46} {:>9} {:>6} {:>5} {:>6}   left to a classifier",
        "", "precision", "recall", "F1", "wrong"
    );
    for (what, gone_by) in [("as it was said", Words::Said), ("as it was heard", Words::Heard)] {
        row(&format!("text gate, {what}"), &text_gate(rooms, gone_by), None);
    }
    for (what, gone_by) in [("as it was said", Words::Said), ("as it was heard", Words::Heard)] {
        let tally = voice_gate(rooms, gone_by, &[]);
        let asked = format!("{}, of which {} meant", tally.asked, tally.asked_and_meant);
        row(&format!("voice gate, {what}"), &tally.score, Some(&asked));
        if gone_by == Words::Heard {
            row("… and a classifier that goes by the sound", &tally.with_cue, None);
        }
    }
    let learnt = voice_gate(rooms, Words::Heard, spellings);
    let asked = format!("{}, of which {} meant", learnt.asked, learnt.asked_and_meant);
    row(
        "voice gate, as it was heard, spellings learnt",
        &learnt.score,
        Some(&asked),
    );
    row(
        "… and a classifier that goes by the sound",
        &learnt.with_cue,
        None,
    );
    print_name(&lines);
    print_errors(&lines);
}

fn row(what: &str, score: &Score, asked: Option<&str>) {
    println!(
        "  {what:<46} {:>9} {:>6} {:>5} {:>6}   {}",
        fraction(score.precision()),
        fraction(score.recall()),
        fraction(score.f1()),
        score.wrongly_admitted,
        asked.unwrap_or_default()
    );
}

/// The gate of text rooms on the same lines.
fn text_gate(rooms: &[&HeardRoom], gone_by: Words) -> Score {
    let mut score = Score::default();
    let limits = FollowupLimits::default();
    let identity = Identity::new(PersonId::from("denizen"), NAME, &[]);
    for room in rooms {
        let mut conversation = Conversation::default();
        for (number, line) in room.lines.iter().enumerate() {
            let author = PersonId::from(line.by.as_str());
            let heard = Heard {
                author: &author,
                author_name: &line.by,
                by_denizen: line.by == NAME,
                text: gone_by.of(line),
                at: WallTime(number as i64 * 20_000),
                mentions: &[],
                reply_to_author: None,
                spoken: false,
            };
            if let Some(meant) = line.meant {
                score.count(meant, is_admitted(&conversation.judge(&heard, &identity, limits)));
            }
            conversation.observe(&heard, &identity, limits);
        }
    }
    score
}

/// The gate of voice, in the real mind.
fn voice_gate(rooms: &[&HeardRoom], gone_by: Words, spellings: &[String]) -> Tally {
    let mut tally = Tally::default();
    for room in rooms {
        let people: BTreeSet<&str> = room.lines.iter().map(|line| line.by.as_str()).collect();
        let people = people.into_iter().filter(|name| *name != NAME);
        let mut listener = Listener::new(people, spellings);
        for (number, line) in room.lines.iter().enumerate() {
            // What Denizen says follows from what it is asked.
            if line.by == NAME {
                continue;
            }
            let next = room.lines.get(number + 1).filter(|next| next.by == NAME);
            let answer = next.map_or("All right.", |next| next.said.as_str());
            let spoken = Span(line.milliseconds);
            let verdict = listener.hear(&line.by, gone_by.of(line), spoken, answer);
            let Some(meant) = line.meant else { continue };
            let allow = verdict.is_some_and(|verdict| verdict.allow);
            let is_asked = |reason| reason == VoiceAdmissionReason::ClassifierDisabled;
            let asked = verdict.filter(|verdict| is_asked(verdict.reason));
            tally.score.count(meant, allow);
            tally
                .with_cue
                .count(meant, allow || asked.is_some_and(|verdict| verdict.near_name));
            tally.asked += u64::from(asked.is_some());
            tally.asked_and_meant += u64::from(asked.is_some() && meant);
        }
    }
    tally
}

/// What became of the name.
fn print_name(lines: &[&HeardLine]) {
    let has_name = |text: &str| words(text).iter().any(|word| word == &NAME.to_lowercase());
    let identity = Identity::new(PersonId::from("denizen"), NAME, &[]);
    let with_name: Vec<_> = lines.iter().filter(|line| has_name(&line.said)).collect();
    let kept = with_name.iter().filter(|line| has_name(&line.heard)).count();
    let near = with_name
        .iter()
        .filter(|line| !has_name(&line.heard) && NameCue::of(&line.heard, &identity).near);
    let without: Vec<_> = lines.iter().filter(|line| !has_name(&line.said)).collect();
    let false_near = without
        .iter()
        .filter(|line| NameCue::of(&line.heard, &identity).near);
    println!(
        "  the name: said in {} lines, {kept} of them heard with it and {} with something that sounds like it; \
         {} of {} lines without it have something that does",
        with_name.len(),
        near.count(),
        false_near.count(),
        without.len()
    );
}

/// Word errors, by the makers of the voices.
fn print_errors(lines: &[&HeardLine]) {
    let mut by_maker: BTreeMap<&str, WordErrors> = BTreeMap::new();
    for line in lines {
        let maker = line.voice.split(':').next().unwrap_or_default();
        by_maker
            .entry(maker)
            .or_default()
            .add(WordErrors::of(&line.said, &line.heard));
    }
    let shown: Vec<String> = by_maker
        .iter()
        .map(|(maker, errors)| format!("{maker} {:.1} % of {}", errors.percent(), errors.said))
        .collect();
    println!("  words understood wrongly: {}", shown.join(", "));
}
