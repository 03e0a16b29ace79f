//! Mean and deviation that come out the same in whatever order values come: sums of integers, not of floats.

/// Values are taken to this fine a step.
const STEPS: f64 = (1_u64 << 30) as f64;

#[derive(Debug, Clone, Copy, Default)]
pub struct Spread {
    count: u64,
    sum: i128,
    squares: i128,
}

impl Spread {
    pub fn add(&mut self, value: f64) {
        let steps = i128::from((value * STEPS).round() as i64);
        self.count += 1;
        self.sum += steps;
        self.squares += steps * steps;
    }

    pub fn mean(&self) -> f64 {
        self.sum as f64 / STEPS / self.count.max(1) as f64
    }

    pub fn deviation(&self) -> f64 {
        let mean_square = self.squares as f64 / (STEPS * STEPS) / self.count.max(1) as f64;
        (mean_square - self.mean() * self.mean()).max(0.0).sqrt()
    }

    /// By how many deviations a value lies above the mean; 0 where all are alike.
    pub fn standing(&self, value: f64) -> f64 {
        let deviation = self.deviation();
        if deviation > 1e-9 {
            (value - self.mean()) / deviation
        } else {
            0.0
        }
    }
}
