//! The store itself: every call of the port, handed to the writer or to a reader.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bytes::Bytes;
use mind::JournalEntry;
use runtime::ports::{
    AskFilter, AskRecord, AskSummary, Batch, Forgetting, Forgotten, JournalQuery, MessagePage, MessageQuery,
    Recording, Resume, SavedSettings, Segment, Store, StoreError, StoredMessage,
};
use rusqlite::Connection;
use settings::{Document, StorageSettings};
use vocabulary::{AskId, AskOutcome, AttachmentId, CommunityId, Message, MessageId, RoomId, WallTime};

use crate::fault::Fault;
use crate::lock::DataLock;
use crate::readers::Readers;
use crate::writer::Writer;
use crate::{
    asks, attachments, commit, community, connection, export, folder, forget, journal, messages, migrate,
    recording, resume, search, settings_versions, sweep, vacuum,
};

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
        let opened = connection::open_to_write(&path)
            .and_then(|writing| Ok((writing, connection::open_to_read(&path)?)));
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

    pub(crate) async fn read<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.readers.read(doing, work).await
    }

    pub(crate) async fn write<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer(doing)?.write(doing, work).await
    }

    /// Makes what was deleted leave the file and its log, not only the tables; what may be left of it in unused parts
    /// of pages waits for the next sweep.
    pub(crate) async fn scrub(&self, doing: &'static str) -> Result<(), StoreError> {
        let writer = self.writer(doing)?;
        writer.write(doing, vacuum::want_rewrite).await?;
        while writer.write(doing, vacuum::give_back_everything).await? {}
        writer.tidy(doing, vacuum::empty_the_log).await
    }

    /// The same for sure: writes the whole file anew from what is in the tables.
    pub(crate) async fn rewrite(&self, doing: &'static str) -> Result<(), StoreError> {
        let writer = self.writer(doing)?;
        writer.tidy(doing, vacuum::rewrite).await?;
        writer.tidy(doing, vacuum::empty_the_log).await
    }

    fn writer(&self, doing: &'static str) -> Result<&Writer, StoreError> {
        self.writer.as_ref().ok_or_else(|| StoreError::Failed {
            doing,
            detail: format!("{} was opened for reading only", self.path.display()),
        })
    }
}

const OPENING: &str = "opening the database";

#[async_trait]
impl Store for Sqlite {
    async fn commit(&self, community: &CommunityId, batch: Batch) -> Result<(), StoreError> {
        let community = community.clone();
        self.write("storing what happened", move |connection| {
            commit::commit(connection, &community, &batch)
        })
        .await
    }

    async fn resume(&self, community: &CommunityId) -> Result<Resume, StoreError> {
        let community = community.clone();
        self.readers
            .read("reading where the last process stopped", move |connection| {
                resume::resume(connection, &community)
            })
            .await
    }

    async fn begin_segment(&self, segment: Segment) -> Result<(), StoreError> {
        self.write("starting a recording", move |connection| {
            recording::begin(connection, &segment)
        })
        .await
    }

    async fn recording(
        &self,
        community: &CommunityId,
        holding: Option<u64>,
    ) -> Result<Option<Recording>, StoreError> {
        let community = community.clone();
        self.readers
            .read("reading a recording", move |connection| {
                recording::read(connection, &community, holding)
            })
            .await
    }

    async fn message(&self, id: &MessageId) -> Result<Option<StoredMessage>, StoreError> {
        let id = id.clone();
        self.readers
            .read("reading a message", move |connection| {
                messages::message(connection, &id)
            })
            .await
    }

    async fn messages(&self, query: MessageQuery) -> Result<MessagePage, StoreError> {
        self.readers
            .read("reading messages", move |connection| {
                messages::page(connection, &query)
            })
            .await
    }

    async fn search(
        &self,
        room: &RoomId,
        words: &str,
        exclude: &[MessageId],
        limit: usize,
    ) -> Result<Vec<Message>, StoreError> {
        let (room, words, exclude) = (room.clone(), words.to_owned(), exclude.to_vec());
        self.readers
            .read("searching messages", move |connection| {
                search::search(connection, &room, &words, &exclude, limit)
            })
            .await
    }

    async fn journal(
        &self,
        community: &CommunityId,
        query: JournalQuery,
    ) -> Result<Vec<JournalEntry>, StoreError> {
        let community = community.clone();
        self.readers
            .read("reading the journal", move |connection| {
                match community::find(connection, &community)? {
                    Some(key) => journal::find(connection, key, &query),
                    None => Ok(Vec::new()),
                }
            })
            .await
    }

    async fn why(
        &self,
        community: &CommunityId,
        message: &MessageId,
    ) -> Result<Vec<JournalEntry>, StoreError> {
        let (community, message) = (community.clone(), message.clone());
        self.readers
            .read("reading the journal", move |connection| {
                match community::find(connection, &community)? {
                    Some(key) => journal::why(connection, key, &message),
                    None => Ok(Vec::new()),
                }
            })
            .await
    }

    async fn start_ask(&self, record: AskRecord) -> Result<(), StoreError> {
        self.write("keeping a model call", move |connection| {
            asks::start(connection, &record)
        })
        .await
    }

    async fn finish_ask(
        &self,
        community: &CommunityId,
        ask: AskId,
        outcome: AskOutcome,
        sent_instead: Option<String>,
        raw_response: String,
    ) -> Result<(), StoreError> {
        let community = community.clone();
        self.write("keeping a model's answer", move |connection| {
            let sent_instead = sent_instead.as_deref();
            asks::finish(connection, &community, ask, &outcome, sent_instead, &raw_response)
        })
        .await
    }

    async fn ask(&self, community: &CommunityId, ask: AskId) -> Result<Option<AskRecord>, StoreError> {
        let community = community.clone();
        self.readers
            .read("reading a model call", move |connection| {
                asks::read(connection, &community, ask)
            })
            .await
    }

    async fn asks(&self, community: &CommunityId, filter: AskFilter) -> Result<Vec<AskSummary>, StoreError> {
        let community = community.clone();
        self.readers
            .read("reading model calls", move |connection| {
                asks::list(connection, &community, &filter)
            })
            .await
    }

    async fn put_attachment(&self, id: &AttachmentId, mime: &str, bytes: Bytes) -> Result<(), StoreError> {
        let (id, mime) = (id.clone(), mime.to_owned());
        self.write("keeping an attachment", move |connection| {
            attachments::put(connection, &id, &mime, &bytes, runtime::wall())
        })
        .await
    }

    async fn attachment(&self, id: &AttachmentId) -> Result<Option<(String, Bytes)>, StoreError> {
        let id = id.clone();
        self.readers
            .read("reading an attachment", move |connection| {
                attachments::read(connection, &id)
            })
            .await
    }

    async fn settings(&self) -> Result<SavedSettings, StoreError> {
        self.readers
            .read("reading the settings", settings_versions::newest)
            .await
    }

    async fn save_settings(&self, based_on: u64, document: Document) -> Result<u64, StoreError> {
        self.write("saving the settings", move |connection| {
            settings_versions::save(connection, based_on, &document, runtime::wall())
        })
        .await
    }

    async fn forget(&self, community: &CommunityId, forgetting: Forgetting) -> Result<Forgotten, StoreError> {
        forget::forget(self, community, forgetting).await
    }

    async fn sweep(&self, keep: &StorageSettings, now: WallTime) -> Result<u64, StoreError> {
        const SWEEPING: &str = "deleting what is past its time";
        let mut total = 0;
        for broom in sweep::brooms(keep, now) {
            // Each piece is a write of its own: commits that wait get their turn in between.
            loop {
                let went = self
                    .write(SWEEPING, move |connection| broom.sweep_a_piece(connection))
                    .await?;
                total += went;
                if went == 0 {
                    break;
                }
            }
        }
        while self.write(SWEEPING, vacuum::give_back_a_piece).await? {}
        if self.read(SWEEPING, vacuum::is_rewrite_wanted).await? {
            self.rewrite(SWEEPING).await?;
        }
        Ok(total)
    }

    async fn export_copy(&self, to: &Path) -> Result<(), StoreError> {
        const COPYING: &str = "copying the database";
        let (path, to) = (self.path.clone(), to.to_owned());
        let copying = tokio::task::spawn_blocking(move || {
            export::copy(&path, &to).map_err(|fault| fault.tell(COPYING, &path))
        });
        copying.await.unwrap_or_else(|error| {
            Err(StoreError::Failed {
                doing: COPYING,
                detail: format!("the copying thread broke off: {error}"),
            })
        })
    }
}
