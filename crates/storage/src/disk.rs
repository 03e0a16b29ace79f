//! What the disk is asked for: how often it is waited for, and when the log is copied into the database.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use runtime::ports::DiskWork;
use rusqlite::Connection;

/// The log is copied into the database once it is so long.
const LOG_BYTES: u64 = 16 << 20;
/// A copy waits for the log, for the database, and for the head of the log that begins anew.
const WAITS_OF_A_COPY: u64 = 3;

/// Counts of the connection that writes. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    commits: AtomicU64,
    waits: AtomicU64,
    /// Pages in the log after the last commit.
    log_pages: AtomicU64,
    /// So many pages are [`LOG_BYTES`].
    long_log: AtomicU64,
    /// The log is copied once it has more pages; 0 stands for the usual number.
    copy_beyond: AtomicU64,
    /// Whether the commit under way waits for the disk.
    is_waited_for: AtomicBool,
}

impl Disk {
    /// Counts what this connection commits from now on. Its log is copied by [`Disk::copy_the_log`] alone.
    pub fn watch(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let page: u32 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        self.0
            .long_log
            .store(LOG_BYTES / u64::from(page.max(512)), Ordering::Relaxed);
        let counts = self.0.clone();
        connection.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, pages: i32| {
            counts.commits.fetch_add(1, Ordering::Relaxed);
            let waited = u64::from(counts.is_waited_for.load(Ordering::Relaxed));
            counts.waits.fetch_add(waited, Ordering::Relaxed);
            let pages = u64::try_from(pages).unwrap_or_default();
            counts.log_pages.store(pages, Ordering::Relaxed);
            Ok(())
        }))
    }

    /// Whether the next commits wait for the disk.
    pub fn waits(&self, is_waited_for: bool) {
        self.0.is_waited_for.store(is_waited_for, Ordering::Relaxed);
    }

    /// Copies the log into the database when it is long, outside a transaction and while nobody waits for an answer.
    pub fn copy_the_log(&self, connection: &Connection) -> rusqlite::Result<()> {
        let long_log = self.0.long_log.load(Ordering::Relaxed);
        let beyond = self.0.copy_beyond.load(Ordering::Relaxed).max(long_log);
        if self.0.log_pages.load(Ordering::Relaxed) < beyond {
            return Ok(());
        }
        let copied = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
            Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        });
        let (is_whole, pages) = match &copied {
            Ok((pages, done)) => (pages == done, u64::try_from(*pages).unwrap_or_default()),
            Err(error) => {
                tracing::warn!(%error, "the log of the database could not be copied into it; it is tried again later");
                (false, beyond)
            }
        };
        self.0.waits.fetch_add(WAITS_OF_A_COPY, Ordering::Relaxed);
        // Whoever reads for long keeps the log from beginning anew: then it is tried again after as much more.
        let beyond = if is_whole { 0 } else { pages + long_log };
        self.0.copy_beyond.store(beyond, Ordering::Relaxed);
        self.0.log_pages.store(0, Ordering::Relaxed);
        copied.map(|_| ())
    }

    /// Waits until what was committed to the log is on the disk, without another commit.
    pub fn settle(&self, connection: &Connection, database: &Path) -> std::io::Result<()> {
        // Where the file of the database is a link, the log lies beside what it leads to, as SQLite knows.
        let known = connection.path().filter(|path| !path.is_empty());
        let mut log = known.map_or(database, Path::new).as_os_str().to_owned();
        log.push("-wal");
        File::open(log)?.sync_data()?;
        self.0.waits.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Writes what is in the log once more, into the database, and waits until that is on the disk; whether it was all of it.
    pub fn copy_whole_log(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let is_whole = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
            let [busy, pages, done]: [i64; 3] = [row.get(0)?, row.get(1)?, row.get(2)?];
            Ok(busy == 0 && pages == done)
        });
        self.0.waits.fetch_add(WAITS_OF_A_COPY, Ordering::Relaxed);
        is_whole
    }

    pub fn work(&self) -> DiskWork {
        DiskWork {
            commits: self.0.commits.load(Ordering::Relaxed),
            waits: self.0.waits.load(Ordering::Relaxed),
        }
    }
}
