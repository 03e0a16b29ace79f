//! Denizen on Discord, by the official bot API: what comes over the wire, read leniently, what is asked over REST,
//! and text as people read it.

pub mod rest;
pub mod text;
pub mod wire;
