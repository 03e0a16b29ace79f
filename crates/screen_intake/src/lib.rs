//! How Denizen sees: pictures and streams become scored frames.

mod eyes;
mod reach;
pub mod whip;

pub use eyes::Eyes;
pub use reach::{ADDRESS_VARIABLE, BadAddress, Reach};
pub use whip::Whip;
