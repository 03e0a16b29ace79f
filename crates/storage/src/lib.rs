//! The embedded store: SQLite with one writer, migrations, full-text search and retention.
//!
//! Everything is in one file, `denizen.db` in the data folder, with SQLite's `-wal` and `-shm` beside it.
//! A write is durable when its call returns (`synchronous = FULL`): neither a killed process nor a power cut
//! loses it. What nobody waits for is gathered for a moment; what inputs lead to as well, but for a row that says so. Any number of processes may open the file; only one may *run* on it, which [`Sqlite::lock`] sees to.
//!
//! A message that its author took back loses its text, attachments and reactions here at once, in the search index too;
//! the row stays, empty, so that a late copy of it is not stored again. Recorded inputs, the states of the mind
//! and kept model calls may still hold the words until their own retention ends. What is *forgotten* leaves all of
//! those at once, and the bytes of the files with them.
//!
//! Memory is here too: [`SqliteBuffer`] holds captured turns until gems were made of them, [`SqliteGems`] the gems and
//! turns, which are searched by an index in memory. What these must do is written down as tests in `stand_ins::contract`.

mod arriving;
mod asks;
mod attachments;
mod commit;
mod community;
mod connection;
mod crowd;
mod disk;
mod due;
mod export;
mod fault;
mod folder;
mod forget;
mod job;
mod journal;
mod known_time;
mod late;
mod lock;
mod memory;
mod messages;
mod migrate;
mod number;
mod packed;
mod pen;
mod pending;
mod port;
mod reactions;
mod readers;
mod recording;
mod removal;
mod resume;
mod row;
mod search;
mod settings_versions;
mod sqlite;
mod stuck;
mod sweep;
mod vacuum;
mod words;
mod writer;

pub use folder::create_private;
pub use lock::{DataLock, Door, Holder};
pub use memory::{SqliteBuffer, SqliteGems};
pub use sqlite::Sqlite;
