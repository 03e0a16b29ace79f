//! Memory in the same file as everything else: the buffer of captured turns, and the store of gems and turns.

mod buffer;
pub(crate) mod captured;
mod fault;

pub use buffer::SqliteBuffer;
