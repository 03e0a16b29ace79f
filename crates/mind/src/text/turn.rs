//! A turn: one attempt to answer one burst, and the stage it is in.

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, AskPurpose, JournalSeq, MessageId, Moment, RecallId, TurnId};

use super::burst::Burst;
use crate::addressing::AddressSignal;
use crate::effect::{Wake, WakeReason};
use crate::input::Recollection;
use crate::journal::Scope;
use crate::reply::Draft;
use crate::tool_loop::ToolLoop;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Turn {
    pub id: TurnId,
    pub burst: Burst,
    /// The strongest signal among its messages, or what the classifier made of them.
    pub address: AddressSignal,
    pub forced: bool,
    pub opened_at: Moment,
    /// The newest line of its chain in the journal.
    pub cause: JournalSeq,
    pub stage: Stage,
    /// Failed tries so far.
    pub failures: u64,
    /// Asks that were lost because the process ended; they are no failures of the model's.
    #[serde(default)]
    pub interruptions: u64,
    /// A silence was given where a reply is owed.
    pub insist: bool,
    /// See `ReplyBrief::budget_divisor`.
    pub budget_divisor: usize,
    pub found: Recollection,
    /// Characters of the newest prompt.
    #[serde(default)]
    pub prompt_chars: usize,
    /// The look-ups it has made.
    #[serde(default)]
    pub tools: ToolLoop,
    /// The model wanted to see the screen.
    #[serde(default)]
    pub looks_at_screen: bool,
    pub draft_shown: bool,
}

/// What a turn waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Stage {
    Classifying {
        ask: AskId,
        deadline: Moment,
    },
    Recalling {
        recall: RecallId,
        started: Moment,
        deadline: Moment,
    },
    Asking {
        ask: AskId,
        purpose: AskPurpose,
        deadline: Moment,
        draft: Draft,
    },
    /// The round of `Turn::tools` that is under way.
    RunningTools {},
    /// A failed attempt is made again at `until`.
    Resting {
        until: Moment,
    },
    /// Its answer is in the room's outbox.
    Delivering {},
}

impl Turn {
    /// The scope of a line of this turn, caused by the newest one before it.
    pub fn scope(&self, room: &vocabulary::RoomId) -> Scope {
        Scope::room(room)
            .turn(self.id)
            .because(Some(self.cause))
            .about_all(self.messages())
    }

    pub fn messages(&self) -> impl Iterator<Item = &MessageId> {
        self.burst.triggers.iter().map(|trigger| &trigger.message)
    }

    pub fn message_ids(&self) -> Vec<MessageId> {
        self.messages().cloned().collect()
    }

    /// Whether an answer could still be given up for a better one.
    pub fn can_be_superseded(&self) -> bool {
        !matches!(self.stage, Stage::Delivering {})
    }

    /// The ask it waits for.
    pub fn ask(&self) -> Option<AskId> {
        match self.stage {
            Stage::Classifying { ask, .. } | Stage::Asking { ask, .. } => Some(ask),
            _ => None,
        }
    }

    /// When it next wants waking; none while the outbox has its answer.
    pub fn next_wake(&self) -> Option<Wake> {
        let (at, reason) = match &self.stage {
            Stage::Classifying { deadline, .. } | Stage::Asking { deadline, .. } => {
                (*deadline, WakeReason::AskDeadline)
            }
            Stage::Recalling { deadline, .. } => (*deadline, WakeReason::RecallDeadline),
            Stage::RunningTools {} => {
                // Without a round under way there is nothing to wait for.
                let at = self.tools.next_wake().map_or(self.opened_at, |wake| wake.at);
                (at, WakeReason::ToolDeadline)
            }
            Stage::Resting { until } => (*until, WakeReason::RetryDue),
            Stage::Delivering {} => return None,
        };
        Some(Wake { at, reason })
    }
}
