//! Signal work on pictures and video, CPU only: decoding, the luma grid, the change score, JPEG.
//!
//! Nothing here decides anything and nothing here panics on bad input: whatever comes from outside is untrusted.

pub mod h264;
mod levels;
mod picture;
pub mod pictures;
pub mod rtp;
pub mod score;
pub mod vp8;

pub use picture::{Luma, Picture};
