//! What counts as right: words that are in a reply, words that are not, silence, and a look-up that was made.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::question::{Kind, Question, Tool};

/// What became of a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// What was said in the room; none: nothing.
    pub said: Option<String>,
    /// Look-ups that were made: the tool, and what for.
    pub looked_up: Vec<(String, Value)>,
    /// Questions to models.
    pub calls: u64,
    pub prompt_tokens: u64,
    pub seconds: f64,
    /// Why a model gave no answer, where it did not.
    pub failures: Vec<String>,
}

/// How a question is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Right,
    Wrong,
    /// Nothing was said where an answer was wanted.
    Silent,
}

/// Judges.
pub(super) fn verdict(question: &Question, outcome: &Outcome) -> Verdict {
    let Some(said) = &outcome.said else {
        return match question.kind {
            Kind::Silent if outcome.failures.is_empty() => Verdict::Right,
            _ => Verdict::Silent,
        };
    };
    if question.kind == Kind::Silent {
        return Verdict::Wrong;
    }
    let says = |words: &String| holds(said, words);
    let looked_up = question.tool.as_ref().is_none_or(|tool| was_made(tool, outcome));
    match looked_up && question.right.iter().any(says) && !question.wrong.iter().any(says) {
        true => Verdict::Right,
        false => Verdict::Wrong,
    }
}

fn was_made(tool: &Tool, outcome: &Outcome) -> bool {
    let fits = |(name, arguments): &(String, Value)| answers(tool, name, arguments);
    outcome.looked_up.iter().any(fits)
}

/// Whether a call is the look-up that is wanted.
pub(super) fn answers(tool: &Tool, name: &str, arguments: &Value) -> bool {
    let asked = arguments.to_string();
    tool.names.iter().any(|wanted| wanted == name) && tool.asks.iter().any(|words| holds(&asked, words))
}

/// Whether a text has these words, whole, however they are written; `word*` may go on.
pub(super) fn holds(text: &str, words: &str) -> bool {
    let (wanted, open) = match words.strip_suffix('*') {
        Some(beginning) => (beginning, true),
        None => (words, false),
    };
    let (text, wanted) = (folded(text), folded(wanted));
    let mut from = 0;
    while let Some(at) = text[from..].find(&wanted).map(|at| from + at) {
        let before = text[..at].chars().next_back();
        let after = text[at + wanted.len()..].chars().next();
        let begins = before.is_none_or(|letter| !letter.is_alphanumeric());
        let ends = open || after.is_none_or(|letter| !letter.is_alphanumeric());
        if begins && ends {
            return true;
        }
        from = at + wanted.chars().next().map_or(1, char::len_utf8);
    }
    false
}

fn folded(text: &str) -> String {
    let lower = text.to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}
