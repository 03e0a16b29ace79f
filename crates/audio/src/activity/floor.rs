//! The noise of a track: the least level of the last seconds, steadied.

use crate::Decibels;

/// Before anything was heard: a quiet room.
const FIRST: Decibels = Decibels(-60.0);
/// Blocks of a stretch, half a second; the least of some stretches is the floor.
const STRETCH: u32 = 31;
const STRETCHES: usize = 5;
/// So many stretches are enough at the beginning of a track.
const FIRST_STRETCHES: usize = 2;
/// Single blocks of noise lie around its mean: the least of many lies below it by about so much.
const BELOW_MEAN: f32 = 1.5;
/// How much of the old level stays, so that one block does not count for the room.
const STAYS: f32 = 0.8;

/// The level that a track has when nobody speaks.
#[derive(Clone, Debug)]
pub struct NoiseFloor {
    steadied: Option<f32>,
    /// The least of the stretch under way, and of those before it.
    least: f32,
    heard: u32,
    before: [f32; STRETCHES],
    level: Decibels,
}

impl NoiseFloor {
    pub fn new() -> Self {
        Self {
            steadied: None,
            least: f32::INFINITY,
            heard: 0,
            before: [f32::INFINITY; STRETCHES],
            level: FIRST,
        }
    }

    pub fn level(&self) -> Decibels {
        self.level
    }

    /// Learns from a block; speech has pauses, so it does not matter whether somebody speaks.
    pub fn hear(&mut self, level: Decibels) {
        let steadied = self
            .steadied
            .map_or(level.0, |before| STAYS * before + (1.0 - STAYS) * level.0);
        self.steadied = Some(steadied);
        self.least = self.least.min(steadied);
        self.heard += 1;
        if self.heard == STRETCH {
            self.before.rotate_left(1);
            self.before[STRETCHES - 1] = self.least;
            self.least = f32::INFINITY;
            self.heard = 0;
            // A floor goes up only when all that is remembered lies above it; at the beginning that is a second.
            let least = self.before.into_iter().fold(f32::INFINITY, f32::min);
            if self.before[STRETCHES - FIRST_STRETCHES].is_finite() {
                self.level = Decibels(least + BELOW_MEAN);
            }
        } else if self.least + BELOW_MEAN < self.level.0 {
            self.level = Decibels(self.least + BELOW_MEAN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(floor: &mut NoiseFloor, levels: impl IntoIterator<Item = f32>) -> f32 {
        for level in levels {
            floor.hear(Decibels(level));
        }
        floor.level().0
    }

    #[test]
    fn it_falls_at_once_and_rises_after_some_seconds() {
        let mut floor = NoiseFloor::new();
        assert!(after(&mut floor, [-80.0; 5]) < -75.0);
        after(&mut floor, [-80.0; 120]);
        let halfway = after(&mut floor, [-40.0; 60]);
        assert!(halfway < -70.0, "a second of noise: {halfway}");
        let risen = after(&mut floor, [-40.0; 200]);
        assert!((risen + 38.5).abs() < 1.0, "three more: {risen}");
    }

    #[test]
    fn a_noisy_room_is_known_after_a_second() {
        let mut floor = NoiseFloor::new();
        assert_eq!(after(&mut floor, [-40.0; 50]), FIRST.0);
        assert!((after(&mut floor, [-40.0; 15]) + 38.5).abs() < 1.0);
    }

    #[test]
    fn pauses_between_words_keep_it_low() {
        let mut floor = NoiseFloor::new();
        after(&mut floor, [-65.0; 100]);
        let talking = (0..600).map(|block| if block % 50 < 40 { -25.0 } else { -65.0 });
        let level = after(&mut floor, talking);
        assert!(level < -50.0, "{level}");
    }
}
