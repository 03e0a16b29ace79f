//! The time line of a conversation: what was said, in order, kept word for word until it is summarised.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::{MessageId, TurnSeq, WallTime};

/// More turns than this are not kept word for word; the oldest go, and the journal says how many.
pub const TIMELINE_TURNS_MAX: usize = 1_000;
/// They go so many at a time, so that a journal line is about more than one turn.
pub const DROPPED_AT_ONCE: usize = 50;

/// How a turn came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Modality {
    Typed,
    Spoken,
    /// Something that was seen or noticed, not said.
    Note,
    /// Somebody came or went.
    Membership,
}

/// One turn, with exact attribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TimelineTurn {
    pub seq: TurnSeq,
    pub speaker: String,
    pub at: WallTime,
    pub modality: Modality,
    pub text: String,
    /// The message it was, in a text channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
}

/// The turns from the cursor on: everything before it is in the summary, everything from it on is here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    /// The number the next turn will have.
    next: TurnSeq,
    turns: VecDeque<TimelineTurn>,
}

impl Timeline {
    /// Adds a turn. When the time line is full, the oldest go, and how many is told; those before `folding_until`
    /// are being folded, so they stay and do not count.
    pub fn push(
        &mut self,
        speaker: &str,
        at: WallTime,
        modality: Modality,
        text: &str,
        message: Option<MessageId>,
        folding_until: TurnSeq,
    ) -> Dropped {
        let seq = self.next;
        self.next.0 += 1;
        let (speaker, text) = (speaker.to_owned(), text.to_owned());
        self.turns.push_back(TimelineTurn {
            seq,
            speaker,
            at,
            modality,
            text,
            message,
        });
        let folding = self.turns.iter().take_while(|turn| turn.seq < folding_until);
        let folding = folding.count();
        if self.turns.len() - folding <= TIMELINE_TURNS_MAX {
            return Dropped(0);
        }
        self.turns.drain(folding..folding + DROPPED_AT_ONCE);
        Dropped(DROPPED_AT_ONCE)
    }

    /// The number the next turn will have, which is how many there were.
    pub fn next_seq(&self) -> TurnSeq {
        self.next
    }

    /// The number of the oldest turn that is still here.
    pub fn first_seq(&self) -> TurnSeq {
        self.turns.front().map_or(self.next, |turn| turn.seq)
    }

    /// The turns that are here word for word, oldest first.
    pub fn turns(&self) -> &VecDeque<TimelineTurn> {
        &self.turns
    }

    /// Lets go of everything before `cursor`: it is in the summary now.
    pub fn forget_before(&mut self, cursor: TurnSeq) {
        while self.turns.front().is_some_and(|turn| turn.seq < cursor) {
            self.turns.pop_front();
        }
    }

    pub fn edit(&mut self, message: &MessageId, text: &str) {
        if let Some(turn) = self
            .turns
            .iter_mut()
            .find(|turn| turn.message.as_ref() == Some(message))
        {
            text.clone_into(&mut turn.text);
        }
    }

    /// Takes a turn out that its author took back.
    /// Lets go of what somebody said that is no message: only the name tells whose it was.
    pub fn remove_speaker(&mut self, speaker: &str) {
        self.turns.retain(|turn| turn.speaker != speaker);
    }

    pub fn remove(&mut self, message: &MessageId) {
        self.turns.retain(|turn| turn.message.as_ref() != Some(message));
    }
}

/// How many turns had to go unsummarised.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped(pub usize);
