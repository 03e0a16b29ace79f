//! What was taken in and is not in the tables yet, so that whoever reads it has it written first, and nobody else has.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use runtime::ports::{Batch, MessageChange};
use vocabulary::{CommunityId, MessageId, RoomId};

/// What waits to be written, of all communities. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending(Arc<Mutex<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    next: u64,
    batches: BTreeMap<u64, Touched>,
}

/// What a batch changes.
#[derive(Debug)]
struct Touched {
    /// None where it changes no messages.
    community: Option<CommunityId>,
    messages: Vec<(Option<RoomId>, MessageId)>,
    captures: bool,
}

/// A batch waits for as long as this lives.
#[derive(Debug)]
pub(crate) struct Waits {
    pending: Pending,
    number: u64,
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.pending.waiting().batches.remove(&self.number);
    }
}

impl Pending {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what a batch changes.
    pub fn note(&self, community: &CommunityId, batch: &Batch) -> Waits {
        let messages = batch.changes.iter().map(|change| match change {
            MessageChange::Added { message, .. } => (Some(message.room.clone()), message.id.clone()),
            MessageChange::Edited { id, .. } | MessageChange::Deleted { id, .. } => (None, id.clone()),
            MessageChange::Reacted { message, .. } => (None, message.clone()),
        });
        self.note_touched(Touched {
            community: Some(community.clone()),
            messages: messages.collect(),
            captures: !batch.captures.is_empty(),
        })
    }

    /// Notes that something changes which turns are in memory's buffer.
    pub fn note_turns(&self) -> Waits {
        self.note_touched(Touched {
            community: None,
            messages: Vec::new(),
            captures: true,
        })
    }

    fn note_touched(&self, touched: Touched) -> Waits {
        let mut waiting = self.waiting();
        let number = waiting.next;
        waiting.next += 1;
        waiting.batches.insert(number, touched);
        Waits {
            pending: self.clone(),
            number,
        }
    }

    /// Whether something waits that changes this message.
    pub fn has_message(&self, community: &CommunityId, id: &MessageId) -> bool {
        self.any(community, |_, message| message == id)
    }

    /// Whether a message waits that is new; one that was changed is not.
    pub fn adds_message(&self, community: &CommunityId, id: &MessageId) -> bool {
        self.any(community, |room, message| room.is_some() && message == id)
    }

    /// Whether something waits that changes what a room shows, these messages aside.
    pub fn has_room(&self, community: &CommunityId, room: &RoomId, exclude: &[MessageId]) -> bool {
        self.any(community, |its, message| {
            its.as_ref().is_none_or(|its| its == room) && !exclude.contains(message)
        })
    }

    /// Whether any change of a message waits.
    pub fn has_messages(&self, community: &CommunityId) -> bool {
        self.any(community, |_, _| true)
    }

    /// Whether turns wait that go into memory's buffer, or changes of such.
    pub fn has_captures(&self) -> bool {
        let waiting = self.waiting();
        waiting
            .batches
            .values()
            .any(|touched| touched.captures || touched.messages.iter().any(|(room, _)| room.is_none()))
    }

    fn any(&self, community: &CommunityId, is_meant: impl Fn(&Option<RoomId>, &MessageId) -> bool) -> bool {
        let waiting = self.waiting();
        let mut here = waiting
            .batches
            .values()
            .filter(|touched| touched.community.as_ref() == Some(community));
        here.any(|touched| touched.messages.iter().any(|(room, id)| is_meant(room, id)))
    }
}

#[cfg(test)]
#[path = "pending_tests.rs"]
mod pending_tests;
