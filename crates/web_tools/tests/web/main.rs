//! The tools as the runtime uses them, against servers on this machine that speak like the real ones.

mod browser;
mod pages;
mod search;
mod sightings;
mod world;
