//! How Denizen sees: pictures and streams become scored frames.

mod eyes;
pub mod whip;

pub use eyes::Eyes;
pub use whip::Whip;
