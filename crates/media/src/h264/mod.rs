//! H.264: access units become pictures, RTP packets become access units.
//!
//! Both are fed by strangers: what they are given may be cut, damaged or made up, and the answer is an error or a
//! wish for a key frame.

mod annex_b;
mod assembly;
mod bits;
mod decoder;
#[cfg(test)]
mod hostile_tests;
mod parameter_sets;
mod sps;
#[cfg(test)]
pub(crate) mod testing;

pub use annex_b::{START_CODE, UnitKind, units};
pub use assembly::{Assembly, Depacketiser};
pub use decoder::Decoder;
pub use sps::Sps;

use thiserror::Error;

/// The longest access unit that is put together or decoded; a 4K key frame of a screen is well below it.
pub const MAX_ACCESS_UNIT_BYTES: usize = 4_000_000;

/// Why an access unit gave no picture.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Undecodable {
    #[error(
        "an access unit of {bytes} bytes is longer than {MAX_ACCESS_UNIT_BYTES}; lower the bitrate of the stream"
    )]
    TooLong { bytes: usize },
    #[error(
        "video of {width} by {height} is larger than level 5.2 allows (4096 by 2304); share it in a smaller size"
    )]
    TooLarge { width: u64, height: u64 },
    #[error("the video has {0}, which is not decoded here; encode it as 8-bit 4:2:0 baseline, main or high")]
    Unsupported(&'static str),
    #[error("a key frame came without the parameter sets it needs")]
    NoParameterSets,
    #[error("the video data is damaged ({0})")]
    Damaged(String),
}
