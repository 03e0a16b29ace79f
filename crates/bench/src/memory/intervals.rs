//! How sure a mean is: conversations are drawn again and again, with replacement, and the mean is taken of each draw.

use std::fmt;

/// Draws; the same every time.
const DRAWS: usize = 2_000;
const SEED: u64 = 19;

/// The middle 95 % of what a mean comes to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Of the mean over all values. Values come in groups that belong together, such as the questions about one conversation; groups
/// are drawn whole. Of a single group its values are drawn.
pub fn interval(groups: &[Vec<f64>]) -> Interval {
    let single: Vec<Vec<f64>>;
    let groups = if let [group] = groups {
        single = group.iter().map(|value| vec![*value]).collect();
        &single
    } else {
        groups
    };
    if groups.is_empty() {
        return Interval::default();
    }
    let sums: Vec<(f64, f64)> = groups
        .iter()
        .map(|group| (group.iter().sum(), group.len() as f64))
        .collect();
    let mut dice = Dice(SEED);
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let (mut sum, mut count) = (0.0, 0.0);
            for _ in 0..sums.len() {
                let drawn = sums[dice.below(sums.len())];
                sum += drawn.0;
                count += drawn.1;
            }
            sum / f64::max(count, 1.0)
        })
        .collect();
    means.sort_by(f64::total_cmp);
    Interval {
        low: means[DRAWS / 40],
        high: means[DRAWS - 1 - DRAWS / 40],
    }
}

/// Well-mixed numbers, the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((value ^ (value >> 31)) % bound as u64) as usize
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(1);
        write!(f, "{:.digits$}–{:.digits$}", self.low, self.high)
    }
}
