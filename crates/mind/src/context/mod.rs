//! What a model gets to see: typed sections, each with a cap and a priority, fitted into one budget; and the time
//! line of a conversation with its running summary.

pub mod compaction;
pub mod notes;
pub mod summary;
pub mod timeline;

#[cfg(test)]
mod notes_tests;
#[cfg(test)]
mod timeline_tests;
