//! A text channel's session: its time line and the running summary of what has left the recent window.

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, AskOutcome, Message, MessageId, WallTime};

use super::room::TextRoom;
use crate::context::compaction::{Compaction, FinishedRun, Place, RunView};
use crate::context::notes::PendingNote;
use crate::context::timeline::{Modality, Timeline, TimelineTurn};
use crate::step_context::StepContext;

/// Most messages that are put into one prompt, however long the time line is.
pub(super) const WINDOW_MESSAGES_MAX: usize = 200;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Session {
    pub timeline: Timeline,
    pub compaction: Compaction,
}

/// A session as its page shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    pub enabled: bool,
    pub summary: String,
    pub summarised_at: Option<WallTime>,
    /// The first turn that is not in the summary.
    pub cursor: u64,
    /// How many turns there were in all.
    pub turns: u64,
    /// What the model sees word for word.
    pub verbatim: Vec<TimelineTurn>,
    pub pending_notes: Vec<PendingNote>,
    pub run: Option<RunView>,
    /// Finished runs, oldest first.
    pub finished: Vec<FinishedRun>,
    pub recent_window: usize,
    pub batch_size: usize,
    pub summary_chars_max: usize,
}

impl TextRoom {
    /// Puts a message on the time line.
    pub(super) fn remember(&mut self, message: &Message, step: &mut StepContext<'_>) {
        if !step.settings.compaction.text_channels {
            return;
        }
        let Session { timeline, compaction } = &mut self.session;
        let id = Some(message.id.clone());
        let dropped = timeline.push(
            &message.author.name,
            message.at,
            Modality::Typed,
            &message.text,
            id,
            compaction.folding_until(),
        );
        if dropped.0 > 0 {
            compaction.turns_dropped(dropped.0, timeline, place(&self.id, step), step);
        }
    }

    /// How many of the newest messages a prompt holds word for word: everything the summary does not cover.
    pub(super) fn window_messages(&self, step: &StepContext<'_>) -> usize {
        let recent = step.settings.memory.max_recent_messages as usize;
        if !step.settings.compaction.text_channels {
            return recent;
        }
        let Session { timeline, compaction } = &self.session;
        let oldest = timeline.turns().front().and_then(|turn| turn.message.as_ref());
        // What was said while nothing was put on the time line stands between its turns.
        let since = oldest.and_then(|oldest| self.history.count_since(oldest));
        let window = since.unwrap_or(timeline.turns().len());
        // Nothing was ever folded or ended here, so what is older than the time line is still part of it.
        let whole = timeline.first_seq().0 == 0 && compaction.cursor().0 == 0;
        let window = if whole { window.max(recent) } else { window };
        window.min(WINDOW_MESSAGES_MAX)
    }

    /// What a prompt holds of what was said before its window.
    pub(super) fn summary_shown(&self, step: &StepContext<'_>) -> &str {
        if step.settings.compaction.text_channels {
            self.session.compaction.summary()
        } else {
            ""
        }
    }

    /// A prompt is about to be built: is it time to fold? The prompt at hand does not wait for it.
    pub(super) fn consider_compaction(&mut self, step: &mut StepContext<'_>) {
        if step.settings.compaction.text_channels {
            let Session { timeline, compaction } = &mut self.session;
            compaction.consider(timeline, place(&self.id, step), step);
        }
    }

    pub(super) fn forget_turn(&mut self, message: &MessageId) {
        self.session.timeline.remove(message);
    }

    pub(super) fn edit_turn(&mut self, message: &MessageId, text: &str) {
        self.session.timeline.edit(message, text);
    }

    pub fn compacts_with(&self, ask: AskId) -> bool {
        self.session.compaction.waits_for(ask)
    }

    pub fn compaction_ended(&mut self, outcome: AskOutcome, step: &mut StepContext<'_>) {
        let Session { timeline, compaction } = &mut self.session;
        compaction.ask_ended(outcome, timeline, place(&self.id, step), step);
    }

    pub(super) fn advance_compaction(&mut self, step: &mut StepContext<'_>) {
        let Session { timeline, compaction } = &mut self.session;
        compaction.advance(timeline, place(&self.id, step), step);
    }

    pub(super) fn restart_compaction(&mut self, step: &mut StepContext<'_>) {
        let Session { timeline, compaction } = &mut self.session;
        compaction.restarted(timeline, place(&self.id, step), step);
    }

    /// Something was seen; when enough of it waits, it is folded without waiting for turns.
    pub fn note_taken(&mut self, shared_by: &str, text: &str, step: &mut StepContext<'_>) {
        if !step.settings.compaction.text_channels {
            return;
        }
        let Session { timeline, compaction } = &mut self.session;
        let place = place(&self.id, step);
        compaction.hold_note(shared_by, text, place, step);
        if compaction.notes().len() >= crate::context::compaction::NOTES_ALONE {
            compaction.consider(timeline, place, step);
        }
    }

    pub fn sessions_ended(&self) -> u64 {
        self.sessions_ended
    }

    pub fn session_ended(&mut self, step: &mut StepContext<'_>) {
        self.sessions_ended += 1;
        self.watch.session_ended(&self.id, step);
        self.take_evicted_notes(step);
        let Session { timeline, compaction } = &mut self.session;
        compaction.end_session(timeline, place(&self.id, step), step);
    }

    pub fn session_view(&self, enabled: bool) -> SessionView {
        use crate::context::compaction::{BATCH_SIZE, RECENT_WINDOW, SUMMARY_CHARS_MAX};
        let Session { timeline, compaction } = &self.session;
        SessionView {
            enabled,
            summary: compaction.summary().to_owned(),
            summarised_at: compaction.summarised_at(),
            cursor: compaction.cursor().0,
            turns: timeline.next_seq().0,
            verbatim: timeline.turns().iter().cloned().collect(),
            pending_notes: compaction.notes().iter().cloned().collect(),
            run: compaction.run_under_way(),
            finished: compaction.finished_runs().cloned().collect(),
            recent_window: RECENT_WINDOW,
            batch_size: BATCH_SIZE,
            summary_chars_max: SUMMARY_CHARS_MAX,
        }
    }
}

fn place<'a>(room: &'a vocabulary::RoomId, step: &StepContext<'_>) -> Place<'a> {
    Place {
        room,
        turn: step.counters.turn,
    }
}
