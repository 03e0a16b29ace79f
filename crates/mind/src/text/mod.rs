//! Text channels: what is heard is judged and queued, one turn at a time is answered, and the answer is sent.

mod answering;
mod arrival;
mod burst;
mod command;
mod delivery;
pub mod dispatch;
mod gate;
mod generation;
mod overlook;
mod pace;
mod room;
mod tools;
mod turn;
mod typing;
mod watching;

pub use crate::context::compaction::SessionView;
pub use crate::reasons::{DelayReason, DropReason, TurnOutcome};
pub(crate) use room::TextRoom;

#[cfg(test)]
mod dispatch_tests;
