//! Whether something is brought up when it should be, and only then: questions that are answered here, and questions about something else.

use recall::Hit;
use settings::Settings;

use super::intervals::{Interval, interval};

/// Of a search, so many finds may be brought up.
const BROUGHT_UP_MAX: usize = 10;
/// Questions about something else that are asked of each conversation, at most.
const STRANGE_MAX: usize = 200;

/// What was brought up, by conversation.
#[derive(Debug, Clone, Default)]
pub struct Silence {
    /// 1 where a question that is answered here was met with silence.
    silent: Vec<Vec<f64>>,
    /// 1 where a question about something else was not.
    injected: Vec<Vec<f64>>,
}

/// A share, with how sure it is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Share {
    pub of: usize,
    pub share: f64,
    pub interval: Interval,
}

impl Silence {
    pub fn begin_conversation(&mut self) {
        self.silent.push(Vec::new());
        self.injected.push(Vec::new());
    }

    /// What was found to a question that is answered here.
    pub fn answerable(&mut self, hits: &[Hit]) {
        if let Some(silent) = self.silent.last_mut() {
            silent.push(f64::from(!brings_up(hits)));
        }
    }

    /// What was found to a question about something else.
    pub fn strange(&mut self, hits: &[Hit]) {
        if let Some(injected) = self.injected.last_mut() {
            injected.push(f64::from(brings_up(hits)));
        }
    }

    /// How often a question that is answered here is met with silence.
    pub fn false_silence(&self) -> Share {
        share(&self.silent)
    }

    /// How often something is brought up to a question about something else.
    pub fn false_injection(&self) -> Share {
        share(&self.injected)
    }
}

/// Some of the questions, from all over, the same every time.
pub fn sample<'a>(questions: impl Iterator<Item = &'a String>) -> Vec<String> {
    let all: Vec<&String> = questions.collect();
    let step = all.len().div_ceil(STRANGE_MAX).max(1);
    all.into_iter().step_by(step).cloned().collect()
}

fn brings_up(hits: &[Hit]) -> bool {
    let threshold = Settings::default().memory.min_confidence;
    let mut best = hits.iter().take(BROUGHT_UP_MAX);
    best.any(|hit| hit.scores.confidence >= threshold)
}

fn share(groups: &[Vec<f64>]) -> Share {
    let of = groups.iter().map(Vec::len).sum();
    let sum: f64 = groups.iter().flatten().sum();
    Share {
        of,
        share: sum / f64::max(of as f64, 1.0),
        interval: interval(groups),
    }
}
