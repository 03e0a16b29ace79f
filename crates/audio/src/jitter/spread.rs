//! How unevenly the packets of a speaker arrive.

use super::DELAY_MOST;

/// How unevenly packets arrive.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread {
    /// Of the quickest packets: when it arrived, less when it was spoken.
    quickest: Option<f64>,
    lateness: f64,
}

impl Spread {
    /// How much of the lateness is forgotten with each packet: half of it in about seven seconds.
    const FORGOTTEN: f64 = 0.002;
    /// The quickest is forgotten by so many samples with each packet: clocks differ, and ways change.
    const DRIFT: f64 = 2.0;

    pub fn learn(&mut self, time: u64, now: u64) {
        let way = now as f64 - time as f64;
        let quickest = self
            .quickest
            .map_or(way, |quickest| way.min(quickest + Self::DRIFT));
        self.quickest = Some(quickest);
        let late = (way - quickest).min(2.0 * DELAY_MOST as f64);
        self.lateness = late.max(self.lateness * (1.0 - Self::FORGOTTEN));
    }

    pub fn lateness(self) -> u64 {
        self.lateness as u64
    }
}
