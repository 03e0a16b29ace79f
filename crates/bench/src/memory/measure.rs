//! How good an order is: where in it the turns stand that answer the question.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use vocabulary::TurnKey;

use super::intervals::{Interval, interval};

/// Depths at which recall is told.
pub const DEPTHS: [usize; 3] = [5, 10, 20];
const GAIN_DEPTH: usize = 10;

/// Means over questions, as sums.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tally {
    questions: usize,
    recall: [f64; 3],
    reciprocal: f64,
    gain: f64,
}

/// What one way of ranking achieved.
#[derive(Debug, Clone, Default)]
pub struct Scoreboard {
    pub all: Tally,
    pub by_category: BTreeMap<u64, Tally>,
    /// By conversation, then by question: recall at ten in hundredths, and the reciprocal rank.
    conversations: Vec<(Vec<f64>, Vec<f64>)>,
    times: Vec<Duration>,
}

/// For other programs.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    pub questions: usize,
    pub recall_at_5: f64,
    pub recall_at_10: f64,
    pub recall_at_20: f64,
    pub mrr: f64,
    pub ndcg_at_10: f64,
}

impl Scoreboard {
    /// What is added from here on is about another conversation.
    pub fn begin_conversation(&mut self) {
        self.conversations.push((Vec::new(), Vec::new()));
    }

    /// How sure recall at ten and the reciprocal rank are.
    pub fn intervals(&self) -> (Interval, Interval) {
        let (recall, reciprocal): (Vec<Vec<f64>>, Vec<Vec<f64>>) = self.conversations.iter().cloned().unzip();
        (interval(&recall), interval(&reciprocal))
    }

    pub fn add(&mut self, category: u64, order: &[TurnKey], evidence: &[TurnKey], time: Duration) {
        let tally = Tally::of(order, evidence);
        if let Some((recall, reciprocal)) = self.conversations.last_mut() {
            recall.push(tally.recall[1] * 100.0);
            reciprocal.push(tally.reciprocal);
        }
        self.all.merge(&tally);
        self.by_category.entry(category).or_default().merge(&tally);
        self.times.push(time);
    }

    pub fn mean_ms(&self) -> f64 {
        self.times.iter().sum::<Duration>().as_secs_f64() * 1e3 / self.times.len().max(1) as f64
    }

    pub fn p95_ms(&self) -> f64 {
        percentile(&self.times, 95).as_secs_f64() * 1e3
    }
}

/// The time that so many in a hundred stay within.
pub fn percentile(times: &[Duration], hundredths: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    let place = (sorted.len() * hundredths).div_ceil(100).saturating_sub(1);
    sorted.get(place).copied().unwrap_or_default()
}

impl Tally {
    fn of(order: &[TurnKey], evidence: &[TurnKey]) -> Tally {
        let ranks = evidence
            .iter()
            .filter_map(|turn| order.iter().position(|found| found == turn));
        let ranks: Vec<usize> = ranks.map(|place| place + 1).collect();
        let within = |depth: usize| ranks.iter().filter(|rank| **rank <= depth).count() as f64;
        let discount = |rank: usize| 1.0 / (rank as f64 + 1.0).log2();
        let ideal: f64 = (1..=evidence.len().min(GAIN_DEPTH)).map(discount).sum();
        let gain: f64 = ranks
            .iter()
            .filter(|rank| **rank <= GAIN_DEPTH)
            .map(|rank| discount(*rank))
            .sum();
        Tally {
            questions: 1,
            recall: DEPTHS.map(|depth| within(depth) / evidence.len() as f64),
            reciprocal: ranks.iter().min().map_or(0.0, |rank| 1.0 / *rank as f64),
            gain: gain / ideal,
        }
    }

    fn merge(&mut self, other: &Tally) {
        self.questions += other.questions;
        self.recall
            .iter_mut()
            .zip(other.recall)
            .for_each(|(sum, recall)| *sum += recall);
        self.reciprocal += other.reciprocal;
        self.gain += other.gain;
    }

    pub fn figures(&self) -> Figures {
        let mean = |sum: f64| sum / self.questions.max(1) as f64;
        Figures {
            questions: self.questions,
            recall_at_5: mean(self.recall[0]),
            recall_at_10: mean(self.recall[1]),
            recall_at_20: mean(self.recall[2]),
            mrr: mean(self.reciprocal),
            ndcg_at_10: mean(self.gain),
        }
    }
}
