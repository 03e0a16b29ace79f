//! How many streams there are, and which share each belongs to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;
use vocabulary::ShareId;

use super::MAX_STREAMS;

#[derive(Clone, Debug, Default)]
pub(super) struct Slots(Arc<Mutex<Taken>>);

#[derive(Debug, Default)]
struct Taken {
    /// Of each share the newest slot, by its number.
    streams: BTreeMap<ShareId, (u64, CancellationToken)>,
    next: u64,
}

/// A stream's right to run; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Slot {
    slots: Slots,
    share: ShareId,
    number: u64,
    superseded: CancellationToken,
}

impl Slots {
    pub(super) fn has_room_for(&self, share: &ShareId) -> bool {
        self.lock().has_room_for(share)
    }

    /// A slot, unless all are taken. The stream that had this share's slot is told to stop.
    pub(super) fn take(&self, share: ShareId) -> Option<Slot> {
        let mut taken = self.lock();
        if !taken.has_room_for(&share) {
            return None;
        }
        taken.next += 1;
        let number = taken.next;
        let superseded = CancellationToken::new();
        if let Some((_, before)) = taken.streams.insert(share.clone(), (number, superseded.clone())) {
            before.cancel();
        }
        let slots = self.clone();
        Some(Slot {
            slots,
            share,
            number,
            superseded,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn has_room_for(&self, share: &ShareId) -> bool {
        self.streams.contains_key(share) || self.streams.len() < MAX_STREAMS
    }
}

impl Slot {
    /// Resolves once another stream has taken the place of this one.
    pub(super) async fn superseded(&self) {
        self.superseded.cancelled().await;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.slots.lock();
        let is_newest = taken
            .streams
            .get(&self.share)
            .is_some_and(|(number, _)| *number == self.number);
        if is_newest {
            taken.streams.remove(&self.share);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(number: usize) -> ShareId {
        ShareId::new(format!("share-{number}"))
    }

    #[test]
    fn no_more_streams_are_taken_than_there_are_slots() {
        let slots = Slots::default();
        let mut held: Vec<Slot> = (0..MAX_STREAMS)
            .filter_map(|number| slots.take(share(number)))
            .collect();
        assert_eq!(held.len(), MAX_STREAMS);
        assert!(slots.take(share(99)).is_none());
        held.pop();
        assert!(slots.take(share(99)).is_some());
    }

    #[test]
    fn another_stream_of_the_same_share_takes_the_place_of_the_first() {
        let slots = Slots::default();
        let first = slots.take(share(1)).expect("a slot");
        let second = slots.take(share(1)).expect("a slot");
        assert!(first.superseded.is_cancelled());
        assert!(!second.superseded.is_cancelled());
        drop(first);
        assert_eq!(slots.lock().streams.len(), 1);
        drop(second);
        assert!(slots.lock().streams.is_empty());
    }
}
