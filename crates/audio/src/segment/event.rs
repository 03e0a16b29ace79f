//! What is told of somebody's speech.

use std::fmt;
use std::time::Duration;

use crate::Decibels;

/// Something about one person's speech; speeches are counted from one.
#[derive(Clone, Debug, PartialEq)]
pub enum SpeechEvent {
    /// Somebody begins to speak.
    Started {
        speech: u64,
        /// Where its first clip begins: samples at 48,000 a second since the beginning of the track.
        begins: u64,
    },
    /// They still speak: told each 100 ms, and never in a pause.
    Continues {
        speech: u64,
        /// From the first sound until now.
        spoken: Duration,
        /// Of that, with voice.
        voiced: Duration,
        /// How loud it is just now.
        level: Decibels,
    },
    /// They pause: told each 100 ms.
    Pauses {
        speech: u64,
        /// Since the last sound.
        silence: Duration,
    },
    /// Something to transcribe.
    Clip(SpeechClip),
    /// Something that is not worth it.
    Dropped(DroppedClip),
    /// The speech has ended; nothing more of it comes.
    Ended {
        speech: u64,
        /// From the first sound to the last.
        spoken: Duration,
        /// Of that, with voice.
        voiced: Duration,
        /// Since the last sound.
        silence: Duration,
    },
}

/// A piece of speech for ears.
#[derive(Clone, PartialEq)]
pub struct SpeechClip {
    pub speech: u64,
    /// Which clip of the speech, from nought.
    pub part: u32,
    /// Where it begins: samples at 48,000 a second since the beginning of the track.
    pub begins: u64,
    /// Mono, 16,000 samples a second.
    pub samples_16k: Vec<i16>,
    pub evidence: Evidence,
    /// The silence that ended it; its samples have only the beginning of that.
    pub silence: Duration,
    /// Whether it was cut because it is long: the speech goes on in the next part.
    pub cut: bool,
}

impl fmt::Debug for SpeechClip {
    /// Without what was said.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SpeechClip")
            .field("speech", &self.speech)
            .field("part", &self.part)
            .field("begins", &self.begins)
            .field("samples", &self.samples_16k.len())
            .field("evidence", &self.evidence)
            .field("silence", &self.silence)
            .field("cut", &self.cut)
            .finish()
    }
}

/// A piece of speech that is not given to ears.
#[derive(Clone, Debug, PartialEq)]
pub struct DroppedClip {
    pub speech: u64,
    pub part: u32,
    /// Where it began: samples at 48,000 a second since the beginning of the track.
    pub begins: u64,
    pub reason: DropReason,
    pub evidence: Evidence,
}

/// Why a clip is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// A click or a cough: too little voice in all.
    TooShort,
    /// Mostly no voice, as of a room with noise.
    TooLittleVoice,
    /// A steady sound: what was taken for voice is no louder than the noise of the track.
    NotAboveNoise,
    /// Nowhere loud enough.
    TooQuiet,
}

impl DropReason {
    /// The name that journals and counters have.
    pub fn name(self) -> &'static str {
        match self {
            Self::TooShort => "too_short",
            Self::TooLittleVoice => "too_little_voice",
            Self::NotAboveNoise => "not_above_noise",
            Self::TooQuiet => "too_quiet",
        }
    }
}

/// What speaks for somebody having said something in a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// From the first sound to the last.
    pub spoken: Duration,
    /// Of that, with voice.
    pub voiced: Duration,
    /// The level of the loudest sample.
    pub peak: Decibels,
    /// The mean level of what is voice.
    pub level: Decibels,
    /// The level of the track's own noise, or of the clip's quietest moment where that is louder.
    pub noise: Decibels,
}

impl Evidence {
    /// Which part of the time from the first sound to the last is voice: 0 to 1.
    pub fn voiced_share(&self) -> f32 {
        if self.spoken.is_zero() {
            return 0.0;
        }
        self.voiced.as_secs_f32() / self.spoken.as_secs_f32()
    }
}

/// The clip under way, borrowed.
#[derive(Clone, Copy, PartialEq)]
pub struct RunningClip<'a> {
    pub speech: u64,
    pub part: u32,
    /// Where it begins: samples at 48,000 a second since the beginning of the track.
    pub begins: u64,
    /// Mono, 16,000 samples a second.
    pub samples_16k: &'a [i16],
    pub evidence: Evidence,
    /// Since the last sound.
    pub silence: Duration,
}

impl fmt::Debug for RunningClip<'_> {
    /// Without what was said.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RunningClip")
            .field("speech", &self.speech)
            .field("part", &self.part)
            .field("begins", &self.begins)
            .field("samples", &self.samples_16k.len())
            .field("evidence", &self.evidence)
            .field("silence", &self.silence)
            .finish()
    }
}
