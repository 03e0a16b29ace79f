//! Memory in the shell: capture, extraction's errands, recall, edits and forgetting, over whatever store, buffer and embedder there is.
//!
//! What is worth remembering, when, and what of it is shown is the mind's affair (`mind::memory`); here it is only carried out.

mod ancestry;
pub mod archive;
mod changing;
mod editing;
mod embedding;
mod forgetting;
mod intake;
mod judging;
mod migrate;
mod people;
pub(crate) mod pump;
mod records;
mod retelling;
mod service;
mod storing;
mod wanted;

pub use ancestry::{GemStory, story};
pub use editing::{GEM_CHARS_MAX, GemEdit, NewGem, OPERATOR};
pub use embedding::{MemoryVectors, OnOtherEmbedder, Reembedding};
pub use forgetting::{Forgotten, MemoryForgetting};
pub use intake::MemoryIntake;
pub use migrate::{Checkpoint, Migrated, Progress, Step, migrate};
pub use people::{KnownPerson, People, name_of, people};
pub use records::{MemoryRecords, Question, Recalled};
pub use service::{MemoryService, MemoryStatus};
pub use wanted::Wanted;
