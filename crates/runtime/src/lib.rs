//! The shell around the mind: it tells the time, carries wishes out, records what happened, and replays it.

mod handle;
pub mod live;
pub mod ports;
pub mod testing;

pub use handle::{Handle, InForce, NotAccepted, SettingsRefused};
