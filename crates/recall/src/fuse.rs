//! How the parts of a score come together. The exact search and the ranking of remote candidates share this.

use vocabulary::{Scores, WallTime};

use crate::weights::{AGE_HALF_LIFE_DAYS, AGE_SHARE, DENSE, IMPORTANCE_SHARE, KEY, PINNED_FACTOR};

const DAY_MS: f64 = 86_400_000.0;

/// What is known of one record's fit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Evidence {
    /// The share of the search that its words and those around it have.
    pub coverage: f64,
    /// Of that, its own.
    pub own: f64,
    /// The cosine, if anything is known.
    pub cosine: Option<f64>,
    /// By how many deviations it is closer in meaning than most.
    pub standing: f64,
    /// The best fit of the gems that lead to it.
    pub keys: f64,
    /// What age takes off, as a factor.
    pub recency: f64,
    /// What importance adds, as a factor.
    pub importance: f64,
}

impl Evidence {
    /// What a record is worth by itself, before gems lend to it and before age.
    pub fn fit(&self) -> f64 {
        self.coverage + DENSE * self.standing
    }

    /// What the order follows. Factors act on what speaks for a record, never on what speaks against it.
    pub fn total(&self) -> f64 {
        let total = self.fit() + KEY * self.keys;
        if total > 0.0 {
            total * self.recency * self.importance
        } else {
            total
        }
    }

    /// 0 to 1, comparable between searches.
    pub fn confidence(&self) -> f64 {
        let words = (self.coverage + KEY * self.keys).clamp(0.0, 1.0);
        let meaning = self.cosine.unwrap_or(0.0).clamp(0.0, 1.0);
        1.0 - (1.0 - words) * (1.0 - meaning * meaning)
    }

    pub fn scores(&self) -> Scores {
        Scores {
            total: self.total(),
            confidence: self.confidence(),
            lexical: self.own,
            dense: DENSE * self.standing,
            surroundings: self.coverage - self.own,
            keys: KEY * self.keys,
            recency: self.recency,
            importance: self.importance,
        }
    }
}

/// What age takes off: never more than a small share, and nothing off what is ageless.
pub fn recency(at: WallTime, now: WallTime, is_ageless: bool) -> f64 {
    let days = (now.0.saturating_sub(at.0)).max(0) as f64 / DAY_MS;
    if is_ageless {
        return 1.0;
    }
    1.0 - AGE_SHARE * (1.0 - (-days / AGE_HALF_LIFE_DAYS).exp2())
}

/// What importance adds: turns have none and stand in the middle.
pub fn importance(importance: Option<f32>, is_pinned: bool) -> f64 {
    let pinned = if is_pinned { PINNED_FACTOR } else { 1.0 };
    let middle = importance.map_or(0.0, |importance| f64::from(importance) - 0.5);
    pinned * (1.0 + IMPORTANCE_SHARE * middle)
}
