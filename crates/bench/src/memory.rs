//! How well memory finds what answers a question, measured on long conversations in which people marked the answers.
//!
//! Every turn is a record, every question a search, without a model. `--gems` adds facts that cite their turns as further
//! ways to them; `--global` puts all conversations into one index, each a community, and counts what leaks between them.

mod baseline;
mod conversation;
mod measure;
mod report;
pub mod scale;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use recall::{Index, Table};
use vocabulary::{Kinds, Reach, Record, RecordId, Search, TurnKey, Viewpoint, WallTime};

use baseline::{PlainMeaning, PlainWords};
use conversation::{Conversation, Counts, Question};
use measure::Scoreboard;
pub use report::Report;

/// What a searcher asks for; time is taken of this.
const LIMIT: usize = 20;
const DAY_MS: i64 = 86_400_000;

#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Options {
    /// One index for all conversations, each in a community of its own.
    #[arg(long)]
    pub global: bool,
    /// Facts that were noted, as gems that lead to the turns they cite.
    #[arg(long)]
    pub gems: bool,
    /// Print the figures as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Asks every question of a file that has evidence.
pub fn run(file: &Path, options: Options) -> Result<Report> {
    let conversations = conversation::read(file)?;
    let mut report = Report {
        conversations: conversations.len(),
        options,
        ..Report::default()
    };
    for conversation in &conversations {
        report.counts.add(&conversation.counts);
        report.turns += conversation.turns.len();
        report.gems += if options.gems { conversation.gems.len() } else { 0 };
    }
    if options.global {
        let index = report.build(&conversations)?;
        for conversation in &conversations {
            report.ask(&index, conversation)?;
        }
    } else {
        for conversation in &conversations {
            let index = report.build(std::slice::from_ref(conversation))?;
            report.ask(&index, conversation)?;
        }
    }
    Ok(report)
}

impl Report {
    fn build(&mut self, conversations: &[Conversation]) -> Result<Index> {
        let began = Instant::now();
        let mut index = Index::new();
        for conversation in conversations {
            let turns = conversation.turns.iter().cloned().map(Record::Turn);
            let gems = conversation.gems.iter().filter(|_| self.options.gems);
            for record in turns.chain(gems.cloned().map(|gem| Record::Gem(Box::new(gem)))) {
                let vector = Table::builtin().embed(record.text());
                index.put(&record, Some(&vector))?;
            }
        }
        self.building += began.elapsed();
        self.index_bytes += index.bytes();
        Ok(index)
    }

    fn ask(&mut self, index: &Index, conversation: &Conversation) -> Result<()> {
        let plain_words = PlainWords::new(&conversation.turns);
        let plain_meaning = PlainMeaning::new(&conversation.turns);
        let turns = conversation.turns.len();
        for question in &conversation.questions {
            let (_, time) = search(index, conversation, &question.text, LIMIT)?;
            let (order, _) = search(index, conversation, &question.text, turns)?;
            self.leaks += order.iter().filter(|turn| !is_of(turn, conversation)).count();
            note(&mut self.ours, question, &order, time);
            let began = Instant::now();
            let order = plain_words.search(&question.text);
            note(&mut self.plain_words, question, &order, began.elapsed());
            let began = Instant::now();
            let order = plain_meaning.search(&question.text);
            note(&mut self.plain_meaning, question, &order, began.elapsed());
        }
        Ok(())
    }
}

fn note(board: &mut Scoreboard, question: &Question, order: &[TurnKey], time: Duration) {
    board.add(question.category, order, &question.evidence, time);
}

fn search(
    index: &Index,
    conversation: &Conversation,
    words: &str,
    limit: usize,
) -> Result<(Vec<TurnKey>, Duration)> {
    let began = Instant::now();
    let place = conversation.place();
    let search = Search {
        words: words.to_owned(),
        vector: Some(Table::builtin().embed(words)),
        view: Viewpoint::Room {
            community: place.community,
            room: place.room,
            reach: Reach::Community,
            people: Vec::new(),
        },
        person: None,
        kinds: Kinds::Turns,
        exclude: Vec::new(),
        superseded: false,
        now: WallTime(conversation.end().0 + DAY_MS),
        limit,
    };
    let hits = index.search(&search)?;
    let time = began.elapsed();
    let turns = hits.into_iter().filter_map(|hit| match hit.id {
        RecordId::Turn(turn) => Some(turn),
        RecordId::Gem(_) => None,
    });
    Ok((turns.collect(), time))
}

fn is_of(turn: &TurnKey, conversation: &Conversation) -> bool {
    conversation.turns.iter().any(|own| own.id == *turn)
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.questions_asked += other.questions_asked;
        self.questions_skipped += other.questions_skipped;
        self.evidence_repaired += other.evidence_repaired;
        self.evidence_skipped += other.evidence_skipped;
    }
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
