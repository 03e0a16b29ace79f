//! Text channels: what is heard is judged and queued, one turn at a time is answered, and the answer is sent.

mod answering;
mod arrival;
mod burst;
mod changes;
mod command;
mod delivery;
mod gate;
mod generation;
mod overlook;
pub(crate) mod prompt;
mod room;
mod tools;
mod turn;
mod typing;
mod watching;

pub use crate::context::compaction::SessionView;
pub use crate::reasons::{DelayReason, DropReason, TurnOutcome};
pub(crate) use room::TextRoom;
