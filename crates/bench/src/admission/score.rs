//! Right and wrong judgements, and the shares people compare gates by.

/// Judgements by what was true and what the gate said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    pub rightly_admitted: u64,
    pub wrongly_admitted: u64,
    pub missed: u64,
    pub rightly_ignored: u64,
}

impl Score {
    /// Counts one judgement.
    pub fn count(&mut self, is_addressed: bool, admitted: bool) {
        let counter = match (is_addressed, admitted) {
            (true, true) => &mut self.rightly_admitted,
            (false, true) => &mut self.wrongly_admitted,
            (true, false) => &mut self.missed,
            (false, false) => &mut self.rightly_ignored,
        };
        *counter += 1;
    }

    /// Takes another room's judgements in.
    pub(super) fn add(&mut self, other: Self) {
        self.rightly_admitted += other.rightly_admitted;
        self.wrongly_admitted += other.wrongly_admitted;
        self.missed += other.missed;
        self.rightly_ignored += other.rightly_ignored;
    }

    /// How many judgements were made.
    pub fn judged(&self) -> u64 {
        self.rightly_admitted + self.wrongly_admitted + self.missed + self.rightly_ignored
    }

    /// Of what was admitted, the share that was meant for Denizen.
    pub fn precision(&self) -> Option<f64> {
        share(
            self.rightly_admitted,
            self.rightly_admitted + self.wrongly_admitted,
        )
    }

    /// Of what was meant for Denizen, the share that was admitted.
    pub fn recall(&self) -> Option<f64> {
        share(self.rightly_admitted, self.rightly_admitted + self.missed)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> Option<f64> {
        let twice = 2 * self.rightly_admitted;
        share(twice, twice + self.wrongly_admitted + self.missed)
    }

    /// The mean of the shares judged rightly among what was meant for Denizen and what was not.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        let ignored = share(self.rightly_ignored, self.rightly_ignored + self.wrongly_admitted)?;
        Some(f64::midpoint(self.recall()?, ignored))
    }

    /// The share of everything that was admitted.
    pub fn admitted(&self) -> Option<f64> {
        share(self.rightly_admitted + self.wrongly_admitted, self.judged())
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
