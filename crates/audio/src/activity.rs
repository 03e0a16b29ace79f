//! Whether somebody speaks, block by block: a level against the room's own noise first, and behind it a small network.
//!
//! The network sees nothing of a track that is as loud as its noise, so silent tracks cost almost nothing. When a track
//! wakes, the network is given what came just before, so that it knows as much as if it had listened all along.

mod floor;

use std::collections::VecDeque;
use std::fmt;

use earshot::Detector;

use self::floor::NoiseFloor;
use crate::Decibels;
use crate::decibels::power;

/// Samples of a block at [`crate::EAR_RATE`]: 16 ms, what the network was made for.
pub const BLOCK: usize = 256;

/// Nothing below this is speech.
const QUIETEST: Decibels = Decibels(-62.0);
/// How far above its noise a track must be for the network to look at it.
const ABOVE_FLOOR: f32 = 5.0;
/// How far above its noise a block must be to count as speech, whatever the network says.
const COUNTED: f32 = 3.0;
/// For how many blocks the network goes on after the last loud one.
const AWAKE: u32 = 20;
/// Blocks that are kept for the network's waking: what its window and its memory need.
const RECALLED: usize = 8;
/// How much of the old estimate stays when a new one is higher, and when it is lower.
const RISE: f32 = 0.45;
const FALL: f32 = 0.7;
/// Where speech begins and where it ends.
const BEGINS: f32 = 0.5;
const ENDS: f32 = 0.3;

/// What is known of one block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activity {
    /// Whether somebody speaks, steadied over a few blocks.
    pub voiced: bool,
    /// How likely speech is in this block by itself: 0 to 1.
    pub likelihood: f32,
    /// The mean level of the block.
    pub level: Decibels,
    /// Whether the network looked at the block.
    pub examined: bool,
}

/// Listens to one track. Takes 20 kB.
pub struct VoiceActivity {
    network: Box<Detector>,
    floor: NoiseFloor,
    /// The last blocks that the network did not see.
    unseen: VecDeque<[i16; BLOCK]>,
    /// Blocks that the network still looks at.
    awake: u32,
    estimate: f32,
    voiced: bool,
}

impl VoiceActivity {
    /// For a track of which nothing is known yet.
    pub fn new() -> Self {
        Self {
            network: Box::new(Detector::default()),
            floor: NoiseFloor::new(),
            unseen: VecDeque::with_capacity(RECALLED),
            awake: 0,
            estimate: 0.0,
            voiced: false,
        }
    }

    /// Listens to the next block.
    pub fn hear(&mut self, block: &[i16; BLOCK]) -> Activity {
        let level = Decibels::of_power(power(block));
        if level > QUIETEST && level.0 > self.floor.level().0 + ABOVE_FLOOR {
            self.awake = AWAKE;
        }
        let examined = self.awake > 0;
        let likelihood = if examined {
            self.awake -= 1;
            self.examine(block)
        } else {
            if self.unseen.len() == RECALLED {
                self.unseen.pop_front();
            }
            self.unseen.push_back(*block);
            0.0
        };
        let counts = level > QUIETEST && level.0 > self.floor.level().0 + COUNTED;
        self.steady(if counts { likelihood } else { 0.0 });
        // A microphone that is off, or a program that sends no silence, says nothing of the room.
        if level > Decibels::SILENCE {
            self.floor.hear(level);
        }
        Activity {
            voiced: self.voiced,
            likelihood,
            level,
            examined,
        }
    }

    /// The level of the track's own noise.
    pub fn noise(&self) -> Decibels {
        self.floor.level()
    }

    /// Begins anew, for another person or device.
    pub fn reset(&mut self) {
        self.network.reset();
        self.floor = NoiseFloor::new();
        self.unseen.clear();
        self.awake = 0;
        self.estimate = 0.0;
        self.voiced = false;
    }

    fn examine(&mut self, block: &[i16; BLOCK]) -> f32 {
        if self.unseen.len() == RECALLED {
            // It slept for longer than it remembers.
            self.network.reset();
        }
        for before in self.unseen.drain(..) {
            self.network.predict_i16(&before);
        }
        let likelihood = self.network.predict_i16(block);
        if likelihood.is_finite() {
            likelihood.clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    fn steady(&mut self, likelihood: f32) {
        let stays = if likelihood > self.estimate { RISE } else { FALL };
        self.estimate = stays * self.estimate + (1.0 - stays) * likelihood;
        self.voiced = self.estimate >= if self.voiced { ENDS } else { BEGINS };
    }
}

impl Default for VoiceActivity {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for VoiceActivity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("VoiceActivity")
            .field("noise", &self.noise())
            .field("awake", &self.awake)
            .field("estimate", &self.estimate)
            .field("voiced", &self.voiced)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "activity_tests.rs"]
mod tests;
