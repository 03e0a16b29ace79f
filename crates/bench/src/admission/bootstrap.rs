//! How far a figure may be off: the same figure over rooms drawn again and again, with a fixed seed.

use super::Score;

/// How often rooms are drawn.
const DRAWS: usize = 2_000;
/// Of the figures, so many of a thousand lie below and above what is told.
const TAIL: usize = 25;

/// Where a figure lies in 95 of 100 draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// A figure of pooled judgements over drawn rooms.
pub fn interval(rooms: &[Score], figure: fn(&Score) -> Option<f64>) -> Option<Interval> {
    drawn(rooms.len(), |drawn| {
        let mut pooled = Score::default();
        for room in drawn {
            pooled.add(rooms[*room]);
        }
        figure(&pooled)
    })
}

/// How much a figure is greater for the second of two ways, over the same drawn rooms.
pub fn difference(rooms: &[(Score, Score)], figure: fn(&Score) -> Option<f64>) -> Option<Interval> {
    drawn(rooms.len(), |drawn| {
        let (mut first, mut second) = (Score::default(), Score::default());
        for room in drawn {
            first.add(rooms[*room].0);
            second.add(rooms[*room].1);
        }
        Some(figure(&second)? - figure(&first)?)
    })
}

/// A figure over rooms drawn with repetition, as many as there are; none of fewer than two.
pub fn drawn(rooms: usize, figure: impl Fn(&[usize]) -> Option<f64>) -> Option<Interval> {
    if rooms < 2 {
        return None;
    }
    let mut chance = Chance(1);
    let mut figures: Vec<f64> = (0..DRAWS)
        .filter_map(|_| {
            let drawn: Vec<usize> = (0..rooms).map(|_| chance.below(rooms)).collect();
            figure(&drawn)
        })
        .collect();
    figures.sort_by(f64::total_cmp);
    let at = |thousandth: usize| figures.get(figures.len() * thousandth / 1_000).copied();
    Some(Interval {
        low: at(TAIL)?,
        high: at(1_000 - TAIL)?,
    })
}

/// Numbers that are the same in every run (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % most as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(rightly_admitted: u64, missed: u64) -> Score {
        Score {
            rightly_admitted,
            missed,
            ..Score::default()
        }
    }

    #[test]
    fn rooms_that_are_alike_leave_no_doubt_and_others_do() {
        let alike = interval(&[score(3, 1), score(3, 1)], Score::recall).expect("two rooms");
        assert_eq!((alike.low, alike.high), (0.75, 0.75));
        let unlike = interval(&[score(4, 0), score(0, 4)], Score::recall).expect("two rooms");
        assert_eq!((unlike.low, unlike.high), (0.0, 1.0));
        assert_eq!(interval(&[score(4, 0)], Score::recall), None);
    }

    #[test]
    fn ways_are_compared_in_the_same_rooms() {
        let pairs = [(score(1, 3), score(2, 2)), (score(2, 2), score(3, 1))];
        let found = difference(&pairs, Score::recall).expect("two rooms");
        assert_eq!((found.low, found.high), (0.25, 0.25));
    }
}
