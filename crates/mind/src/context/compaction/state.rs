//! The state of a conversation's compaction: the summary, the cursor, what waits, and the run under way.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, Moment, NoteSeq, RoomId, Span, TurnId, TurnSeq, WallTime};

use crate::context::notes::{PendingNote, PendingNotes};
use crate::context::timeline::{Timeline, TimelineTurn};
use crate::effect::{Wake, WakeReason};
use crate::journal::{JournalEvent, Scope};
use crate::reasons::CompactionSkip;
use crate::step_context::StepContext;

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
    pub(super) unavailable_until: Option<Moment>,
    pub(super) ending: Option<End>,
    pub(super) skipped: Option<Skipped>,
    pub(super) finished: VecDeque<FinishedRun>,
}

/// Equal skips in a row are one line and a count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Skipped {
    pub reason: CompactionSkip,
    pub repeated: u64,
}

/// Where a session ends: what comes from here on belongs to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct End {
    pub turn: TurnSeq,
    pub note: NoteSeq,
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
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
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
    pub(crate) fn hold_note(
        &mut self,
        shared_by: &str,
        text: &str,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        let folding = self.run.as_ref().map_or(&[][..], |run| &run.stretch.notes);
        let dropped = self.notes.hold(step.now().wall, shared_by, text, folding);
        if dropped.is_some() {
            step.ledger.write(
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
        step: &mut StepContext<'_>,
    ) {
        let old_cursor = self.cursor;
        self.cursor = self.cursor.max(timeline.first_seq());
        let event = JournalEvent::ContextTurnsDropped {
            dropped_turn_count: count,
            old_cursor,
            cursor: self.cursor,
        };
        step.ledger.write(Scope::room(place.room), event);
    }
}
