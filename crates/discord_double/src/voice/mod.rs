//! Voice: its gateway, the relay of sealed sound, and the server's part of end-to-end encryption.

pub mod calls;
pub mod group;
mod notary;
pub mod relay;
mod sealing;
pub mod socket;
mod talker;
