//! Watching a shared screen: whose screen it is, when a note is taken, and when something is said about it.
//!
//! Two loops that share nothing but the newest frame and the notes. The note-taker (`note_cadence`) goes by the screen
//! alone: that somebody speaks, or that a reply is in the making, are not even parameters of it. Commentary
//! (`commentary`) goes by its own clock and is gated.

pub mod activity;
pub mod intake;
pub mod note;
pub(crate) mod reading;
pub mod screen_question;
pub mod view;
