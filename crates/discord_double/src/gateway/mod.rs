//! The gateway: sessions that outlive their connections, who hears what, and the socket itself.

pub mod emit;
pub mod hub;
mod ops;
pub mod socket;
mod start;
pub mod voice;
