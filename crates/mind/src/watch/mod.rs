//! Watching a shared screen: whose screen it is, when a note is taken, and when something is said about it.
//!
//! Two loops that share nothing but the newest frame and the notes. The note-taker (`note_cadence`) goes by the screen
//! alone: that somebody speaks, or that a reply is in the making, are not even parameters of it. Commentary
//! (`commentary`) goes by its own clock and is gated.

pub mod activity;
pub mod allowance;
pub mod attention;
pub mod commentary;
mod commentator;
pub mod intake;
pub mod note;
pub mod note_cadence;
mod note_taker;
pub(crate) mod prompt;
pub(crate) mod reading;
mod recap;
pub mod screen_question;
mod screens;
mod state;
mod tally;
pub mod view;

#[cfg(test)]
mod activity_tests;
#[cfg(test)]
mod commentary_tests;
#[cfg(test)]
mod note_cadence_tests;

pub use crate::reasons::{CommentarySkip, FrameAttached, NoteOutcome, UnwatchCause, WatchCause};
pub(crate) use commentator::{Comment, Hearing, Scene};
pub(crate) use state::Watch;
