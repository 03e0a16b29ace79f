//! The questions: what was said before, what is asked, and what counts as right.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use serde::Deserialize;

/// Where the answer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// In the last lines of the room.
    Recent,
    /// In the summary of what was said before them.
    Summary,
    /// In what is remembered.
    Facts,
    /// Out there: it has to be looked up.
    Tool,
    /// In the model: what is remembered of whoever asks has nothing to do with it.
    Own,
    /// Nowhere: it is said to somebody else, and silence is right.
    Silent,
}

impl Kind {
    pub const ALL: [Kind; 6] = [
        Kind::Recent,
        Kind::Summary,
        Kind::Facts,
        Kind::Tool,
        Kind::Own,
        Kind::Silent,
    ];

    /// For a table.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Recent => "in the last lines",
            Kind::Summary => "in the summary",
            Kind::Facts => "in memory",
            Kind::Tool => "needs a look-up",
            Kind::Own => "in the model",
            Kind::Silent => "silence is right",
        }
    }
}

/// Which half of the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Half {
    Both,
    /// The one on which prompts are tuned.
    Tune,
    /// The one on which they are judged.
    Judge,
}

/// One question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub id: String,
    pub kind: Kind,
    /// What was said before the lines, as a summary.
    #[serde(default)]
    pub summary: String,
    /// What is remembered; one that begins with the author's name and a colon is known of them.
    #[serde(default)]
    pub facts: Vec<String>,
    /// Lines before the question, `Name: words`; those of Denizen are its own.
    #[serde(default)]
    pub before: Vec<String>,
    pub author: String,
    pub question: String,
    /// One of these must be in the reply: words, which end with `*` where more letters may follow.
    #[serde(default)]
    pub right: Vec<String>,
    /// None of these may be.
    #[serde(default)]
    pub wrong: Vec<String>,
    #[serde(default)]
    pub tool: Option<Tool>,
}

/// A look-up that must be made.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// By one of these tools.
    pub names: Vec<String>,
    /// One of these must be asked for.
    pub asks: Vec<String>,
    /// What it then gives.
    pub gives: String,
}

/// Reads questions, one a line.
pub fn read_questions(file: &Path) -> anyhow::Result<Vec<Question>> {
    let text = super::read(file)?;
    let mut questions: Vec<Question> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let place = || format!("line {} of {}", number + 1, file.display());
        let question: Question =
            serde_json::from_str(line).with_context(|| format!("{} is no question", place()))?;
        check(&question).with_context(place)?;
        if questions.iter().any(|other| other.id == question.id) {
            bail!("{} is called {}, as another one is", place(), question.id);
        }
        questions.push(question);
    }
    ensure!(!questions.is_empty(), "{} holds no questions", file.display());
    Ok(questions)
}

/// What cannot be judged is no question.
fn check(question: &Question) -> anyhow::Result<()> {
    let unnamed = question.before.iter().find(|line| !line.contains(": "));
    ensure!(
        unnamed.is_none(),
        "a line of `before` must be `Name: words`, and one is {unnamed:?}"
    );
    match question.kind {
        Kind::Silent => ensure!(
            question.right.is_empty(),
            "where silence is right, `right` must be empty"
        ),
        _ => ensure!(!question.right.is_empty(), "`right` says which words are right"),
    }
    ensure!(
        (question.kind == Kind::Tool) == question.tool.is_some(),
        "`tool` belongs to the kind tool, and to no other"
    );
    Ok(())
}

/// Those that are asked: of each kind, one half or both, in the order of the file, at most so many.
pub fn chosen(
    all: &[Question],
    kinds: &[Kind],
    half: Half,
    seed: u64,
    limit: Option<usize>,
) -> Vec<Question> {
    let mut asked = Vec::new();
    for kind in Kind::ALL {
        if !kinds.is_empty() && !kinds.contains(&kind) {
            continue;
        }
        let mut of_kind: Vec<(usize, &Question)> = all
            .iter()
            .enumerate()
            .filter(|(_, question)| question.kind == kind)
            .collect();
        of_kind.sort_by_key(|(_, question)| shuffled(seed, &question.id));
        let middle = of_kind.len().div_ceil(2);
        let mut part = match half {
            Half::Both => of_kind,
            Half::Tune => of_kind[..middle].to_vec(),
            Half::Judge => of_kind[middle..].to_vec(),
        };
        part.truncate(limit.unwrap_or(usize::MAX));
        part.sort_by_key(|(place, _)| *place);
        asked.extend(part.into_iter().map(|(_, question)| question.clone()));
    }
    asked
}

/// A number that follows from a seed and a name, and from nothing else.
fn shuffled(seed: u64, name: &str) -> u64 {
    hash(&format!("{seed}:{name}"))
}

/// A number that is another one where anything of a question is.
pub fn digest(question: &Question) -> u64 {
    hash(&format!("{question:?}"))
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
