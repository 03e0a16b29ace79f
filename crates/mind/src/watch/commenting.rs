//! Commentary: a trigger waits for the gates, and a model is asked whether something is worth saying.

use vocabulary::{AskFailure, AskFailureKind, AskOutcome, Message, Moment, RoomId, Span};

use super::commentary::{
    CommentaryDecision, CommentaryQuestion, CommentaryTrigger, FloorState, ShutGate, decide,
};
use super::state::{CommentaryRun, DEADLINE_GRACE, Waiting, Watch};
use super::view::MarkKind;
use crate::effect::{Asking, Effect, Wake, WakeReason};
use crate::journal::{JournalEvent, Scope};
use crate::prompt::{CommentaryBrief, commentary_request};
use crate::step_context::StepContext;

/// What of the room a comment is based on.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub summary: &'a str,
    pub window: Vec<&'a Message>,
}

impl CommentaryRun {
    pub(super) fn scope(&self, room: &RoomId) -> Scope {
        Scope::room(room).turn(self.turn).because(Some(self.cause))
    }
}

impl Watch {
    /// What is to be considered now. A trigger that finds a gate shut waits, and is told of once.
    pub fn commentary_due(
        &mut self,
        room: &RoomId,
        surroundings: &FloorState,
        step: &mut StepContext<'_>,
    ) -> Option<CommentaryTrigger> {
        let now = step.moment();
        self.count_held(now);
        let CommentaryDecision::Due(trigger) = self.commentary_decision(now, step.settings) else {
            self.commentary.waiting = None;
            return None;
        };
        let shut = surroundings.shut(now);
        let Some(first) = shut.first().copied() else {
            return Some(trigger);
        };
        match &mut self.commentary.waiting {
            Some(waiting) if waiting.trigger == trigger => waiting.shut = shut,
            waiting => {
                let before = waiting.take();
                let gate = first.gate;
                let event = JournalEvent::CommentaryDeferred { trigger, gate };
                let cause = step.ledger.write(Scope::room(room), event);
                *waiting = Some(Waiting {
                    trigger,
                    since: before.as_ref().map_or(now, |waiting| waiting.since),
                    looked: now,
                    held: before.map(|waiting| waiting.held).unwrap_or_default(),
                    shut,
                    cause,
                });
                let text = format!("{} waits for {}", trigger.name(), gate.name());
                self.mark(step, MarkKind::CommentaryHeld, None, &text);
            }
        }
        None
    }

    /// Adds up for how long each gate has held what waits; exact however often it is asked.
    fn count_held(&mut self, now: Moment) {
        let Some(waiting) = &mut self.commentary.waiting else {
            return;
        };
        for ShutGate { gate, until } in &waiting.shut {
            let end = until.map_or(now, |until| until.min(now));
            let held = waiting.held.entry(*gate).or_default();
            held.0 += end.since(waiting.looked).0;
        }
        waiting.looked = now;
    }

    pub(super) fn commentary_decision(
        &self,
        now: Moment,
        settings: &settings::Settings,
    ) -> CommentaryDecision {
        let commentary = &self.commentary;
        let question = CommentaryQuestion {
            now,
            has_frame: self.in_view().is_some(),
            in_flight: commentary.run.is_some(),
            first_time: !commentary.considered,
            changed: commentary.changed,
            anything_new: commentary.anything_new,
            last_considered: commentary.last_considered,
            failures: commentary.failures,
        };
        decide(&question, &settings.stream_watch)
    }

    /// Asks whether something is worth saying.
    pub fn consider_commentary(
        &mut self,
        room: &RoomId,
        trigger: CommentaryTrigger,
        scene: Scene<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some((glimpse, shared_by)) = self.in_view() else {
            return;
        };
        let now = step.moment();
        let request = commentary_request(&CommentaryBrief {
            room: room.as_str(),
            shared_by,
            glimpse: &glimpse,
            trigger: trigger.name(),
            notes: self.notes.iter().collect(),
            summary: scene.summary,
            window: scene.window,
            now: step.now().wall,
            settings: step.settings,
        });
        let (ask, turn) = (step.counters.ask.take_next(), step.counters.turn.take_next());
        let waiting = self.commentary.waiting.take();
        let event = JournalEvent::CommentaryStarted {
            ask,
            trigger,
            frame: glimpse.frame,
            waited: waiting
                .as_ref()
                .map_or(Span::ZERO, |waiting| now.since(waiting.since)),
            held: waiting
                .as_ref()
                .map(|waiting| waiting.held.clone())
                .unwrap_or_default(),
            provider: request.choice.provider.clone(),
            model: request.choice.model.clone(),
        };
        let scope = Scope::room(room)
            .turn(turn)
            .because(waiting.map(|waiting| waiting.cause));
        let cause = step.ledger.write(scope, event);
        let commentary = &mut self.commentary;
        commentary.last_considered = Some(now);
        commentary.considered = true;
        commentary.changed = false;
        commentary.anything_new = false;
        commentary.run = Some(CommentaryRun {
            ask,
            turn,
            frame: glimpse.frame,
            trigger,
            cause,
            started: now,
            deadline: now + request.deadline + DEADLINE_GRACE,
        });
        step.ledger.want(Effect::Ask(Box::new(Asking {
            ask,
            room: room.clone(),
            turn,
            request,
        })));
    }

    /// Something that was asked about a screen came back.
    pub fn ask_ended(
        &mut self,
        room: &RoomId,
        ask: vocabulary::AskId,
        outcome: AskOutcome,
        surroundings: &FloorState,
        step: &mut StepContext<'_>,
    ) {
        if self.run.as_ref().is_some_and(|run| run.ask == ask) {
            return self.note_ended(room, outcome, step);
        }
        let Some(run) = self.commentary.run.take_if(|run| run.ask == ask) else {
            return;
        };
        match outcome {
            AskOutcome::Failed(failure) => self.commentary_failed(room, &run, &failure, step),
            AskOutcome::Answered(answer) => self.commented(room, run, &answer, surroundings, step),
        }
    }

    pub(super) fn commentary_failed(
        &mut self,
        room: &RoomId,
        run: &CommentaryRun,
        failure: &AskFailure,
        step: &mut StepContext<'_>,
    ) {
        self.calls.count(step.moment(), true, true, None);
        self.commentary.failures += 1;
        let event = JournalEvent::CommentaryFailed {
            ask: run.ask,
            error: failure.kind,
            detail: failure.detail.clone(),
        };
        step.ledger.write(run.scope(room), event);
        let text = failure.to_string();
        self.mark(step, MarkKind::CommentaryFailed, Some(run.frame), &text);
    }

    /// Gives up what has had its time, before anybody looks whether the gates are open.
    pub(super) fn give_up_late(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        let now = step.moment();
        if let Some(run) = self.commentary.run.take_if(|run| run.deadline <= now) {
            step.ledger.want(Effect::CancelAsk { ask: run.ask });
            let failure = AskFailure::new(AskFailureKind::TimedOut, "no answer within its time");
            self.commentary_failed(room, &run, &failure, step);
        }
    }

    /// When commentary next wants to be looked at.
    pub(super) fn commentary_wake(
        &self,
        surroundings: &FloorState,
        settings: &settings::Settings,
    ) -> Option<Wake> {
        let wake = |at| Wake {
            at,
            reason: WakeReason::CommentaryDue,
        };
        if let Some(waiting) = &self.commentary.waiting {
            let shut = surroundings.shut(waiting.looked);
            // Without an end to one of them, only something that happens can open the gates.
            let opens: Option<Vec<Moment>> = shut.iter().map(|shut| shut.until).collect();
            return opens?.into_iter().max().map(wake);
        }
        match self.commentary_decision(Moment::default(), settings) {
            CommentaryDecision::Wait { until } => until.map(wake),
            CommentaryDecision::Due(_) => None,
        }
    }
}
