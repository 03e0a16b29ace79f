//! Signal work on sound, CPU only: Opus, resampling, jitter, voice activity, segments of speech, mixing, echo, WAV, pictures for models.
//!
//! Nothing here decides anything, knows a clock or panics on bad input: whatever comes from outside is untrusted, and time
//! is counted in samples. Sound is mono, 16 bits and 48,000 samples a second; detection and ears have 16,000.

pub mod activity;
pub mod codec;
mod decibels;
pub mod echo;
pub mod jitter;
pub mod level;
pub mod mel;
pub mod mix;
pub mod pcm;
pub mod resample;
pub mod segment;
pub mod track;
pub mod wav;

#[cfg(test)]
mod fixtures;

pub use decibels::Decibels;

/// Samples a second of everything that comes in, goes out or is mixed.
pub const RATE: u32 = 48_000;
/// Samples a second of what is detected and transcribed.
pub const EAR_RATE: u32 = 16_000;
/// Samples of a millisecond at [`RATE`].
pub const PER_MILLISECOND: u64 = RATE as u64 / 1_000;
/// Samples of the usual piece at [`RATE`]: 20 ms.
pub const FRAME: usize = 960;
/// The usual piece.
pub type Frame = [i16; FRAME];
/// Samples at [`RATE`] for one at [`EAR_RATE`].
pub const PER_EAR_SAMPLE: u64 = (RATE / EAR_RATE) as u64;
