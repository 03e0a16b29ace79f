//! Why a screen is watched, noted and commented on, or is not.

use serde::{Deserialize, Serialize};
use vocabulary::named;

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
    /// Denizen does not listen to whoever shares it any more.
    SharerBlocked,
}

named! {
    /// What made Denizen look.
    pub enum NoteTrigger {
        /// The first frame of a watch.
        FirstFrame = "first_frame",
        /// The whole screen became another.
        SceneCut = "scene_cut",
        /// Much changed.
        Change = "change",
        /// The screen is moving, and the last note is old enough.
        Interval = "interval",
        /// The screen is static, and the last note is very old.
        IdleInterval = "idle_interval",
        /// Something was noted while a comment was considered.
        Commentary = "commentary",
    }
}

named! {
    /// Why no note is taken now.
    pub enum NoteHold {
        /// Nothing has been seen yet.
        NoFrame = "no_frame",
        /// A note is being taken.
        InFlight = "in_flight",
        /// The last attempt was a moment ago.
        Cooldown = "cooldown",
        /// The screen moves, and the last note is young.
        Interval = "interval",
        /// The screen is static, and the last note is young enough for that.
        IdleInterval = "idle_interval",
        /// What is there has been described, and nothing of it has changed.
        Frozen = "frozen",
        /// Nothing may be spent on it today, or its model rests.
        BudgetSpent = "budget_spent",
        /// As many notes were taken as are allowed in an hour.
        HourlyCap = "hourly_cap",
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

named! {
    /// What makes it consider a comment, the weakest first.
    pub enum CommentaryTrigger {
        /// A while has passed, and something new was seen.
        Interval = "interval",
        /// Much changed.
        ChangeDetected = "change_detected",
        /// A screen is seen for the first time.
        ShareStart = "share_start",
    }
}

named! {
    /// What can hold a comment back, in the order in which it is told.
    pub enum CommentaryGate {
        /// `voice.streamWatch.autonomousCommentaryEnabled` is false.
        CommentaryOff = "commentary_off",
        /// It may not write in this channel.
        ChannelNotAllowed = "channel_not_allowed",
        /// It has written as often as it may in an hour.
        HourlyCap = "hourly_cap",
        /// As many comments were considered as are allowed in an hour.
        CallCap = "call_cap",
        /// Something of its own is on its way into the room.
        Playback = "playback",
        /// Somebody waits for a reply.
        QueuedWork = "queued_work",
        /// Somebody spoke or typed a moment ago.
        QuietWindow = "quiet_window",
        /// It wrote a moment ago.
        Spacing = "spacing",
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
    /// It said the same in other words, or the same words, a few minutes ago.
    RepeatsItself,
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

impl FrameAttached {
    /// None where nobody wants to see it.
    pub(crate) fn because(model_looks: bool, is_asked_about: bool) -> Option<Self> {
        match (model_looks, is_asked_about) {
            (true, _) => Some(Self::LookAtScreen),
            (false, true) => Some(Self::ScreenQuestion),
            (false, false) => None,
        }
    }
}
