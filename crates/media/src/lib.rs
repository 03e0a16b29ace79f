//! Signal work on pictures and video, CPU only: decoding, the luma grid, the change score, JPEG.
//!
//! Nothing here decides anything and nothing here panics on bad input: whatever comes from outside is untrusted.

pub mod file;
pub mod h264;
pub mod jpeg;
mod picture;
pub mod pictures;
mod scale;
pub mod score;

pub use picture::{Luma, Picture};
