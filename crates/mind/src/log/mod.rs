//! What was said in a room: one list, in order, with the cursor's place in it.
//!
//! Everything before the cursor is in the running summary, everything from it on is kept word for word. A few entries
//! before the cursor stay for look-ups (whom a message replies to, who spoke lately); no prompt shows them.
//!
//! In states of schema 1 there were two lists: `history`, the newest 200 messages, and `session.timeline`, the turns from
//! the cursor on with their numbers. A message of `history` that is a turn of the time line keeps its number; the
//! messages before the oldest of those are look-back, numbered downwards from it; a turn without a message in `history`
//! becomes a message of a speaker whose id is not known. `next` is the time line's, `cursor` is the compaction's.

mod said;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::{AuthorKind, Message, MessageId, PersonId, Span, TurnSeq, WallTime};

pub use said::{Modality, Said, TimelineTurn};

/// Entries that are kept for look-ups, those from the cursor on included: as many as the largest window takes
/// (`memory.maxRecentMessages`).
pub const LOOK_BACK_MAX: usize = 200;
/// More turns than this are not kept word for word; the oldest go, and the journal says how many.
pub const VERBATIM_TURNS_MAX: usize = 1_000;
/// They go so many at a time, so that a journal line is about more than one turn.
pub const DROPPED_AT_ONCE: usize = 50;

/// What was said in a room, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Log {
    /// The number the next turn will have.
    next: TurnSeq,
    /// The first turn that is not in the summary.
    cursor: TurnSeq,
    said: VecDeque<Said>,
}

/// What must stay while a message is taken in.
#[derive(Debug)]
pub(crate) struct Retention<F> {
    /// Turns before this one are being folded: they stay, and do not count.
    pub folding_until: TurnSeq,
    /// Turns that may stand word for word.
    pub verbatim_max: usize,
    /// Whether a message waits for an answer, or is being answered.
    pub is_needed: F,
}

/// How many turns had to go unsummarised.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dropped(pub usize);

impl Log {
    /// Takes a message in as the next turn. Where too many wait to be folded, the oldest go, and how many is told.
    pub(crate) fn push<F: Fn(&MessageId) -> bool>(
        &mut self,
        message: Message,
        keep: &Retention<F>,
    ) -> Dropped {
        let seq = self.next;
        self.next.0 += 1;
        self.said.push_back(Said { seq, message });
        let dropped = self.drop_unfolded(keep);
        self.forget_look_back(&keep.is_needed);
        dropped
    }

    fn drop_unfolded<F>(&mut self, keep: &Retention<F>) -> Dropped {
        let from = self.place(self.cursor.max(keep.folding_until));
        if self.said.len() - from <= keep.verbatim_max {
            return Dropped(0);
        }
        if keep.folding_until > self.cursor {
            self.said.drain(from..from + DROPPED_AT_ONCE);
        } else {
            self.cursor = self
                .said
                .get(from + DROPPED_AT_ONCE)
                .map_or(self.next, |said| said.seq);
        }
        Dropped(DROPPED_AT_ONCE)
    }

    /// Lets the oldest go that are in the summary and that nobody needs any more.
    fn forget_look_back(&mut self, is_needed: &impl Fn(&MessageId) -> bool) {
        while self.said.len() > LOOK_BACK_MAX {
            let mut before = self.said.iter().take_while(|said| said.seq < self.cursor);
            let Some(oldest) = before.position(|said| !is_needed(&said.message.id)) else {
                return;
            };
            self.said.remove(oldest);
        }
    }

    /// Where a turn stands in the list, or would.
    fn place(&self, seq: TurnSeq) -> usize {
        self.said.partition_point(|said| said.seq < seq)
    }

    /// The number the next turn will have, which is how many there were.
    pub fn next_seq(&self) -> TurnSeq {
        self.next
    }

    /// The first turn that is not in the summary.
    pub fn cursor(&self) -> TurnSeq {
        self.cursor
    }

    /// Everything before `cursor` is in the summary now.
    pub(crate) fn fold_until(&mut self, cursor: TurnSeq) {
        self.cursor = self.cursor.max(cursor);
    }

    /// What stands word for word: everything from the cursor on, oldest first.
    pub fn verbatim(&self) -> impl DoubleEndedIterator<Item = &Said> + ExactSizeIterator {
        self.said.range(self.place(self.cursor)..)
    }

    /// The newest `count` messages, oldest first.
    pub fn newest(&self, count: usize) -> impl Iterator<Item = &Message> {
        let from = self.said.len().saturating_sub(count);
        self.said.range(from..).map(|said| &said.message)
    }

    /// A message that is (still) here.
    pub fn find(&self, id: &MessageId) -> Option<&Message> {
        let mut messages = self.said.iter().rev().map(|said| &said.message);
        messages.find(|message| message.id == *id)
    }

    /// Who wrote a message.
    pub fn author_of(&self, id: &MessageId) -> Option<&PersonId> {
        self.find(id).map(|message| &message.author.id)
    }

    /// Changes a text; whether the message was there.
    pub(crate) fn edit(&mut self, id: &MessageId, text: String) -> bool {
        let found = self.said.iter_mut().rev().find(|said| said.message.id == *id);
        found.map(|said| said.message.text = text).is_some()
    }

    /// Forgets a message; whether it was there.
    pub(crate) fn delete(&mut self, id: &MessageId) -> bool {
        let before = self.said.len();
        self.said.retain(|said| said.message.id != *id);
        self.said.len() < before
    }

    /// What Denizen itself said within so long, newest first.
    pub fn own_words(&self, now: WallTime, within: Span) -> Vec<&str> {
        let since = WallTime(now.0.saturating_sub(i64::try_from(within.0).unwrap_or(i64::MAX)));
        let messages = self.said.iter().rev().map(|said| &said.message);
        let recent = messages.take_while(|message| message.at >= since);
        let own = recent.filter(|message| message.author.kind == AuthorKind::Denizen);
        own.map(|message| message.text.as_str()).collect()
    }

    /// Whether Denizen wrote one of the newest `window` messages, not counting `except`.
    pub fn denizen_among_newest(&self, window: usize, except: &[MessageId]) -> bool {
        let messages = self.said.iter().rev().map(|said| &said.message);
        messages
            .filter(|message| !except.contains(&message.id))
            .take(window)
            .any(|message| message.author.kind == AuthorKind::Denizen)
    }
}

#[cfg(test)]
mod log_tests;
