//! The embedded store: its file, its one writer and its readers.

use std::path::{Path, PathBuf};

use runtime::ports::{DiskWork, StoreError};
use rusqlite::Connection;
use vocabulary::CommunityId;

use crate::community::{self, Key};
use crate::fault::Fault;
use crate::lock::DataLock;
use crate::pending::Pending;
use crate::readers::Readers;
use crate::writer::Writer;
use crate::{connection, due, folder, migrate, vacuum};

/// The embedded store. Dropping it waits until everything is written.
#[derive(Debug)]
pub struct Sqlite {
    // Before the writer: the last connection to close tidies up after SQLite, and a reader cannot.
    readers: Readers,
    writer: Option<Writer>,
    path: PathBuf,
}

impl Sqlite {
    /// Opens the database of a data folder, making both where there is none, and brings its schema up to date.
    pub fn open(data_dir: &Path) -> Result<Self, StoreError> {
        let path = folder::prepare(data_dir)?;
        let opened = connection::open_to_write(&path).and_then(|mut writing| {
            due::catch_up(&mut writing)?;
            Ok((writing, connection::open_to_read(&path)?))
        });
        let (writing, reading) = opened.map_err(|fault| fault.tell(OPENING, &path))?;
        Ok(Self {
            readers: Readers::new(path.clone(), reading),
            writer: Some(Writer::start(writing, path.clone())?),
            path,
        })
    }

    /// Opens a database that is there, for reading alone, whether or not a server runs on it.
    pub fn open_read_only(data_dir: &Path) -> Result<Self, StoreError> {
        let path = folder::database(data_dir);
        if !path.is_file() {
            return Err(StoreError::Failed {
                doing: OPENING,
                detail: format!(
                    "there is no {}. Start the server once, or name its --data folder",
                    path.display()
                ),
            });
        }
        let opened = connection::open_to_read(&path).and_then(|reading| {
            migrate::refuse_any_other(&reading, migrate::MIGRATIONS)?;
            Ok(reading)
        });
        Ok(Self {
            readers: Readers::new(path.clone(), opened.map_err(|fault| fault.tell(OPENING, &path))?),
            writer: None,
            path,
        })
    }

    /// Makes this process the only one that runs on a data folder, for as long as the guard lives. Commands that
    /// only read or save settings do not need it.
    pub fn lock(data_dir: &Path) -> Result<DataLock, StoreError> {
        DataLock::take(data_dir)
    }

    /// What SQLite finds wrong with the file: pages that do not fit together, rows that their index does not know.
    pub async fn damage(&self) -> Result<Vec<String>, StoreError> {
        self.read("checking the database", |connection| {
            let mut check = connection.prepare("PRAGMA integrity_check(5)")?;
            let found = check.query_map([], |row| row.get::<_, String>(0))?;
            // A page may be so broken that looking ends there, which is an answer, too.
            let mut found: Vec<String> = found
                .map(|line| line.unwrap_or_else(|error| error.to_string()))
                .collect();
            found.retain(|line| line != "ok");
            Ok(found)
        })
        .await
    }

    /// Where the database is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What the database and its log take on disk, where that can be told.
    pub(crate) fn disk_bytes(&self) -> Option<u64> {
        let mut log = self.path.clone().into_os_string();
        log.push("-wal");
        let size = |path: &Path| std::fs::metadata(path).map(|file| file.len());
        Some(size(&self.path).ok()? + size(Path::new(&log)).unwrap_or(0))
    }

    /// What the disk was asked for since this was opened.
    pub(crate) fn disk_work(&self) -> Option<DiskWork> {
        Some(self.writer.as_ref()?.disk().work())
    }

    /// Reads everything that was handed in before, what is late included.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        if let Some(writer) = &self.writer
            && let Err(error) = writer.catch_up(doing).await
        {
            tracing::warn!(%error, "what happened in the last moments cannot be read yet");
        }
        self.read_at_once(doing, work).await
    }

    /// Reads what is never late, such as settings and memory, or what was caught up with.
    pub(crate) async fn read_at_once<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.readers.read(doing, work).await
    }

    /// The same of a community; one that nothing was stored for has nothing.
    pub(crate) async fn read_of<T: Default + Send + 'static>(
        &self,
        doing: &'static str,
        community: &CommunityId,
        work: impl FnOnce(&Connection, Key) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let community = community.clone();
        self.read_at_once(doing, move |connection| {
            match community::find(connection, &community)? {
                Some(key) => work(connection, key),
                None => Ok(T::default()),
            }
        })
        .await
    }

    /// What is not in the tables yet; none where the store was opened for reading alone.
    pub(crate) fn pending(&self) -> Option<&Pending> {
        self.writer.as_ref().map(Writer::pending)
    }

    /// Has everything that is late written where some of it is wanted. Where the disk takes nothing, what is there is read.
    pub(crate) async fn catch_up_if(&self, doing: &'static str, is_wanted: impl FnOnce(&Pending) -> bool) {
        if let Err(error) = self.catch_up_for(doing, is_wanted).await {
            tracing::warn!(%error, "what happened in the last moments cannot be read yet");
        }
    }

    /// The same for whoever must not take what is there for everything.
    pub(crate) async fn catch_up_for(
        &self,
        doing: &'static str,
        is_wanted: impl FnOnce(&Pending) -> bool,
    ) -> Result<(), StoreError> {
        match self.pending().is_some_and(is_wanted) {
            true => self.catch_up(doing).await,
            false => Ok(()),
        }
    }

    /// Has everything that is late written.
    pub(crate) async fn catch_up(&self, doing: &'static str) -> Result<(), StoreError> {
        match &self.writer {
            Some(writer) => writer.catch_up(doing).await,
            None => Ok(()),
        }
    }

    pub(crate) async fn write<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer(doing)?.write(doing, work).await
    }

    /// The same for what is done again where a power cut takes it back.
    pub(crate) async fn write_unwaited<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer(doing)?.write_unwaited(doing, work).await
    }

    /// Makes what was deleted leave the file and its log, not only the tables; what may be left of it in unused parts
    /// of pages waits for the next sweep.
    pub(crate) async fn scrub(&self, doing: &'static str) -> Result<(), StoreError> {
        let writer = self.writer(doing)?;
        writer.write(doing, vacuum::want_rewrite).await?;
        while writer.write(doing, vacuum::give_back_everything).await? {}
        // It is deleted, and the wish to be rid of its bytes is on disk: whoever reads for long only makes it wait.
        if let Err(error) = writer.tidy(doing, vacuum::empty_the_log).await {
            tracing::warn!(%error, doing, "the bytes of what is deleted leave the log with the next sweep");
        }
        Ok(())
    }

    /// The same for sure: writes the whole file anew from what is in the tables.
    pub(crate) async fn rewrite(&self, doing: &'static str) -> Result<(), StoreError> {
        let writer = self.writer(doing)?;
        writer.tidy(doing, vacuum::rewrite).await?;
        writer.tidy(doing, vacuum::empty_the_log).await?;
        // Only now: until the log is in the file, the file holds the old pages, and a crash must find the wish.
        writer.write(doing, vacuum::is_rewritten).await
    }

    pub(crate) fn writer(&self, doing: &'static str) -> Result<&Writer, StoreError> {
        self.writer.as_ref().ok_or_else(|| StoreError::Failed {
            doing,
            detail: format!("{} was opened for reading only", self.path.display()),
        })
    }
}

const OPENING: &str = "opening the database";
