//! One run, from the moment the gates let it to its end, and the stage it is in.

use serde::{Deserialize, Serialize};
use vocabulary::{
    AskId, Attachment, FeedHarvest, FeedSource, GatherId, JournalSeq, MediaId, MediaKind, MediaWish,
    MessageId, Moment, RecallId, RoomId, TurnId, WallTime,
};

use super::feed::Candidate;
use super::view::{Revision, RunStep, RunView};
use crate::effect::{Delivery, Wake, WakeReason};
use crate::input::Recollection;
use crate::journal::Scope;
use crate::tool_loop::ToolLoop;

/// Steps of a run that are kept for the page.
const STEPS_MAX: usize = 60;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub turn: TurnId,
    pub started: Moment,
    pub started_at: WallTime,
    /// Somebody wants to see what it would think; nothing comes of it.
    pub trial: bool,
    /// The held thought is looked at again.
    pub revisits: bool,
    /// Where it may be posted.
    pub pool: Vec<RoomId>,
    pub cause: JournalSeq,
    pub stage: Stage,
    pub gathered: FeedHarvest,
    pub recalled: Recollection,
    pub candidates: Vec<Candidate>,
    pub interests: Vec<String>,
    /// Handles of messages that were shown, and where those are.
    pub handles: Vec<(String, RoomId, MessageId)>,
    pub tools: ToolLoop,
    /// Sources it wants to add, each while it is looked at, by the id of the call.
    pub adding: Vec<(String, FeedSource, String)>,
    pub looks_at_screen: bool,
    /// See `AmbientBrief::budget_divisor`.
    pub budget_divisor: usize,
    pub steps: Vec<RunStep>,
    pub decision: Option<Revision>,
    pub post: Option<String>,
}

/// What a run waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Stage {
    Gathering {
        gather: Option<GatherId>,
        recall: Option<RecallId>,
        deadline: Moment,
    },
    Thinking {
        ask: AskId,
        deadline: Moment,
    },
    UsingTools,
    Making {
        media: MediaId,
        kind: MediaKind,
        started: Moment,
        deadline: Moment,
        draft: Draft,
    },
    Posting {
        draft: Draft,
        deliveries: Vec<Delivery>,
        sent: Vec<MessageId>,
        failures: u64,
        /// When the next piece is sent (again), or the room has had its time to confirm it.
        due: Moment,
        confirming: bool,
    },
}

/// A post before it is sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Draft {
    pub ask: AskId,
    pub room: RoomId,
    pub text: String,
    pub reply_to: Option<MessageId>,
    pub media: Option<MediaWish>,
    pub attachments: Vec<Attachment>,
}

impl Run {
    /// The scope of a line of this run, caused by the newest one before it.
    pub fn scope(&self) -> Scope {
        let room = match &self.stage {
            Stage::Making { draft, .. } | Stage::Posting { draft, .. } => Some(draft.room.clone()),
            _ => self.pool.first().cloned(),
        };
        Scope {
            room,
            ..Scope::default()
        }
        .turn(self.turn)
        .because(Some(self.cause))
    }

    /// The room its questions are filed under, before it is known where it is posted.
    pub fn home(&self) -> RoomId {
        self.pool.first().cloned().unwrap_or_else(|| RoomId::new(""))
    }

    pub fn step(&mut self, at: WallTime, kind: &str, words: impl Into<String>, ask: Option<AskId>) {
        if self.steps.len() < STEPS_MAX {
            self.steps.push(RunStep {
                at,
                kind: kind.to_owned(),
                words: words.into(),
                ask,
            });
        }
    }

    pub fn waits_for_ask(&self, ask: AskId) -> bool {
        matches!(self.stage, Stage::Thinking { ask: open, .. } if open == ask)
    }

    pub fn next_wake(&self) -> Option<Wake> {
        let (at, reason) = match &self.stage {
            Stage::Gathering { deadline, .. } => (*deadline, WakeReason::GatherDeadline),
            Stage::Thinking { deadline, .. } => (*deadline, WakeReason::AskDeadline),
            Stage::UsingTools => return self.tools.next_wake(),
            Stage::Making { deadline, .. } => (*deadline, WakeReason::MediaDeadline),
            Stage::Posting { due, confirming, .. } if *confirming => (*due, WakeReason::DeliveryDeadline),
            Stage::Posting { due, .. } => (*due, WakeReason::RetryDue),
        };
        Some(Wake { at, reason })
    }

    /// As a page shows it.
    pub fn view(&self, ended_at: Option<WallTime>, outcome: &str) -> RunView {
        let stage = match (&self.stage, ended_at) {
            (_, Some(_)) => "done",
            (Stage::Gathering { .. }, None) => "gathering",
            (Stage::Thinking { .. }, None) => "thinking",
            (Stage::UsingTools, None) => "using_tools",
            (Stage::Making { .. }, None) => "making_media",
            (Stage::Posting { .. }, None) => "posting",
        };
        RunView {
            turn: self.turn,
            started_at: self.started_at,
            ended_at,
            stage: stage.to_owned(),
            revisits: self.revisits,
            steps: self.steps.clone(),
            decision: self.decision.clone(),
            post: self.post.clone(),
            outcome: outcome.to_owned(),
        }
    }
}
