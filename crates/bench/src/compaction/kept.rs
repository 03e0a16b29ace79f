//! A model's answers, kept in a file as they come: a run that was broken off goes on where it was.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use vocabulary::ModelAnswer;

/// A question and its answer, as a line of the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Line {
    asked: String,
    answer: ModelAnswer,
}

/// Answers that are kept in a file as they come: a run that was broken off goes on where it was, and ways that ask the
/// same get the same.
#[derive(Debug, Default)]
pub struct Kept {
    file: Option<File>,
    answers: BTreeMap<String, ModelAnswer>,
}

impl Kept {
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
        let file = options
            .create(true)
            .append(true)
            .read(true)
            .open(path)
            .with_context(why)?;
        let (mut kept, mut ends_well) = (Self::default(), true);
        for line in BufReader::new(&file).lines() {
            // The last line of a run that was broken off may be half of one: that is asked again.
            match serde_json::from_str::<Line>(&line.with_context(why)?) {
                Ok(line) => drop(kept.answers.insert(line.asked, line.answer)),
                Err(_) => ends_well = false,
            }
        }
        let mut file = file;
        if !ends_well {
            writeln!(file).with_context(why)?;
        }
        kept.file = Some(file);
        Ok(kept)
    }

    /// The answer to a question.
    pub fn answer(&self, asked: &str) -> Option<ModelAnswer> {
        self.answers.get(asked).cloned()
    }

    pub fn add(&mut self, asked: String, answer: &ModelAnswer) -> anyhow::Result<()> {
        let answer = answer.clone();
        if let Some(file) = &mut self.file {
            let line = Line {
                asked: asked.clone(),
                answer: answer.clone(),
            };
            writeln!(file, "{}", serde_json::to_string(&line)?)?;
        }
        self.answers.insert(asked, answer);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::ladder::written;
    use super::*;

    #[test]
    fn what_was_answered_is_not_asked_again_and_half_a_line_is() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("kept.jsonl");
        let mut kept = Kept::open(Some(&path)).expect("the folder is ours");
        kept.add("1 what was said?".to_owned(), &written("that"))
            .expect("it is written");
        let mut file = OpenOptions::new().append(true).open(&path).expect("it is there");
        write!(file, "{{\"asked\":\"2 wh").expect("it is written");
        let again = Kept::open(Some(&path)).expect("it is there");
        assert_eq!(again.answer("1 what was said?"), Some(written("that")));
        assert_eq!(again.answer("2 what was said?"), None);
    }
}
