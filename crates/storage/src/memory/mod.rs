//! Memory in the same file as everything else: the buffer of captured turns, and the store of gems and turns.

mod buffer;
pub(crate) mod captured;
mod changes;
mod embedder;
mod fault;
mod gems;
mod index;
mod listing;
mod records;
mod removal;
mod vector;

pub use buffer::SqliteBuffer;
pub use gems::SqliteGems;
