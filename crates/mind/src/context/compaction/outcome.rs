//! How a run ends, well or not, and how a session does.

use settings::ModelOrOffline;
use vocabulary::{AskFailure, AskFailureKind, AskId, Moment, Span, TurnSeq};

use super::plan::Plan;
use super::state::{Compaction, End, FinishedRun, Phase, Place, Run, Stretch};
use crate::context::notes::PendingNote;
use crate::context::timeline::Timeline;
use crate::effect::Effect;
use crate::journal::{JournalEvent, Scope};
use crate::prompt::summariser_model;
use crate::reasons::CompactionSkip;
use crate::step_context::StepContext;

/// After so many failures in a row the summary is written without a model, where that is allowed.
pub(super) const FAILURES_BEFORE_FALLBACK: u64 = 3;
/// How long a model that cannot be asked is left alone: somebody may set one up meanwhile.
const UNAVAILABLE_REST: Span = Span::minutes(5);
/// Finished runs that are remembered for the session page.
const FINISHED_RUNS_MAX: usize = 12;

impl Compaction {
    /// Takes a summary over: the cursor moves, and exactly what was sent is forgotten.
    #[allow(
        clippy::too_many_arguments,
        reason = "each is a fact of the run that has just ended"
    )]
    pub(super) fn complete(
        &mut self,
        stretch: Stretch,
        summary: String,
        summariser: String,
        ask: Option<AskId>,
        started: Moment,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        let (old_cursor, took) = (self.cursor, step.moment().since(started));
        self.run = None;
        self.failures = 0;
        self.unavailable_until = None;
        self.cursor = self.cursor.max(stretch.until);
        timeline.forget_before(self.cursor);
        self.notes.forget(&stretch.notes);
        self.summary.clone_from(&summary);
        self.summarised_at = Some(step.now().wall);
        let event = JournalEvent::CompactionCompleted {
            old_cursor,
            cursor: self.cursor,
            covered_through_turn: self.cursor.0.checked_sub(1).map(TurnSeq),
            summary_chars: summary.chars().count(),
            folded_note_count: stretch.notes.len(),
            latency_ms: took.0,
            summariser: summariser.clone(),
        };
        step.ledger.write(Scope::room(place.room), event);
        if self.finished.len() == FINISHED_RUNS_MAX {
            self.finished.pop_front();
        }
        self.finished.push_back(FinishedRun {
            at: step.now().wall,
            took,
            old_cursor,
            new_cursor: self.cursor,
            ask,
            summariser,
            turns: stretch
                .turns
                .iter()
                .map(|turn| format!("{}: {}", turn.speaker, turn.text))
                .collect(),
            notes: stretch.notes.iter().map(PendingNote::line).collect(),
            summary,
        });
        if self.is_ending() {
            return self.close_session(timeline, place, step);
        }
        self.catch_up(timeline, place, step);
    }

    /// A backlog is folded batch after batch, without waiting for the next reply.
    fn catch_up(&mut self, timeline: &mut Timeline, place: Place<'_>, step: &mut StepContext<'_>) {
        if let Plan::Fold { turns, recent_start } = self.plan(timeline, step) {
            self.start(timeline, turns, recent_start, place, step);
        }
    }

    /// A run came to nothing: nothing changes, and the next look tries again.
    pub(super) fn fail(
        &mut self,
        run: Run,
        failure: AskFailure,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        if matches!(run.phase, Phase::Condensing { .. }) {
            return self.condensing_failed(run, failure, timeline, place, step);
        }
        self.failures += 1;
        let unavailable = failure.kind == AskFailureKind::Unavailable;
        let may_fall_back = step.settings.compaction.summariser == ModelOrOffline::Auto;
        let fall_back = may_fall_back && (unavailable || self.failures >= FAILURES_BEFORE_FALLBACK);
        self.unavailable_until = unavailable.then(|| step.moment() + UNAVAILABLE_REST);
        let event = JournalEvent::CompactionFailed {
            ask: run.ask,
            model: summariser_model(step.settings),
            error: failure.kind,
            detail: failure.detail,
            retryable: !unavailable,
            falls_back: fall_back,
        };
        step.ledger.write(Scope::room(place.room), event);
        self.run = None;
        if fall_back {
            return self.write_offline(run.stretch, Some(run.ask), run.started, timeline, place, step);
        }
        if self.is_ending() {
            self.close_session(timeline, place, step);
        }
    }

    /// Ends the session: a run under way may still land within its time, then the summary is handed to memory.
    pub(crate) fn end_session(
        &mut self,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        self.ending = Some(End {
            turn: timeline.next_seq(),
            note: self.notes.next_seq(),
        });
        self.note_skip(CompactionSkip::SessionEnding, place, step);
        if self.run.is_none() {
            self.close_session(timeline, place, step);
        }
    }

    /// Lets go of what belongs to the session; what came since it was ended is the beginning of the next.
    fn close_session(&mut self, timeline: &mut Timeline, place: Place<'_>, step: &mut StepContext<'_>) {
        let Some(end) = self.ending else { return };
        self.close_skips(place, step);
        let summary = std::mem::take(&mut self.summary);
        let left = self.notes.forget_before(end.note);
        if left > 0 {
            let event = JournalEvent::ContextNotesDropped {
                dropped_note_count: left,
            };
            step.ledger.write(Scope::room(place.room), event);
        }
        let event = JournalEvent::ContextSessionEnded {
            turns: end.turn.0,
            cursor: self.cursor,
            offered_chars: summary.chars().count(),
        };
        step.ledger.write(Scope::room(place.room), event);
        if !summary.is_empty() {
            step.ledger.want(Effect::OfferToMemory {
                room: place.room.clone(),
                text: summary,
                seen_with: None,
            });
        }
        timeline.forget_before(end.turn);
        *self = Self {
            cursor: self.cursor.max(end.turn),
            notes: std::mem::take(&mut self.notes),
            finished: std::mem::take(&mut self.finished),
            ..Self::default()
        };
    }
}
