//! What is committed together: recorded inputs, what they change about messages, and what was decided.

use mind::{Input, JournalEntry};
use serde::{Deserialize, Serialize};
use vocabulary::{AskId, CapturedTurn, Message, MessageId, Now, PersonId, TurnId, WallTime};

/// All that one or more steps changed, committed together or not at all.
#[derive(Debug, Default)]
pub struct Batch {
    pub inputs: Vec<RecordedInput>,
    pub changes: Vec<MessageChange>,
    pub journal: Vec<JournalEntry>,
    /// The mind's whole state after the last input of this batch, when it is time for one.
    pub state: Option<(u64, String)>,
    /// Turns for memory, put into its buffer in the same write. One that was captured before, and is settled or
    /// forgotten since, stays away; a change of a message in `changes` also changes its turn there.
    pub captures: Vec<CapturedTurn>,
    /// Whether all of it happens again where it is lost, so that it need not be waited for. A process that is killed may
    /// lose the last moment of it, and then together with whatever came after it.
    pub comes_again: bool,
}

impl Batch {
    /// Whether there is nothing to commit.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
            && self.changes.is_empty()
            && self.journal.is_empty()
            && self.state.is_none()
            && self.captures.is_empty()
    }
}

/// What came of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// For each change, the place of a message that is new; none for others, or where the store does not tell.
    pub places: Vec<Option<u64>>,
}

/// One recorded input: its number, when it was stepped, and what it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedInput {
    /// Counts the inputs of a community without a gap.
    pub seq: u64,
    #[serde(flatten)]
    pub now: Now,
    /// A reflex that was stepped before an input of this number, although it was written after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stepped_before: Option<u64>,
    pub input: Input,
}

/// Puts recorded inputs into the order in which they were stepped.
pub fn in_stepping_order(inputs: &mut [RecordedInput]) {
    inputs.sort_by_key(|recorded| match recorded.stepped_before {
        Some(before) => (before, 0, recorded.seq),
        None => (recorded.seq, 1, recorded.seq),
    });
}

/// A change of a room's messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MessageChange {
    /// A new one; stored once per id. `turn` and `ask` for Denizen's own.
    Added {
        message: Message,
        turn: Option<TurnId>,
        ask: Option<AskId>,
    },
    Edited {
        id: MessageId,
        text: String,
        at: WallTime,
    },
    Deleted {
        id: MessageId,
        at: WallTime,
    },
    /// Somebody put a reaction under it, or took it back. The same again, or one for a message that is not there,
    /// changes nothing.
    Reacted {
        message: MessageId,
        person: PersonId,
        emoji: String,
        added: bool,
        at: WallTime,
    },
}
