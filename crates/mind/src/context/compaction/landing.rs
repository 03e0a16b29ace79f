//! A model's answer becomes the summary, or does not: is it one, does it invent, is it short enough?

use settings::Settings;
use vocabulary::{Finish, ModelAnswer};

use super::SUMMARY_CHARS_MAX;
use super::guard::{as_summary, forgets, inventions, without_inventions, without_torn_end};
use super::state::{FoldRun, Phase};
use crate::context::notes::PendingNote;
use crate::context::prompt::folded_line;

/// A condensed summary shorter than this share of the limit has lost more than it should; the longer one is trimmed instead.
const CONDENSED_CHARS_MIN: usize = SUMMARY_CHARS_MAX / 4;

/// What an answer is worth.
#[derive(Debug)]
pub(super) struct Reading {
    /// Names and numbers in it that nobody mentioned.
    pub inventions: usize,
    pub verdict: Verdict,
}

/// What becomes of an answer.
#[derive(Debug)]
pub(super) enum Verdict {
    /// It is the summary, cut at the end of a sentence where it is too long.
    Take {
        text: String,
        summariser: String,
    },
    /// It is a summary, and gets one more pass because it is too long.
    Condense {
        text: String,
        summariser: String,
    },
    /// It invents, and the model gets one chance to do better.
    SendBack,
    Refuse(&'static str),
}

/// Reads what a model answered to a run over the summary so far.
pub(super) fn read(run: &FoldRun, answer: &ModelAnswer, previous: &str, settings: &Settings) -> Reading {
    let mut text = as_summary(&answer.text).filter(|_| answer.finish != Finish::Refused);
    if answer.finish == Finish::Length {
        text = text.map(|text| without_torn_end(&text).to_owned());
    }
    let summariser = format!("{} {}", answer.provider, answer.model);
    match (&run.phase, text) {
        (Phase::Condensing { long, .. }, Some(text)) if is_good_condensed(long, &text) => {
            Verdict::Take { text, summariser }.into()
        }
        // The longer text is a good summary already and is not lost for it.
        (Phase::Condensing { long, summariser }, _) => Verdict::Take {
            text: long.clone(),
            summariser: summariser.clone(),
        }
        .into(),
        (Phase::Folding, None) => Verdict::Refuse("the answer is empty, or no summary").into(),
        (Phase::Folding, Some(text)) => check(run, text, summariser, previous, settings),
    }
}

/// The second pass may neither crush what was good already nor add anything of its own.
fn is_good_condensed(long: &str, text: &str) -> bool {
    text.chars().count() >= CONDENSED_CHARS_MIN && inventions(text, [long]).is_empty()
}

/// Looks for names and numbers that nobody mentioned; the model gets one chance to do better.
fn check(run: &FoldRun, text: String, summariser: String, previous: &str, settings: &Settings) -> Reading {
    if text == previous && !run.stretch.turns.is_empty() {
        return Verdict::Refuse("the summary is the old one; nothing new was taken in").into();
    }
    if forgets(&text, previous) {
        return Verdict::Refuse("the summary forgot what the one before it told").into();
    }
    let invented = invented(run, &text, previous, settings);
    let verdict = if invented.is_empty() {
        sized(text, summariser)
    } else if !run.sent_back {
        Verdict::SendBack
    } else {
        match without_inventions(&text, &invented) {
            kept if kept.is_empty() => Verdict::Refuse("every sentence names something nobody mentioned"),
            kept => sized(kept, summariser),
        }
    };
    Reading {
        inventions: invented.len(),
        verdict,
    }
}

/// Too long: one more pass over the long text.
fn sized(text: String, summariser: String) -> Verdict {
    if text.chars().count() <= SUMMARY_CHARS_MAX {
        Verdict::Take { text, summariser }
    } else {
        Verdict::Condense { text, summariser }
    }
}

/// Compared is what the model was given: lines with their times, and the name of whom it writes for.
fn invented(run: &FoldRun, text: &str, previous: &str, settings: &Settings) -> Vec<String> {
    let identity = &settings.identity;
    let turns = run.stretch.turns.iter();
    let mut given: Vec<String> = turns.map(|said| folded_line(said, usize::MAX)).collect();
    given.extend(run.stretch.notes.iter().map(PendingNote::line));
    let names = [&identity.name].into_iter().chain(&identity.aliases);
    let given = given.iter().chain(names).map(String::as_str);
    inventions(text, given.chain([previous]))
}

impl From<Verdict> for Reading {
    fn from(verdict: Verdict) -> Self {
        Self {
            inventions: 0,
            verdict,
        }
    }
}
