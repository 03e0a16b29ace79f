//! How much of a long conversation its rolling summary still tells, measured with questions whose answers people marked.
//!
//! Each conversation is one session. Its turns are folded as a session folds them, and every question whose evidence
//! has left the recent window is asked of the summary alone: are the words of its answer there, and under the name of
//! the one who said them?

mod baseline;
mod conversation;
mod measure;
mod words;

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::ValueEnum;
use gist::summary::{FoldedTurn, summarise};
use mind::context::compaction::{
    BATCH_SIZE, Plan, Question, RECENT_WINDOW, SUMMARY_CHARS_MAX, Verbatim, plan,
};
use vocabulary::TurnSeq;

use conversation::Conversation;
pub use measure::Tally;

/// Who writes the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Summariser {
    /// The one that Denizen uses without a model.
    Offline,
    /// The last characters of what was said.
    Tail,
    /// Whole sentences, the richest in rare words first.
    Plain,
}

/// What the benchmark found: a row for each length of session.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub summariser: Summariser,
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
    /// Of the sayable questions, the share answered in each conversation that has any.
    pub answered_by_conversation: Vec<f64>,
    pub summary_chars: Vec<usize>,
    pub folds: u32,
    pub folding: Duration,
}

/// Folds every conversation of a file up to each of the lengths and questions the summaries.
pub fn run(file: &Path, turns: &[usize], summariser: Summariser) -> Result<Report> {
    ensure!(
        !turns.is_empty(),
        "no session length given: name at least one, such as --turns 110,220,360"
    );
    let conversations = conversation::read(file)?;
    let mut rows = Vec::with_capacity(turns.len());
    for &length in turns {
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
            row.add(conversation, summariser);
        }
        rows.push(row);
    }
    Ok(Report {
        summariser,
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
    fn add(&mut self, conversation: &Conversation, summariser: Summariser) {
        let mut summary = String::new();
        let mut cursor = 0;
        for total in 1..=self.turns.min(conversation.turns.len()) {
            let Some(batch) = batch_due(total, cursor) else {
                continue;
            };
            cursor = batch.end;
            let turns: Vec<FoldedTurn<'_>> = conversation.turns[batch]
                .iter()
                .map(|turn| FoldedTurn {
                    speaker: &turn.speaker,
                    text: &turn.text,
                })
                .collect();
            let started = Instant::now();
            summary = summariser.fold(&summary, &turns);
            self.folding += started.elapsed();
            self.folds += 1;
        }
        let (sayable, asked) = measure::question(conversation, &summary, cursor);
        self.answered_by_conversation.extend(sayable.share_answered());
        self.sayable.add(sayable);
        self.asked.add(asked);
        self.summary_chars.push(summary.chars().count());
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
    fn fold(self, previous: &str, turns: &[FoldedTurn<'_>]) -> String {
        match self {
            Summariser::Offline => summarise(previous, turns, &[], SUMMARY_CHARS_MAX),
            Summariser::Tail => baseline::tail(previous, turns, SUMMARY_CHARS_MAX),
            Summariser::Plain => baseline::plain(previous, turns, SUMMARY_CHARS_MAX),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.summariser.to_possible_value();
        writeln!(
            f,
            "{} summariser, {} conversations, at most {SUMMARY_CHARS_MAX} characters; \
             without adversarial questions; skipped {} questions, {} evidence ids",
            name.as_ref().map_or("", |name| name.get_name()),
            self.conversations,
            self.questions_skipped,
            self.evidence_skipped
        )?;
        writeln!(
            f,
            "{:>6} {:<9} {:>9} {:>9} {:>9} {:>11} {:>17} {:>11} {:>8}",
            "turns",
            "questions",
            "judged",
            "all words",
            "words",
            "attributed",
            "by conversation",
            "characters",
            "µs/fold"
        )?;
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fold_time = self.folding.as_secs_f64() * 1e6 / f64::from(self.folds.max(1));
        writeln!(
            f,
            "{:>6} {:<9} {} {:>17} {:>11} {fold_time:>8.0}",
            self.turns,
            "sayable",
            self.sayable,
            range(&self.answered_by_conversation, |share| format!(
                "{:.0}",
                share * 100.0
            )) + " %",
            range(&self.summary_chars, ToString::to_string),
        )?;
        write!(f, "{:>6} {:<9} {}", "", "all", self.asked)
    }
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
