//! Answers that are kept in a file as they come: a run that was broken off goes on where it was.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::question::{Question, digest};
use super::score::Outcome;

/// One answer, as a line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    model: String,
    profile: String,
    id: String,
    /// Of the whole question: one that was changed is asked again.
    digest: u64,
    #[serde(flatten)]
    outcome: Outcome,
}

/// The file, and what it held.
#[derive(Debug, Default)]
pub(super) struct Kept {
    file: Option<File>,
    lines: Vec<Line>,
}

impl Kept {
    /// Reads what is there and goes on behind it; without a file nothing is kept.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Ok(Self::default());
        };
        let why = || {
            format!(
                "cannot keep answers in {}: check the path of --keep",
                path.display()
            )
        };
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .append(true)
            .read(true)
            .open(path)
            .with_context(why)?;
        let (mut lines, mut ends_well) = (Vec::new(), true);
        for line in BufReader::new(&file).lines() {
            let line = line.with_context(why)?;
            // The last line of a run that was broken off may be half of one: that question is asked again.
            match serde_json::from_str(&line) {
                Ok(line) => lines.push(line),
                Err(_) => ends_well = false,
            }
        }
        if !ends_well {
            writeln!(file).with_context(why)?;
        }
        let file = Some(file);
        Ok(Self { file, lines })
    }

    /// What came of a question before; a call that failed is made again.
    pub fn outcome(&self, model: &str, profile: &str, question: &Question) -> Option<Outcome> {
        let digest = digest(question);
        let is_it = |line: &&Line| {
            let of_it = line.model == model && line.profile == profile && line.id == question.id;
            of_it && line.digest == digest && line.outcome.failures.is_empty()
        };
        self.lines
            .iter()
            .rev()
            .find(is_it)
            .map(|line| line.outcome.clone())
    }

    pub fn add(
        &mut self,
        model: &str,
        profile: &str,
        question: &Question,
        outcome: &Outcome,
    ) -> anyhow::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let line = Line {
            model: model.to_owned(),
            profile: profile.to_owned(),
            id: question.id.clone(),
            digest: digest(question),
            outcome: outcome.clone(),
        };
        let text = serde_json::to_string(&line)?;
        writeln!(file, "{text}").context("an answer could not be kept: is the disk full?")
    }
}

#[cfg(test)]
#[path = "kept_tests.rs"]
mod tests;
