//! What a screen's scores were like in the last seconds: their middle, and how far they stray from it.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::{Moment, Span};

/// What is usual is learnt from this long: a new scene is usual once it fills half of it.
const WINDOW: Span = Span::seconds(20);
/// A quieter scene is usual sooner, so that something small is seen in it soon after something large.
const SHORT_WINDOW: Span = Span::seconds(6);
/// Scores that are nearer together than this are not kept: at ten frames a second every fourth is enough.
const SPACING: Span = Span(320);
/// Keeps the state small whatever the clock says; `WINDOW` has room for fewer.
const SAMPLES_MAX: usize = 64;
/// With fewer, nothing is usual yet: six seconds at two frames a second. So many are kept however old they are, because a
/// share page sends a frame only now and then while nothing happens.
const SAMPLES_MIN: usize = 12;
/// Between the middle and a quarter lie this many standard deviations, where chance is all there is.
const QUARTER_IN_DEVIATIONS: f64 = 0.674;
/// Scores are never quite as even as a few seconds of them look.
const DEVIATION_MIN_SHARE: f64 = 0.02;

/// The scores of the last seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Recent {
    samples: VecDeque<(Moment, f64)>,
}

/// What is usual now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Usual {
    pub level: f64,
    /// How far a score strays from the level by chance.
    pub deviation: f64,
}

impl Recent {
    pub fn add(&mut self, at: Moment, score: f64) {
        if self.newest().is_some_and(|last| at.since(last) < SPACING) {
            return;
        }
        self.samples.push_back((at, score));
        while self.samples.len() > SAMPLES_MAX || (self.samples.len() > SAMPLES_MIN && self.oldest_is_old(at))
        {
            self.samples.pop_front();
        }
    }

    /// None while there is too little to go by.
    pub fn usual(&self) -> Option<Usual> {
        let newest = self.newest().filter(|_| self.samples.len() >= SAMPLES_MIN)?;
        let all = Sorted::of(self.samples.iter());
        let lately = Sorted::of(self.since(newest - SHORT_WINDOW));
        let scores = if lately.quantile(0.5) < all.quantile(0.5) {
            lately
        } else {
            all
        };
        let level = scores.quantile(0.5);
        // Where two scenes are in the window, one side of the middle reaches into the other scene, but never both do.
        let below = level - scores.quantile(0.25);
        let above = scores.quantile(0.75) - level;
        let deviation = below.min(above) / QUARTER_IN_DEVIATIONS;
        Some(Usual {
            level,
            deviation: deviation.max(level * DEVIATION_MIN_SHARE),
        })
    }

    /// The highest score since a moment.
    pub fn highest(&self, since: Moment) -> f64 {
        self.since(since).map(|(_, score)| *score).fold(0.0, f64::max)
    }

    fn since(&self, moment: Moment) -> impl Iterator<Item = &(Moment, f64)> {
        self.samples.iter().rev().take_while(move |(at, _)| *at >= moment)
    }

    fn newest(&self) -> Option<Moment> {
        self.samples.back().map(|(at, _)| *at)
    }

    fn oldest_is_old(&self, now: Moment) -> bool {
        self.samples
            .front()
            .is_some_and(|(at, _)| now.since(*at) > WINDOW)
    }
}

/// Scores in order of size.
struct Sorted(Vec<f64>);

impl Sorted {
    fn of<'a>(samples: impl Iterator<Item = &'a (Moment, f64)>) -> Self {
        let mut scores: Vec<f64> = samples.map(|(_, score)| *score).collect();
        scores.sort_unstable_by(f64::total_cmp);
        Self(scores)
    }

    /// The score that this share of them stays below; of nothing, nothing.
    fn quantile(&self, share: f64) -> f64 {
        let place = (self.0.len().saturating_sub(1) as f64 * share).round() as usize;
        self.0.get(place).copied().unwrap_or_default()
    }
}
