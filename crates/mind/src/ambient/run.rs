//! One run, from the moment the gates let it to its end, and the stage it is in.

use serde::{Deserialize, Serialize};
use vocabulary::{
    AskId, FeedHarvest, FeedSource, GatherId, JournalSeq, MediaId, MediaKind, MessageId, Moment, Now,
    RecallId, RoomId, TurnId, WallTime,
};

use super::feed::Candidate;
use super::posting::Draft;
use super::thought::{HeldThought, Refined};
use super::view::{Revision, RunStage, RunStep, RunStepKind, RunView};
use super::{Books, RoomsInView};
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::parcel::Report;
use crate::reasons::{InitiativeSkip, PassedMoment, RunOutcome};
use crate::step_context::StepContext;
use crate::step_context::flight::LookUp;
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

/// Whether nothing comes of a run, and whether it looks at the held thought.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunKind {
    pub trial: bool,
    pub revisits: bool,
}

/// What a run waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Stage {
    Gathering {
        gather: Option<GatherId>,
        recall: Option<RecallId>,
    },
    Thinking {
        ask: AskId,
    },
    UsingTools,
    Making {
        media: MediaId,
        kind: MediaKind,
        started: Moment,
        draft: Draft,
    },
    /// The outbox of its room has it.
    Posting(Draft),
}

/// What a run has at hand.
pub(super) struct RunContext<'a> {
    pub books: &'a mut Books,
    /// The thought that is held, looked at again or not.
    pub held: Option<&'a HeldThought>,
    pub rooms: RoomsInView<'a>,
}

/// How a run goes on.
pub(super) enum Next {
    /// It waits for something outside.
    Wait,
    End {
        outcome: RunOutcome,
        words: String,
    },
    Skip(Skip),
    Hold(Refined),
    /// What it had to say is in the room, in these messages.
    Posted(Vec<MessageId>),
}

/// Nothing is posted, and this is why.
pub(super) struct Skip {
    pub reason: InitiativeSkip,
    pub detail: String,
    pub ask: Option<AskId>,
}

impl Next {
    pub fn skip(reason: InitiativeSkip, detail: impl Into<String>, ask: Option<AskId>) -> Self {
        Next::Skip(Skip {
            reason,
            detail: detail.into(),
            ask,
        })
    }

    /// The process ended while something was under way.
    pub fn interrupted() -> Self {
        Next::End {
            outcome: RunOutcome::Interrupted,
            words: "the process ended".to_owned(),
        }
    }

    pub fn passed(moment: PassedMoment, ask: Option<AskId>) -> Self {
        Next::skip(InitiativeSkip::MomentPassed, moment.words(), ask)
    }
}

impl Run {
    pub fn new(turn: TurnId, kind: RunKind, pool: Vec<RoomId>, cause: JournalSeq, now: Now) -> Self {
        Self {
            turn,
            started: now.moment,
            started_at: now.wall,
            trial: kind.trial,
            revisits: kind.revisits,
            pool,
            cause,
            stage: Stage::UsingTools,
            gathered: FeedHarvest::default(),
            recalled: Recollection::default(),
            candidates: Vec::new(),
            interests: Vec::new(),
            handles: Vec::new(),
            tools: ToolLoop::default(),
            adding: Vec::new(),
            looks_at_screen: false,
            budget_divisor: 1,
            steps: Vec::new(),
            decision: None,
            post: None,
        }
    }

    /// Writes a line about this run, caused by the newest one before it.
    pub fn write(&mut self, event: JournalEvent, step: &mut StepContext<'_>) {
        self.cause = step.ledger.write(self.scope(), event);
    }

    /// The scope of a line of this run, caused by the newest one before it.
    pub fn scope(&self) -> Scope {
        let room = match &self.stage {
            Stage::Making { draft, .. } | Stage::Posting(draft) => Some(draft.room.clone()),
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

    /// Writes down what has just happened, for the page.
    pub fn told(
        &mut self,
        kind: RunStepKind,
        words: impl Into<String>,
        ask: Option<AskId>,
        step: &StepContext<'_>,
    ) {
        if self.steps.len() < STEPS_MAX {
            self.steps.push(RunStep {
                at: step.now().wall,
                kind,
                words: words.into(),
                ask,
            });
        }
    }

    pub fn waits_for_ask(&self, ask: AskId) -> bool {
        matches!(self.stage, Stage::Thinking { ask: open } if open == ask)
    }

    pub fn waits_for(&self, look_up: LookUp) -> bool {
        self.look_ups().contains(&look_up)
    }

    /// What it waits for outside, questions aside.
    pub fn look_ups(&self) -> Vec<LookUp> {
        match &self.stage {
            Stage::Gathering { gather, recall } => {
                let gather = gather.map(LookUp::Gather);
                gather.into_iter().chain(recall.map(LookUp::Recall)).collect()
            }
            Stage::UsingTools => self.tools.open_runs().map(LookUp::Tool).collect(),
            Stage::Making { media, .. } => vec![LookUp::Media(*media)],
            Stage::Thinking { .. } | Stage::Posting(_) => Vec::new(),
        }
    }

    /// As a page shows it.
    pub fn view(&self, ended_at: Option<WallTime>, outcome: &str) -> RunView {
        let stage = match (&self.stage, ended_at) {
            (_, Some(_)) => RunStage::Done,
            (Stage::Gathering { .. }, None) => RunStage::Gathering,
            (Stage::Thinking { .. }, None) => RunStage::Thinking,
            (Stage::UsingTools, None) => RunStage::UsingTools,
            (Stage::Making { .. }, None) => RunStage::MakingMedia,
            (Stage::Posting(_), None) => RunStage::Posting,
        };
        RunView {
            turn: self.turn,
            started_at: self.started_at,
            ended_at,
            stage,
            revisits: self.revisits,
            steps: self.steps.clone(),
            decision: self.decision.clone(),
            post: self.post.clone(),
            outcome: outcome.to_owned(),
        }
    }

    /// Its post is in the room, or as much of it as could be.
    pub fn post_ended(&mut self, report: Report) -> Next {
        self.cause = report.cause.unwrap_or(self.cause);
        match report.lost {
            Some(detail) if report.messages.is_empty() => {
                Next::skip(InitiativeSkip::SendFailed, detail, Some(report.ask))
            }
            // What is in the room is a post, however it ended.
            _ => Next::Posted(report.messages),
        }
    }

    /// What it waits for was lost with a state that could not be read whole, or with the room it was meant for.
    pub fn is_stranded(&self, step: &StepContext<'_>) -> bool {
        match self.stage {
            Stage::Thinking { ask } => step.flights.owner(ask).is_none(),
            Stage::Posting(_) => !step.deliveries.has_any_of(step.ledger.community(), self.turn),
            Stage::Gathering { .. } | Stage::UsingTools | Stage::Making { .. } => false,
        }
    }
}
