//! How well the free gate tells what is meant for Denizen, measured on real rooms whose addressees people marked.
//!
//! Each participant to whom at least three marked messages are addressed plays Denizen in turn: their messages are
//! Denizen's, their nick is its name, and every marked message of somebody else goes through the gate.

pub mod bootstrap;
mod room;
mod score;
mod table;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;
use mind::addressing::{AddressSignal, Conversation, FollowupLimits, Identity};
use mind::admission::text::{Question, decide};
use vocabulary::PersonId;

use bootstrap::{Interval, difference, interval};
use room::{Spoken, players, read};
pub use score::Score;

#[derive(Debug, Clone, Args)]
pub struct Options {
    /// One file a room.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// From which score on a line that calls nobody counts as meant (`addressing.scoreThreshold`).
    #[arg(long)]
    least: Option<u64>,
    /// Write what the cues of each line are, and whether it was meant, into this file: what is learnt from.
    #[arg(long)]
    cues: Option<PathBuf>,
}

/// A way to judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    words: &'static str,
    /// Cues are weighed; or the rules alone decide.
    weighs: bool,
    /// Denizen knows whom its own lines are for, as it does in rooms of its own; or goes by their words.
    told: bool,
}

const WAYS: [Way; 4] = [
    Way {
        words: "rules alone",
        weighs: false,
        told: false,
    },
    Way {
        words: "with the score",
        weighs: true,
        told: false,
    },
    Way {
        words: "rules alone, told whom its own lines are for",
        weighs: false,
        told: true,
    },
    Way {
        words: "with the score, told whom its own lines are for",
        weighs: true,
        told: true,
    },
];

/// What the benchmark found: a row for each room, with the score and told nothing, and all judgements pooled for each way.
#[derive(Debug, Clone)]
pub struct Report {
    pub rooms: Vec<Row>,
    pub pooled: Row,
    ways: Vec<(Way, Vec<Row>)>,
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

/// Measures, or writes down what is learnt from.
pub fn bench(options: &Options) -> Result<()> {
    let limits = FollowupLimits::default();
    if let Some(out) = &options.cues {
        return table::write(&options.files, out, limits);
    }
    let least_score = options.least.or(limits.least_score);
    let limits = FollowupLimits {
        least_score,
        ..limits
    };
    print!("{}", run(&options.files, limits)?);
    Ok(())
}

/// Runs every room's file through the gate.
pub fn run(files: &[PathBuf], limits: FollowupLimits) -> Result<Report> {
    ensure!(
        !files.is_empty(),
        "no rooms given: name at least one .ndjson file, one message a line"
    );
    let mut ways: Vec<(Way, Vec<Row>)> = WAYS.map(|way| (way, Vec::new())).to_vec();
    for file in files {
        let spoken = read(file)?;
        for (way, rows) in &mut ways {
            rows.push(play(&room_name(file), &spoken, limits, *way));
        }
    }
    let rooms = ways[1].1.clone();
    Ok(Report {
        pooled: Row::pooled(&rooms),
        rooms,
        ways,
    })
}

fn room_name(file: &Path) -> String {
    file.file_stem().map_or_else(
        || file.display().to_string(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

fn play(room: &str, spoken: &[Spoken], limits: FollowupLimits, way: Way) -> Row {
    let mut row = Row {
        room: room.to_owned(),
        ..Row::default()
    };
    let limits = FollowupLimits {
        least_score: limits.least_score.filter(|_| way.weighs),
        ..limits
    };
    for player in players(spoken) {
        row.players += 1;
        play_one(player, spoken, limits, way, &mut row);
    }
    row
}

fn play_one(player: &str, spoken: &[Spoken], limits: FollowupLimits, way: Way, row: &mut Row) {
    let identity = Identity::new(PersonId::from(player), player, &[]);
    let mut conversation = Conversation::default();
    for message in spoken {
        let heard = message.heard(player, way.told);
        if message.line.annotated && !heard.by_denizen {
            let began = Instant::now();
            let admitted = is_admitted(&conversation.judge(&heard, &identity, limits));
            row.spent.deciding += began.elapsed();
            row.score.count(message.to.contains(&identity.id), admitted);
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
    fn pooled(rows: &[Row]) -> Self {
        let mut pooled = Row {
            room: "all".to_owned(),
            ..Row::default()
        };
        for row in rows {
            pooled.add(row);
        }
        pooled
    }

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
        writeln!(
            f,
            "\n{:<48} {:>9} {:>6} {:>5} {:>15} {:>8} {:>15} {:>9}",
            "way", "precision", "recall", "F1", "95 %", "balanced", "95 %", "µs/decide"
        )?;
        for (way, rows) in &self.ways {
            let pooled = Row::pooled(rows);
            let scores: Vec<Score> = rows.iter().map(|row| row.score).collect();
            writeln!(
                f,
                "{:<48} {:>9} {:>6} {:>5} {:>15} {:>8} {:>15} {:>9}",
                way.words,
                fraction(pooled.score.precision()),
                fraction(pooled.score.recall()),
                fraction(pooled.score.f1()),
                shown(interval(&scores, Score::f1)),
                fraction(pooled.score.balanced_accuracy()),
                shown(interval(&scores, Score::balanced_accuracy)),
                microseconds(pooled.spent.deciding, pooled.score.judged()),
            )?;
        }
        for told in [false, true] {
            self.compare(told, f)?;
        }
        Ok(())
    }
}

impl Report {
    /// What the score brings over the rules alone in the same rooms, and what it costs.
    fn compare(&self, told: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |weighs: bool| {
            let found = self
                .ways
                .iter()
                .find(|(way, _)| way.told == told && way.weighs == weighs);
            found.map_or(&[][..], |(_, rows)| rows.as_slice())
        };
        let pairs: Vec<(Score, Score)> = (of(false).iter().zip(of(true)))
            .map(|(rules, score)| (rules.score, score.score))
            .collect();
        let time = |weighs: bool| Row::pooled(of(weighs)).spent.deciding.as_secs_f64();
        let better = pairs
            .iter()
            .filter(|(rules, score)| score.f1() > rules.f1())
            .count();
        let worse = pairs
            .iter()
            .filter(|(rules, score)| score.f1() < rules.f1())
            .count();
        writeln!(
            f,
            "the score over the rules{}: F1 {} (95 % over rooms), better in {better} rooms and worse in {worse}; a decision takes {:.2} times as long",
            if told { ", told" } else { "" },
            shown(difference(&pairs, Score::f1)),
            time(true) / time(false).max(f64::EPSILON),
        )
    }
}

fn shown(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || "-".to_owned(),
        |interval| format!("{:.3} to {:.3}", interval.low, interval.high),
    )
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
