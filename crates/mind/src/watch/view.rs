//! A room's watch as its page shows it.

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, FrameId, Glimpse, PersonId, ShareId, ShareSource, Span, WallTime};

use super::activity::{Activity, Thresholds};
use super::note::{NoteTrigger, ScreenNote};

/// Everything a page needs to show what is watched, what was noted, and what holds a comment back.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WatchView {
    pub enabled: bool,
    /// Everybody who shares here, oldest first.
    pub shares: Vec<ShareView>,
    /// Whose screen is watched. None while several share and nobody has chosen.
    pub watched: Option<ShareId>,
    /// Counts the watches of this room.
    pub generation: u64,
    /// The newest frame, and when it came.
    pub newest: Option<SeenFrame>,
    pub activity: Option<Activity>,
    /// `absolute` or `relative`.
    pub threshold_mode: String,
    pub thresholds: Thresholds,
    /// Rolling notes, oldest first.
    pub notes: Vec<ScreenNote>,
    pub note_taker: NoteTakerView,
    pub commentary: CommentaryView,
    pub calls: CallsView,
    /// What happened on the time line of the last ten minutes, oldest first.
    pub marks: Vec<Mark>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ShareView {
    pub share: ShareId,
    pub person: PersonId,
    pub name: String,
    pub source: ShareSource,
    pub since: WallTime,
    pub watched: bool,
    /// Frames of it that were seen.
    pub frames: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SeenFrame {
    pub at: WallTime,
    #[serde(flatten)]
    pub glimpse: Glimpse,
}

/// What the note-taker does now.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NoteTakerView {
    /// The ask under way, and for how long.
    pub asking: Option<AskingView>,
    /// What it waits for: `in_flight`, `cooldown`, `interval`, `idle_interval`, `frozen`, `no_frame`, `hourly_cap`; none while a note is due at once.
    pub held_by: Option<String>,
    /// How long until the next note, as things stand.
    pub due_in: Option<Span>,
    /// Failures in a row, and what the newest one says.
    pub failures: u64,
    pub last_failure: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AskingView {
    pub ask: AskId,
    pub running_for: Span,
}

/// What commentary does now.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CommentaryView {
    pub enabled: bool,
    pub asking: Option<AskingView>,
    /// A comment is on its way into the room: being sent, or said aloud.
    pub saying: bool,
    /// The trigger that waits for the gates: `share_start`, `change_detected` or `interval`.
    pub waiting: Option<String>,
    /// For how long it has waited.
    pub waiting_for: Option<Span>,
    /// Every gate, and whether it is shut now.
    pub gates: Vec<GateView>,
    /// How long until it is considered again, where nothing waits.
    pub due_in: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GateView {
    /// `commentary_off`, `quiet_window`, `queued_work`, `playback`, `spacing`, `hourly_cap`, `call_cap`, `channel_not_allowed`, `nothing_new`.
    pub gate: String,
    pub shut: bool,
    /// For how long this gate has held the trigger that waits.
    pub held_for: Span,
    /// When it opens by itself, where that is known.
    pub opens_in: Option<Span>,
}

/// Model calls of the last hour.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CallsView {
    pub notes: u64,
    pub commentary: u64,
    pub failed: u64,
    /// Millionths of a dollar, of the calls whose price is known.
    pub cost_micro_dollars: u64,
    /// Calls whose price is not known.
    pub unpriced: u64,
    /// At this rate, in an hour of watching: from the calls since the watch began, or of the last hour.
    pub calls_per_hour: f64,
    pub cost_per_hour_micro_dollars: f64,
}

/// Something on the time line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    pub at: WallTime,
    pub kind: MarkKind,
    pub frame: Option<FrameId>,
    /// What made Denizen look, for notes.
    pub trigger: Option<NoteTrigger>,
    /// The note, the comment, or what went wrong.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    NoteAdded,
    NoteRefreshed,
    NoteFailed,
    CommentaryHeld,
    CommentarySpoken,
    CommentarySilent,
    CommentaryFailed,
    WatchStarted,
    WatchEnded,
}
