//! Denizen on Discord, by the official bot API: what comes over the wire, read leniently.

pub mod wire;
