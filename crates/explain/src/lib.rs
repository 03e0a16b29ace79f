//! For people who ask why: the journal in plain words, the verdict on a message, and what other settings would have done.
//!
//! Nothing is decided here. The mind writes what it decided, and why, as values; this crate turns them into words.

mod ailing;
mod ambient;
#[cfg(test)]
mod ambient_examples;
mod folding;
#[cfg(test)]
mod gate_sentence_tests;
mod gates;
mod memory;
mod names;
mod own_words;
mod process;
mod profile;
mod prompt_account;
#[cfg(test)]
mod prompt_account_tests;
mod realtime;
mod screen;
#[cfg(test)]
mod screen_examples;
mod sentence;
#[cfg(test)]
mod sentence_tests;
mod spending;
mod spoken;
#[cfg(test)]
mod spoken_tests;
mod verdict;
#[cfg(test)]
mod verdict_tests;
mod voice;
#[cfg(test)]
mod voice_examples;
pub mod what_if;
mod words;
mod would;

pub use ailing::{Ailing, ailing};
pub use names::PeopleNames;
pub use prompt_account::{PartKind, PromptAccount, PromptPart};
pub use sentence::sentence;
pub use verdict::{Outcome, Verdict, verdict, waits_for};
pub use would::would;
