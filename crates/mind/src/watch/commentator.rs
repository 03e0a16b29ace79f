//! Commentary: a trigger waits for the gates, and a model is asked whether something is worth saying.

mod noticed;
mod speaking;
mod view;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use settings::StreamWatchSettings;
use vocabulary::{
    AskFailure, AskId, AskPurpose, ChangeScore, FrameId, Glimpse, JournalSeq, Message, Moment, RoomId, Span,
    TurnId,
};

use self::noticed::Noticed;
use self::speaking::Speaking;
use super::activity::Judged;
use super::allowance::{Allowance, CallKind};
use super::commentary::{
    CommentaryDecision, CommentaryGate, CommentaryQuestion, CommentaryTrigger, FloorState, ShutGate, decide,
};
use super::note::ScreenNote;
use super::prompt::{CommentaryBrief, commentary_request};
use super::tally::Tally;
use super::view::MarkKind;
use crate::effect::{Wake, WakeReason};
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;
use crate::step_context::flight::{Owner, Question, launch_as};

pub(super) use self::speaking::Considered;
pub(crate) use self::speaking::{Comment, Hearing};

/// What of the room a comment is based on.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub summary: &'a str,
    pub window: Vec<&'a Message>,
    /// What is said is said in the voice of the room.
    pub aloud: bool,
}

/// What of the screen a comment is based on.
#[derive(Debug)]
pub(super) struct Sight<'a> {
    pub shared_by: &'a str,
    pub glimpse: Glimpse,
    pub notes: Vec<&'a ScreenNote>,
}

/// What commentary remembers between two looks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Commentator {
    last_considered: Option<Moment>,
    /// A comment was considered in this watch.
    considered: bool,
    /// Asks in a row that failed.
    failures: u64,
    changed: bool,
    anything_new: bool,
    /// The greatest change since a comment was last considered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    noticed: Option<Noticed>,
    /// The newest frame that a comment was considered for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    considered_frame: Option<FrameId>,
    #[serde(default)]
    allowance: Allowance,
    waiting: Option<Waiting>,
    run: Option<CommentaryRun>,
    speaking: Option<Speaking>,
}

/// A trigger that found a gate shut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Waiting {
    trigger: CommentaryTrigger,
    since: Moment,
    /// When the gates were last looked at, and which were shut then.
    looked: Moment,
    shut: Vec<ShutGate>,
    /// The line that says that it waits.
    cause: JournalSeq,
    held: BTreeMap<CommentaryGate, Span>,
}

/// A comment that is being considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommentaryRun {
    ask: AskId,
    turn: TurnId,
    frame: FrameId,
    trigger: CommentaryTrigger,
    /// The line that says why it is considered.
    cause: JournalSeq,
    started: Moment,
}

impl CommentaryRun {
    fn scope(&self, room: &RoomId) -> Scope {
        Scope::room(room).turn(self.turn).because(Some(self.cause))
    }
}

impl Commentator {
    /// A new screen is seen for the first time; how long ago something was last said still counts.
    pub fn begin_watch(&mut self) {
        *self = Self {
            last_considered: self.last_considered,
            failures: self.failures,
            speaking: self.speaking.take(),
            allowance: self.allowance,
            ..Self::default()
        };
    }

    /// A frame came; the greatest change is kept until a comment was considered.
    pub fn saw(&mut self, now: Moment, change: &ChangeScore, judged: Judged) {
        let noticed = self.noticed.get_or_insert(Noticed {
            score: 0.0,
            region: None,
            at: now,
        });
        if change.score > noticed.score {
            (noticed.score, noticed.region) = (change.score, change.region);
        }
        if judged.news {
            noticed.at = now;
            self.changed = true;
            self.anything_new = true;
        }
    }

    /// Something new was noted of a frame; nothing is new about one that a comment was considered for.
    pub fn saw_note(&mut self, frame: FrameId) {
        self.anything_new |= self.considered_frame.is_none_or(|considered| considered < frame);
    }

    /// What is to be considered now. A trigger that finds a gate shut waits, and is told of once.
    pub fn due(
        &mut self,
        room: &RoomId,
        has_frame: bool,
        floor: &FloorState,
        tally: &mut Tally,
        step: &mut StepContext<'_>,
    ) -> Option<CommentaryTrigger> {
        let now = step.moment();
        self.count_held(now);
        let settings = &step.settings.stream_watch;
        let CommentaryDecision::Due(trigger) = self.decide(now, has_frame, settings) else {
            self.waiting = None;
            return None;
        };
        let shut = self.gates(floor, settings).shut(now);
        let Some(first) = shut.first().copied() else {
            return Some(trigger);
        };
        match &mut self.waiting {
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
                tally.mark_event(step.now(), MarkKind::CommentaryHeld, None, &text);
            }
        }
        None
    }

    /// Adds up for how long each gate has held what waits; exact however often it is asked.
    fn count_held(&mut self, now: Moment) {
        let Some(waiting) = &mut self.waiting else { return };
        for ShutGate { gate, until } in &waiting.shut {
            let end = until.map_or(now, |until| until.min(now));
            let held = waiting.held.entry(*gate).or_default();
            held.0 += end.since(waiting.looked).0;
        }
        waiting.looked = now;
    }

    fn decide(&self, now: Moment, has_frame: bool, settings: &StreamWatchSettings) -> CommentaryDecision {
        let question = CommentaryQuestion {
            now,
            has_frame,
            in_flight: self.run.is_some(),
            first_time: !self.considered,
            changed: self.changed,
            anything_new: self.anything_new,
            last_considered: self.last_considered,
            failures: self.failures,
        };
        decide(&question, settings)
    }

    /// Asks whether something is worth saying.
    pub fn consider(
        &mut self,
        room: &RoomId,
        trigger: CommentaryTrigger,
        sight: Sight<'_>,
        scene: Scene<'_>,
        tally: &mut Tally,
        step: &mut StepContext<'_>,
    ) {
        let now = step.moment();
        let noticed = self.noticed.take();
        let mut glimpse = sight.glimpse;
        // What is looked at is the newest frame; what it is looked at for is the greatest change that led to it.
        if let Some(noticed) = noticed {
            (glimpse.change.score, glimpse.change.region) = (noticed.score, noticed.region);
        }
        let request = commentary_request(&CommentaryBrief {
            room: room.as_str(),
            shared_by: sight.shared_by,
            glimpse: &glimpse,
            trigger: trigger.name(),
            ago: noticed.map_or(Span::ZERO, |noticed| now.since(noticed.at)),
            notes: sight.notes,
            summary: scene.summary,
            window: scene.window,
            aloud: scene.aloud,
            now: step.now().wall,
            prompt_tokens: step
                .prompt_tokens(AskPurpose::ScreenCommentary, step.settings.llm.max_output_tokens),
            settings: step.settings,
        });
        // What cannot be paid for is not made up for later.
        self.last_considered = Some(now);
        self.considered_frame = Some(sight.glimpse.frame);
        self.considered = true;
        self.changed = false;
        self.anything_new = false;
        let fare = match step.afford(&request, Scope::room(room)) {
            Ok(fare) => fare,
            Err(why) => {
                self.waiting = None;
                let text = why.words(now);
                return tally.mark_event(step.now(), MarkKind::CommentarySilent, None, &text);
            }
        };
        let (ask, turn) = (step.counters.ask.take_next(), step.counters.turn.take_next());
        let waiting = self.waiting.take();
        let since = waiting.as_ref().map_or(now, |waiting| waiting.since);
        let because = waiting.as_ref().map(|waiting| waiting.cause);
        let frame = sight.glimpse.frame;
        let event = JournalEvent::CommentaryStarted {
            ask,
            trigger,
            frame,
            waited: now.since(since),
            held: waiting.map(|waiting| waiting.held).unwrap_or_default(),
            provider: request.choice.provider.clone(),
            model: request.choice.model.clone(),
        };
        let scope = Scope::room(room).turn(turn).because(because);
        let cause = step.ledger.write(scope, event);
        let run = CommentaryRun {
            ask,
            turn,
            frame,
            trigger,
            cause,
            started: now,
        };
        let question = Question {
            owner: Owner::Watch(room.clone()),
            scope: run.scope(room),
            room: room.clone(),
            turn: Some(turn),
            fare,
            attempt: self.failures + 1,
            request,
        };
        launch_as(ask, question, step);
        self.allowance
            .spend(now, CallKind::Comment, &step.settings.stream_watch);
        self.run = Some(run);
    }

    /// The question it waits for came back.
    pub fn landed(&mut self, ask: AskId) -> Option<CommentaryRun> {
        self.run.take_if(|run| run.ask == ask)
    }

    /// No answer came.
    pub fn failed(
        &mut self,
        room: &RoomId,
        run: &CommentaryRun,
        failure: &AskFailure,
        tally: &mut Tally,
        step: &mut StepContext<'_>,
    ) {
        tally.call_failed(step.moment(), true);
        self.failures += 1;
        // What it was asked about was not considered.
        self.considered_frame = None;
        self.anything_new = true;
        let event = JournalEvent::CommentaryFailed {
            ask: run.ask,
            error: failure.kind,
            detail: failure.detail.clone(),
        };
        step.ledger.write(run.scope(room), event);
        let text = failure.to_string();
        tally.mark_event(step.now(), MarkKind::CommentaryFailed, Some(run.frame), &text);
    }

    /// Nobody waits for what is being considered any more, and nothing waits for the gates.
    pub fn give_up(&mut self) -> Option<AskId> {
        self.waiting = None;
        self.run.take().map(|run| run.ask)
    }

    /// When it next wants to be looked at.
    pub fn next_wake(
        &self,
        has_frame: bool,
        floor: &FloorState,
        settings: &StreamWatchSettings,
    ) -> Option<Wake> {
        let wake = |at| Wake {
            at,
            reason: WakeReason::CommentaryDue,
        };
        if let Some(waiting) = &self.waiting {
            let shut = self.gates(floor, settings).shut(waiting.looked);
            // Without an end to one of them, only something that happens can open the gates.
            let opens: Option<Vec<Moment>> = shut.iter().map(|shut| shut.until).collect();
            return opens?.into_iter().max().map(wake);
        }
        // With a clock that stands at zero, what the decision waits until is the moment itself.
        match self.decide(Moment::default(), has_frame, settings) {
            CommentaryDecision::Wait { until } => until.map(wake),
            CommentaryDecision::Due(_) => None,
        }
    }

    /// The room, and what is left of an hour's questions.
    fn gates(&self, floor: &FloorState, settings: &StreamWatchSettings) -> FloorState {
        FloorState {
            call_at: self.allowance.next(CallKind::Comment, settings),
            ..*floor
        }
    }

    /// When the gates were last looked at, while something waits for them.
    pub fn gates_looked_at(&self) -> Option<Moment> {
        self.waiting.as_ref().map(|waiting| waiting.looked)
    }
}
