//! The mind: every policy and all timing of Denizen, as one pure state machine.
//!
//! `step(now, input, settings)` takes in one thing that happened and says what to do about it and when to be
//! woken next. There is no clock, no randomness but its own seeded dice, no `async` and no failure in here.

pub mod addressing;
pub mod admission;
pub mod ambient;
mod asking;
mod attention;
mod by_text;
pub mod context;
mod conversing;
mod effect;
mod floor;
mod input;
pub mod journal;
pub mod log;
mod media;
pub mod memory;
mod mentions;
mod mind;
mod outbox;
mod parcel;
mod promises;
pub mod prompt;
mod quiet;
pub mod reasons;
mod rehearsal;
mod remembered;
mod replies;
pub mod reply;
mod room;
mod routing;
mod seen;
pub mod snapshot;
pub mod spending;
mod step_context;
mod tool_loop;
pub mod voice;
pub mod watch;

pub use effect::{
    Asking, Delivery, Effect, Gather, Gathering, RecallQuery, RoomWish, Step, ToolRun, Wake, WakeReason,
};
pub use input::{
    Answer, Forgotten, Input, MemoryEvent, OperatorWish, Recollection, RoomEvent, ServiceEvents,
    ServiceKnown, ShellEvent, StoredGems, StoringOutcome,
};
pub use journal::{JournalEntry, JournalEvent, Scope};
pub use mind::{Genesis, Mind};
pub use rehearsal::{Rehearsal, WouldDo};
pub use replies::AskUnderWay;
