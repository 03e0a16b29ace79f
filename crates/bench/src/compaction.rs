//! How much of a long conversation its rolling summary still tells, measured with questions whose answers people marked.
//!
//! Each conversation is one session. Its turns are folded as a session folds them, and every question whose evidence
//! has left the recent window is asked of the summary alone: are the words of its answer there, and under the name of
//! the one who said them?

mod baseline;
mod conversation;
mod kept;
mod ladder;
mod measure;
mod words;

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use gist::summary::{FoldedTurn, summarise};
use mind::context::compaction::{
    BATCH_SIZE, Plan, Question, RECENT_WINDOW, SUMMARY_CHARS_MAX, Verbatim, plan,
};
use vocabulary::TurnSeq;

use conversation::Conversation;
use ladder::{Folded, ModelOptions, Writer};
pub use measure::Tally;

use crate::admission::bootstrap::{Interval, drawn};

/// What is folded, by whom and how short.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// JSON lists of conversations with questions, each file a table.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Lengths of session to look at, in turns.
    #[arg(long, value_delimiter = ',', default_values_t = [110, 220, 360])]
    pub turns: Vec<usize>,
    /// Who writes the summaries; the others are there for comparison. Each has a table of its own.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Summariser::Offline])]
    pub summariser: Vec<Summariser>,
    /// Most that a summary may have.
    #[arg(long, default_value_t = SUMMARY_CHARS_MAX)]
    pub characters: usize,
    /// Do not tell the summariser on which day anything was said.
    #[arg(long)]
    pub undated: bool,
    /// At most so many conversations of a file: a small model takes half a minute for each ten turns.
    #[arg(long)]
    pub conversations: Option<usize>,
    #[command(flatten)]
    pub model: ModelOptions,
}

/// Who writes the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Summariser {
    /// The one that Denizen uses without a model.
    Offline,
    /// The last characters of what was said.
    Tail,
    /// Whole sentences, the richest in rare words first.
    Plain,
    /// A model wherever what it writes passes the checks, as a room takes it from a large one.
    Model,
    /// A model, or what is written without one where that tells more, as a room takes it from a small one.
    Ladder,
}

/// What the benchmark found: a row for each length of session.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub summariser: Summariser,
    pub file: PathBuf,
    pub characters: usize,
    /// It was not told when anything was said.
    pub undated: bool,
    pub conversations: usize,
    /// Questions without a usable answer or evidence, over all conversations.
    pub questions_skipped: usize,
    /// Evidence that names no turn, even after repair.
    pub evidence_skipped: usize,
    pub rows: Vec<Row>,
}

/// The judgements on sessions of one length.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    pub turns: usize,
    /// Questions whose answer words all occur in their evidence: those a summary could answer.
    pub sayable: Tally,
    /// All questions that were judged.
    pub asked: Tally,
    /// The same, conversation by conversation.
    pub sayable_by_conversation: Vec<Tally>,
    pub asked_by_conversation: Vec<Tally>,
    pub summary_chars: Vec<usize>,
    pub folds: u32,
    /// Of these by a model.
    pub by_model: u32,
    pub folding: Duration,
}

/// A report on each of the files.
pub fn run(options: &Options) -> Result<Vec<Report>> {
    let each = options
        .files
        .iter()
        .flat_map(|file| options.summariser.iter().map(move |way| (file, *way)));
    each.map(|(file, summariser)| report(file, summariser, options))
        .collect()
}

/// Folds every conversation of a file up to each of the lengths and questions the summaries.
fn report(file: &Path, summariser: Summariser, options: &Options) -> Result<Report> {
    let turns = &options.turns;
    ensure!(
        !turns.is_empty(),
        "no session length given: name at least one, such as --turns 110,220,360"
    );
    let mut conversations = conversation::read(file)?;
    conversations.truncate(options.conversations.unwrap_or(usize::MAX));
    let mut writer = match summariser {
        Summariser::Model => Some(Writer::new(&options.model, "full")?),
        Summariser::Ladder => Some(Writer::new(&options.model, "plain")?),
        _ => None,
    };
    let mut rows = Vec::with_capacity(turns.len());
    for length in turns.iter().copied() {
        ensure!(
            length > RECENT_WINDOW + BATCH_SIZE,
            "a session of {length} turns is never folded: name lengths above {}",
            RECENT_WINDOW + BATCH_SIZE
        );
        let mut row = Row {
            turns: length,
            ..Row::default()
        };
        for conversation in &conversations {
            let folded = match &mut writer {
                Some(writer) => writer.fold(conversation, length)?,
                None => summariser.session(conversation, length, options),
            };
            row.add(conversation, &folded);
        }
        rows.push(row);
    }
    Ok(Report {
        summariser,
        file: file.to_owned(),
        characters: options.characters,
        undated: options.undated,
        conversations: conversations.len(),
        questions_skipped: conversations
            .iter()
            .map(|conversation| conversation.questions_skipped)
            .sum(),
        evidence_skipped: conversations
            .iter()
            .map(|conversation| conversation.evidence_skipped)
            .sum(),
        rows,
    })
}

impl Row {
    fn add(&mut self, conversation: &Conversation, folded: &Folded) {
        self.folds += folded.folds;
        self.by_model += folded.by_model;
        self.folding += folded.folding;
        let (sayable, asked) = measure::question(conversation, &folded.summary, folded.cursor);
        self.sayable_by_conversation.push(sayable);
        self.asked_by_conversation.push(asked);
        self.sayable.add(sayable);
        self.asked.add(asked);
        self.summary_chars.push(folded.summary.chars().count());
    }
}

/// The turns that a session of `total` turns folds next, by the plan that rooms go by.
fn batch_due(total: usize, cursor: usize) -> Option<Range<usize>> {
    let turn = |number: usize| Verbatim {
        seq: TurnSeq(number as u64),
        chars: 0,
    };
    let verbatim: Vec<Verbatim> = (cursor..total).map(turn).collect();
    let question = Question {
        verbatim: &verbatim,
        cursor: TurnSeq(cursor as u64),
        next: TurnSeq(total as u64),
        holds_chars: usize::MAX,
        large_batch: BATCH_SIZE,
        pending_notes: 0,
        in_flight: false,
        ending: false,
        summariser_available: true,
    };
    match plan(&question) {
        Plan::Fold { turns, .. } => Some(cursor..cursor + turns),
        Plan::Skip(_) => None,
    }
}

impl Summariser {
    /// Folds a session without a model.
    fn session(self, conversation: &Conversation, turns: usize, options: &Options) -> Folded {
        let mut folded = Folded::default();
        for total in 1..=turns.min(conversation.turns.len()) {
            let Some(batch) = batch_due(total, folded.cursor) else {
                continue;
            };
            folded.cursor = batch.end;
            let turns: Vec<FoldedTurn<'_>> = conversation.turns[batch]
                .iter()
                .map(|turn| FoldedTurn {
                    speaker: &turn.speaker,
                    text: &turn.text,
                    at: turn.at.filter(|_| !options.undated),
                })
                .collect();
            let started = Instant::now();
            folded.summary = self.fold(&folded.summary, &turns, options.characters);
            folded.folding += started.elapsed();
            folded.folds += 1;
        }
        folded
    }

    fn fold(self, previous: &str, turns: &[FoldedTurn<'_>], characters: usize) -> String {
        match self {
            Summariser::Tail => baseline::tail(previous, turns, characters),
            Summariser::Plain => baseline::plain(previous, turns, characters),
            Summariser::Offline | Summariser::Model | Summariser::Ladder => {
                summarise(previous, turns, &[], characters)
            }
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.summariser.to_possible_value();
        writeln!(
            f,
            "{}: {} summariser, {} conversations, at most {} characters{}; \
             without adversarial questions; skipped {} questions, {} evidence ids",
            self.file.file_name().unwrap_or_default().to_string_lossy(),
            name.as_ref().map_or("", |name| name.get_name()),
            self.conversations,
            self.characters,
            if self.undated { ", not told the day" } else { "" },
            self.questions_skipped,
            self.evidence_skipped
        )?;
        writeln!(
            f,
            "{:>6} {:<9} {:>9} {:>9} {:>9} {:>11} {:>15} {:>17} {:>11} {:>8}",
            "turns",
            "questions",
            "judged",
            "all words",
            "words",
            "attributed",
            "95 %, all words",
            "by conversation",
            "characters",
            "µs/fold"
        )?;
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        if matches!(self.summariser, Summariser::Model | Summariser::Ladder) {
            for row in &self.rows {
                let (turns, folds, by_model) = (row.turns, row.folds, row.by_model);
                writeln!(
                    f,
                    "of {folds} folds within {turns} turns {by_model} are the model's"
                )?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fold_time = self.folding.as_secs_f64() * 1e6 / f64::from(self.folds.max(1));
        writeln!(
            f,
            "{:>6} {:<9} {} {:>15} {:>17} {:>11} {fold_time:>8.0}",
            self.turns,
            "sayable",
            self.sayable,
            doubt(&self.sayable_by_conversation),
            spread(&self.sayable_by_conversation),
            range(&self.summary_chars, ToString::to_string),
        )?;
        write!(
            f,
            "{:>6} {:<9} {} {:>15} {:>17}",
            "",
            "all",
            self.asked,
            doubt(&self.asked_by_conversation),
            spread(&self.asked_by_conversation),
        )
    }
}

/// Where the share of answered questions lies in 95 of 100 drawings of conversations.
fn doubt(conversations: &[Tally]) -> String {
    let interval = drawn(conversations.len(), |drawn| {
        let mut pooled = Tally::default();
        drawn.iter().for_each(|at| pooled.add(conversations[*at]));
        pooled.share_answered()
    });
    interval.map_or_else(
        || "-".to_owned(),
        |Interval { low, high }| format!("{:.1}–{:.1}", low * 100.0, high * 100.0),
    )
}

fn spread(conversations: &[Tally]) -> String {
    let shares: Vec<f64> = conversations.iter().filter_map(Tally::share_answered).collect();
    range(&shares, |share| format!("{:.0}", share * 100.0)) + " %"
}

/// `lowest–highest`.
fn range<T: PartialOrd>(values: &[T], write: impl Fn(&T) -> String) -> String {
    let mut sorted: Vec<&T> = values.iter().collect();
    sorted.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    match (sorted.first(), sorted.last()) {
        (Some(lowest), Some(highest)) => format!("{}–{}", write(lowest), write(highest)),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
#[path = "compaction_tests.rs"]
mod tests;
