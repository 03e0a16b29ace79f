//! The journal: every decision as a named line, with what it was about and what caused it.

#[cfg(feature = "describe")]
mod described;
mod entry;
mod event;
mod listing;

pub use entry::{JournalEntry, Scope};
pub use event::{JournalEvent, event_docs};
pub use listing::EventDoc;
