//! A turn: one attempt to answer one burst, and the stage it is in.

use serde::{Deserialize, Serialize};
use vocabulary::{
    AskId, AskPurpose, Attachment, JournalSeq, Message, MessageId, Moment, PersonId, RecallId, RoomId, Span,
    TurnId,
};

use super::burst::Burst;
use crate::addressing::AddressSignal;
use crate::admission::AdmissionReason;
use crate::effect::{Effect, RoomWish, Wake, WakeReason};
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::log::Log;
use crate::reasons::{CancelReason, DelayReason};
use crate::reply::Draft;
use crate::step_context::StepContext;
use crate::step_context::flight::cancel;
use crate::step_context::making::Making;
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
    /// An answer had no words: they are asked for without a form and without tools, which may be what it stumbles over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub words_only: bool,
    /// See `ReplyBrief::budget_divisor`.
    pub budget_divisor: usize,
    pub found: Recollection,
    /// Characters of the newest prompt.
    #[serde(default)]
    pub prompt_chars: usize,
    /// Characters of a prompt that was too long: the next one has to be shorter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_long: Option<usize>,
    /// What the model took for its first answer, and for those with what tools gave; all tries together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_answer: Option<Span>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub followups: Option<Span>,
    /// The look-ups it has made.
    #[serde(default)]
    pub tools: ToolLoop,
    /// The model wanted to see the screen.
    #[serde(default)]
    pub looks_at_screen: bool,
    /// What is being made to go with its answer, and what is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub making: Option<Making>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    pub draft_shown: bool,
}

/// What a turn waits for. What is under way outside has its deadline in the registry of flights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Stage {
    Classifying {
        ask: AskId,
    },
    Recalling {
        recall: RecallId,
        started: Moment,
    },
    Asking {
        ask: AskId,
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
    /// Its answer is an emoji, which is on its way under a message.
    Reacting {
        ask: AskId,
        message: MessageId,
        emoji: String,
        why: String,
        until: Moment,
    },
}

impl Turn {
    /// A turn that begins now, with the line that says so.
    pub fn opened(id: TurnId, burst: Burst, address: AddressSignal, cause: JournalSeq, now: Moment) -> Self {
        let failures = burst.failures;
        Self {
            id,
            forced: burst.is_forced(),
            burst,
            address,
            opened_at: now,
            cause,
            stage: Stage::Resting { until: now },
            failures,
            interruptions: 0,
            insist: false,
            words_only: false,
            budget_divisor: 1,
            found: Recollection::default(),
            prompt_chars: 0,
            too_long: None,
            first_answer: None,
            followups: None,
            tools: ToolLoop::default(),
            looks_at_screen: false,
            making: None,
            attachments: Vec::new(),
            draft_shown: false,
        }
    }

    /// It asks (again) then.
    pub fn wait_to_ask(&mut self, until: Moment, room: &RoomId, step: &mut StepContext<'_>) {
        let delay = until.since(step.moment());
        if delay > Span::ZERO {
            let reason = DelayReason::Retry;
            let event = JournalEvent::TurnDelayed { reason, delay };
            self.cause = step.ledger.write(self.scope(room), event);
        }
        self.stage = Stage::Resting { until };
    }

    /// A model has answered.
    pub fn answer_took(&mut self, purpose: AskPurpose, took: Span) {
        let phase = match purpose {
            AskPurpose::TextReply => &mut self.first_answer,
            AskPurpose::TextReplyFollowup => &mut self.followups,
            _ => return,
        };
        *phase = Some(Span(phase.unwrap_or_default().0 + took.0));
    }

    /// The scope of a line of this turn, caused by the newest one before it.
    pub fn scope(&self, room: &RoomId) -> Scope {
        Scope::room(room)
            .turn(self.id)
            .because(Some(self.cause))
            .about_all(self.messages())
    }

    pub fn messages(&self) -> impl Iterator<Item = &MessageId> {
        self.burst.triggers.iter().map(|trigger| &trigger.message)
    }

    /// The messages it answers, as they stand now.
    pub fn current<'a>(&self, log: &'a Log) -> Vec<&'a Message> {
        self.messages().filter_map(|id| log.find(id)).collect()
    }

    /// Whose messages it answers.
    pub fn people(&self, log: &Log) -> Vec<PersonId> {
        let mut people: Vec<PersonId> = Vec::new();
        for message in self.current(log) {
            if !people.contains(&message.author.id) {
                people.push(message.author.id.clone());
            }
        }
        people
    }

    /// Whether nobody can tell whether any of its messages was meant for Denizen.
    pub fn is_unclear(&self) -> bool {
        let unclear = AdmissionReason::AskClassifier;
        self.burst
            .triggers
            .iter()
            .all(|trigger| trigger.reason == unclear)
    }

    /// Whether an answer could still be given up for a better one.
    pub fn can_be_superseded(&self) -> bool {
        !matches!(self.stage, Stage::Delivering {} | Stage::Reacting { .. })
    }

    /// The ask it waits for.
    pub fn ask(&self) -> Option<AskId> {
        match self.stage {
            Stage::Classifying { ask } | Stage::Asking { ask, .. } => Some(ask),
            _ => None,
        }
    }

    /// Nobody waits for its ask any more.
    pub fn cancel_ask(&mut self, room: &RoomId, why: CancelReason, step: &mut StepContext<'_>) {
        if let Some(ask) = self.ask() {
            self.cause = cancel(ask, why, self.scope(room), step).unwrap_or(self.cause);
        }
    }

    pub fn take_draft_back(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        if self.draft_shown {
            self.draft_shown = false;
            let wish = RoomWish::DropDraft { turn: self.id };
            step.ledger.want(Effect::Room(room.clone(), wish));
        }
    }

    /// When it next wants waking; none while it waits for something that is under way.
    pub fn next_wake(&self) -> Option<Wake> {
        let (at, reason) = match &self.stage {
            Stage::RunningTools {} => {
                // Without a round under way there is nothing to wait for.
                let at = self.tools.next_wake().map_or(self.opened_at, |wake| wake.at);
                (at, WakeReason::ToolDeadline)
            }
            Stage::Resting { until } => (*until, WakeReason::RetryDue),
            Stage::Reacting { until, .. } => (*until, WakeReason::DeliveryDeadline),
            Stage::Classifying { .. }
            | Stage::Recalling { .. }
            | Stage::Asking { .. }
            | Stage::Delivering {} => return None,
        };
        Some(Wake { at, reason })
    }
}
