//! Text as people and models read it, and as Discord writes it: names instead of ids on the way in, mentions of people who
//! are there on the way out, and long answers in parts.

mod incoming;
mod markup;
mod outgoing;
mod split;

pub use incoming::{NamesHere, files, readable};
pub use outgoing::{Here, OutgoingPart, written};
pub use split::{PART_MAX, split};
