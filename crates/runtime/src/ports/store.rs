//! Durable storage: messages, inputs, journal, asks and settings, written in whole batches.

use async_trait::async_trait;
use bytes::Bytes;
use mind::JournalEntry;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use settings::{Document, Layers, StorageSettings};
use thiserror::Error;
use vocabulary::{
    AskId, AskOutcome, AttachmentId, Author, CommunityId, Forget, JournalSeq, Message, MessageId, Moment,
    RoomId, Span, TurnId, TurnKey, WallTime,
};

use super::asks::{AskFilter, AskRecord, AskSummary, AskTotals, KeptInstead};
use super::batch::{Batch, Committed, RecordedInput};
use super::clock_doubt::Swept;
use super::messages::{MessagePage, MessageQuery, StoredMessage};

/// A storage problem, for a person: what failed and what to do.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error(
        "the database at {path} is in use by another process: {detail}. Stop it, or use another --data folder"
    )]
    Busy { path: String, detail: String },
    #[error(
        "the database was written by a newer Denizen (schema {found}, this one knows {known}). Use that version, or another --data folder"
    )]
    TooNew { found: i64, known: i64 },
    #[error(
        "the settings were changed meanwhile: you have version {yours}, the newest is {newest}. Read them again and repeat the change"
    )]
    StaleSettings { yours: u64, newest: u64 },
    #[error("storage failed while {doing}: {detail}")]
    Failed { doing: &'static str, detail: String },
}

/// Which journal lines.
#[derive(Clone, Debug, Default)]
pub struct JournalQuery {
    /// Only those with a greater number.
    pub after: JournalSeq,
    pub room: Option<RoomId>,
    pub name: Option<String>,
    pub limit: usize,
    /// The newest ones instead of the oldest after `after`; still in ascending order.
    pub newest: bool,
}

/// Settings as they were saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedSettings {
    /// Grows with every save, of whatever layer; 0 before the first.
    pub version: u64,
    pub document: Document,
}

/// The settings of a community as they were saved: the base of all, and what is laid over it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayeredSettings {
    pub base_version: u64,
    pub own_version: u64,
    pub layers: Layers,
}

impl LayeredSettings {
    /// The version of both together: that of the layer that was saved last.
    pub fn version(&self) -> u64 {
        self.base_version.max(self.own_version)
    }

    /// Both in one document, as recordings keep them.
    pub fn saved(&self) -> SavedSettings {
        SavedSettings {
            version: self.version(),
            document: self.layers.effective(),
        }
    }
}

/// A community that something is kept of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommunityRecord {
    pub id: CommunityId,
    /// What people call it; empty where nobody said.
    pub name: String,
}

/// What went with a community, for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemovedCommunity {
    pub messages: u64,
    pub journal_lines: u64,
    pub asks: u64,
}

/// The start of a stretch of recorded inputs: everything needed to step them again.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Segment {
    pub community: CommunityId,
    /// The version of Denizen that recorded it.
    pub version: String,
    pub started_at: WallTime,
    /// The number of its first input.
    pub first_input: u64,
    /// The mind as it was before that input.
    pub state: Box<RawValue>,
    pub settings_version: u64,
    pub settings: Document,
}

/// A state as it was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptState {
    /// The number of the last input it has seen.
    pub input: u64,
    /// The version of Denizen that wrote it.
    pub version: String,
    /// The settings that were in force.
    pub settings_version: u64,
    pub state: String,
}

/// A recorded input that cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadInput {
    pub seq: u64,
    pub detail: String,
}

/// What a community's mind is built from after a restart.
#[derive(Debug, Default)]
pub struct Resume {
    /// The kept states, the newest first.
    pub states: Vec<KeptState>,
    /// The inputs after the oldest of those states, in order.
    pub inputs: Vec<RecordedInput>,
    /// Inputs among them that cannot be read.
    pub unread: Vec<UnreadInput>,
    /// Rooms of which messages are kept.
    pub rooms: Vec<RoomId>,
    /// What the mind was told to forget, and what is still to be cleared away.
    pub forgetting: Vec<mind::Forgotten>,
    /// Greatest numbers ever used, for a mind that must start anew.
    pub last_input: u64,
    pub last_moment: Moment,
    pub last_wall: WallTime,
    pub last_journal: JournalSeq,
    pub last_turn: TurnId,
    pub last_ask: AskId,
    /// Settings in force at the oldest of the kept states, and at each later change, by settings version.
    pub settings: Vec<SavedSettings>,
}

/// A whole recording, as it is exported.
#[derive(Debug)]
pub struct Recording {
    pub segment: Segment,
    pub inputs: Vec<RecordedInput>,
    pub journal: Vec<JournalEntry>,
    /// Settings by version, for every `SettingsChanged` in it.
    pub settings: Vec<SavedSettings>,
}

/// What is to leave the store because somebody wants it forgotten. Memory itself forgets on its own.
#[derive(Clone, Debug)]
pub struct Forgetting {
    pub what: Forget,
    /// Turns that memory forgets with it: messages of the same ids are emptied.
    pub turns: Vec<TurnKey>,
    /// The words of those turns and gems: kept model calls that hold them go.
    pub texts: Vec<String>,
    /// The first input of the stretch that was begun without what is forgotten. None, where no mind runs: the next start
    /// begins with a new one, which goes on counting where the old one was.
    pub first_kept: Option<u64>,
}

/// What the disk was asked for since the store was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskWork {
    pub commits: u64,
    /// How often it was waited until something was on it (`fsync`).
    pub waits: u64,
}

/// What has left the store, for the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Forgotten {
    pub messages: u64,
    pub asks: u64,
    pub inputs: u64,
    /// Journal lines that lost words of people or models.
    pub journal_lines: u64,
}

/// The store. One writer; every write is durable when the call returns, where nothing else is said.
#[async_trait]
pub trait Store: Send + Sync {
    /// Commits a batch: inputs, message changes and captured turns together, on disk when this returns. Journal lines
    /// follow from inputs that are there: they can be read at once, are on disk in their order within a moment, and a
    /// killed process may lose the newest, which the next start decides again. A state is never there without them.
    async fn commit(&self, community: &CommunityId, batch: Batch) -> Result<Committed, StoreError>;
    /// What is needed to go on where the last process stopped.
    async fn resume(&self, community: &CommunityId) -> Result<Resume, StoreError>;
    /// Starts a new stretch of recording.
    async fn begin_segment(&self, segment: Segment) -> Result<(), StoreError>;
    /// The newest recording (or the one that holds input `holding`), whole.
    async fn recording(
        &self,
        community: &CommunityId,
        holding: Option<u64>,
    ) -> Result<Option<Recording>, StoreError>;

    async fn message(
        &self,
        community: &CommunityId,
        id: &MessageId,
    ) -> Result<Option<StoredMessage>, StoreError>;
    /// Those of these messages that are there, in this order.
    async fn messages_of(
        &self,
        community: &CommunityId,
        ids: &[MessageId],
    ) -> Result<Vec<StoredMessage>, StoreError> {
        let mut found = Vec::new();
        for id in ids {
            found.extend(self.message(community, id).await?);
        }
        Ok(found)
    }
    /// Whether a message was taken in at some time, though nothing may be left of it: taken back, or forgotten.
    async fn has_had_message(&self, community: &CommunityId, id: &MessageId) -> Result<bool, StoreError> {
        Ok(self.message(community, id).await?.is_some())
    }
    async fn messages(&self, community: &CommunityId, query: MessageQuery)
    -> Result<MessagePage, StoreError>;
    /// Who wrote the newest messages of a room, so many of them: each once under each name, who began first in front.
    async fn writers_lately(
        &self,
        community: &CommunityId,
        room: &RoomId,
        messages: usize,
    ) -> Result<Vec<Author>, StoreError> {
        let query = MessageQuery {
            room: room.clone(),
            before: None,
            after: None,
            limit: messages,
        };
        let newest = self.messages(community, query).await?.messages.into_iter();
        let mut writers = Vec::new();
        for author in newest.map(|stored| stored.message.author) {
            if !writers.contains(&author) {
                writers.push(author);
            }
        }
        Ok(writers)
    }
    /// Everybody who has written in a community, Denizen aside, under each name they had; messages taken back count.
    async fn people(&self, community: &CommunityId) -> Result<Vec<Author>, StoreError>;
    /// Messages of a room that fit the words, best first, without those excluded.
    async fn search(
        &self,
        community: &CommunityId,
        room: &RoomId,
        words: &str,
        exclude: &[MessageId],
        limit: usize,
    ) -> Result<Vec<Message>, StoreError>;

    async fn journal(
        &self,
        community: &CommunityId,
        query: JournalQuery,
    ) -> Result<Vec<JournalEntry>, StoreError>;
    /// Every journal line about a message, and every line of the turns it was part of, in order.
    async fn why(
        &self,
        community: &CommunityId,
        message: &MessageId,
    ) -> Result<Vec<JournalEntry>, StoreError>;

    /// Keeps an ask as it starts; `finish_ask` completes it, with what went out in the end where that is not
    /// what it started with. Both can be read at once and are on disk within a moment.
    async fn start_ask(&self, record: AskRecord) -> Result<(), StoreError>;
    /// The process is back: asks of a community that were under way when it ended were interrupted.
    async fn interrupt_asks(&self, _community: &CommunityId) -> Result<(), StoreError> {
        Ok(())
    }
    async fn finish_ask(
        &self,
        community: &CommunityId,
        ask: AskId,
        outcome: AskOutcome,
        sent_instead: Option<KeptInstead>,
        raw_response: String,
    ) -> Result<(), StoreError>;
    async fn ask(&self, community: &CommunityId, ask: AskId) -> Result<Option<AskRecord>, StoreError>;
    async fn asks(&self, community: &CommunityId, filter: AskFilter) -> Result<Vec<AskSummary>, StoreError>;
    /// What all asks that fit come to, by purpose; a filter's `before` and `limit` do not count.
    async fn ask_totals(
        &self,
        community: &CommunityId,
        filter: AskFilter,
    ) -> Result<Vec<AskTotals>, StoreError>;

    async fn put_attachment(
        &self,
        community: &CommunityId,
        id: &AttachmentId,
        mime: &str,
        bytes: Bytes,
    ) -> Result<(), StoreError>;
    async fn attachment(
        &self,
        community: &CommunityId,
        id: &AttachmentId,
    ) -> Result<Option<(String, Bytes)>, StoreError>;

    /// Every community that something is kept of, by id.
    async fn communities(&self) -> Result<Vec<CommunityRecord>, StoreError>;
    /// Makes a community known, or gives one that is known another name.
    async fn add_community(&self, community: &CommunityId, name: &str) -> Result<(), StoreError>;
    /// Removes everything that is kept of a community, down to the bytes of the files; memory is not meant. Doing it
    /// again does no harm; after a failure it should be.
    async fn remove_community(&self, community: &CommunityId) -> Result<RemovedCommunity, StoreError>;

    /// The newest settings of a community.
    async fn settings(&self, community: &CommunityId) -> Result<LayeredSettings, StoreError>;
    /// The newest settings of the base.
    async fn base_settings(&self) -> Result<SavedSettings, StoreError>;
    /// The greatest version of any layer: what did not change need not be looked at.
    async fn newest_settings(&self) -> Result<u64, StoreError>;
    /// Saves a document of a community's layer, or of the base, if `based_on` is still the newest version of that
    /// layer; returns the new version.
    async fn save_settings(
        &self,
        layer: Option<&CommunityId>,
        based_on: u64,
        document: Document,
    ) -> Result<u64, StoreError>;

    /// Makes a community's store forget, down to the bytes of its files:
    /// - messages of the person or the room, and those whose id is that of a forgotten turn, are emptied as if they
    ///   had been taken back, with their attachments and the reactions under them;
    /// - reactions of the person go, wherever they are;
    /// - model calls of the rooms concerned (of a person or a room), and all that hold words of what is forgotten, go;
    /// - recorded inputs, states and recordings before `first_kept` go, last of all: as long as the input that told the mind
    ///   to forget is there, it is not done, and `Resume::forgetting` says so. Numbers never go back;
    /// - journal lines stay, without reasons in a model's or provider's own words where those may hold what is
    ///   forgotten, and without the name of a person who is.
    ///
    /// Doing it again does no harm; after a failure it should be.
    async fn forget(&self, community: &CommunityId, forgetting: Forgetting) -> Result<Forgotten, StoreError>;

    /// Deletes what is older than the settings of each community allow. The clock says `wall`, and Denizen has run for
    /// `ran` since it was last asked: a clock that jumped is not believed at once, and ages nothing until it is.
    async fn sweep(
        &self,
        keep: &[(CommunityId, StorageSettings)],
        wall: WallTime,
        ran: Span,
    ) -> Result<Swept, StoreError>;
    /// What the disk was asked for, where that is counted.
    fn disk_work(&self) -> Option<DiskWork> {
        None
    }
    /// Writes a consistent copy of everything to a new file.
    async fn export_copy(&self, to: &std::path::Path) -> Result<(), StoreError>;
}
