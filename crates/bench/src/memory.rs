//! How well memory finds what answers a question, measured on long conversations in which people marked the answers.
//!
//! Every turn is a record, every question a search, without a model. `--gems` adds facts that cite their turns as further
//! ways to them; `--global` puts all conversations into one index, each a community, and counts what leaks between them.

mod baseline;
mod conversation;
mod embedder;
mod folder;
mod intervals;
mod judge;
mod measure;
mod report;
pub mod scale;
mod silence;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use recall::{Hit, Index};
use runtime::ports::EmbedRole;
use vocabulary::{Kinds, Reach, Record, RecordId, Search, TurnKey, Viewpoint, WallTime};

use baseline::{PlainMeaning, PlainWords};
use conversation::{Conversation, Counts, Question};
use embedder::Meanings;
pub use folder::run_all;
use judge::{Judge, Spoken};
use measure::Scoreboard;
pub use report::Report;

/// What a searcher asks for; time is taken of this.
const LIMIT: usize = 20;
const DAY_MS: i64 = 86_400_000;

#[derive(Debug, Clone, Default, Args)]
pub struct Options {
    /// Every file of a folder, in one table with intervals.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["global", "gems", "json"])]
    pub all: Option<PathBuf>,
    /// One index for all conversations, each in a community of its own.
    #[arg(long)]
    pub global: bool,
    /// Facts that were noted, as gems that lead to the turns they cite.
    #[arg(long)]
    pub gems: bool,
    /// A folder with an ONNX model to tell what texts mean, in place of the built-in table.
    #[arg(long, value_name = "FOLDER")]
    pub embedder: Option<PathBuf>,
    /// A folder with an ONNX cross-encoder that judges how sure finds are.
    #[arg(long, value_name = "FOLDER")]
    pub reranker: Option<PathBuf>,
    /// Print the figures as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Whoever is asked during a measurement.
struct Asked {
    meanings: Meanings,
    judge: Option<Judge>,
}

impl Asked {
    fn open(options: &Options) -> Result<Asked> {
        Ok(Asked {
            meanings: Meanings::open(options.embedder.as_deref())?,
            judge: Judge::open(options.reranker.as_deref())?,
        })
    }
}

/// A conversation with what its turns and questions mean.
struct Embedded<'a> {
    conversation: &'a Conversation,
    turns: Vec<Vec<f32>>,
    questions: Vec<Vec<f32>>,
}

impl<'a> Embedded<'a> {
    fn new(conversation: &'a Conversation, meanings: &Meanings) -> Result<Embedded<'a>> {
        let turns: Vec<String> = conversation.turns.iter().map(|turn| turn.text.clone()).collect();
        let questions = conversation.questions.iter();
        let questions: Vec<String> = questions.map(|question| question.text.clone()).collect();
        Ok(Embedded {
            conversation,
            turns: meanings.of(&turns, EmbedRole::Passage)?,
            questions: meanings.of(&questions, EmbedRole::Query)?,
        })
    }
}

/// Asks every question of a file that has evidence.
pub fn run(file: &Path, options: &Options) -> Result<Report> {
    let asked = Asked::open(options)?;
    measured(&conversation::read(file)?, &[], &asked, options)
}

/// Asks every question; `others` are questions of other files, which nothing here answers.
fn measured(
    conversations: &[Conversation],
    others: &[String],
    who: &Asked,
    options: &Options,
) -> Result<Report> {
    let meanings = &who.meanings;
    let mut report = Report {
        conversations: conversations.len(),
        options: options.clone(),
        embedder: meanings.name(),
        judge: who.judge.as_ref().map(Judge::name),
        ..Report::default()
    };
    for conversation in conversations {
        report.counts.add(&conversation.counts);
        report.turns += conversation.turns.len();
        report.gems += if options.gems { conversation.gems.len() } else { 0 };
    }
    let began = Instant::now();
    let embedded = conversations
        .iter()
        .map(|conversation| Embedded::new(conversation, meanings));
    let embedded: Vec<Embedded<'_>> = embedded.collect::<Result<_>>()?;
    report.embedding = began.elapsed();
    if options.global {
        let index = report.build(&embedded, meanings)?;
        for one in &embedded {
            report.ask(&index, one, who.judge.as_ref())?;
        }
    } else {
        for one in &embedded {
            let index = report.build(std::slice::from_ref(one), meanings)?;
            report.ask(&index, one, who.judge.as_ref())?;
            let elsewhere = conversations
                .iter()
                .filter(|other| other.name != one.conversation.name)
                .flat_map(|other| other.questions.iter().map(|question| &question.text));
            let strange = silence::sample(elsewhere.chain(others));
            report.ask_strange(&index, one.conversation, &strange, who)?;
        }
    }
    Ok(report)
}

impl Report {
    fn build(&mut self, conversations: &[Embedded<'_>], meanings: &Meanings) -> Result<Index> {
        let began = Instant::now();
        let mut index = Index::new();
        for one in conversations {
            for (turn, vector) in one.conversation.turns.iter().zip(&one.turns) {
                index.put(&Record::Turn(turn.clone()), Some(vector))?;
            }
            for gem in one.conversation.gems.iter().filter(|_| self.options.gems) {
                let vector = meanings.of(std::slice::from_ref(&gem.content), EmbedRole::Passage)?;
                index.put(
                    &Record::Gem(Box::new(gem.clone())),
                    vector.first().map(Vec::as_slice),
                )?;
            }
        }
        self.building += began.elapsed();
        self.index_bytes += index.bytes();
        Ok(index)
    }

    fn ask(&mut self, index: &Index, one: &Embedded<'_>, judge: Option<&Judge>) -> Result<()> {
        let conversation = one.conversation;
        let spoken = Spoken::of(conversation);
        let plain_words = PlainWords::new(&conversation.turns);
        let plain_meaning = PlainMeaning::new(&conversation.turns, &one.turns);
        let turns = conversation.turns.len();
        for board in self.boards_mut() {
            board.begin_conversation();
        }
        self.silence.begin_conversation();
        for (question, vector) in conversation.questions.iter().zip(&one.questions) {
            let both = asked(conversation, &question.text, Some(vector));
            let began = Instant::now();
            let mut hits = index.search(&both)?;
            let time = began.elapsed();
            if let Some(judge) = judge {
                self.judging
                    .push(judge.judge(&spoken, &question.text, &mut hits)?);
            }
            self.silence.answerable(&hits);
            let order = order(index, both, turns)?;
            self.leaks += order.iter().filter(|turn| !is_of(turn, conversation)).count();
            note(&mut self.ours, question, &order, time);
            let legs = [
                (&mut self.words, asked(conversation, &question.text, None)),
                (&mut self.meaning, asked(conversation, "", Some(vector))),
            ];
            for (board, search) in legs {
                let began = Instant::now();
                let order = crate::memory::order(index, search, turns)?;
                note(board, question, &order, began.elapsed());
            }
            let began = Instant::now();
            let order = plain_words.search(&question.text);
            note(&mut self.plain_words, question, &order, began.elapsed());
            let began = Instant::now();
            let order = plain_meaning.search(vector);
            note(&mut self.plain_meaning, question, &order, began.elapsed());
        }
        Ok(())
    }

    /// Asks what this conversation has no answer to.
    fn ask_strange(
        &mut self,
        index: &Index,
        conversation: &Conversation,
        questions: &[String],
        who: &Asked,
    ) -> Result<()> {
        let spoken = Spoken::of(conversation);
        let vectors = who.meanings.of(questions, EmbedRole::Query)?;
        for (question, vector) in questions.iter().zip(&vectors) {
            let mut hits = index.search(&asked(conversation, question, Some(vector)))?;
            if let Some(judge) = &who.judge {
                self.judging.push(judge.judge(&spoken, question, &mut hits)?);
            }
            self.silence.strange(&hits);
        }
        Ok(())
    }
}

fn note(board: &mut Scoreboard, question: &Question, order: &[TurnKey], time: Duration) {
    board.add(question.category, order, &question.evidence, time);
}

fn asked(conversation: &Conversation, words: &str, vector: Option<&Vec<f32>>) -> Search {
    let place = conversation.place();
    Search {
        words: words.to_owned(),
        vector: vector.cloned(),
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
        limit: LIMIT,
    }
}

/// All turns that fit, best first.
fn order(index: &Index, search: Search, turns: usize) -> Result<Vec<TurnKey>> {
    let hits: Vec<Hit> = index.search(&Search {
        limit: turns,
        ..search
    })?;
    let turns = hits.into_iter().filter_map(|hit| match hit.id {
        RecordId::Turn(turn) => Some(turn),
        RecordId::Gem(_) => None,
    });
    Ok(turns.collect())
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
