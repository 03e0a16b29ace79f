//! Mean and deviation that come out the same in whatever order values come: sums of integers, not of floats.

/// Values are taken to this fine a step.
const STEPS: f64 = (1_u64 << 30) as f64;

#[derive(Debug, Clone, Copy, Default)]
pub struct Spread {
    count: u64,
    sum: i64,
    squares: i128,
}

impl Spread {
    /// Takes in a value between -1,000 and 1,000.
    pub fn add(&mut self, value: f64) {
        let steps = (value * STEPS) as i64;
        self.count += 1;
        self.sum += steps;
        self.squares += i128::from(steps) * i128::from(steps);
    }

    pub fn mean(&self) -> f64 {
        self.sum as f64 / STEPS / self.count.max(1) as f64
    }

    /// 0 where all values are alike.
    pub fn deviation(&self) -> f64 {
        let mean_square = self.squares as f64 / (STEPS * STEPS) / self.count.max(1) as f64;
        let deviation = (mean_square - self.mean() * self.mean()).max(0.0).sqrt();
        if deviation > 1e-6 { deviation } else { 0.0 }
    }
}
