//! A turn: one attempt to answer one burst, and the stage it is in.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{
    AskId, AskPurpose, ChatTurn, JournalSeq, MessageId, Moment, RecallId, ToolCall, ToolResult, ToolRunId,
    TurnId,
};

use super::burst::Burst;
use crate::addressing::AddressSignal;
use crate::effect::{Delivery, Wake, WakeReason};
use crate::input::Recollection;
use crate::journal::Scope;
use crate::reply::Draft;

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
    pub tool_steps: u64,
    pub tool_calls: u64,
    pub tool_turns: Vec<ChatTurn>,
    /// The model wanted to see the screen.
    #[serde(default)]
    pub looks_at_screen: bool,
    pub typing_shown: bool,
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
    RunningTools {
        runs: Vec<OpenRun>,
        started: Moment,
        deadline: Moment,
    },
    /// A failed attempt is made again at `until`.
    Resting {
        until: Moment,
    },
    Delivering {
        deliveries: Vec<Delivery>,
        next: usize,
        failures: u64,
        wait: DeliveryWait,
    },
}

/// What the piece of a reply whose turn it is waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum DeliveryWait {
    /// The room's word that it is there, until then.
    Confirmation(Moment),
    /// Being sent (again), then.
    Sending(Moment),
}

/// A tool call and its result, once there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OpenRun {
    pub run: Option<ToolRunId>,
    pub call: ToolCall,
    pub result: Option<ToolResult>,
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

    /// Whether the model is offered tools, or has been offered them in the ask under way.
    pub fn may_use_tools(&self, settings: &Settings) -> bool {
        let followup = &settings.reply_followup;
        self.tool_steps < followup.max_tool_steps && self.tool_calls < followup.max_tool_calls
    }

    /// Whether an answer could still be given up for a better one.
    pub fn can_be_superseded(&self) -> bool {
        !matches!(self.stage, Stage::Delivering { .. })
    }

    /// The ask it waits for.
    pub fn ask(&self) -> Option<AskId> {
        match self.stage {
            Stage::Classifying { ask, .. } | Stage::Asking { ask, .. } => Some(ask),
            _ => None,
        }
    }

    pub fn next_wake(&self) -> Wake {
        let (at, reason) = match &self.stage {
            Stage::Classifying { deadline, .. } | Stage::Asking { deadline, .. } => {
                (*deadline, WakeReason::AskDeadline)
            }
            Stage::Recalling { deadline, .. } => (*deadline, WakeReason::RecallDeadline),
            Stage::RunningTools { deadline, .. } => (*deadline, WakeReason::ToolDeadline),
            Stage::Resting { until } => (*until, WakeReason::RetryDue),
            Stage::Delivering { wait, .. } => match wait {
                DeliveryWait::Confirmation(until) => (*until, WakeReason::DeliveryDeadline),
                DeliveryWait::Sending(at) => (*at, WakeReason::RetryDue),
            },
        };
        Wake { at, reason }
    }
}
