//! The rolling notes of a room: what was seen on shared screens, newest last.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::text::one_line;
use vocabulary::{NoteSeq, WallTime};

pub use crate::reasons::NoteTrigger;

/// Longest note that is kept.
pub const NOTE_CHARS_MAX: usize = 400;
/// Longest reason why a note mattered.
pub const WHY_CHARS_MAX: usize = 160;

/// One thing that was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScreenNote {
    pub seq: NoteSeq,
    /// When it was first seen.
    pub at: WallTime,
    /// When it was last seen to be so.
    pub seen_at: WallTime,
    /// Whose screen it was, by name.
    pub shared_by: String,
    pub text: String,
    /// Why it mattered; empty where nobody said.
    pub why: String,
    pub trigger: NoteTrigger,
}

impl ScreenNote {
    /// The note with why it mattered: what a summary is told once it leaves the rolling notes.
    pub fn with_why(&self) -> String {
        if self.why.is_empty() {
            self.text.clone()
        } else {
            format!("{} ({})", self.text, self.why)
        }
    }
}

/// A note that is to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNote {
    pub at: WallTime,
    pub shared_by: String,
    pub text: String,
    pub why: String,
    pub trigger: NoteTrigger,
}

/// What became of a new note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    Added(NoteSeq),
    /// It says what the newest one says: that one is of now again.
    Refreshed(NoteSeq),
}

/// The newest notes, each with a number that is never given twice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RollingNotes {
    last: NoteSeq,
    notes: VecDeque<ScreenNote>,
}

impl RollingNotes {
    /// Keeps a note, unless the newest of the same sharer says the same.
    pub fn keep(&mut self, new: NewNote) -> Kept {
        let text = clipped(&new.text, NOTE_CHARS_MAX);
        if let Some(newest) = self.notes.back_mut()
            && newest.shared_by == new.shared_by
            && folded(&newest.text) == folded(&text)
        {
            newest.seen_at = new.at;
            return Kept::Refreshed(newest.seq);
        }
        let seq = self.last.take_next();
        self.notes.push_back(ScreenNote {
            seq,
            at: new.at,
            seen_at: new.at,
            shared_by: new.shared_by,
            text,
            why: clipped(&new.why, WHY_CHARS_MAX),
            trigger: new.trigger,
        });
        Kept::Added(seq)
    }

    /// What the newest note says is still so, if it is of this sharer's screen.
    pub fn refresh_newest(&mut self, shared_by: &str, at: WallTime) -> Option<&str> {
        let newest = self.notes.back_mut().filter(|note| note.shared_by == shared_by)?;
        newest.seen_at = at;
        Some(&newest.text)
    }

    /// Takes out the oldest beyond `max`.
    pub fn evict(&mut self, max: usize) -> Vec<ScreenNote> {
        let surplus = self.notes.len().saturating_sub(max);
        self.notes.drain(..surplus).collect()
    }

    /// Takes out everything.
    pub fn take_all(&mut self) -> Vec<ScreenNote> {
        self.notes.drain(..).collect()
    }

    /// Lets notes go that are not wanted any more.
    pub fn retain(&mut self, is_wanted: impl Fn(&ScreenNote) -> bool) {
        self.notes.retain(is_wanted);
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &ScreenNote> {
        self.notes.iter()
    }

    pub fn newest(&self) -> Option<&ScreenNote> {
        self.notes.back()
    }

    pub fn len(&self) -> usize {
        self.notes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }
}

fn clipped(text: &str, chars: usize) -> String {
    one_line(text).chars().take(chars).collect()
}

/// A text as two notes are compared: letter case and white space aside.
fn folded(text: &str) -> String {
    one_line(text).to_lowercase()
}
