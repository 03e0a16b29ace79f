//! Denizen on Discord, by the official bot API: the gateway, what comes over it, read leniently, what is asked over REST,
//! text as people read it, and what is remembered of servers.

pub mod gateway;
pub mod rest;
pub mod text;
pub mod wire;
pub mod world;
