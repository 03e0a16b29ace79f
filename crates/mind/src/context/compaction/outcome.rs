//! How a run ends, well or not, and how a session does.

use vocabulary::{AskFailure, AskFailureKind, AskId, Moment, Span, TurnSeq};

use super::plan::{CompactionSkip, Plan};
use super::state::{Compaction, End, FinishedRun, Phase, Place, Run, Stretch};
use crate::context::notes::PendingNote;
use crate::context::timeline::Timeline;
use crate::desk::Desk;
use crate::effect::Effect;
use crate::journal::{JournalEvent, Scope};
use crate::prompt::summariser_model;

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
        desk: &mut Desk<'_>,
    ) {
        let (old_cursor, took) = (self.cursor, desk.moment().since(started));
        self.run = None;
        self.failures = 0;
        self.unavailable_until = None;
        self.cursor = self.cursor.max(stretch.until);
        timeline.forget_before(self.cursor);
        self.notes.forget(&stretch.notes);
        self.summary.clone_from(&summary);
        self.summarised_at = Some(desk.now().wall);
        let event = JournalEvent::CompactionCompleted {
            old_cursor,
            cursor: self.cursor,
            covered_through_turn: self.cursor.0.checked_sub(1).map(TurnSeq),
            summary_chars: summary.chars().count(),
            folded_note_count: stretch.notes.len(),
            latency_ms: took.0,
            summariser: summariser.clone(),
        };
        desk.ledger.note(Scope::room(place.room), event);
        if self.finished.len() == FINISHED_RUNS_MAX {
            self.finished.pop_front();
        }
        self.finished.push_back(FinishedRun {
            at: desk.now().wall,
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
            return self.close_session(timeline, place, desk);
        }
        self.catch_up(timeline, place, desk);
    }

    /// A backlog is folded batch after batch, without waiting for the next reply.
    fn catch_up(&mut self, timeline: &mut Timeline, place: Place<'_>, desk: &mut Desk<'_>) {
        if let Plan::Fold { turns, recent_start } = self.plan(timeline, desk) {
            self.start(timeline, turns, recent_start, place, desk);
        }
    }

    /// A run came to nothing: nothing changes, and the next look tries again.
    pub(super) fn fail(
        &mut self,
        run: Run,
        failure: AskFailure,
        timeline: &mut Timeline,
        place: Place<'_>,
        desk: &mut Desk<'_>,
    ) {
        if matches!(run.phase, Phase::Condensing { .. }) {
            return self.condensing_failed(run, failure, timeline, place, desk);
        }
        self.failures += 1;
        let unavailable = failure.kind == AskFailureKind::Unavailable;
        let may_fall_back = desk.settings.compaction.summariser == "auto";
        let fall_back = may_fall_back && (unavailable || self.failures >= FAILURES_BEFORE_FALLBACK);
        self.unavailable_until = unavailable.then(|| desk.moment() + UNAVAILABLE_REST);
        let event = JournalEvent::CompactionFailed {
            ask: run.ask,
            model: summariser_model(desk.settings),
            error: failure.kind,
            detail: failure.detail,
            retryable: !unavailable,
            falls_back: fall_back,
        };
        desk.ledger.note(Scope::room(place.room), event);
        self.run = None;
        if fall_back {
            return self.write_offline(run.stretch, Some(run.ask), run.started, timeline, place, desk);
        }
        if self.is_ending() {
            self.close_session(timeline, place, desk);
        }
    }

    /// Ends the session: a run under way may still land within its time, then the summary is handed to memory.
    pub(crate) fn end_session(&mut self, timeline: &mut Timeline, place: Place<'_>, desk: &mut Desk<'_>) {
        self.ending = Some(End {
            turn: timeline.next_seq(),
            note: self.notes.next_seq(),
        });
        self.note_skip(CompactionSkip::SessionEnding, place, desk);
        if self.run.is_none() {
            self.close_session(timeline, place, desk);
        }
    }

    /// Lets go of what belongs to the session; what came since it was ended is the beginning of the next.
    fn close_session(&mut self, timeline: &mut Timeline, place: Place<'_>, desk: &mut Desk<'_>) {
        let Some(end) = self.ending else { return };
        self.close_skips(place, desk);
        let summary = std::mem::take(&mut self.summary);
        let left = self.notes.forget_before(end.note);
        if left > 0 {
            let event = JournalEvent::ContextNotesDropped {
                dropped_note_count: left,
            };
            desk.ledger.note(Scope::room(place.room), event);
        }
        let event = JournalEvent::ContextSessionEnded {
            turns: end.turn.0,
            cursor: self.cursor,
            offered_chars: summary.chars().count(),
        };
        desk.ledger.note(Scope::room(place.room), event);
        if !summary.is_empty() {
            desk.ledger.want(Effect::OfferToMemory {
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
