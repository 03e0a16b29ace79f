//! The table: right, wrong and silent, calls, tokens and seconds, for each kind and each way of asking.

use std::fmt;
use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::question::{Half, Kind, Question};
use super::score::{Outcome, Verdict, verdict};

/// One question, answered.
#[derive(Clone, Debug)]
pub(super) struct Row {
    profile: &'static str,
    id: String,
    kind: Kind,
    question: String,
    verdict: Verdict,
    outcome: Outcome,
}

impl Row {
    pub fn of(profile: &'static str, question: &Question, outcome: Outcome) -> Self {
        Self {
            profile,
            id: question.id.clone(),
            kind: question.kind,
            question: question.question.clone(),
            verdict: verdict(question, &outcome),
            outcome,
        }
    }

    fn verdict(&self) -> &'static str {
        match self.verdict {
            Verdict::Right => "right",
            Verdict::Wrong => "wrong",
            Verdict::Silent => "silent",
        }
    }
}

/// All of them.
#[derive(Debug)]
pub(super) struct Report {
    pub model: String,
    pub rows: Vec<Row>,
    /// The file of the questions.
    file: String,
    half: Half,
    seed: u64,
}

impl Report {
    pub fn new(file: &Path, half: Half, seed: u64) -> Self {
        let file = file.file_name().unwrap_or_default();
        Self {
            model: String::new(),
            rows: Vec::new(),
            file: file.to_string_lossy().into_owned(),
            half,
            seed,
        }
    }

    /// Every question with what was said.
    pub fn answers(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let said = row.outcome.said.as_deref().unwrap_or("(nothing)");
            let _ = writeln!(
                text,
                "{:<6} {:<5} {:<11} {} → {said}",
                row.verdict(),
                row.profile,
                row.id,
                row.question
            );
            for failure in &row.outcome.failures {
                let _ = writeln!(text, "       failed: {failure}");
            }
        }
        text
    }

    pub fn json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                json!({
                    "profile": row.profile, "id": row.id, "question": row.question, "verdict": row.verdict(),
                    "said": row.outcome.said, "calls": row.outcome.calls, "promptTokens": row.outcome.prompt_tokens,
                    "seconds": row.outcome.seconds, "failures": row.outcome.failures,
                    "lookedUp": row.outcome.looked_up.iter().map(|(tool, _)| tool).collect::<Vec<_>>(),
                })
            })
            .collect();
        let kinds: Vec<Value> = self
            .groups()
            .iter()
            .map(|(profile, words, rows)| {
                let sums = Sums::of(rows);
                json!({
                    "profile": profile, "kind": words, "questions": rows.len(), "right": sums.right, "wrong": sums.wrong,
                    "silent": sums.silent, "callsEach": sums.each(sums.calls as f64),
                    "promptTokensEach": sums.each(sums.prompt_tokens as f64), "secondsEach": sums.each(sums.seconds),
                })
            })
            .collect();
        json!({ "model": self.file_of_model(), "file": self.file, "seed": self.seed, "half": self.half_words(), "kinds": kinds, "answers": rows })
    }

    /// Each way of asking with each kind, and with all of them.
    fn groups(&self) -> Vec<(&'static str, &'static str, Vec<&Row>)> {
        let mut profiles: Vec<&'static str> = Vec::new();
        for row in &self.rows {
            if !profiles.contains(&row.profile) {
                profiles.push(row.profile);
            }
        }
        let mut groups = Vec::new();
        for kind in Kind::ALL {
            for profile in &profiles {
                let rows: Vec<&Row> = self
                    .rows
                    .iter()
                    .filter(|row| row.profile == *profile && row.kind == kind)
                    .collect();
                if !rows.is_empty() {
                    groups.push((*profile, kind.words(), rows));
                }
            }
        }
        for profile in profiles {
            let rows = self.rows.iter().filter(|row| row.profile == profile).collect();
            groups.push((profile, "all", rows));
        }
        groups
    }

    fn half_words(&self) -> &'static str {
        match self.half {
            Half::Both => "all questions",
            Half::Tune => "the half that prompts were tuned on",
            Half::Judge => "the half that prompts were not tuned on",
        }
    }

    /// A server may call its model by the file it comes from: where that lies is nobody's business.
    fn file_of_model(&self) -> &str {
        self.model.rsplit('/').next().unwrap_or(&self.model)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}, {} of {} (seed {})",
            self.file_of_model(),
            self.half_words(),
            self.file,
            self.seed
        )?;
        writeln!(
            f,
            "{:<18} {:<8} {:>9} {:>6} {:>6} {:>7} {:>11} {:>14} {:>9}",
            "answer stands",
            "profile",
            "questions",
            "right",
            "wrong",
            "silent",
            "calls each",
            "prompt tokens",
            "seconds"
        )?;
        for (profile, words, rows) in self.groups() {
            let sums = Sums::of(&rows);
            writeln!(
                f,
                "{words:<18} {profile:<8} {:>9} {:>6} {:>6} {:>7} {:>11.2} {:>14.0} {:>9.1}",
                rows.len(),
                sums.right,
                sums.wrong,
                sums.silent,
                sums.each(sums.calls as f64),
                sums.each(sums.prompt_tokens as f64),
                sums.each(sums.seconds)
            )?;
        }
        let failed = self
            .rows
            .iter()
            .filter(|row| !row.outcome.failures.is_empty())
            .count();
        if failed > 0 {
            writeln!(f, "({failed} had a call that failed; --answers says why)")?;
        }
        Ok(())
    }
}

/// What some questions come to together.
#[derive(Debug, Default)]
struct Sums {
    count: usize,
    right: usize,
    wrong: usize,
    silent: usize,
    calls: u64,
    prompt_tokens: u64,
    seconds: f64,
}

impl Sums {
    fn of(rows: &[&Row]) -> Self {
        let mut sums = Self {
            count: rows.len(),
            ..Self::default()
        };
        for row in rows {
            match row.verdict {
                Verdict::Right => sums.right += 1,
                Verdict::Wrong => sums.wrong += 1,
                Verdict::Silent => sums.silent += 1,
            }
            sums.calls += row.outcome.calls;
            sums.prompt_tokens += row.outcome.prompt_tokens;
            sums.seconds += row.outcome.seconds;
        }
        sums
    }

    fn each(&self, sum: f64) -> f64 {
        sum / self.count.max(1) as f64
    }
}
