//! How loud something is, for people to see; and evening it out, for people to hear.

use crate::Decibels;
use crate::decibels::{FULL_SCALE, peak, power, sample};
use crate::{FRAME, Frame, RATE};

/// How far a shown peak falls in a second.
const FALL_PER_SECOND: f32 = 24.0;
/// How much of the mean of before stays with each frame: it follows within a fifth of a second.
const MEAN_STAYS: f32 = 0.9;

/// What a meter shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loudness {
    /// The mean of the last moments.
    pub mean: Decibels,
    /// The loudest sample, which falls slowly.
    pub peak: Decibels,
}

/// A level meter for one track.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    mean: f32,
    peak: Decibels,
}

impl Meter {
    /// That has heard nothing.
    pub fn new() -> Self {
        Self {
            mean: 0.0,
            peak: Decibels::SILENCE,
        }
    }

    /// Hears the next samples, at 48,000 a second.
    pub fn hear(&mut self, sound: &[i16]) -> Loudness {
        let frames = sound.len() as f32 / FRAME as f32;
        let stays = MEAN_STAYS.powf(frames);
        self.mean = stays * self.mean + (1.0 - stays) * power(sound);
        let fallen = self.peak.0 - FALL_PER_SECOND * sound.len() as f32 / RATE as f32;
        let loudest = Decibels::of_amplitude(peak(sound)).0;
        self.peak = Decibels(loudest.max(fallen).max(Decibels::SILENCE.0));
        Loudness {
            mean: Decibels::of_power(self.mean),
            peak: self.peak,
        }
    }
}

impl Default for Meter {
    fn default() -> Self {
        Self::new()
    }
}

/// How a voice is evened out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevellerRules {
    /// The mean level that speech is brought to.
    pub target: Decibels,
    /// The most that a quiet voice is raised, and a loud one lowered, in decibels.
    pub most_raised: f32,
    pub most_lowered: f32,
}

impl Default for LevellerRules {
    fn default() -> Self {
        Self {
            target: Decibels(-20.0),
            most_raised: 18.0,
            most_lowered: 18.0,
        }
    }
}

/// Brings what is played to one loudness, whatever mouth made it.
#[derive(Clone, Copy, Debug)]
pub struct Leveller {
    rules: LevellerRules,
    /// The mean square of the voice's sound, pauses left out; none before its first.
    voice: Option<f32>,
    /// In decibels.
    gain: f32,
    /// The gain of the last sample.
    applied: f32,
}

impl Leveller {
    /// So many samples a gain that is too high for a loud place takes to fall: a millisecond.
    const FALL: usize = 48;
    /// What is quieter is a pause, and says nothing of the voice.
    const PAUSE: Decibels = Decibels(-50.0);
    /// How much of what is known of the voice stays with each of its frames.
    const VOICE_STAYS: f32 = 0.97;
    /// The gain changes by at most so many decibels in a frame, after the first.
    const STEP: f32 = 0.15;
    /// No sample is made louder than this part of full scale.
    const CEILING: f32 = 0.89;

    /// For one voice.
    pub fn new(rules: LevellerRules) -> Self {
        Self {
            rules,
            voice: None,
            gain: 0.0,
            applied: 0.0,
        }
    }

    /// Evens out the next frame.
    pub fn even(&mut self, frame: &mut Frame) {
        let before = self.gain;
        let power = power(frame);
        if Decibels::of_power(power) > Self::PAUSE {
            let is_first = self.voice.is_none();
            let voice = self.voice.map_or(power, |voice| {
                Self::VOICE_STAYS * voice + (1.0 - Self::VOICE_STAYS) * power
            });
            self.voice = Some(voice);
            let wanted = (self.rules.target.0 - Decibels::of_power(voice).0)
                .clamp(-self.rules.most_lowered.abs(), self.rules.most_raised.abs());
            self.gain = if is_first {
                // Half of the way: a first sound is seldom as loud as the voice.
                wanted / 2.0
            } else {
                before + (wanted - before).clamp(-Self::STEP, Self::STEP)
            };
        }
        // A loud place bounds the gain for its frame, and not for those after it.
        let loudest = peak(frame).max(1.0 / FULL_SCALE);
        let most = 20.0 * (Self::CEILING / loudest).log10();
        let bounded = self.gain.min(most.max(0.0));
        let was = std::mem::replace(&mut self.applied, bounded);
        if bounded.abs() < 0.01 && was.abs() < 0.01 {
            return;
        }
        let (from, to) = (Decibels(was).amplitude(), Decibels(bounded).amplitude());
        let ramp = if was > most.max(0.0) { Self::FALL } else { FRAME };
        let step = (to - from) / ramp as f32;
        for (at, value) in frame.iter_mut().enumerate() {
            *value = sample(f32::from(*value) * (from + step * at.min(ramp) as f32));
        }
    }
}

impl Default for Leveller {
    fn default() -> Self {
        Self::new(LevellerRules::default())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixtures::{Voice, at_level, silence};

    fn evened(sound: &[i16]) -> Vec<i16> {
        let mut leveller = Leveller::default();
        let mut out = Vec::new();
        for frame in sound.as_chunks::<FRAME>().0 {
            let mut frame = *frame;
            leveller.even(&mut frame);
            out.extend(frame);
        }
        out
    }

    #[test]
    fn quiet_and_loud_voices_end_up_about_as_loud() {
        for voice in Voice::SENTENCES {
            for level in [-36.0, -28.0, -20.0, -14.0] {
                let sound = at_level(&voice.sound(), Decibels(level)).repeat(4);
                let out = evened(&sound);
                let end = Decibels::of_samples(&out[out.len() * 3 / 4..]);
                assert!((end.0 + 20.0).abs() < 4.0, "{voice:?} of {level} dB became {end}");
            }
        }
    }

    #[test]
    fn silence_stays_silence_and_pauses_are_not_raised_further() {
        assert_eq!(evened(&silence(500)), silence(500));
        let mut leveller = Leveller::default();
        let mut frame: Frame = std::array::from_fn(|at| if at % 40 < 20 { 800 } else { -800 });
        leveller.even(&mut frame);
        let gain = leveller.gain;
        for _ in 0..500 {
            leveller.even(&mut [3; FRAME]);
        }
        assert_eq!(leveller.gain, gain);
    }

    #[test]
    fn a_loud_place_lowers_nothing_but_itself() {
        let mut leveller = Leveller::default();
        let voice: Frame = std::array::from_fn(|at| if at % 40 < 20 { 500 } else { -500 });
        for _ in 0..300 {
            leveller.even(&mut voice.clone());
        }
        let gain = leveller.gain;
        assert!(gain > 6.0, "{gain}");
        let mut plosive = voice;
        plosive[400] = 30_000;
        leveller.even(&mut plosive);
        assert!(plosive[400] > 0);
        assert!(leveller.gain > gain - 1.0, "{} after {gain}", leveller.gain);
        let mut after = voice;
        leveller.even(&mut after);
        let raised = f32::from(after[FRAME - 1].unsigned_abs()) / 500.0;
        assert!(20.0 * raised.log10() > gain - 1.5, "{raised}");
    }

    #[test]
    fn a_meter_rises_at_once_and_falls_slowly() {
        let mut meter = Meter::new();
        let loud = meter.hear(&[16_384; FRAME]);
        assert!((loud.peak.0 + 6.0).abs() < 0.1);
        let after: Vec<Loudness> = (0..50).map(|_| meter.hear(&[0; FRAME])).collect();
        assert!(
            (after[49].peak.0 + 30.0).abs() < 0.5,
            "a second later: {:?}",
            after[49]
        );
        assert!(after[49].mean < Decibels(-35.0) && after[4].mean > Decibels(-25.0));
        for _ in 0..500 {
            meter.hear(&[0; FRAME]);
        }
        assert_eq!(meter.hear(&[]).peak, Decibels::SILENCE);
    }

    proptest! {
        #![proptest_config(hostile::cases(32))]

        #[test]
        fn hostile_sound_is_never_turned_round(seeds in prop::collection::vec((any::<i16>(), 1..60_usize), 1..60)) {
            let mut leveller = Leveller::default();
            for (loudness, period) in seeds {
                let sound: Frame = std::array::from_fn(|at| if at / period % 2 == 0 { loudness } else { loudness / 3 });
                let mut out = sound;
                leveller.even(&mut out);
                for (before, after) in sound.iter().zip(&out) {
                    prop_assert!(i32::from(*before) * i32::from(*after) >= 0, "{} became {}", before, after);
                }
            }
        }
    }
}
