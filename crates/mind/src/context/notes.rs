//! Notes that have left their live buffer and wait to be folded into the summary, each by its own number.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::text::one_line;
use vocabulary::{NoteSeq, WallTime};

/// Notes that may wait; beyond that the oldest is let go, and the journal says so.
pub const PENDING_NOTES_MAX: usize = 60;
/// Longest note that is held.
const NOTE_CHARS_MAX: usize = 400;

/// Something that was seen: by whom it was shared, and what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PendingNote {
    pub seq: NoteSeq,
    pub at: WallTime,
    /// Who shared what was seen; empty where nobody did.
    pub shared_by: String,
    pub text: String,
}

impl PendingNote {
    /// One line with its provenance.
    pub fn line(&self) -> String {
        if self.shared_by.is_empty() {
            self.text.clone()
        } else {
            format!("{} shared: {}", self.shared_by, self.text)
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingNotes {
    next: NoteSeq,
    notes: VecDeque<PendingNote>,
}

impl PendingNotes {
    /// Holds a note; the one that had to make room for it, if any. Notes that are being folded stay, and do not count.
    pub fn hold(
        &mut self,
        at: WallTime,
        shared_by: &str,
        text: &str,
        folding: &[PendingNote],
    ) -> Option<PendingNote> {
        let clipped = |text: &str| one_line(text).chars().take(NOTE_CHARS_MAX).collect();
        let seq = self.next;
        self.next.0 += 1;
        self.notes.push_back(PendingNote {
            seq,
            at,
            shared_by: clipped(shared_by),
            text: clipped(text),
        });
        let is_folding = |note: &PendingNote| folding.iter().any(|other| other.seq == note.seq);
        let waiting = self.notes.iter().filter(|note| !is_folding(note)).count();
        if waiting <= PENDING_NOTES_MAX {
            return None;
        }
        let oldest = self.notes.iter().position(|note| !is_folding(note))?;
        self.notes.remove(oldest)
    }

    /// Lets notes go whose line is not wanted any more.
    pub fn retain(&mut self, is_wanted: impl Fn(&str) -> bool) {
        self.notes.retain(|note| is_wanted(&note.line()));
    }

    /// The number the next note will have.
    pub fn next_seq(&self) -> NoteSeq {
        self.next
    }

    pub fn len(&self) -> usize {
        self.notes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &PendingNote> {
        self.notes.iter()
    }

    /// The oldest notes whose lines fit into `chars` characters together; always at least one if there is one.
    pub fn batch(&self, chars: usize) -> Vec<PendingNote> {
        let mut left = chars;
        let fits = |note: &&PendingNote| {
            let length = note.line().chars().count() + 1;
            let fits = length <= left;
            left = left.saturating_sub(length);
            fits
        };
        let mut batch: Vec<PendingNote> = self.notes.iter().take_while(fits).cloned().collect();
        if batch.is_empty() {
            batch.extend(self.notes.front().cloned());
        }
        batch
    }

    /// Forgets exactly these notes; those that came meanwhile stay.
    pub fn forget(&mut self, folded: &[PendingNote]) {
        self.notes
            .retain(|note| !folded.iter().any(|gone| gone.seq == note.seq));
    }

    /// Lets go of everything before `seq`; how many notes that were.
    pub fn forget_before(&mut self, seq: NoteSeq) -> usize {
        let before = self.notes.len();
        self.notes.retain(|note| note.seq >= seq);
        before - self.notes.len()
    }
}
