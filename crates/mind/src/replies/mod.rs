//! Replies: what is meant for Denizen is put in line, one turn at a time is answered, and the answer is handed to the
//! room's outbox. The parts of the room that an answer is made from are lent to it as a `ReplyContext`.

mod answering;
mod burst;
mod ending;
mod gate;
mod holding_up;
mod look_ups;
mod making;
mod paying;
mod pictures;
mod plainly;
pub(crate) mod prompt;
mod queue;
mod reacting;
mod settled;
mod telling;
mod tools;
mod turn;
mod wished;

use gist::gems::scrub::ScrubBrief;
use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{JournalSeq, Message, MessageId, PersonId, RoomFacts, RoomId};

pub(crate) use self::burst::Trigger;
pub(crate) use self::ending::skip;
use self::ending::{end, end_silent};
use self::gate::{Denied, at_gate};
pub(crate) use self::gate::{may_be_answered, may_speak_in};
pub use self::holding_up::AskUnderWay;
pub(crate) use self::holding_up::ask_under_way;
use self::look_ups::LookUps;
pub(crate) use self::pictures::media_ended;
use self::queue::Queue;
pub(crate) use self::reacting::reacted;
use self::settled::Settled;
use self::telling::ToldTroubles;
use self::turn::{Stage, Turn};
use crate::addressing::AddressSignal;
use crate::admission::text::forces_reply;
use crate::context::compaction::Compaction;
use crate::effect::{Wake, WakeReason};
use crate::floor::Floor;
use crate::journal::Scope;
use crate::outbox::{Outbox, Pace};
use crate::quiet::Quiet;
use crate::reasons::{CancelReason, TurnOutcome};
use crate::reply::SkipReason;
use crate::step_context::StepContext;
use crate::watch::Watch;

/// Answers that are given up for one burst: somebody who keeps editing gets an answer to how it stood then.
const RESTARTS_MAX: u64 = 3;

/// The replies of one room. At most one turn is under way; bursts wait their turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Replies {
    queue: Queue,
    turn: Option<Turn>,
    /// Messages that an edit cannot call Denizen by any more.
    #[serde(skip_serializing_if = "Settled::is_empty")]
    settled: Settled,
    /// What was looked up lately.
    #[serde(skip_serializing_if = "LookUps::is_empty")]
    look_ups: LookUps,
    /// What the room has heard of why no answer came.
    #[serde(skip_serializing_if = "ToldTroubles::is_empty")]
    told: ToldTroubles,
    /// When it reacted lately.
    #[serde(skip_serializing_if = "Pace::is_empty")]
    reacted: Pace,
}

/// What an answer is made from, and where it goes: the other parts of the room.
#[derive(Debug)]
pub(crate) struct ReplyContext<'a> {
    pub room: &'a RoomId,
    /// What people call the room, and models too.
    pub name: &'a str,
    /// What the platform says of it; none before it has.
    pub facts: Option<&'a RoomFacts>,
    pub log: &'a mut Compaction,
    pub floor: &'a Floor,
    pub watch: &'a Watch,
    /// Nothing is to be said there for a while.
    pub quiet: Option<Quiet>,
    pub outbox: &'a mut Outbox,
}

impl Replies {
    /// Whether something waits for an answer or is being answered.
    pub fn is_busy(&self) -> bool {
        self.turn.is_some() || !self.queue.is_empty()
    }

    /// Whether an answer is still to be written; one on its way into the room is not.
    pub fn has_work(&self) -> bool {
        !self.queue.is_empty() || self.turn.as_ref().is_some_and(Turn::can_be_superseded)
    }

    /// Whether a message waits, and whether it is being answered.
    pub fn holds(&self, id: &MessageId) -> (bool, bool) {
        let answering = self.turn.as_ref().is_some_and(|turn| turn.burst.holds(id));
        (self.queue.holds(id), answering)
    }

    /// Asks the gate whether a message is to be answered; what is then put in line. The log does not hold it yet.
    pub fn admit(
        &self,
        message: &Message,
        signal: AddressSignal,
        scope: Scope,
        context: &ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Result<Trigger, Denied> {
        let author = &message.author.id;
        let (now, activity) = (step.moment(), &step.settings.activity);
        let joins_burst = !signal.is_for_others()
            && (self.queue.takes(author, now, activity) || self.turn_takes(author, step));
        at_gate(message, signal, joins_burst, scope, context, step)
    }

    /// Whether a message by `author` now would belong to what is being answered.
    fn turn_takes(&self, author: &PersonId, step: &StepContext<'_>) -> bool {
        let (now, activity) = (step.moment(), &step.settings.activity);
        let takes = |turn: &Turn| turn.can_be_superseded() && turn.burst.takes(author, now, activity);
        self.turn.as_ref().is_some_and(takes)
    }

    /// Puts an admitted message in line.
    pub fn enqueue(&mut self, trigger: Trigger, context: &mut ReplyContext<'_>, step: &mut StepContext<'_>) {
        if trigger.signal.triggered {
            step.exchange = Some(context.room.clone());
        }
        if self.turn_takes(&trigger.author, step) {
            self.supersede(CancelReason::BurstGrew, Some(trigger.cause), context, step);
        }
        let blocked = self.turn.is_some();
        self.queue
            .add(trigger, blocked, context.room, context.floor, step);
    }

    /// Gives the answer in the making up and puts its burst back in line, a few times only.
    pub fn supersede(
        &mut self,
        why: CancelReason,
        because: Option<JournalSeq>,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) -> bool {
        // What is to be forgotten is never said, however often the answer was begun anew.
        let may = |turn: &mut Turn| {
            turn.can_be_superseded() && (turn.burst.restarts < RESTARTS_MAX || why == CancelReason::Forgotten)
        };
        let Some(mut turn) = self.turn.take_if(may) else {
            return false;
        };
        turn.cause = because.unwrap_or(turn.cause);
        turn.cancel_ask(context.room, why, step);
        let failures = turn.failures;
        let not_before = match turn.stage {
            Stage::Resting { until } => Some(until),
            _ => None,
        };
        let mut burst = end(turn, TurnOutcome::Superseded, context, step);
        burst.restarts += 1;
        // A model that just failed is no better for a further message.
        (burst.failures, burst.not_before) = (failures, not_before);
        self.queue.put_back(burst, context.room, step);
        true
    }

    /// A message was taken back, as the line `cause` says: what waits and what is being answered goes on without it.
    pub fn message_deleted(
        &mut self,
        id: &MessageId,
        cause: JournalSeq,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let (_, while_answering) = self.holds(id);
        if while_answering && !self.supersede(CancelReason::MessageDeleted, Some(cause), context, step) {
            self.forget_in_turn(id, cause, context, step);
        }
        if self.queue.take_back(id) {
            let scope = Scope::room(context.room).about(id).because(Some(cause));
            let detail = "its author took it back before it was answered";
            skip(scope, SkipReason::MessageDeleted, detail, step);
        }
    }

    /// Takes a message out of the turn under way; the turn ends if it answers nothing else.
    fn forget_in_turn(
        &mut self,
        id: &MessageId,
        cause: JournalSeq,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some(mut turn) = self.turn.take_if(|turn| turn.can_be_superseded()) else {
            return;
        };
        if turn.messages().any(|message| message != id) {
            turn.burst.triggers.retain(|trigger| trigger.message != *id);
            self.turn = Some(turn);
            return;
        }
        turn.cause = cause;
        let why = CancelReason::AllTakenBack;
        turn.cancel_ask(context.room, why, step);
        end_silent(turn, SkipReason::MessageDeleted, why.words(), context, step);
    }

    /// Lets go of look-ups that retell something forgotten.
    pub fn forget(&mut self, brief: &ScrubBrief<'_>) {
        self.look_ups.forget(brief);
    }

    /// Nobody can be answered there any more, or is to be: what is on its way already is let go where the room is gone.
    pub fn give_up_all(
        &mut self,
        reason: SkipReason,
        why: CancelReason,
        cause: JournalSeq,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let is_gone = reason == SkipReason::RoomEnded;
        if let Some(mut turn) = self.turn.take_if(|turn| is_gone || turn.can_be_superseded()) {
            turn.cause = cause;
            turn.cancel_ask(context.room, why, step);
            end_silent(turn, reason, why.words(), context, step);
        }
        for burst in self.queue.take_all() {
            let scope = Scope::room(context.room)
                .about_all(&burst.message_ids())
                .because(Some(cause));
            skip(scope, reason, why.words(), step);
        }
    }

    /// The process is back: what was under way outside is gone, and is taken up again. A question to a model comes back
    /// as one that was interrupted.
    pub fn restarted(
        &mut self,
        cause: JournalSeq,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some(mut turn) = self.turn.take() else { return };
        turn.cause = cause;
        turn.draft_shown = false;
        match &turn.stage {
            Stage::Recalling { .. } => self.recall(turn, context, step),
            Stage::RunningTools {} => {
                let why = "the process ended before it was there";
                pictures::lose(&mut turn, why, context, step);
                turn.tools.interrupted();
                self.go_on_when_answered(turn, context, step);
            }
            Stage::Classifying { .. }
            | Stage::Asking { .. }
            | Stage::Resting { .. }
            | Stage::Delivering {} => self.turn = Some(turn),
            Stage::Reacting { .. } => reacting::again(self, turn, context, step),
        }
    }

    /// After a restart: a turn that waits for something which a state that was not read whole has lost goes on without it.
    pub fn let_go_of_what_is_lost(&mut self, context: &mut ReplyContext<'_>, step: &mut StepContext<'_>) {
        let Some(mut turn) = self.turn.take() else { return };
        match turn.stage {
            Stage::Delivering {} if !context.outbox.holds(turn.id) => {
                let detail = "what was on its way is not known any more";
                return end_silent(turn, SkipReason::SendFailed, detail, context, step);
            }
            Stage::Classifying { ask } | Stage::Asking { ask, .. } if step.flights.owner(ask).is_none() => {
                let until = step.moment();
                turn.stage = Stage::Resting { until };
            }
            _ => {}
        }
        self.turn = Some(turn);
    }

    /// Does what time has made due.
    pub fn advance(&mut self, context: &mut ReplyContext<'_>, step: &mut StepContext<'_>) {
        let now = step.moment();
        let due = |turn: &mut Turn| turn.next_wake().is_some_and(|wake| wake.at <= now);
        if let Some(mut turn) = self.turn.take_if(due) {
            match turn.stage {
                Stage::RunningTools {} => {
                    pictures::lose(&mut turn, "it took too long", context, step);
                    turn.tools.time_out();
                    self.go_on_when_answered(turn, context, step);
                }
                Stage::Reacting { .. } => {
                    let detail = "nobody said whether the reaction is there";
                    end_silent(turn, SkipReason::SendFailed, detail, context, step);
                }
                _ => self.generate(turn, context, step),
            }
        }
        while self.turn.is_none() {
            let allowed_at = context.outbox.pace().next_allowed(&step.settings.activity);
            let finished = self
                .queue
                .next_finished(allowed_at, context.room, context.floor, step);
            let Some(burst) = finished else { break };
            self.open(burst, context, step);
        }
    }

    /// When it next wants waking.
    pub fn next_wake(&self, floor: &Floor, pace: &Pace, settings: &Settings) -> Option<Wake> {
        if let Some(turn) = &self.turn {
            return turn.next_wake();
        }
        let (closes, delay_noted) = self.queue.next_close(floor, &settings.activity)?;
        let allowed_at = pace.next_allowed(&settings.activity);
        // That a finished burst has to wait is said when it is finished, whoever else wakes the mind meanwhile.
        let (at, reason) = if allowed_at > closes && delay_noted {
            (allowed_at, WakeReason::SpacingEnds)
        } else {
            (closes, WakeReason::BurstCloses)
        };
        Some(Wake { at, reason })
    }

    /// Whether a model has been asked about a message, or its answer is on its way.
    pub fn is_asking_about(&self, id: &MessageId) -> bool {
        self.turn.as_ref().is_some_and(|turn| {
            let before = matches!(turn.stage, Stage::Recalling { .. } | Stage::Classifying { .. });
            turn.burst.holds(id) && !before
        })
    }

    /// A message that nobody was asked about reads otherwise now, and this is how.
    pub fn judged_again(
        &mut self,
        message: &Message,
        signal: AddressSignal,
        scope: Scope,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let id = &message.id;
        let calls = forces_reply(signal.reason);
        let Some((trigger, has_company)) = self.queue.waiting(id) else {
            let is_underway = self.turn.as_ref().is_some_and(|turn| turn.burst.holds(id));
            if !calls || is_underway || self.settled.holds(id) {
                return;
            }
            if let Ok(trigger) = self.admit(message, signal, scope, context, step) {
                self.settled.add([id]);
                self.enqueue(trigger, context, step);
            }
            return;
        };
        if forces_reply(trigger.signal.reason) == calls {
            return;
        }
        match at_gate(message, signal, has_company, scope.clone(), context, step) {
            Ok(trigger) => self.queue.replace(trigger),
            Err(denied) => {
                self.queue.take_back(id);
                let detail = "its author edited it, and it does not call Denizen any more";
                denied.or_because(detail).skip(scope, step);
            }
        }
    }
}
