//! The state of a conversation's compaction: the log, the summary, what waits, and the run under way.

use std::collections::VecDeque;

use gist::gems::scrub::{ScrubBrief, scrub_summary};
use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskId, Message, MessageId, Moment, NoteSeq, RoomId, Span, TurnSeq, WallTime};

use super::outdone::Outdone;
use super::plan::{BATCH_SIZE, NOTES_ALONE, RECENT_WINDOW};
use super::{SUMMARY_CHARS_MAX, SessionOutline, SessionView};
use crate::context::notes::{PendingNote, PendingNotes};
use crate::journal::{JournalEvent, Scope};
use crate::log::{Dropped, LOOK_BACK_MAX, Log, Retention, Said, VERBATIM_TURNS_MAX};
use crate::reasons::{CancelReason, CompactionSkip};
use crate::step_context::StepContext;
use crate::step_context::flight::cancel;

/// What was said in one room, and the running summary of what has left the recent window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    pub(super) room: RoomId,
    pub(super) log: Log,
    pub(super) summary: String,
    pub(super) summarised_at: Option<WallTime>,
    pub(super) notes: PendingNotes,
    pub(super) run: Option<FoldRun>,
    /// Failures in a row.
    pub(super) failures: u64,
    /// A model said that it cannot; until then none is asked, where nobody else may write.
    pub(super) unavailable_until: Option<Moment>,
    /// The last run failed; until then only a prompt leads to another.
    #[serde(default)]
    pub(super) rests_until: Option<Moment>,
    /// Models that were asked since a prompt was last built here.
    #[serde(default)]
    pub(super) unasked_runs: u64,
    #[serde(default, skip_serializing_if = "Outdone::is_none")]
    pub(super) outdone: Outdone,
    pub(super) ending: Option<End>,
    pub(super) skipped: Option<Skipped>,
    pub(super) finished: VecDeque<FinishedRun>,
    /// Denizen is in the voice of the room, or was in this session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) aloud: bool,
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

/// A stretch that is being folded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FoldRun {
    pub ask: AskId,
    pub started: Moment,
    pub stretch: Stretch,
    pub phase: Phase,
    /// It was sent back once for inventing something.
    pub sent_back: bool,
}

impl FoldRun {
    /// The same stretch, asked about once more.
    pub fn asked_again(self, ask: AskId, phase: Phase, sent_back: bool) -> Self {
        Self {
            ask,
            phase,
            sent_back,
            ..self
        }
    }
}

/// What a run folds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stretch {
    pub turns: Vec<Said>,
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

impl Compaction {
    /// Of a room in which nothing was said yet.
    pub(crate) fn new(room: RoomId) -> Self {
        Self {
            room,
            log: Log::default(),
            summary: String::new(),
            summarised_at: None,
            notes: PendingNotes::default(),
            run: None,
            failures: 0,
            unavailable_until: None,
            rests_until: None,
            unasked_runs: 0,
            outdone: Outdone::default(),
            ending: None,
            skipped: None,
            finished: VecDeque::new(),
            aloud: false,
        }
    }

    /// Denizen is in the voice of the room.
    pub(crate) fn goes_on_aloud(&mut self) {
        self.aloud = true;
    }

    /// Whether what leaves the window is folded: always where people talk, and in text where that is wanted.
    pub(crate) fn folds(&self, settings: &Settings) -> bool {
        self.aloud || settings.compaction.text_channels
    }

    /// Takes in what was said; where nobody builds a prompt for long, it is folded all the same.
    pub(crate) fn take_in(
        &mut self,
        message: Message,
        is_needed: impl Fn(&MessageId) -> bool,
        step: &mut StepContext<'_>,
    ) {
        let folds = self.folds(step.settings);
        let old_cursor = self.log.cursor();
        let Dropped(dropped) = self.log.push(
            message,
            &Retention {
                folding_until: self.folding_until(),
                verbatim_max: if folds { VERBATIM_TURNS_MAX } else { LOOK_BACK_MAX },
                is_needed,
            },
        );
        if dropped > 0 {
            let event = JournalEvent::ContextTurnsDropped {
                dropped_turn_count: dropped,
                old_cursor,
                cursor: self.log.cursor(),
            };
            self.write(event, step);
        }
        if folds {
            self.consider_outgrown(step);
        }
    }

    /// What was said.
    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// A message was edited; whether it is there.
    pub(crate) fn edit(&mut self, id: &MessageId, text: String) -> bool {
        self.log.edit(id, text)
    }

    /// A message was taken back; whether it was there.
    pub(crate) fn delete(&mut self, id: &MessageId) -> bool {
        self.log.delete(id)
    }

    /// What a prompt holds word for word: everything that the summary does not cover. Where nothing is folded, the newest.
    pub(crate) fn window(&self, settings: &Settings) -> Vec<&Message> {
        if self.folds(settings) {
            self.log.verbatim().map(|said| &said.message).collect()
        } else {
            let recent = settings.memory.max_recent_messages as usize;
            self.log.newest(recent).collect()
        }
    }

    /// What a prompt holds of what was said before its window.
    pub(crate) fn summary_shown(&self, settings: &Settings) -> &str {
        if self.folds(settings) { &self.summary } else { "" }
    }

    pub(super) fn is_ending(&self) -> bool {
        self.ending.is_some()
    }

    /// The run under way, for the session page.
    pub fn run_under_way(&self) -> Option<RunView> {
        self.run.as_ref().map(|run| RunView {
            ask: run.ask,
            cursor: self.log.cursor(),
            turns: run.stretch.turns.len(),
            notes: run.stretch.notes.len(),
            condensing: matches!(run.phase, Phase::Condensing { .. }),
        })
    }

    /// Turns before this one are being folded.
    fn folding_until(&self) -> TurnSeq {
        let folding = self.run.as_ref().map(|run| run.stretch.until);
        folding.unwrap_or(self.log.cursor())
    }

    /// Holds a note that has left its live buffer; when enough of them wait, they are folded without waiting for turns.
    pub(crate) fn hold_note(&mut self, shared_by: &str, text: &str, step: &mut StepContext<'_>) {
        if !self.folds(step.settings) {
            return;
        }
        let folding = self.run.as_ref().map_or(&[][..], |run| &run.stretch.notes);
        let dropped = self.notes.hold(step.now().wall, shared_by, text, folding);
        if dropped.is_some() {
            let event = JournalEvent::ContextNotesDropped {
                dropped_note_count: 1,
            };
            self.write(event, step);
        }
        if self.notes.len() >= NOTES_ALONE {
            self.look(step);
        }
    }

    /// Takes what is forgotten out of the summary and out of what waits to be folded; whether the summary changed.
    pub(crate) fn forget(&mut self, brief: &ScrubBrief<'_>, step: &mut StepContext<'_>) -> bool {
        // A run under way has read it; what it was to fold stays in the log and is folded later.
        if let Some(run) = self.run.take() {
            cancel(run.ask, CancelReason::Forgotten, Scope::room(&self.room), step);
        }
        self.finished.clear();
        self.notes.retain(|text| scrub_summary(text, brief).is_none());
        let scrubbed = scrub_summary(&self.summary, brief);
        let is_changed = scrubbed.is_some();
        self.summary = scrubbed.unwrap_or_else(|| std::mem::take(&mut self.summary));
        // Nobody is waited for any more.
        self.close_session(step);
        is_changed
    }

    /// The process is back, and what was asked before is not known any more: what was to be folded stays in the log.
    pub(crate) fn let_go_of_lost_run(&mut self, step: &mut StepContext<'_>) {
        let is_lost = |run: &mut FoldRun| step.flights.owner(run.ask).is_none();
        if self.run.take_if(is_lost).is_some() {
            self.close_session(step);
        }
    }

    /// The session in numbers.
    pub fn outline(&self, settings: &Settings) -> SessionOutline {
        SessionOutline {
            folds: self.folds(settings),
            cursor: self.log.cursor().0,
            turns: self.log.next_seq().0,
            verbatim: self.log.verbatim().map(|said| said.seq.0).collect(),
            notes: self.notes.iter().map(|note| note.seq.0).collect(),
            summary_chars: self.summary.chars().count(),
            run: self.run.as_ref().map(|run| run.ask),
        }
    }

    /// The session, for its page.
    pub fn view(&self, settings: &Settings) -> SessionView {
        SessionView {
            enabled: self.folds(settings),
            summary: self.summary.clone(),
            summarised_at: self.summarised_at,
            cursor: self.log.cursor().0,
            turns: self.log.next_seq().0,
            verbatim: self.log.verbatim().map(Into::into).collect(),
            pending_notes: self.notes.iter().cloned().collect(),
            run: self.run_under_way(),
            finished: self.finished.iter().cloned().collect(),
            recent_window: RECENT_WINDOW,
            batch_size: BATCH_SIZE,
            summary_chars_max: SUMMARY_CHARS_MAX,
        }
    }

    pub(super) fn write(&self, event: JournalEvent, step: &mut StepContext<'_>) {
        step.ledger.write(Scope::room(&self.room), event);
    }
}
