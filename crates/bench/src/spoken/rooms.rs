//! The rooms that are read aloud: those of the questions to models, and some in which words sound like the name.

use std::path::Path;

use anyhow::Context;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::chat::question::{Kind, Question, read_questions};

/// What Denizen is called in all of them.
pub const NAME: &str = "Denizen";
/// Rooms in which another language is spoken; the local ears know English.
const NOT_ENGLISH: [&str; 6] = [
    "recent-28",
    "summary-27",
    "facts-27",
    "tool-26",
    "tool-27",
    "silent-32",
];

/// Which rooms: those that rules were looked at with, or those that were kept for the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Half {
    Tune,
    Judge,
}

impl Half {
    /// For a table.
    pub fn words(self) -> &'static str {
        match self {
            Half::Tune => "rooms for tuning",
            Half::Judge => "rooms for judging",
        }
    }
}

/// Some people's talk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    pub id: String,
    pub half: Half,
    pub lines: Vec<Line>,
}

/// What somebody says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub by: String,
    pub says: String,
    /// Whether it is said to Denizen; none: there is no telling, or it is Denizen's own.
    #[serde(default)]
    pub meant: Option<bool>,
}

/// A line of the file of rooms that are only for the ear.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: String,
    half: Half,
    lines: Vec<Line>,
}

/// All rooms of a folder with `rooms.jsonl`, `other-rooms.jsonl` and `spoken-rooms.jsonl`.
pub fn read_rooms(folder: &Path) -> anyhow::Result<Vec<Room>> {
    let mut rooms = Vec::new();
    for (file, half) in [("rooms.jsonl", Half::Tune), ("other-rooms.jsonl", Half::Judge)] {
        let questions = read_questions(&folder.join(file))?;
        for (number, question) in questions.iter().enumerate() {
            let is_english = !NOT_ENGLISH.contains(&question.id.as_str());
            // Many for tuning differ only in what is asked; every second of them will do.
            let is_alike = half == Half::Tune && !matches!(question.kind, Kind::Recent | Kind::Silent);
            if is_english && !(is_alike && number % 2 == 1) {
                rooms.push(of_question(question, half));
            }
        }
    }
    let file = folder.join("spoken-rooms.jsonl");
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read the rooms {}: check the path", file.display()))?;
    for (number, line) in text.lines().enumerate() {
        let Written { id, half, lines } = serde_json::from_str(line)
            .with_context(|| format!("line {} of {} is no room", number + 1, file.display()))?;
        rooms.push(Room { id, half, lines });
    }
    Ok(rooms)
}

/// The room of a question: what is said before it, and the question itself.
fn of_question(question: &Question, half: Half) -> Room {
    let mut lines: Vec<Line> = Vec::new();
    for written in &question.before {
        let (by, says) = written.split_once(": ").unwrap_or(("somebody", written));
        // "thanks", right after an answer: it may be for Denizen, and wants no answer.
        let thanks = lines.len() > 1
            && lines[lines.len() - 1].by == NAME
            && lines[lines.len() - 2].by == by
            && !says.contains(NAME);
        lines.push(Line {
            by: by.to_owned(),
            says: says.to_owned(),
            meant: (by != NAME && !thanks).then(|| says.contains(NAME)),
        });
    }
    lines.push(Line {
        by: question.author.clone(),
        says: question.question.clone(),
        meant: Some(question.kind != Kind::Silent),
    });
    Room {
        id: question.id.clone(),
        half,
        lines,
    }
}
