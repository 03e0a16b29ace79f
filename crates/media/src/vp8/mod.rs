//! VP8, key frames only: there is no small decoder for the frames in between, and for watching a screen a picture
//! every second or so will do. Whoever sends VP8 is asked for key frames at that rate.

mod assembly;
#[cfg(test)]
mod hostile_tests;
mod key_frame;

pub use assembly::{Assembly, Depacketiser, MAX_FRAME_BYTES};
pub use key_frame::{decode_key_frame, is_key_frame};

use thiserror::Error;

/// Why a frame gave no picture.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Undecodable {
    #[error("the frame is no key frame; only those are decoded here")]
    NoKeyFrame,
    #[error("video of {width} by {height} is larger than 16.8 million pixels; share it in a smaller size")]
    TooLarge { width: usize, height: usize },
    #[error("the video data is damaged ({0})")]
    Damaged(String),
}
