//! The note-taker: frames come in, a note is asked for when it is time, and what comes back is kept.

use vocabulary::{
    AskFailure, AskFailureKind, AskOutcome, Glimpse, ModelAnswer, Moment, RoomId, ShareId, Span,
};

use super::activity::Activity;
use super::note::{Kept, NewNote, NoteTrigger, ScreenNote};
use super::note_cadence::{NoteDecision, NoteQuestion, decide};
use super::reading::{NoteReading, read_note};
use super::state::{DEADLINE_GRACE, Newest, NoteRun, Watch};
use super::tally::NewMark;
use super::view::MarkKind;
use crate::effect::{Asking, Effect, Wake, WakeReason};
use crate::journal::{JournalEvent, Scope};
use crate::prompt::{NoteBrief, note_request};
use crate::reasons::NoteOutcome;
use crate::step_context::StepContext;

impl Watch {
    pub fn frame_arrived(&mut self, share: &ShareId, glimpse: Glimpse, step: &mut StepContext<'_>) {
        let Some(watched) = self.watched.as_mut().filter(|watched| watched.share == *share) else {
            // It was on its way when the watch moved on.
            return;
        };
        let settings = &step.settings.stream_watch;
        let activity = watched.attention.see(step.moment(), &glimpse.change, settings);
        watched.newest = Some(Newest {
            glimpse,
            at: step.now().wall,
        });
        let significant = activity == Activity::Significant;
        self.commentary.changed |= significant;
        self.commentary.anything_new |= significant;
        if let Some(sharing) = self.shares.iter_mut().find(|known| known.share.share == *share) {
            sharing.frames += 1;
        }
        if let Some(NoteDecision::Hold { reason, .. }) = self.decide_note(step.moment(), step)
            && let Some(watched) = &mut self.watched
        {
            *watched.held.entry(reason).or_default() += 1;
        }
    }

    /// Takes a note if it is time.
    pub(super) fn advance_notes(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        if let Some(run) = self.run.take_if(|run| run.deadline <= step.moment()) {
            step.ledger.want(Effect::CancelAsk { ask: run.ask });
            let failure = AskFailure::new(AskFailureKind::TimedOut, "no note within its time");
            self.note_failed(room, run, &failure, step);
        }
        if let Some(NoteDecision::Take(trigger)) = self.decide_note(step.moment(), step) {
            self.take_note(room, trigger, step);
        }
    }

    /// What the note-taker decides now; none while nothing is watched.
    pub(super) fn decide_note(&self, now: Moment, step: &StepContext<'_>) -> Option<NoteDecision> {
        self.note_decision(now, &step.settings.stream_watch)
    }

    pub(super) fn note_decision(
        &self,
        now: Moment,
        settings: &settings::StreamWatchSettings,
    ) -> Option<NoteDecision> {
        let watched = self.watched.as_ref()?;
        let (newest, attention) = (watched.newest.as_ref(), &watched.attention);
        let question = NoteQuestion {
            now,
            fresh_frame: newest.is_some_and(|newest| Some(newest.glimpse.frame) != watched.described),
            urgent: attention.urgent(),
            activity: attention.activity().unwrap_or(Activity::Static),
            frozen: attention.is_frozen(),
            last_attempt: self.last_attempt,
            in_flight: self.run.is_some(),
            failures: self.failures,
        };
        Some(decide(&question, settings))
    }

    fn take_note(&mut self, room: &RoomId, trigger: NoteTrigger, step: &mut StepContext<'_>) {
        let now = step.moment();
        let Some(watched) = &mut self.watched else { return };
        let Some(newest) = watched.newest else { return };
        // What is looked at is the newest frame; what it is looked at for is the greatest change that led to it.
        let mut glimpse = newest.glimpse;
        (glimpse.change.score, glimpse.change.region) = watched.attention.moved();
        let request = note_request(&NoteBrief {
            shared_by: &watched.shared_by,
            glimpse: &glimpse,
            activity: watched.attention.activity().unwrap_or(Activity::Static),
            trigger,
            notes: self.notes.iter().collect(),
            now: step.now().wall,
            settings: step.settings,
        });
        let ask = step.counters.ask.take_next();
        let thresholds = watched.attention.thresholds(&step.settings.stream_watch);
        let event = JournalEvent::NoteStarted {
            ask,
            frame: glimpse.frame,
            trigger,
            score: glimpse.change.score,
            ema: glimpse.change.ema,
            scene_cut: glimpse.change.scene_cut,
            change_threshold: thresholds.change,
            static_floor: thresholds.static_floor,
            since_last: self.last_attempt.map(|last| now.since(last)),
            held: std::mem::take(&mut watched.held),
            provider: request.choice.provider.clone(),
            model: request.choice.model.clone(),
        };
        let cause = step.ledger.write(Scope::room(room), event);
        watched.attention.attempted();
        self.last_attempt = Some(now);
        self.run = Some(NoteRun {
            ask,
            frame: glimpse.frame,
            trigger,
            cause,
            started: now,
            deadline: now + request.deadline + DEADLINE_GRACE,
        });
        step.ledger.want(Effect::Ask(Box::new(Asking {
            ask,
            room: room.clone(),
            turn: step.counters.turn,
            request,
        })));
    }

    pub(super) fn note_ended(&mut self, room: &RoomId, outcome: AskOutcome, step: &mut StepContext<'_>) {
        let Some(run) = self.run.take() else { return };
        let answer = match outcome {
            AskOutcome::Failed(failure) => return self.note_failed(room, run, &failure, step),
            AskOutcome::Answered(answer) => answer,
        };
        let cost = answer.usage.cost_micro_dollars;
        self.calls.count(step.moment(), false, false, cost);
        match read_note(&answer.text) {
            NoteReading::Note { text, why } => self.note_given(room, &run, &answer, text, why, step),
            NoteReading::Nothing => self.nothing_new(room, &run, &answer, step),
            NoteReading::Unreadable => {
                let detail =
                    "the answer holds no note; choose a model that sees in voice.streamWatch.noteModel";
                let failure = AskFailure::new(AskFailureKind::Malformed, detail);
                self.failed(room, run, &failure, step);
            }
        }
    }

    fn note_given(
        &mut self,
        room: &RoomId,
        run: &NoteRun,
        answer: &ModelAnswer,
        text: String,
        why: String,
        step: &mut StepContext<'_>,
    ) {
        let characters = text.chars().count();
        let (outcome, kind) = match self.keep(text.clone(), why, run.trigger, step) {
            Some(Kept::Added(_)) => (NoteOutcome::Added, MarkKind::NoteAdded),
            _ => (NoteOutcome::Refreshed, MarkKind::NoteRefreshed),
        };
        self.note_done(room, run, answer, outcome, characters, step);
        self.note_mark(run, kind, &text, step);
    }

    fn nothing_new(
        &mut self,
        room: &RoomId,
        run: &NoteRun,
        answer: &ModelAnswer,
        step: &mut StepContext<'_>,
    ) {
        let at = step.now().wall;
        let refreshed = match &self.watched {
            Some(watched) => self.notes.refresh_newest(&watched.shared_by, at),
            None => None,
        };
        let text = refreshed.unwrap_or("nothing to note").to_owned();
        self.note_done(room, run, answer, NoteOutcome::NothingNew, 0, step);
        self.note_mark(run, MarkKind::NoteRefreshed, &text, step);
    }

    fn note_done(
        &mut self,
        room: &RoomId,
        run: &NoteRun,
        answer: &ModelAnswer,
        outcome: NoteOutcome,
        characters: usize,
        step: &mut StepContext<'_>,
    ) {
        self.failures = 0;
        self.last_failure = None;
        if let Some(watched) = &mut self.watched {
            watched.described = Some(run.frame);
        }
        let event = JournalEvent::NoteTaken {
            ask: run.ask,
            frame: run.frame,
            trigger: run.trigger,
            outcome,
            characters,
            took: step.moment().since(run.started),
            provider: answer.provider.clone(),
            model: answer.model.clone(),
            input_tokens: answer.usage.input_tokens,
            output_tokens: answer.usage.output_tokens,
            cost_micro_dollars: answer.usage.cost_micro_dollars,
        };
        let scope = Scope::room(room).because(Some(run.cause));
        step.ledger.write(scope, event);
        self.evict(room, step);
    }

    fn note_failed(&mut self, room: &RoomId, run: NoteRun, failure: &AskFailure, step: &mut StepContext<'_>) {
        self.calls.count(step.moment(), false, true, None);
        self.failed(room, run, failure, step);
    }

    /// What was to be noted is still not noted.
    fn failed(&mut self, room: &RoomId, run: NoteRun, failure: &AskFailure, step: &mut StepContext<'_>) {
        self.failures += 1;
        self.last_failure = Some(failure.to_string());
        if let Some(watched) = &mut self.watched {
            watched.attention.attempt_failed(run.trigger);
        }
        let now = step.moment();
        let next_in = match self.decide_note(now, step) {
            Some(NoteDecision::Hold { until: Some(at), .. }) => Some(at.since(now)),
            Some(NoteDecision::Take(_)) => Some(Span::ZERO),
            _ => None,
        };
        let event = JournalEvent::NoteFailed {
            ask: run.ask,
            frame: run.frame,
            trigger: run.trigger,
            error: failure.kind,
            detail: failure.detail.clone(),
            failures: self.failures,
            next_in,
        };
        let scope = Scope::room(room).because(Some(run.cause));
        step.ledger.write(scope, event);
        self.note_mark(&run, MarkKind::NoteFailed, &failure.to_string(), step);
    }

    /// Keeps a note of the screen that is watched.
    pub(super) fn keep(
        &mut self,
        text: String,
        why: String,
        trigger: NoteTrigger,
        step: &StepContext<'_>,
    ) -> Option<Kept> {
        let watched = self.watched.as_mut()?;
        let kept = self.notes.keep(NewNote {
            at: step.now().wall,
            shared_by: watched.shared_by.clone(),
            text,
            why,
            trigger,
        });
        if let Kept::Added(_) = kept {
            let newest = self.notes.newest()?;
            watched.recap.add(newest.with_why());
            self.commentary.anything_new = true;
        }
        Some(kept)
    }

    /// The oldest notes make room, and wait to be folded into the summary.
    pub(super) fn evict(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        let max = step.settings.stream_watch.max_note_entries as usize;
        let gone = self.notes.evict(max);
        self.hand_over(room, gone, step);
    }

    /// The conversation is over: what was noted belongs to it.
    pub fn session_ended(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        let gone = self.notes.take_all();
        self.hand_over(room, gone, step);
    }

    fn hand_over(&mut self, room: &RoomId, gone: Vec<ScreenNote>, step: &mut StepContext<'_>) {
        if let Some(oldest) = gone.first() {
            let event = JournalEvent::NotesEvicted {
                notes: gone.len(),
                oldest: oldest.seq,
                to_be_folded: step.settings.compaction.text_channels,
            };
            step.ledger.write(Scope::room(room), event);
            self.evicted.extend(gone);
        }
    }

    fn note_mark(&mut self, run: &NoteRun, kind: MarkKind, text: &str, step: &StepContext<'_>) {
        let mark = NewMark {
            kind,
            frame: Some(run.frame),
            trigger: Some(run.trigger),
            text,
        };
        self.marks.add(step.now(), mark);
    }

    /// When a note is due, if time alone makes it so.
    pub(super) fn note_wake(&self, settings: &settings::StreamWatchSettings) -> Option<Wake> {
        // Asked of the beginning of time, it answers with the moment itself.
        match self.note_decision(Moment::default(), settings)? {
            NoteDecision::Hold { until: Some(at), .. } => Some(Wake {
                at,
                reason: WakeReason::NoteDue,
            }),
            _ => None,
        }
    }
}
