//! Denizen on Discord, by the official bot API: the gateway, what comes over it, read leniently, what is asked over REST,
//! and text as people read it.

pub mod gateway;
pub mod rest;
pub mod text;
pub mod wire;
