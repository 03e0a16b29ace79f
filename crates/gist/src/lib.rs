//! What is worth keeping of what was said: gems and whether they are true to it, summaries without a model, topics, links,
//! and what may not be kept. The mind decides when and of what; here are only words, so nothing waits, asks or remembers.

pub mod aloud;
pub mod asked;
mod gathered;
pub mod gems;
pub mod interests;
pub mod lexicon;
pub mod likeness;
pub mod links;
pub mod silence;
pub mod summary;

pub use gathered::Gathered;
