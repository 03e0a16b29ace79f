//! Memory: when gems are made of what was said, what they are made of, and what of them a reply is told.
//!
//! Every accepted turn is captured by the shell before it is stepped, and comes back here as `TurnsBuffered`. From then
//! on this faculty decides: `triggers` says when, `extraction` carries a run through, `recall` chooses what a prompt is told.

mod capture;
pub mod command;
mod extraction;
mod fitting;
mod notice;
mod outcome;
pub mod prompt;
pub mod recall;
mod run;
mod skips;
mod state;
mod stream;
mod streams;
#[cfg(test)]
mod test_gems;
pub mod triggers;

pub use capture::{Capture, KnownRooms, Listening};
pub(crate) use extraction::RunningSummaries;
pub(crate) use notice::forgotten_notice;
pub use prompt::history_text;
pub(crate) use state::Memory;
