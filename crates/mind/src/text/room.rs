//! A text channel: its state, and how time moves it on.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, Forget, JournalSeq, PersonId, RoomFacts, RoomId,
};

use super::burst::Burst;
use super::turn::{Stage, Turn};
use super::typing::TypingBoard;
use super::{DelayReason, TurnOutcome};
use crate::addressing::Conversation;
use crate::context::compaction::{Compaction, SessionView};
use crate::effect::{Effect, RoomWish, Wake, WakeReason};
use crate::journal::{JournalEvent, Scope};
use crate::outbox::Outbox;
use crate::reasons::CancelReason;
use crate::reply::SkipReason;
use crate::seen::SeenIds;
use crate::step_context::StepContext;
use crate::step_context::flight::Flight;
use crate::watch::Watch;

/// One text channel. At most one turn is under way; bursts wait their turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TextRoom {
    pub(super) id: RoomId,
    /// What the platform says of it; none before it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) facts: Option<RoomFacts>,
    /// What was said, and the running summary of it.
    pub(super) compaction: Compaction,
    pub(super) conversation: Conversation,
    pub(super) seen: SeenIds,
    pub(super) typing: TypingBoard,
    pub(super) bursts: Vec<Burst>,
    pub(super) turn: Option<Turn>,
    pub(super) outbox: Outbox,
    #[serde(default)]
    pub(super) watch: Watch,
    /// Conversations that were ended here.
    #[serde(default)]
    pub(super) sessions_ended: u64,
    /// What somebody here wants forgotten and nobody has said to be done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) forgetting: Vec<Forget>,
    /// The burst at the head has been said to wait for spacing.
    pub(super) delay_noted: bool,
}

impl TextRoom {
    pub fn new(id: RoomId) -> Self {
        Self {
            compaction: Compaction::new(id.clone()),
            id,
            facts: None,
            conversation: Conversation::default(),
            seen: SeenIds::default(),
            typing: TypingBoard::default(),
            bursts: Vec::new(),
            turn: None,
            outbox: Outbox::default(),
            watch: Watch::default(),
            sessions_ended: 0,
            forgetting: Vec::new(),
            delay_noted: false,
        }
    }

    pub fn described(&mut self, facts: RoomFacts) {
        self.facts = Some(facts);
    }

    /// Whether the platform says that it is private.
    pub fn is_private(&self) -> bool {
        self.facts.as_ref().is_some_and(RoomFacts::is_private)
    }

    pub fn is_busy(&self) -> bool {
        self.turn.is_some()
            || !self.bursts.is_empty()
            || self.compaction.run_under_way().is_some()
            || self.outbox.repeated() > 0
    }

    pub fn waits_for_ask(&self, ask: AskId) -> bool {
        self.turn.as_ref().and_then(Turn::ask) == Some(ask)
    }

    /// A summary has come back, or will not.
    pub fn folding_ended(&mut self, flight: Flight, outcome: AskOutcome, step: &mut StepContext<'_>) {
        self.compaction.ask_ended(flight, outcome, step);
    }

    /// Something was seen outside the watch's own notes.
    pub fn note_taken(&mut self, shared_by: &str, text: &str, step: &mut StepContext<'_>) {
        self.compaction.hold_note(shared_by, text, step);
    }

    /// Conversations that were ended here.
    pub fn sessions_ended(&self) -> u64 {
        self.sessions_ended
    }

    /// The conversation ends: its summary is handed to memory.
    pub fn session_ended(&mut self, step: &mut StepContext<'_>) {
        self.sessions_ended += 1;
        self.watch.session_ended(&self.id, step);
        self.take_evicted_notes(step);
        self.compaction.end_session(step);
    }

    pub fn session_view(&self, enabled: bool) -> SessionView {
        self.compaction.view(enabled)
    }

    /// Asks and deliveries that are under way outside.
    pub fn under_way(&self) -> (usize, usize) {
        let asking = usize::from(self.turn.as_ref().and_then(Turn::ask).is_some());
        (asking, self.outbox.repeated())
    }

    pub fn typing_changed(&mut self, person: PersonId, typing: bool, step: &mut StepContext<'_>) {
        self.watch.heard(step.moment());
        self.typing.changed(person, typing, step.moment());
    }

    /// Gives the answer in the making up and puts its burst back in line. A few times only: somebody who keeps
    /// editing gets an answer to how it stood then.
    pub(super) fn supersede(
        &mut self,
        why: CancelReason,
        because: Option<JournalSeq>,
        step: &mut StepContext<'_>,
    ) -> bool {
        const RESTARTS_MAX: u64 = 3;
        let Some(turn) = self
            .turn
            .take_if(|turn| turn.can_be_superseded() && turn.burst.restarts < RESTARTS_MAX)
        else {
            return false;
        };
        let mut turn = turn;
        turn.cause = because.unwrap_or(turn.cause);
        self.cancel_ask(&mut turn, why, step);
        let mut burst = self.end(turn, TurnOutcome::Superseded, step);
        burst.restarts += 1;
        let author = burst.author.clone();
        self.bursts.insert(0, burst);
        self.make_room(&author, 0, step);
        true
    }

    pub(super) fn cancel_ask(&self, turn: &mut Turn, why: CancelReason, step: &mut StepContext<'_>) {
        if let Some(ask) = turn.ask() {
            step.ledger.want(Effect::CancelAsk { ask });
            let event = JournalEvent::AskCancelled { ask, why };
            turn.cause = step.ledger.write(turn.scope(&self.id), event);
        }
    }

    /// Closes a turn and hands its burst back.
    pub(super) fn end(&mut self, mut turn: Turn, outcome: TurnOutcome, step: &mut StepContext<'_>) -> Burst {
        self.outbox.show_typing(&self.id, false, step);
        if outcome != TurnOutcome::Sent {
            self.take_draft_back(&mut turn, step);
        }
        let took = step.moment().since(turn.opened_at);
        step.ledger
            .write(turn.scope(&self.id), JournalEvent::TurnEnded { outcome, took });
        turn.burst
    }

    pub(super) fn take_draft_back(&self, turn: &mut Turn, step: &mut StepContext<'_>) {
        if turn.draft_shown {
            turn.draft_shown = false;
            step.ledger.want(Effect::Room(
                self.id.clone(),
                RoomWish::DropDraft { turn: turn.id },
            ));
        }
    }

    /// Closes a turn without a message, and says why.
    pub(super) fn end_silent(
        &mut self,
        mut turn: Turn,
        reason: SkipReason,
        detail: &str,
        step: &mut StepContext<'_>,
    ) {
        let event = JournalEvent::ReplySkipped {
            reason,
            detail: detail.to_owned(),
        };
        turn.cause = step.ledger.write(turn.scope(&self.id), event);
        let failed = matches!(reason, SkipReason::ModelFailed | SkipReason::SendFailed);
        self.end(
            turn,
            if failed {
                TurnOutcome::Failed
            } else {
                TurnOutcome::Skipped
            },
            step,
        );
    }

    /// The process is back: what was under way outside is gone, and is taken up again.
    pub fn restarted(&mut self, cause: JournalSeq, step: &mut StepContext<'_>) {
        self.restart_forgetting(step);
        self.watch.restarted(&self.id, step);
        self.outbox.restarted(step);
        let Some(mut turn) = self.turn.take() else { return };
        turn.cause = cause;
        turn.draft_shown = false;
        match &turn.stage {
            Stage::Classifying { ask, .. } | Stage::Asking { ask, .. } => {
                let (ask, outcome) = (*ask, interrupted());
                self.turn = Some(turn);
                self.ask_ended(ask, outcome, step);
            }
            Stage::Recalling { .. } => self.recall(turn, step),
            Stage::RunningTools {} => self.tools_interrupted(turn, step),
            Stage::Delivering {} | Stage::Resting { .. } => self.turn = Some(turn),
        }
    }

    /// Does what time has made due.
    pub fn advance(&mut self, step: &mut StepContext<'_>) {
        self.advance_outbox(step);
        self.advance_turn(step);
        while self.turn.is_none() && self.open_next(step) {}
        self.advance_watch(step);
    }

    fn advance_turn(&mut self, step: &mut StepContext<'_>) {
        let now = step.moment();
        let due = |turn: &mut Turn| turn.next_wake().is_some_and(|wake| wake.at <= now);
        let Some(turn) = self.turn.take_if(due) else {
            return;
        };
        let mut turn = turn;
        match &turn.stage {
            Stage::Classifying { ask, .. } | Stage::Asking { ask, .. } => {
                let ask = *ask;
                step.ledger.want(Effect::CancelAsk { ask });
                self.turn = Some(turn);
                let failure = AskFailure::new(AskFailureKind::TimedOut, "no answer within its time");
                self.ask_ended(ask, vocabulary::AskOutcome::Failed(failure), step);
            }
            Stage::Recalling { recall, started, .. } => {
                let (recall, after) = (*recall, step.moment().since(*started));
                turn.cause = step.ledger.write(
                    turn.scope(&self.id),
                    JournalEvent::RecallAbandoned { recall, after },
                );
                self.generate(turn, step);
            }
            Stage::RunningTools {} => self.tools_timed_out(turn, step),
            Stage::Resting { .. } => self.generate(turn, step),
            Stage::Delivering {} => self.turn = Some(turn),
        }
    }

    /// Opens a turn for the first burst that is finished, if it is time; whether something changed.
    fn open_next(&mut self, step: &mut StepContext<'_>) -> bool {
        let now = step.moment();
        let activity = &step.settings.activity;
        let Some(index) = self
            .bursts
            .iter()
            .position(|burst| burst.closes_at(&self.typing, activity) <= now)
        else {
            return false;
        };
        let allowed_at = self.outbox.pace().next_allowed(activity);
        if allowed_at > now {
            if !self.delay_noted {
                self.delay_noted = true;
                let burst = &self.bursts[index];
                let messages = burst.triggers.iter().map(|trigger| &trigger.message);
                let scope = Scope::room(&self.id)
                    .about_all(messages)
                    .because(burst.triggers.last().map(|t| t.cause));
                let event = JournalEvent::TurnDelayed {
                    reason: DelayReason::Spacing,
                    delay: allowed_at.since(now),
                };
                step.ledger.write(scope, event);
            }
            return false;
        }
        self.delay_noted = false;
        let burst = self.bursts.remove(index);
        self.open(burst, step);
        true
    }

    /// When this room next wants waking.
    pub fn next_wake(&self, settings: &Settings) -> Option<Wake> {
        let watch = self.watch_wake(settings);
        [watch, self.outbox.next_wake(), self.next_reply_wake(settings)]
            .into_iter()
            .flatten()
            .min()
    }

    fn next_reply_wake(&self, settings: &Settings) -> Option<Wake> {
        if let Some(turn) = &self.turn {
            return turn.next_wake();
        }
        let closes = self
            .bursts
            .iter()
            .map(|burst| burst.closes_at(&self.typing, &settings.activity))
            .min()?;
        let allowed_at = self.outbox.pace().next_allowed(&settings.activity);
        // That a finished burst has to wait is said when it is finished, whoever else wakes the mind meanwhile.
        let (at, reason) = if allowed_at > closes && self.delay_noted {
            (allowed_at, WakeReason::SpacingEnds)
        } else {
            (closes, WakeReason::BurstCloses)
        };
        Some(Wake { at, reason })
    }
}

fn interrupted() -> vocabulary::AskOutcome {
    vocabulary::AskOutcome::Failed(AskFailure::new(
        AskFailureKind::Interrupted,
        "the process ended before the answer came",
    ))
}
