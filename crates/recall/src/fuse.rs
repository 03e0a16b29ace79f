//! How the parts of a score come together. The exact search and the ranking of remote candidates share this.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use vocabulary::{Scores, WallTime};

use crate::weights::{
    AGE_HALF_LIFE_DAYS, AGE_SHARE, CONFIDENT_CLOSENESS, CONFIDENT_COVERED, CONFIDENT_RARE_WORDS,
    CONFIDENT_RARE_WORDS_MAX, CONFIDENT_SEEN, CONFIDENT_START, DOUBLINGS_MAX, IMPORTANCE_SHARE, KEY, MEANING,
    PINNED_FACTOR, RARE_WORDS_MIN, SEEN_MAX, SEEN_MIN, STRENGTH_SHARE, UNSURE,
};

const DAY_MS: i64 = 86_400_000;
/// Beyond so many days age makes no more difference.
const DAYS_MAX: usize = 4_096;

/// All that age and importance can make of a record together, as a factor.
pub const FACTOR_RANGE: RangeInclusive<f64> = (1.0 - AGE_SHARE) * (1.0 - IMPORTANCE_SHARE / 2.0)
    ..=PINNED_FACTOR * (1.0 + IMPORTANCE_SHARE / 2.0 + STRENGTH_SHARE * DOUBLINGS_MAX as f64);

/// What speaks for one record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// What it is worth by itself.
    pub fit: f64,
    /// The best fit of the gems that lead to it.
    pub keys: f64,
    /// What age takes off, as a factor.
    pub recency: f64,
    /// What importance adds, as a factor.
    pub importance: f64,
}

impl Evidence {
    /// What the order follows. Factors act on what speaks for a record, never on what speaks against it.
    pub fn total(&self) -> f64 {
        let worth = Evidence::worth(self.fit, self.keys);
        if worth > 0.0 {
            worth * self.recency * self.importance
        } else {
            worth
        }
    }

    /// What a record is worth before age and importance.
    pub fn worth(fit: f64, keys: f64) -> f64 {
        fit + KEY * keys
    }

    /// All of it, for a person.
    pub fn scores(&self, grounds: &Grounds) -> Scores {
        Scores {
            total: self.total(),
            confidence: grounds.confidence(KEY * self.keys),
            lexical: grounds.own,
            dense: self.fit - grounds.covered,
            surroundings: grounds.covered - grounds.own,
            keys: KEY * self.keys,
            recency: self.recency,
            importance: self.importance,
        }
    }
}

/// What a fit rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grounds {
    /// The share of the search that a record's words and those around it have.
    pub covered: f64,
    /// Of that, its own.
    pub own: f64,
    /// Of that, by speaking of oneself: many do, and it makes nothing surer.
    pub first_person: f64,
    /// How much closer in meaning it is than the usual.
    pub closeness: f64,
    /// What the whole search weighs, in words that nothing has.
    pub rare_words: f64,
    /// How many parts of records were looked at.
    pub parts_seen: usize,
}

impl Grounds {
    /// 0 to 1, comparable between searches: how likely it is that this is what was looked for. A large share of a short
    /// search can be chance, as can a small share of a long one: what counts is both, the share and how many rare words it is.
    /// And the more there is to look through, the more is found by chance.
    fn confidence(&self, keys: f64) -> f64 {
        let covered = (self.covered - self.first_person + keys).clamp(0.0, 1.0);
        let rare_words = (covered * self.rare_words).min(CONFIDENT_RARE_WORDS_MAX);
        let odds = CONFIDENT_COVERED * covered
            + CONFIDENT_CLOSENESS * self.closeness
            + CONFIDENT_RARE_WORDS * rare_words
            - CONFIDENT_SEEN * (self.parts_seen.clamp(SEEN_MIN, SEEN_MAX) as f64).ln()
            + CONFIDENT_START;
        let confidence = 1.0 / (1.0 + (-odds).exp());
        if rare_words < RARE_WORDS_MIN {
            confidence.min(UNSURE * rare_words / RARE_WORDS_MIN)
        } else {
            confidence
        }
    }
}

/// What a record is worth by itself: by its words, and by how much closer in meaning it is than the usual.
pub fn fit(covered: f64, closeness: f64) -> f64 {
    covered + MEANING * closeness
}

/// What age takes off: never more than a small share, and nothing off what is ageless.
pub fn recency(at: WallTime, now: WallTime, is_ageless: bool) -> f64 {
    // By day, and worked out once: a search looks at the age of every record.
    static BY_DAYS: OnceLock<Vec<f64>> = OnceLock::new();
    let by_days = BY_DAYS.get_or_init(|| {
        let factor = |days: usize| 1.0 - AGE_SHARE * (1.0 - (-(days as f64) / AGE_HALF_LIFE_DAYS).exp2());
        (0..=DAYS_MAX).map(factor).collect()
    });
    if is_ageless {
        return 1.0;
    }
    let days = now.0.saturating_sub(at.0).max(0) / DAY_MS;
    by_days[usize::try_from(days).unwrap_or(DAYS_MAX).min(DAYS_MAX)]
}

/// What importance, being said again and being pinned add. Turns have none of it and stand in the middle.
pub fn importance(importance: Option<f32>, strength: u32, is_pinned: bool) -> f64 {
    let middle = importance.map_or(0.0, |importance| f64::from(importance) - 0.5);
    let doublings = f64::from(strength.max(1).ilog2().min(DOUBLINGS_MAX));
    let pinned = if is_pinned { PINNED_FACTOR } else { 1.0 };
    pinned * (1.0 + IMPORTANCE_SHARE * middle + STRENGTH_SHARE * doublings)
}
