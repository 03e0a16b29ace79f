//! Makes pictures and clips and finds GIFs, by the services that do so.
//!
//! A service is the operator's choice and is talked to as such. What it hands out is a stranger's: addresses in its
//! answers go through `fetching`, and nothing is taken that is not a picture or a clip by its own first bytes.

mod answer;
mod complaint;
mod ended;
mod exchange;
mod fault;
mod gifs;
mod images;
mod job;
mod keys;
mod magic;
mod prices;
mod service;
mod studio;
mod videos;

pub use keys::StudioKeys;
pub use studio::{Studio, StudioPace};
