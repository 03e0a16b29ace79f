//! How well the free gate tells what is meant for Denizen, measured on real rooms whose addressees people marked.
//!
//! Each participant to whom at least three marked messages are addressed plays Denizen in turn: their messages are
//! Denizen's, their nick is its name, and every marked message of somebody else goes through the gate.

mod score;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use mind::addressing::{AddressSignal, Conversation, FollowupLimits, Heard, Identity};
use mind::admission::text::{Question, decide};
use serde::Deserialize;
use vocabulary::{PersonId, WallTime};

pub use score::Score;

/// With fewer, one message more or less would swing a player's share.
const ADDRESSED_MIN: usize = 3;
const MINUTES_A_DAY: i64 = 1_440;
const MILLISECONDS_A_MINUTE: i64 = 60_000;

/// What the benchmark found: a row for each room, and all judgements pooled.
#[derive(Debug, Clone)]
pub struct Report {
    pub rooms: Vec<Row>,
    pub pooled: Row,
}

/// The judgements of one room.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    pub room: String,
    pub players: usize,
    pub score: Score,
    pub spent: Spent,
}

/// Time spent, and on how many messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    pub deciding: Duration,
    pub observing: Duration,
    pub observed: u64,
}

/// One line of a room's file; further fields are ignored.
#[derive(Debug, Deserialize)]
struct RoomMessage {
    /// Minute of the day.
    at: i64,
    author: String,
    text: String,
    annotated: bool,
    addressees: Vec<String>,
}

struct Spoken {
    line: RoomMessage,
    author: PersonId,
    at: WallTime,
}

/// Runs every room's file through the gate.
pub fn run(files: &[PathBuf], limits: FollowupLimits) -> Result<Report> {
    ensure!(
        !files.is_empty(),
        "no rooms given: name at least one .ndjson file, one message a line"
    );
    let mut pooled = Row {
        room: "all".to_owned(),
        ..Row::default()
    };
    let mut rooms = Vec::with_capacity(files.len());
    for file in files {
        let text = fs::read_to_string(file)
            .with_context(|| format!("cannot read the room {}: check the path", file.display()))?;
        let spoken = parse(file, &text)?;
        let row = play(&room_name(file), &spoken, limits);
        pooled.add(&row);
        rooms.push(row);
    }
    Ok(Report { rooms, pooled })
}

fn room_name(file: &Path) -> String {
    file.file_stem().map_or_else(
        || file.display().to_string(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

fn parse(file: &Path, text: &str) -> Result<Vec<Spoken>> {
    let mut spoken: Vec<Spoken> = Vec::new();
    let mut day = 0;
    let mut minute_before = i64::MIN;
    for (index, json) in text.lines().enumerate() {
        if json.trim().is_empty() {
            continue;
        }
        let place = format!("{}, line {}", file.display(), index + 1);
        let line: RoomMessage = match serde_json::from_str(json) {
            Ok(line) => line,
            Err(problem) => bail!(
                "{place}: {problem}; each line must be one JSON object with at (minute of the day), author, text, \
                 annotated (true or false) and addressees (a list of authors): correct the line or remove it"
            ),
        };
        ensure!(
            (0..MINUTES_A_DAY).contains(&line.at),
            "{place}: at is {}, but a minute of the day lies between 0 and 1439: correct the line",
            line.at
        );
        // A clock that jumps back by more than half a day has passed midnight.
        if line.at < minute_before.saturating_sub(MINUTES_A_DAY / 2) {
            day += 1;
        }
        minute_before = line.at;
        spoken.push(Spoken {
            author: PersonId::from(line.author.as_str()),
            at: WallTime((day * MINUTES_A_DAY + line.at) * MILLISECONDS_A_MINUTE),
            line,
        });
    }
    ensure!(
        !spoken.is_empty(),
        "{}: the file holds no messages: give a room with at least one",
        file.display()
    );
    Ok(spoken)
}

fn play(room: &str, spoken: &[Spoken], limits: FollowupLimits) -> Row {
    let mut row = Row {
        room: room.to_owned(),
        ..Row::default()
    };
    for player in players(spoken) {
        row.players += 1;
        play_one(player, spoken, limits, &mut row);
    }
    row
}

fn players(spoken: &[Spoken]) -> Vec<&str> {
    let mut addressed: BTreeMap<&str, usize> = BTreeMap::new();
    for Spoken { line, .. } in spoken.iter().filter(|spoken| spoken.line.annotated) {
        for addressee in &line.addressees {
            *addressed.entry(addressee).or_default() += 1;
        }
    }
    addressed.retain(|_, times| *times >= ADDRESSED_MIN);
    addressed.into_keys().collect()
}

fn play_one(player: &str, spoken: &[Spoken], limits: FollowupLimits, row: &mut Row) {
    let identity = Identity::new(PersonId::from(player), player, &[]);
    let mut conversation = Conversation::default();
    for Spoken { line, author, at } in spoken {
        let heard = Heard {
            author,
            author_name: &line.author,
            by_denizen: line.author == player,
            text: &line.text,
            at: *at,
            mentions: &[],
            reply_to_author: None,
            spoken: false,
        };
        if line.annotated && !heard.by_denizen {
            let began = Instant::now();
            let admitted = is_admitted(&conversation.judge(&heard, &identity, limits));
            row.spent.deciding += began.elapsed();
            let is_addressed = line.addressees.iter().any(|addressee| addressee == player);
            row.score.count(is_addressed, admitted);
        }
        let began = Instant::now();
        conversation.observe(&heard, &identity, limits);
        row.spent.observing += began.elapsed();
        row.spent.observed += 1;
    }
}

/// The real gate in an open channel, with joining in unasked switched off: only what is addressed may pass.
pub fn is_admitted(signal: &AddressSignal) -> bool {
    let question = Question {
        signal,
        bot_in_recent_window: false,
        read_only: false,
        quiet: false,
        channel_allowed: true,
        channel_blocked: false,
        user_allowed: true,
        user_blocked: false,
        initiative_replies: false,
        eagerness: 0,
        classifier: false,
    };
    decide(&question).allow
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.players += other.players;
        self.score.add(other.score);
        self.spent.deciding += other.spent.deciding;
        self.spent.observing += other.spent.observing;
        self.spent.observed += other.spent.observed;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<24} {:>7} {:>7} {:>9} {:>6} {:>6} {:>8} {:>8} {:>9} {:>10}",
            "room",
            "players",
            "judged",
            "precision",
            "recall",
            "F1",
            "balanced",
            "admitted",
            "µs/decide",
            "µs/observe"
        )?;
        for row in self.rooms.iter().chain([&self.pooled]) {
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            room,
            players,
            score,
            spent,
        } = self;
        write!(
            f,
            "{room:<24} {players:>7} {:>7} {:>9} {:>6} {:>6} {:>8} {:>8} {:>9} {:>10}",
            score.judged(),
            fraction(score.precision()),
            fraction(score.recall()),
            fraction(score.f1()),
            fraction(score.balanced_accuracy()),
            fraction(score.admitted()),
            microseconds(spent.deciding, score.judged()),
            microseconds(spent.observing, spent.observed),
        )
    }
}

pub fn fraction(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

fn microseconds(spent: Duration, messages: u64) -> String {
    if messages == 0 {
        return "-".to_owned();
    }
    format!("{:.2}", spent.as_secs_f64() * 1e6 / messages as f64)
}

#[cfg(test)]
#[path = "admission_tests.rs"]
mod tests;
