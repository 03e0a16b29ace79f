//! A store whose writes can be held back, or fail as if the disk were gone; reading is the real store's.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use mind::JournalEntry;
use runtime::ports::{
    AskFilter, AskRecord, AskSummary, AskTotals, Batch, Committed, CommunityRecord, Forgetting, Forgotten,
    JournalQuery, KeptInstead, LayeredSettings, MessagePage, MessageQuery, Recording, RemovedCommunity,
    Resume, SavedSettings, Segment, Store, StoreError, StoredMessage, Swept,
};
use settings::{Document, StorageSettings};
use tokio::sync::watch;
use vocabulary::{
    AskId, AskOutcome, AttachmentId, Author, CommunityId, Message, MessageId, RoomId, Span, WallTime,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disk {
    Writes,
    Waits,
    Gone,
}

/// The gate in front of a store.
#[derive(Clone)]
pub struct Gate(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    disk: watch::Sender<Disk>,
    /// Writes that wait.
    waiting: watch::Sender<usize>,
    /// Writes that failed.
    refused: watch::Sender<usize>,
}

impl Gate {
    pub fn before(store: Arc<dyn Store>) -> Self {
        Self(Arc::new(Inner {
            store,
            disk: watch::Sender::new(Disk::Writes),
            waiting: watch::Sender::new(0),
            refused: watch::Sender::new(0),
        }))
    }

    /// Writes wait from now on.
    pub fn hold(&self) {
        self.0.disk.send_replace(Disk::Waits);
    }

    /// Writes go through again.
    pub fn release(&self) {
        self.0.disk.send_replace(Disk::Writes);
    }

    /// Nothing is written any more, as after a crash.
    pub fn lose(&self) {
        self.0.disk.send_replace(Disk::Gone);
    }

    /// Until a write waits.
    pub async fn is_waited_at(&self) {
        let mut waiting = self.0.waiting.subscribe();
        waiting
            .wait_for(|waiting| *waiting > 0)
            .await
            .expect("the gate is there");
    }
}

impl Gate {
    /// Until so many writes have failed.
    pub async fn has_refused(&self, count: usize) {
        let mut refused = self.0.refused.subscribe();
        let enough = refused.wait_for(|refused| *refused >= count).await;
        enough.expect("the gate is there");
    }
}

#[async_trait]
impl Store for Gate {
    async fn commit(&self, community: &CommunityId, batch: Batch) -> Result<Committed, StoreError> {
        let mut disk = self.0.disk.subscribe();
        self.0.waiting.send_modify(|waiting| *waiting += 1);
        let now = *disk
            .wait_for(|disk| *disk != Disk::Waits)
            .await
            .expect("the gate is there");
        self.0.waiting.send_modify(|waiting| *waiting -= 1);
        if now == Disk::Gone {
            self.0.refused.send_modify(|refused| *refused += 1);
            return Err(StoreError::Failed {
                doing: "writing",
                detail: "the disk is gone".to_owned(),
            });
        }
        self.0.store.commit(community, batch).await
    }

    async fn resume(&self, community: &CommunityId) -> Result<Resume, StoreError> {
        self.0.store.resume(community).await
    }

    async fn begin_segment(&self, segment: Segment) -> Result<(), StoreError> {
        self.0.store.begin_segment(segment).await
    }

    async fn recording(
        &self,
        community: &CommunityId,
        holding: Option<u64>,
    ) -> Result<Option<Recording>, StoreError> {
        self.0.store.recording(community, holding).await
    }

    async fn message(
        &self,
        community: &CommunityId,
        id: &MessageId,
    ) -> Result<Option<StoredMessage>, StoreError> {
        self.0.store.message(community, id).await
    }

    async fn messages(
        &self,
        community: &CommunityId,
        query: MessageQuery,
    ) -> Result<MessagePage, StoreError> {
        self.0.store.messages(community, query).await
    }

    async fn people(&self, community: &CommunityId) -> Result<Vec<Author>, StoreError> {
        self.0.store.people(community).await
    }

    async fn search(
        &self,
        community: &CommunityId,
        room: &RoomId,
        words: &str,
        exclude: &[MessageId],
        limit: usize,
    ) -> Result<Vec<Message>, StoreError> {
        self.0.store.search(community, room, words, exclude, limit).await
    }

    async fn journal(
        &self,
        community: &CommunityId,
        query: JournalQuery,
    ) -> Result<Vec<JournalEntry>, StoreError> {
        self.0.store.journal(community, query).await
    }

    async fn why(
        &self,
        community: &CommunityId,
        message: &MessageId,
    ) -> Result<Vec<JournalEntry>, StoreError> {
        self.0.store.why(community, message).await
    }

    async fn start_ask(&self, record: AskRecord) -> Result<(), StoreError> {
        self.0.store.start_ask(record).await
    }

    async fn finish_ask(
        &self,
        community: &CommunityId,
        ask: AskId,
        outcome: AskOutcome,
        sent_instead: Option<KeptInstead>,
        raw_response: String,
    ) -> Result<(), StoreError> {
        self.0
            .store
            .finish_ask(community, ask, outcome, sent_instead, raw_response)
            .await
    }

    async fn ask(&self, community: &CommunityId, ask: AskId) -> Result<Option<AskRecord>, StoreError> {
        self.0.store.ask(community, ask).await
    }

    async fn asks(&self, community: &CommunityId, filter: AskFilter) -> Result<Vec<AskSummary>, StoreError> {
        self.0.store.asks(community, filter).await
    }

    async fn ask_totals(
        &self,
        community: &CommunityId,
        filter: AskFilter,
    ) -> Result<Vec<AskTotals>, StoreError> {
        self.0.store.ask_totals(community, filter).await
    }

    async fn put_attachment(
        &self,
        community: &CommunityId,
        id: &AttachmentId,
        mime: &str,
        bytes: Bytes,
    ) -> Result<(), StoreError> {
        self.0.store.put_attachment(community, id, mime, bytes).await
    }

    async fn attachment(
        &self,
        community: &CommunityId,
        id: &AttachmentId,
    ) -> Result<Option<(String, Bytes)>, StoreError> {
        self.0.store.attachment(community, id).await
    }

    async fn communities(&self) -> Result<Vec<CommunityRecord>, StoreError> {
        self.0.store.communities().await
    }

    async fn add_community(&self, community: &CommunityId, name: &str) -> Result<(), StoreError> {
        self.0.store.add_community(community, name).await
    }

    async fn remove_community(&self, community: &CommunityId) -> Result<RemovedCommunity, StoreError> {
        self.0.store.remove_community(community).await
    }

    async fn settings(&self, community: &CommunityId) -> Result<LayeredSettings, StoreError> {
        self.0.store.settings(community).await
    }

    async fn base_settings(&self) -> Result<SavedSettings, StoreError> {
        self.0.store.base_settings().await
    }

    async fn newest_settings(&self) -> Result<u64, StoreError> {
        self.0.store.newest_settings().await
    }

    async fn save_settings(
        &self,
        layer: Option<&CommunityId>,
        based_on: u64,
        document: Document,
    ) -> Result<u64, StoreError> {
        self.0.store.save_settings(layer, based_on, document).await
    }

    async fn forget(&self, community: &CommunityId, forgetting: Forgetting) -> Result<Forgotten, StoreError> {
        self.0.store.forget(community, forgetting).await
    }

    async fn sweep(
        &self,
        keep: &[(CommunityId, StorageSettings)],
        wall: WallTime,
        ran: Span,
    ) -> Result<Swept, StoreError> {
        self.0.store.sweep(keep, wall, ran).await
    }

    async fn export_copy(&self, to: &Path) -> Result<(), StoreError> {
        self.0.store.export_copy(to).await
    }
}
