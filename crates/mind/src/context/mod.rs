//! What a model gets to see of a long conversation: the running summary, and everything that is not in it.

pub mod compaction;
pub mod notes;
pub(crate) mod prompt;

#[cfg(test)]
mod notes_tests;
