//! The shelf: the newest pictures of each share, bounded by number and by bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::time::Instant;
use vocabulary::{FrameId, ShareId};

use super::ShelvedPicture;

/// Pictures of one share.
pub(super) const PER_SHARE_MAX: usize = 12;
/// Bytes of all pictures together. The newest picture of each watched share stays whatever they add up to.
pub(super) const BYTES_MAX: usize = 32 << 20;
/// For so long the newest picture of a share outlives it: a question about it may be on its way to a model.
const AFTER_ITS_END: Duration = Duration::from_secs(60);

#[derive(Default)]
pub(super) struct Shelf {
    /// Frames are numbered as they come, so the first is the oldest.
    pictures: BTreeMap<FrameId, Shelved>,
    bytes: usize,
}

struct Shelved {
    share: ShareId,
    picture: ShelvedPicture,
    /// When it goes, because its share is over.
    goes_at: Option<Instant>,
}

impl Shelf {
    /// Puts a picture up; older ones make room for it.
    pub fn put(&mut self, share: &ShareId, picture: ShelvedPicture, watched: &BTreeSet<ShareId>) {
        self.bytes += picture.bytes.len();
        let shelved = Shelved {
            share: share.clone(),
            picture,
            goes_at: None,
        };
        self.pictures.insert(shelved.picture.frame, shelved);
        let mut of_share = self.frames_of(share);
        of_share.truncate(of_share.len().saturating_sub(PER_SHARE_MAX));
        for frame in of_share {
            self.take(frame);
        }
        self.make_room(watched);
    }

    pub fn take(&mut self, frame: FrameId) {
        if let Some(shelved) = self.pictures.remove(&frame) {
            self.bytes -= shelved.picture.bytes.len();
        }
    }

    pub fn picture(&self, frame: FrameId) -> Option<ShelvedPicture> {
        self.pictures.get(&frame).map(|shelved| shelved.picture.clone())
    }

    pub fn newest_of(&self, share: &ShareId) -> Option<ShelvedPicture> {
        let mut of_share = self.pictures.values().rev();
        of_share
            .find(|shelved| shelved.share == *share)
            .map(|shelved| shelved.picture.clone())
    }

    /// A share is over: its pictures go, the newest a little later.
    pub fn share_ended(&mut self, share: &ShareId, now: Instant) {
        let mut frames = self.frames_of(share);
        let newest = frames.pop();
        for frame in frames {
            self.take(frame);
        }
        if let Some(shelved) = newest.and_then(|frame| self.pictures.get_mut(&frame)) {
            shelved.goes_at = Some(now + AFTER_ITS_END);
        }
    }

    /// Lets go of what has outlived its share.
    pub fn let_go(&mut self, now: Instant) {
        let gone = |shelved: &&Shelved| shelved.goes_at.is_some_and(|at| at <= now);
        let frames: Vec<FrameId> = self
            .pictures
            .values()
            .filter(gone)
            .map(|shelved| shelved.picture.frame)
            .collect();
        for frame in frames {
            self.take(frame);
        }
    }

    pub fn clear(&mut self) {
        self.pictures.clear();
        self.bytes = 0;
    }

    fn make_room(&mut self, watched: &BTreeSet<ShareId>) {
        if self.bytes <= BYTES_MAX {
            return;
        }
        let mut seen = BTreeSet::new();
        let stays: BTreeSet<FrameId> = self
            .pictures
            .values()
            .rev()
            .filter(|shelved| watched.contains(&shelved.share) && seen.insert(&shelved.share))
            .map(|shelved| shelved.picture.frame)
            .collect();
        let oldest_first: Vec<FrameId> = self
            .pictures
            .keys()
            .filter(|frame| !stays.contains(frame))
            .copied()
            .collect();
        for frame in oldest_first {
            if self.bytes <= BYTES_MAX {
                break;
            }
            self.take(frame);
        }
    }

    fn frames_of(&self, share: &ShareId) -> Vec<FrameId> {
        self.pictures
            .values()
            .filter(|shelved| shelved.share == *share)
            .map(|shelved| shelved.picture.frame)
            .collect()
    }
}

#[cfg(test)]
#[path = "shelf_tests.rs"]
mod tests;
