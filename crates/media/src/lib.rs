//! Signal work on pictures and video, CPU only: decoding, the luma grid, the change score, JPEG.
//!
//! Nothing here decides anything and nothing here panics on bad input: whatever comes from outside is untrusted.

pub mod file;
pub mod h264;
pub mod jpeg;
mod levels;
mod picture;
pub mod pictures;
pub mod rtp;
mod scale;
pub mod score;
pub mod vp8;

pub use picture::{Luma, Picture};
