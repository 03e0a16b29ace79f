//! Gems: reading them out of a model's answer or out of the turns themselves, and what becomes of them over time.
//!
//! Whoever makes them, each gem is checked by itself: it cites its turns, names nothing that nobody said, carries no
//! secret, and whatever tries to give the assistant orders by way of memory is kept as a quoted claim.

mod attribute;
mod dates;
mod dating;
mod fields;
pub mod folding;
mod grounding;
mod identity;
pub mod life;
mod making;
pub mod offline;
pub mod pattern;
mod person;
pub mod planted;
pub mod reading;
pub mod redaction;
pub mod rejection;
mod salvage;
pub mod scrub;
mod sourcing;
mod stance;
mod statement;
mod tagging;
mod tense;

pub use identity::{fingerprint, gem_id};

#[cfg(test)]
mod test_gems;
