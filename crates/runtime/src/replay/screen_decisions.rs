//! When notes were taken and comments considered on shared screens, and where two journals differ in it.

use std::collections::BTreeMap;

use mind::{JournalEntry, JournalEvent};
use vocabulary::{FrameId, RoomId, WallTime};

/// How often each was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScreenDecisions {
    /// Notes that a model was asked for.
    pub notes: usize,
    /// Comments that were considered.
    pub considered: usize,
    /// Comments that were made.
    pub comments: usize,
}

/// A frame about which something else was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenDifference {
    pub at: WallTime,
    pub room: RoomId,
    pub frame: FrameId,
    /// What was decided, in a word or two; empty: nothing.
    pub before: String,
    pub after: String,
}

impl ScreenDecisions {
    /// Those of a journal.
    pub fn of(journal: &[JournalEntry]) -> Self {
        let mut decisions = Self::default();
        for entry in journal {
            match &entry.event {
                JournalEvent::NoteStarted { .. } => decisions.notes += 1,
                JournalEvent::CommentaryStarted { .. } => decisions.considered += 1,
                JournalEvent::CommentaryWritten { .. } => decisions.comments += 1,
                _ => {}
            }
        }
        decisions
    }
}

/// The frames about which something else was decided, in the order of time.
pub fn screen_differences(before: &[JournalEntry], after: &[JournalEntry]) -> Vec<ScreenDifference> {
    let (old, mut new) = (by_frame(before), by_frame(after));
    let mut differing = Vec::new();
    let mut note = |(room, frame): (RoomId, FrameId), at, before: String, after: String| {
        if before != after {
            differing.push(ScreenDifference {
                at,
                room,
                frame,
                before,
                after,
            });
        }
    };
    for (place, (at, words)) in old {
        let (_, other) = new.remove(&place).unwrap_or_default();
        note(place, at, words.join(", "), other.join(", "));
    }
    for (place, (at, words)) in new {
        note(place, at, String::new(), words.join(", "));
    }
    differing.sort_by_key(|difference| (difference.at, difference.frame));
    differing
}

type ByFrame = BTreeMap<(RoomId, FrameId), (WallTime, Vec<String>)>;

fn by_frame(journal: &[JournalEntry]) -> ByFrame {
    let mut decisions = ByFrame::new();
    for entry in journal {
        let (frame, word) = match &entry.event {
            JournalEvent::NoteStarted { frame, trigger, .. } => (frame, format!("note: {}", trigger.name())),
            JournalEvent::CommentaryStarted { frame, trigger, .. } => {
                (frame, format!("comment considered: {}", trigger.name()))
            }
            _ => continue,
        };
        let Some(room) = entry.scope.room.clone() else {
            continue;
        };
        let (_, words) = decisions
            .entry((room, *frame))
            .or_insert_with(|| (entry.wall, Vec::new()));
        words.push(word);
    }
    decisions
}
