//! Denizen on Discord, by the official bot API: what comes over the wire, read leniently, and what is asked over REST.

pub mod rest;
pub mod wire;
