//! Memory in the shell: capture, extraction's errands, recall, edits and forgetting, over whatever store, buffer and embedder there is.
//!
//! What is worth remembering, when, and what of it is shown is the mind's affair (`mind::memory`); here it is only carried out.

mod ancestry;
pub mod archive;
mod editing;
mod embedding;
mod forgetting;
mod keeper;
mod migrate;
mod people;
pub(crate) mod pump;
mod retelling;
mod storing;

pub use ancestry::GemStory;
pub use editing::{GEM_CHARS_MAX, GemEdit, NewGem, OPERATOR};
pub use forgetting::Forgotten;
pub use keeper::{Keeper, MemoryStatus, OnOtherEmbedder, Question, Recalled, Reembedding};
pub use migrate::{Checkpoint, Migrated, Progress, Step, migrate};
pub use people::{KnownPerson, People};

#[cfg(test)]
mod keeper_tests;
