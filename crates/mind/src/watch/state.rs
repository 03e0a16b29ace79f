//! The state of a room's watch.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{
    AskId, FrameId, Glimpse, JournalSeq, Moment, Now, RoomId, Share, ShareId, Span, TurnId, WallTime,
};

use super::attention::Attention;
use super::commentary::FloorState;
use super::commentary::{CommentaryGate, CommentaryTrigger, ShutGate};
use super::note::{NoteTrigger, RollingNotes, ScreenNote};
use super::note_cadence::NoteHold;
use super::recap::Recap;
use super::tally::{Calls, Marks};
use crate::effect::{Wake, WakeReason};
use crate::memory::gems::scrub::{ScrubBrief, scrub_summary};
use crate::step_context::StepContext;

/// Shares of a room that are kept in mind at once: as many as the shell gives links out for.
pub(super) const SHARES_MAX: usize = 240;
/// The shell gives up an ask at its deadline; the mind does so a little later, in case the shell does not.
pub(super) const DEADLINE_GRACE: Span = Span::seconds(5);

/// What is watched in one room, and what was seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Watch {
    pub(super) shares: Vec<Sharing>,
    /// Watches so far. What belongs to an earlier one is not taken any more.
    pub(super) generation: u64,
    /// Somebody chose that nobody's screen is watched, for as long as anybody shares.
    pub(super) nobody: bool,
    /// So many share without anybody having said whose screen is watched, and that was told.
    #[serde(default)]
    pub(super) left_open: usize,
    pub(super) watched: Option<Watched>,
    pub(super) notes: RollingNotes,
    /// Notes that have left the rolling ones, and that the session is to be told of.
    pub(super) evicted: Vec<ScreenNote>,
    pub(super) last_attempt: Option<Moment>,
    /// Attempts in a row that failed, and what the newest one said.
    pub(super) failures: u64,
    pub(super) last_failure: Option<String>,
    pub(super) run: Option<NoteRun>,
    pub(super) commentary: Commentary,
    /// When somebody was last heard in the room.
    pub(super) last_heard: Option<Moment>,
    pub(super) calls: Calls,
    pub(super) marks: Marks,
}

/// A screen that somebody shares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Sharing {
    pub share: Share,
    pub since: Now,
    pub frames: u64,
}

/// The screen that is watched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Watched {
    pub share: ShareId,
    /// Whose screen it is, by name.
    pub shared_by: String,
    pub since: Moment,
    pub attention: Attention,
    pub newest: Option<Newest>,
    /// The frame that the newest note describes.
    pub described: Option<FrameId>,
    /// Frames that led to no note since the last attempt, by why.
    pub held: BTreeMap<NoteHold, u64>,
    pub recap: Recap,
}

/// The newest frame of the watched screen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Newest {
    pub glimpse: Glimpse,
    pub at: WallTime,
}

/// A note that is being taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoteRun {
    pub ask: AskId,
    pub frame: FrameId,
    pub trigger: NoteTrigger,
    /// The line that says why it is taken.
    pub cause: JournalSeq,
    pub started: Moment,
    pub deadline: Moment,
}

/// What commentary remembers between two looks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Commentary {
    pub last_considered: Option<Moment>,
    /// A comment was considered in this watch.
    pub considered: bool,
    /// Asks in a row that failed.
    #[serde(default)]
    pub failures: u64,
    pub changed: bool,
    pub anything_new: bool,
    pub waiting: Option<Waiting>,
    pub run: Option<CommentaryRun>,
    pub speaking: Option<Speaking>,
}

/// A trigger that found a gate shut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Waiting {
    pub trigger: CommentaryTrigger,
    pub since: Moment,
    /// When the gates were last looked at, and which were shut then.
    pub looked: Moment,
    pub shut: Vec<ShutGate>,
    /// The line that says that it waits.
    pub cause: JournalSeq,
    pub held: BTreeMap<CommentaryGate, Span>,
}

/// A comment that is being considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommentaryRun {
    pub ask: AskId,
    pub turn: TurnId,
    pub frame: FrameId,
    pub trigger: CommentaryTrigger,
    /// The line that says why it is considered.
    pub cause: JournalSeq,
    pub started: Moment,
    pub deadline: Moment,
}

/// A comment on its way into the room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Speaking {
    pub turn: TurnId,
    pub frame: FrameId,
}

impl Watch {
    pub fn waits_for(&self, ask: AskId) -> bool {
        let note = self.run.as_ref().map(|run| run.ask);
        let comment = self.commentary.run.as_ref().map(|run| run.ask);
        [note, comment].contains(&Some(ask))
    }

    /// Asks that are under way.
    pub fn asks_under_way(&self) -> usize {
        usize::from(self.run.is_some()) + usize::from(self.commentary.run.is_some())
    }

    /// Somebody was heard, or typed.
    pub fn heard(&mut self, at: Moment) {
        self.last_heard = Some(at);
    }

    pub fn last_heard(&self) -> Option<Moment> {
        self.last_heard
    }

    /// The notes, oldest first.
    pub fn notes(&self) -> impl Iterator<Item = &ScreenNote> {
        self.notes.iter()
    }

    /// Notes that have left the rolling ones since the last time somebody asked.
    pub fn take_evicted(&mut self) -> Vec<ScreenNote> {
        std::mem::take(&mut self.evicted)
    }

    /// The frame that can be looked at now, and whose screen it is.
    pub fn in_view(&self) -> Option<(Glimpse, &str)> {
        let watched = self.watched.as_ref()?;
        Some((watched.newest?.glimpse, &watched.shared_by))
    }

    /// Does what time has made due, comments aside.
    pub fn advance(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        self.settle(room, step);
        self.advance_notes(room, step);
        self.give_up_late(room, step);
    }

    pub fn next_wake(&self, surroundings: &FloorState, settings: &Settings) -> Option<Wake> {
        let note = self.note_wake(&settings.stream_watch);
        let comment = self.commentary_wake(surroundings, settings);
        [self.run_wake(), note, comment].into_iter().flatten().min()
    }

    /// When the gates were last looked at, while something waits for them.
    pub fn gates_looked_at(&self) -> Option<Moment> {
        self.commentary.waiting.as_ref().map(|waiting| waiting.looked)
    }

    /// Lets go of what was noted of somebody, or retells what they said. A question under way may hold it.
    pub fn forget(&mut self, room: &RoomId, brief: &ScrubBrief<'_>, step: &mut StepContext<'_>) {
        self.give_up(room, crate::reasons::CancelReason::Forgotten, step);
        let is_wanted = |text: &str| scrub_summary(text, brief).is_none();
        let is_theirs = |name: &String| brief.names.contains(name);
        let keeps = |note: &ScreenNote| !is_theirs(&note.shared_by) && is_wanted(&note.with_why());
        self.notes.retain(keeps);
        self.evicted.retain(keeps);
        if let Some(watched) = &mut self.watched {
            let theirs = is_theirs(&watched.shared_by);
            watched.recap.retain(|line| !theirs && is_wanted(line));
        }
        // A mark does not say whose screen it is of.
        let names_nobody = brief.names.is_empty();
        self.marks.retain(|text| names_nobody && is_wanted(text));
    }

    fn run_wake(&self) -> Option<Wake> {
        let deadlines = [
            self.run.as_ref().map(|run| run.deadline),
            self.commentary.run.as_ref().map(|run| run.deadline),
        ];
        let at = deadlines.into_iter().flatten().min()?;
        let reason = WakeReason::AskDeadline;
        Some(Wake { at, reason })
    }
}
