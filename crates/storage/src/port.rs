//! Every call of the store's port, handed to the writer or to a reader.

use std::path::Path;

use async_trait::async_trait;
use bytes::Bytes;
use mind::JournalEntry;
use runtime::ports::{
    AskFilter, AskRecord, AskSummary, AskTotals, Batch, Committed, CommunityRecord, DiskWork, Forgetting,
    Forgotten, JournalQuery, KeptInstead, LayeredSettings, MessagePage, MessageQuery, Recording,
    RemovedCommunity, Resume, SavedSettings, Segment, Store, StoreError, StoredMessage, Swept,
};
use rusqlite::Connection;
use settings::{Document, StorageSettings};
use vocabulary::{
    AskId, AskOutcome, AttachmentId, Author, CommunityId, Message, MessageId, RoomId, Span, WallTime,
};

use crate::community::Numbers;
use crate::fault::Fault;
use crate::pending::Pending;
use crate::sqlite::Sqlite;
use crate::{
    asks, attachments, commit, community, export, forget, journal, known_time, messages, recording, removal,
    resume, search, settings_versions, sweep, vacuum,
};

const READING_MESSAGES: &str = "reading messages";
const READING_WRITERS: &str = "reading who has written";
const READING_JOURNAL: &str = "reading the journal";
const READING_SETTINGS: &str = "reading the settings";

#[async_trait]
impl Store for Sqlite {
    async fn commit(&self, community: &CommunityId, mut batch: Batch) -> Result<Committed, StoreError> {
        const STORING: &str = "storing what happened";
        let writer = self.writer(STORING)?;
        // Lines follow from inputs that are on the disk: those that a killed process loses are decided again.
        let lines = match batch.state {
            Some(_) => Vec::new(),
            None => std::mem::take(&mut batch.journal),
        };
        let mut committed = Committed::default();
        if batch.state.is_none() && !batch.inputs.is_empty() {
            let is_waited_for = !batch.comes_again;
            committed = writer.take_in(STORING, community, batch, is_waited_for).await?;
        } else if !batch.is_empty() {
            let community = community.clone();
            let work = move |connection: &Connection| commit::commit(connection, &community, &batch);
            committed = writer.write(STORING, work).await?;
        }
        if !lines.is_empty() {
            let community = community.clone();
            let lines = Batch {
                journal: lines,
                ..Batch::default()
            };
            let work = move |connection: &Connection, numbers: &mut Numbers| {
                commit::add_lines(connection, &community, &lines, numbers)
            };
            writer.write_late(STORING, work).await?;
        }
        Ok(committed)
    }

    async fn resume(&self, community: &CommunityId) -> Result<Resume, StoreError> {
        const READING: &str = "reading where the last process stopped";
        self.catch_up(READING).await?;
        let community = community.clone();
        let read = move |connection: &Connection| resume::resume(connection, &community);
        self.read_at_once(READING, read).await
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
        self.read("reading a recording", move |connection| {
            recording::read(connection, &community, holding)
        })
        .await
    }

    async fn message(
        &self,
        community: &CommunityId,
        id: &MessageId,
    ) -> Result<Option<StoredMessage>, StoreError> {
        Ok(self.messages_of(community, std::slice::from_ref(id)).await?.pop())
    }

    async fn messages_of(
        &self,
        community: &CommunityId,
        ids: &[MessageId],
    ) -> Result<Vec<StoredMessage>, StoreError> {
        let waits = |pending: &Pending| ids.iter().any(|id| pending.has_message(community, id));
        self.catch_up_for(READING_MESSAGES, waits).await?;
        let ids = ids.to_vec();
        let read = move |connection: &Connection, key| messages::of_ids(connection, key, &ids);
        self.read_of(READING_MESSAGES, community, read).await
    }

    async fn has_had_message(&self, community: &CommunityId, id: &MessageId) -> Result<bool, StoreError> {
        let waits = |pending: &Pending| pending.adds_message(community, id);
        if self.pending().is_some_and(waits) {
            return Ok(true);
        }
        let id = id.clone();
        let read = move |connection: &Connection, key| messages::was_there(connection, key, &id);
        self.read_of("looking for a message", community, read).await
    }

    async fn messages(
        &self,
        community: &CommunityId,
        query: MessageQuery,
    ) -> Result<MessagePage, StoreError> {
        self.catch_up_if(READING_MESSAGES, |pending| {
            pending.has_room(community, &query.room, &[])
        })
        .await;
        let read = move |connection: &Connection, key| messages::page(connection, key, &query);
        self.read_of(READING_MESSAGES, community, read).await
    }

    async fn writers_lately(
        &self,
        community: &CommunityId,
        room: &RoomId,
        count: usize,
    ) -> Result<Vec<Author>, StoreError> {
        self.catch_up_if(READING_WRITERS, |pending| pending.has_room(community, room, &[]))
            .await;
        let room = room.clone();
        let read =
            move |connection: &Connection, key| messages::writers_lately(connection, key, &room, count);
        self.read_of(READING_WRITERS, community, read).await
    }

    async fn people(&self, community: &CommunityId) -> Result<Vec<Author>, StoreError> {
        self.catch_up_if(READING_WRITERS, |pending| pending.has_messages(community))
            .await;
        self.read_of(READING_WRITERS, community, messages::people).await
    }

    async fn search(
        &self,
        community: &CommunityId,
        room: &RoomId,
        words: &str,
        exclude: &[MessageId],
        limit: usize,
    ) -> Result<Vec<Message>, StoreError> {
        const SEARCHING: &str = "searching messages";
        // Whoever answers what was said this moment has it before them, and does not look for it.
        self.catch_up_if(SEARCHING, |pending| pending.has_room(community, room, exclude))
            .await;
        let (room, words, exclude) = (room.clone(), words.to_owned(), exclude.to_vec());
        let read = move |connection: &Connection, key| {
            search::search(connection, key, &room, &words, &exclude, limit)
        };
        self.read_of(SEARCHING, community, read).await
    }

    async fn journal(
        &self,
        community: &CommunityId,
        query: JournalQuery,
    ) -> Result<Vec<JournalEntry>, StoreError> {
        self.catch_up(READING_JOURNAL).await?;
        let read = move |connection: &Connection, key| journal::find(connection, key, &query);
        self.read_of(READING_JOURNAL, community, read).await
    }

    async fn why(
        &self,
        community: &CommunityId,
        message: &MessageId,
    ) -> Result<Vec<JournalEntry>, StoreError> {
        let message = message.clone();
        self.catch_up(READING_JOURNAL).await?;
        let read = move |connection: &Connection, key| journal::why(connection, key, &message);
        self.read_of(READING_JOURNAL, community, read).await
    }

    async fn start_ask(&self, record: AskRecord) -> Result<(), StoreError> {
        const KEEPING: &str = "keeping a model call";
        let work =
            move |connection: &Connection, numbers: &mut Numbers| asks::start(connection, &record, numbers);
        self.writer(KEEPING)?.write_late(KEEPING, work).await
    }

    async fn interrupt_asks(&self, community: &CommunityId) -> Result<(), StoreError> {
        let community = community.clone();
        self.write("closing model calls", move |connection| {
            asks::interrupt(connection, &community)
        })
        .await
    }

    async fn finish_ask(
        &self,
        community: &CommunityId,
        ask: AskId,
        outcome: AskOutcome,
        sent_instead: Option<KeptInstead>,
        raw_response: String,
    ) -> Result<(), StoreError> {
        const KEEPING: &str = "keeping a model's answer";
        let community = community.clone();
        let work = move |connection: &Connection, _: &mut Numbers| {
            let sent_instead = sent_instead.as_ref();
            asks::finish(connection, &community, ask, &outcome, sent_instead, &raw_response)
        };
        self.writer(KEEPING)?.write_late(KEEPING, work).await
    }

    async fn ask(&self, community: &CommunityId, ask: AskId) -> Result<Option<AskRecord>, StoreError> {
        let community = community.clone();
        let read = move |connection: &Connection| asks::read(connection, &community, ask);
        self.read("reading a model call", read).await
    }

    async fn asks(&self, community: &CommunityId, filter: AskFilter) -> Result<Vec<AskSummary>, StoreError> {
        let community = community.clone();
        let read = move |connection: &Connection| asks::list(connection, &community, &filter);
        self.read("reading model calls", read).await
    }

    async fn ask_totals(
        &self,
        community: &CommunityId,
        filter: AskFilter,
    ) -> Result<Vec<AskTotals>, StoreError> {
        let community = community.clone();
        self.read("adding up model calls", move |connection| {
            asks::totals(connection, &community, &filter)
        })
        .await
    }

    async fn put_attachment(
        &self,
        community: &CommunityId,
        id: &AttachmentId,
        mime: &str,
        bytes: Bytes,
    ) -> Result<(), StoreError> {
        let (community, id, mime) = (community.clone(), id.clone(), mime.to_owned());
        self.write("keeping an attachment", move |connection| {
            let key = community::find_or_add(connection, &community)?;
            attachments::put(connection, key, &id, &mime, &bytes, runtime::wall())
        })
        .await
    }

    async fn attachment(
        &self,
        community: &CommunityId,
        id: &AttachmentId,
    ) -> Result<Option<(String, Bytes)>, StoreError> {
        let id = id.clone();
        let read = move |connection: &Connection, key| attachments::read(connection, key, &id);
        self.read_of("reading an attachment", community, read).await
    }

    async fn communities(&self) -> Result<Vec<CommunityRecord>, StoreError> {
        self.read("reading the communities", community::list).await
    }

    async fn add_community(&self, community: &CommunityId, name: &str) -> Result<(), StoreError> {
        let (community, name) = (community.clone(), name.to_owned());
        self.write("adding a community", move |connection| {
            community::call(connection, &community, &name)
        })
        .await
    }

    async fn remove_community(&self, community: &CommunityId) -> Result<RemovedCommunity, StoreError> {
        removal::remove(self, community).await
    }

    async fn settings(&self, community: &CommunityId) -> Result<LayeredSettings, StoreError> {
        let community = community.clone();
        self.read_at_once(READING_SETTINGS, move |connection| {
            settings_versions::layered(connection, community::find(connection, &community)?)
        })
        .await
    }

    async fn base_settings(&self) -> Result<SavedSettings, StoreError> {
        self.read_at_once(READING_SETTINGS, |connection| {
            settings_versions::newest(connection, None)
        })
        .await
    }

    async fn newest_settings(&self) -> Result<u64, StoreError> {
        self.read_at_once(READING_SETTINGS, settings_versions::greatest)
            .await
    }

    async fn save_settings(
        &self,
        layer: Option<&CommunityId>,
        based_on: u64,
        document: Document,
    ) -> Result<u64, StoreError> {
        let layer = layer.cloned();
        self.write("saving the settings", move |connection| {
            let key = layer.map(|community| community::find_or_add(connection, &community));
            settings_versions::save(connection, key.transpose()?, based_on, &document, runtime::wall())
        })
        .await
    }

    async fn forget(&self, community: &CommunityId, forgetting: Forgetting) -> Result<Forgotten, StoreError> {
        forget::forget(self, community, forgetting).await
    }

    async fn sweep(
        &self,
        keep: &[(CommunityId, StorageSettings)],
        wall: WallTime,
        ran: Span,
    ) -> Result<Swept, StoreError> {
        const SWEEPING: &str = "deleting what is past its time";
        let mut total = 0;
        let keep = keep.to_vec();
        let keep = self
            .read(SWEEPING, move |connection| {
                let known = keep.into_iter().map(|(community, keep)| {
                    Ok(community::find(connection, &community)?.map(|key| (key, keep)))
                });
                known
                    .filter_map(Result::transpose)
                    .collect::<Result<Vec<_>, Fault>>()
            })
            .await?;
        let known = self
            .write(SWEEPING, move |connection| {
                known_time::look(connection, wall, ran)
            })
            .await?;
        for broom in sweep::brooms(&keep, known.surely()) {
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
        Ok(Swept {
            rows: total,
            doubt: known.doubt(),
        })
    }

    fn disk_work(&self) -> Option<DiskWork> {
        Sqlite::disk_work(self)
    }

    async fn export_copy(&self, to: &Path) -> Result<(), StoreError> {
        const COPYING: &str = "copying the database";
        self.catch_up(COPYING).await?;
        let (path, to) = (self.path().to_owned(), to.to_owned());
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
