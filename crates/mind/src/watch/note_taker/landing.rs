//! What comes back of a question for a note: a note, nothing new, or nothing at all.

use vocabulary::{AskFailure, AskFailureKind, AskId, AskOutcome, FrameId, ModelAnswer, RoomId, Span};

use super::{NoteRun, NoteTaker};
use crate::journal::{JournalEvent, Scope};
use crate::reasons::NoteOutcome;
use crate::step_context::StepContext;
use crate::watch::note_cadence::NoteDecision;
use crate::watch::reading::{NoteReading, read_note};
use crate::watch::screens::Screen;
use crate::watch::tally::Tally;
use crate::watch::view::MarkKind;

impl NoteTaker {
    /// The note it waits for came back; the frame of which something new was noted.
    pub fn ask_ended(
        &mut self,
        room: &RoomId,
        (ask, outcome): (AskId, &AskOutcome),
        screen: Option<Screen<'_>>,
        tally: &mut Tally,
        step: &mut StepContext<'_>,
    ) -> Option<FrameId> {
        let run = self.run.take_if(|run| run.ask == ask)?;
        let answer = match outcome {
            AskOutcome::Failed(failure) => {
                tally.call_failed(step.moment(), false);
                self.failed(room, &run, failure, screen, tally, step);
                return None;
            }
            AskOutcome::Answered(answer) => answer,
        };
        tally.call_ended(step.moment(), false, answer.usage.cost_micro_dollars);
        let shared_by = screen.map_or("", |screen| screen.shared_by);
        match read_note(&answer.text) {
            NoteReading::Note { text, why } => {
                let characters = text.chars().count();
                let is_new = self.keep(shared_by, (text.clone(), why), run.trigger, step);
                let (outcome, kind) = match is_new {
                    true => (NoteOutcome::Added, MarkKind::NoteAdded),
                    false => (NoteOutcome::Refreshed, MarkKind::NoteRefreshed),
                };
                self.done(room, &run, answer, outcome, characters, step);
                mark(&run, kind, &text, tally, step);
                is_new.then_some(run.frame)
            }
            NoteReading::Nothing => {
                let refreshed = self.notes.refresh_newest(shared_by, step.now().wall);
                let text = refreshed.unwrap_or("nothing to note").to_owned();
                self.done(room, &run, answer, NoteOutcome::NothingNew, 0, step);
                mark(&run, MarkKind::NoteRefreshed, &text, tally, step);
                None
            }
            NoteReading::Unreadable => {
                let detail =
                    "the answer holds no note; choose a model that sees in voice.streamWatch.noteModel";
                let failure = AskFailure::new(AskFailureKind::Malformed, detail);
                self.failed(room, &run, &failure, screen, tally, step);
                None
            }
        }
    }

    fn done(
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
        self.look.described = Some(run.frame);
        let event = JournalEvent::NoteTaken {
            ask: run.ask,
            frame: run.frame,
            trigger: run.trigger,
            outcome,
            characters,
            took: step.took(run.started),
            provider: answer.provider.clone(),
            model: answer.model.clone(),
            input_tokens: answer.usage.input_tokens,
            output_tokens: answer.usage.output_tokens,
            cost_micro_dollars: answer.usage.cost_micro_dollars,
        };
        let scope = Scope::room(room).because(Some(run.cause));
        step.ledger.write(scope, event);
        self.evict(&step.settings.stream_watch);
    }

    /// What was to be noted is still not noted.
    fn failed(
        &mut self,
        room: &RoomId,
        run: &NoteRun,
        failure: &AskFailure,
        screen: Option<Screen<'_>>,
        tally: &mut Tally,
        step: &mut StepContext<'_>,
    ) {
        self.failures += 1;
        self.last_failure = Some(failure.to_string());
        self.look.attention.attempt_failed(run.trigger);
        let now = step.moment();
        let next_in = match self.decide(now, screen, &step.settings.stream_watch) {
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
        mark(run, MarkKind::NoteFailed, &failure.to_string(), tally, step);
    }
}

fn mark(run: &NoteRun, kind: MarkKind, text: &str, tally: &mut Tally, step: &StepContext<'_>) {
    tally.mark(step.now(), kind, Some(run.frame), Some(run.trigger), text);
}
