//! The state of a conversation's compaction, and the run that is under way.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, Moment, NoteSeq, RoomId, Span, TurnId, TurnSeq, WallTime,
};

use super::plan::{CompactionSkip, Plan, Question, plan};
use super::{NOTES_CHARS_MAX, SUMMARY_CHARS_MAX};
use crate::context::notes::{PendingNote, PendingNotes};
use crate::context::summary::{FoldedTurn, summarise};
use crate::context::timeline::{Timeline, TimelineTurn};
use crate::desk::Desk;
use crate::effect::{Asking, Effect, Wake, WakeReason};
use crate::journal::{JournalEvent, Scope};
use crate::prompt::{CompactionBrief, compaction_request, summariser_model};

/// After so many failures in a row the summary is written without a model, where that is allowed.
const FAILURES_BEFORE_FALLBACK: u64 = 3;
/// How long a model that cannot be asked is left alone: somebody may set one up meanwhile.
const UNAVAILABLE_REST: Span = Span::minutes(5);
/// Finished runs that are remembered for the session page.
const FINISHED_RUNS_MAX: usize = 12;

/// The running summary of one conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    /// The first turn that is not in the summary.
    pub(super) cursor: TurnSeq,
    pub(super) summary: String,
    pub(super) summarised_at: Option<WallTime>,
    pub(super) notes: PendingNotes,
    pub(super) run: Option<Run>,
    /// Failures in a row.
    pub(super) failures: u64,
    /// A model said that it cannot; until then none is asked, where nobody else may write.
    unavailable_until: Option<Moment>,
    ending: Option<End>,
    skipped: Option<Skipped>,
    finished: VecDeque<FinishedRun>,
}

/// Equal skips in a row are one line and a count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Skipped {
    reason: CompactionSkip,
    repeated: u64,
}

/// Where a session ends: what comes from here on belongs to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct End {
    turn: TurnSeq,
    note: NoteSeq,
}

/// A run under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    pub ask: AskId,
    pub started: Moment,
    pub deadline: Moment,
    pub stretch: Stretch,
    pub phase: Phase,
    /// It was sent back once for inventing something.
    pub sent_back: bool,
}

/// What a run folds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stretch {
    pub turns: Vec<TimelineTurn>,
    pub notes: Vec<PendingNote>,
    /// Where the cursor will be.
    pub until: TurnSeq,
}

/// What the model was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Phase {
    Folding,
    /// The summary came out too long and is being condensed once more.
    Condensing {
        long: String,
        /// Who wrote the long one.
        summariser: String,
    },
}

/// A run that has ended well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FinishedRun {
    pub at: WallTime,
    pub took: Span,
    pub old_cursor: TurnSeq,
    pub new_cursor: TurnSeq,
    /// The model's ask, where one was asked.
    pub ask: Option<AskId>,
    pub summariser: String,
    pub turns: Vec<String>,
    pub notes: Vec<String>,
    pub summary: String,
}

/// A run under way, for the session page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    pub ask: AskId,
    pub cursor: TurnSeq,
    pub turns: usize,
    pub notes: usize,
    pub condensing: bool,
}

/// Whose compaction it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub room: &'a RoomId,
    /// Newest turn number of the replies; compaction asks carry it for the inspector.
    pub turn: TurnId,
}

impl Compaction {
    pub fn cursor(&self) -> TurnSeq {
        self.cursor
    }

    pub fn summary(&self) -> &str {
        &self.summary
    }

    pub fn summarised_at(&self) -> Option<WallTime> {
        self.summarised_at
    }

    pub fn notes(&self) -> &PendingNotes {
        &self.notes
    }

    pub fn finished_runs(&self) -> impl Iterator<Item = &FinishedRun> {
        self.finished.iter()
    }

    pub fn is_ending(&self) -> bool {
        self.ending.is_some()
    }

    pub fn run_under_way(&self) -> Option<RunView> {
        self.run.as_ref().map(|run| RunView {
            ask: run.ask,
            cursor: self.cursor,
            turns: run.stretch.turns.len(),
            notes: run.stretch.notes.len(),
            condensing: matches!(run.phase, Phase::Condensing { .. }),
        })
    }

    /// Turns before this one are being folded.
    pub(crate) fn folding_until(&self) -> TurnSeq {
        let folding = self.run.as_ref().map(|run| run.stretch.until);
        folding.unwrap_or(self.cursor)
    }

    pub(crate) fn waits_for(&self, ask: AskId) -> bool {
        self.run.as_ref().is_some_and(|run| run.ask == ask)
    }

    pub(crate) fn next_wake(&self) -> Option<Wake> {
        self.run.as_ref().map(|run| Wake {
            at: run.deadline,
            reason: WakeReason::AskDeadline,
        })
    }

    /// Holds a note that has left its live buffer.
    pub(crate) fn hold_note(&mut self, shared_by: &str, text: &str, place: Place<'_>, desk: &mut Desk<'_>) {
        let folding = self.run.as_ref().map_or(&[][..], |run| &run.stretch.notes);
        let dropped = self.notes.hold(desk.now().wall, shared_by, text, folding);
        if dropped.is_some() {
            desk.ledger.note(
                Scope::room(place.room),
                JournalEvent::ContextNotesDropped {
                    dropped_note_count: 1,
                },
            );
        }
    }

    /// Turns had to leave the time line before they were summarised.
    pub(crate) fn turns_dropped(
        &mut self,
        count: usize,
        timeline: &Timeline,
        place: Place<'_>,
        desk: &mut Desk<'_>,
    ) {
        let old_cursor = self.cursor;
        self.cursor = self.cursor.max(timeline.first_seq());
        let event = JournalEvent::ContextTurnsDropped {
            dropped_turn_count: count,
            old_cursor,
            cursor: self.cursor,
        };
        desk.ledger.note(Scope::room(place.room), event);
    }

    /// The one place where folding is considered; every builder of a prompt comes here first.
    pub(crate) fn consider(&mut self, timeline: &mut Timeline, place: Place<'_>, desk: &mut Desk<'_>) {
        match self.plan(timeline, desk) {
            Plan::Skip(reason) => self.note_skip(reason, place, desk),
            Plan::Fold { turns, recent_start } => self.start(timeline, turns, recent_start, place, desk),
        }
    }

    fn plan(&self, timeline: &Timeline, desk: &Desk<'_>) -> Plan {
        let verbatim: Vec<TurnSeq> = timeline.turns().iter().map(|turn| turn.seq).collect();
        plan(&Question {
            verbatim: &verbatim,
            cursor: self.cursor,
            next: timeline.next_seq(),
            pending_notes: self.notes.len(),
            in_flight: self.run.is_some(),
            ending: self.is_ending(),
            summariser_available: self.summariser_available(desk),
        })
    }

    /// Whether anybody can write a summary now. Failures alone never end it: they are tried again.
    fn summariser_available(&self, desk: &Desk<'_>) -> bool {
        desk.settings.compaction.summariser != "model"
            || self.unavailable_until.is_none_or(|until| until <= desk.moment())
    }

    fn note_skip(&mut self, reason: CompactionSkip, place: Place<'_>, desk: &mut Desk<'_>) {
        match &mut self.skipped {
            Some(skipped) if skipped.reason == reason => skipped.repeated += 1,
            _ => {
                self.close_skips(place, desk);
                self.skipped = Some(Skipped { reason, repeated: 0 });
                let event = JournalEvent::CompactionSkipped {
                    reason,
                    cursor: self.cursor,
                    repeated: 0,
                };
                desk.ledger.note(Scope::room(place.room), event);
            }
        }
    }

    /// Says how often the last skip came again before something else happened.
    fn close_skips(&mut self, place: Place<'_>, desk: &mut Desk<'_>) {
        if let Some(Skipped { reason, repeated }) = self.skipped.take()
            && repeated > 0
        {
            let event = JournalEvent::CompactionSkipped {
                reason,
                cursor: self.cursor,
                repeated,
            };
            desk.ledger.note(Scope::room(place.room), event);
        }
    }

    fn start(
        &mut self,
        timeline: &mut Timeline,
        turns: usize,
        recent_start: TurnSeq,
        place: Place<'_>,
        desk: &mut Desk<'_>,
    ) {
        self.close_skips(place, desk);
        let folded: Vec<TimelineTurn> = timeline.turns().iter().take(turns).cloned().collect();
        let until = timeline
            .turns()
            .get(turns)
            .map_or(timeline.next_seq(), |turn| turn.seq);
        let until = if turns == 0 { self.cursor } else { until };
        let stretch = Stretch {
            turns: folded,
            notes: self.notes.batch(NOTES_CHARS_MAX),
            until,
        };
        let event = JournalEvent::CompactionStarted {
            cursor: self.cursor,
            batch_size: stretch.turns.len(),
            recent_start,
            pending_note_count: self.notes.len(),
        };
        desk.ledger.note(Scope::room(place.room), event);
        if desk.settings.compaction.summariser == "offline" {
            return self.write_offline(stretch, None, desk.moment(), timeline, place, desk);
        }
        self.ask(stretch, Phase::Folding, false, place, desk);
    }

    /// Asks a model; the answer comes as an input.
    pub(super) fn ask(
        &mut self,
        stretch: Stretch,
        phase: Phase,
        sent_back: bool,
        place: Place<'_>,
        desk: &mut Desk<'_>,
    ) {
        let ask = desk.counters.ask.take_next();
        let (previous, turns, notes) = match &phase {
            Phase::Folding => (self.summary.as_str(), &stretch.turns[..], &stretch.notes[..]),
            Phase::Condensing { long, .. } => (long.as_str(), &[][..], &[][..]),
        };
        let request = compaction_request(&CompactionBrief {
            previous,
            turns,
            notes,
            sent_back,
            settings: desk.settings,
        });
        let started = self.run.as_ref().map_or(desk.moment(), |run| run.started);
        desk.ledger.want(Effect::Ask(Box::new(Asking {
            ask,
            room: place.room.clone(),
            turn: place.turn,
            request,
        })));
        self.run = Some(Run {
            ask,
            started,
            deadline: desk.moment() + Span::seconds(desk.settings.compaction.timeout_seconds),
            stretch,
            phase,
            sent_back,
        });
    }

    /// Writes the summary without a model, which always succeeds.
    pub(super) fn write_offline(
        &mut self,
        stretch: Stretch,
        ask: Option<AskId>,
        started: Moment,
        timeline: &mut Timeline,
        place: Place<'_>,
        desk: &mut Desk<'_>,
    ) {
        let turns: Vec<FoldedTurn<'_>> = stretch
            .turns
            .iter()
            .map(|turn| FoldedTurn {
                speaker: &turn.speaker,
                text: &turn.text,
            })
            .collect();
        let lines: Vec<String> = stretch.notes.iter().map(PendingNote::line).collect();
        let notes: Vec<&str> = lines.iter().map(String::as_str).collect();
        let summary = summarise(&self.summary, &turns, &notes, SUMMARY_CHARS_MAX);
        self.complete(
            stretch,
            summary,
            "offline".to_owned(),
            ask,
            started,
            timeline,
            place,
            desk,
        );
    }

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

    /// A run has had its time.
    pub(crate) fn advance(&mut self, timeline: &mut Timeline, place: Place<'_>, desk: &mut Desk<'_>) {
        let now = desk.moment();
        if let Some(run) = self.run.take_if(|run| run.deadline <= now) {
            desk.ledger.want(Effect::CancelAsk { ask: run.ask });
            self.fail(
                run,
                failure(AskFailureKind::TimedOut, "no summary within its time"),
                timeline,
                place,
                desk,
            );
        }
    }

    pub(crate) fn ask_ended(
        &mut self,
        outcome: AskOutcome,
        timeline: &mut Timeline,
        place: Place<'_>,
        desk: &mut Desk<'_>,
    ) {
        let Some(run) = self.run.take() else { return };
        match outcome {
            AskOutcome::Failed(failure) => self.fail(run, failure, timeline, place, desk),
            AskOutcome::Answered(answer) => self.land(run, &answer, timeline, place, desk),
        }
    }

    /// The process is back; what was asked is lost, and nothing else is.
    pub(crate) fn restarted(&mut self, timeline: &mut Timeline, place: Place<'_>, desk: &mut Desk<'_>) {
        if let Some(run) = self.run.take() {
            self.fail(
                run,
                failure(AskFailureKind::Interrupted, "the process ended meanwhile"),
                timeline,
                place,
                desk,
            );
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

pub(super) fn failure(kind: AskFailureKind, detail: &str) -> AskFailure {
    AskFailure {
        kind,
        detail: detail.to_owned(),
        retry_after: None,
    }
}
