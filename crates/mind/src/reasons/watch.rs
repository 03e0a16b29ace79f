//! Why a screen is watched, noted and commented on, or is not.

use serde::{Deserialize, Serialize};

/// Why a screen is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WatchCause {
    /// Only one person shares.
    OnlyOne,
    /// Somebody chose it.
    Chosen,
}

/// Why a screen is not watched any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnwatchCause {
    ShareEnded,
    /// Somebody chose another, or none.
    Retargeted,
    SwitchedOff,
    Restarted,
}

/// What made Denizen look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NoteTrigger {
    /// The first frame of a watch.
    FirstFrame,
    /// The whole screen became another.
    SceneCut,
    /// Much changed.
    Change,
    /// The screen is moving, and the last note is old enough.
    Interval,
    /// The screen is static, and the last note is very old.
    IdleInterval,
    /// Something was noted while a comment was considered.
    Commentary,
}

impl NoteTrigger {
    pub fn name(self) -> &'static str {
        match self {
            NoteTrigger::FirstFrame => "first_frame",
            NoteTrigger::SceneCut => "scene_cut",
            NoteTrigger::Change => "change",
            NoteTrigger::Interval => "interval",
            NoteTrigger::IdleInterval => "idle_interval",
            NoteTrigger::Commentary => "commentary",
        }
    }
}

/// Why no note is taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteHold {
    /// Nothing has been seen yet.
    NoFrame,
    /// A note is being taken.
    InFlight,
    /// The last attempt was a moment ago.
    Cooldown,
    /// The screen moves, and the last note is young.
    Interval,
    /// The screen is static, and the last note is young enough for that.
    IdleInterval,
    /// What is there has been described, and nothing of it has changed.
    Frozen,
}

impl NoteHold {
    pub fn name(self) -> &'static str {
        match self {
            NoteHold::NoFrame => "no_frame",
            NoteHold::InFlight => "in_flight",
            NoteHold::Cooldown => "cooldown",
            NoteHold::Interval => "interval",
            NoteHold::IdleInterval => "idle_interval",
            NoteHold::Frozen => "frozen",
        }
    }
}

/// What became of a note that a model gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteOutcome {
    Added,
    /// It says what the newest note says; that one is of now again.
    Refreshed,
    /// The model said that there is nothing new.
    NothingNew,
}

/// What makes it consider a comment, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommentaryTrigger {
    /// A while has passed, and something new was seen.
    Interval,
    /// Much changed.
    ChangeDetected,
    /// A screen is seen for the first time.
    ShareStart,
}

impl CommentaryTrigger {
    pub fn name(self) -> &'static str {
        match self {
            CommentaryTrigger::Interval => "interval",
            CommentaryTrigger::ChangeDetected => "change_detected",
            CommentaryTrigger::ShareStart => "share_start",
        }
    }
}

/// What can hold a comment back, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommentaryGate {
    /// `voice.streamWatch.autonomousCommentaryEnabled` is false.
    CommentaryOff,
    /// It may not write in this channel.
    ChannelNotAllowed,
    /// It has written as often as it may in an hour.
    HourlyCap,
    /// Something of its own is on its way into the room.
    Playback,
    /// Somebody waits for a reply.
    QueuedWork,
    /// Somebody spoke or typed a moment ago.
    QuietWindow,
    /// It wrote a moment ago.
    Spacing,
}

impl CommentaryGate {
    pub const ALL: [CommentaryGate; 7] = [
        CommentaryGate::CommentaryOff,
        CommentaryGate::ChannelNotAllowed,
        CommentaryGate::HourlyCap,
        CommentaryGate::Playback,
        CommentaryGate::QueuedWork,
        CommentaryGate::QuietWindow,
        CommentaryGate::Spacing,
    ];

    pub fn name(self) -> &'static str {
        match self {
            CommentaryGate::CommentaryOff => "commentary_off",
            CommentaryGate::ChannelNotAllowed => "channel_not_allowed",
            CommentaryGate::HourlyCap => "hourly_cap",
            CommentaryGate::Playback => "playback",
            CommentaryGate::QueuedWork => "queued_work",
            CommentaryGate::QuietWindow => "quiet_window",
            CommentaryGate::Spacing => "spacing",
        }
    }
}

/// Why a comment that was considered was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommentarySkip {
    /// The model had nothing worth saying.
    LlmSkip,
    /// Somebody spoke, or is owed a reply, since it was asked.
    RoomMovedOn,
    /// Commentary was switched off meanwhile.
    SwitchedOff,
}

/// Why a reply sees the current frame, and not only the notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameAttached {
    /// Somebody asked about the screen.
    ScreenQuestion,
    /// The model asked to look.
    LookAtScreen,
}
