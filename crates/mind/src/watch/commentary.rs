//! When something is said about a screen without being asked. Unlike notes this is gated, and a trigger that finds a gate
//! shut waits for it instead of being lost.

use serde::{Deserialize, Serialize};
use settings::StreamWatchSettings;
use vocabulary::{Moment, Span};

use super::allowance::NEVER;
pub use crate::reasons::{CommentaryGate, CommentaryTrigger};

/// So long nobody may have said anything.
pub const QUIET_WINDOW: Span = Span(2_200);

/// A model that fails is asked less and less often, and at least this often.
const FAILURE_WAIT_MAX: Span = Span::minutes(5);
const DOUBLINGS_MAX: u64 = 8;

/// How the room is when a comment is considered.
#[derive(Clone, Copy, Debug, Default)]
pub struct FloorState {
    pub enabled: bool,
    pub channel_allowed: bool,
    pub hour_full: bool,
    /// When the hour is not full any more; none: never.
    pub hour_full_until: Option<Moment>,
    pub playback: bool,
    pub queued_work: bool,
    /// Somebody speaks, for nobody knows how long.
    pub speaking: bool,
    /// When somebody was last heard.
    pub last_heard: Option<Moment>,
    /// Somebody counts as typing until then.
    pub typing_until: Option<Moment>,
    /// The soonest moment for another message of its own.
    pub spaced_at: Moment,
    /// The first moment for another question about the screen.
    pub call_at: Moment,
}

/// A gate that is shut, and when time alone opens it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShutGate {
    pub gate: CommentaryGate,
    pub until: Option<Moment>,
}

impl FloorState {
    /// Every gate that is shut now, in the order in which it is told.
    pub fn shut(&self, now: Moment) -> Vec<ShutGate> {
        let heard_until = self.last_heard.map(|heard| heard + QUIET_WINDOW);
        let quiet_at = heard_until.max(self.typing_until);
        let later = |until: Option<Moment>| until.filter(|at| *at > now);
        CommentaryGate::ALL
            .into_iter()
            .filter_map(|gate| {
                let (shut, until) = match gate {
                    CommentaryGate::CommentaryOff => (!self.enabled, None),
                    CommentaryGate::ChannelNotAllowed => (!self.channel_allowed, None),
                    CommentaryGate::HourlyCap => (self.hour_full, later(self.hour_full_until)),
                    CommentaryGate::CallCap => {
                        let until = later(Some(self.call_at));
                        (until.is_some(), until.filter(|at| *at < NEVER))
                    }
                    CommentaryGate::Playback => (self.playback, None),
                    CommentaryGate::QueuedWork => (self.queued_work, None),
                    CommentaryGate::QuietWindow => {
                        let until = later(quiet_at);
                        (self.speaking || until.is_some(), until.filter(|_| !self.speaking))
                    }
                    CommentaryGate::Spacing => {
                        let until = later(Some(self.spaced_at));
                        (until.is_some(), until)
                    }
                };
                shut.then_some(ShutGate { gate, until })
            })
            .collect()
    }
}

/// What commentary has to go by.
#[derive(Clone, Copy, Debug)]
pub struct CommentaryQuestion {
    pub now: Moment,
    pub has_frame: bool,
    pub in_flight: bool,
    /// No comment was considered since this screen was first seen.
    pub first_time: bool,
    /// Something happened on the screen since a comment was last considered.
    pub changed: bool,
    /// Something was noted, or happened, since then.
    pub anything_new: bool,
    pub last_considered: Option<Moment>,
    /// Asks in a row that failed.
    pub failures: u64,
}

/// The answer, gates aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentaryDecision {
    /// It is time, if the gates are open.
    Due(CommentaryTrigger),
    /// It is not; when time alone would change that.
    Wait { until: Option<Moment> },
}

/// Decides whether it is time to consider a comment, and what for. The strongest trigger wins; one that waits for a gate
/// stays due until a comment was considered.
pub fn decide(question: &CommentaryQuestion, settings: &StreamWatchSettings) -> CommentaryDecision {
    if !question.has_frame || question.in_flight {
        return CommentaryDecision::Wait { until: None };
    }
    if question.first_time {
        return CommentaryDecision::Due(CommentaryTrigger::ShareStart);
    }
    let after = |seconds: u64| {
        let wait =
            Span(Span::seconds(seconds).0 << question.failures.min(DOUBLINGS_MAX)).min(FAILURE_WAIT_MAX);
        let last = question.last_considered;
        last.map_or(question.now, |last| last + wait.max(Span::seconds(seconds)))
    };
    let changed_at = after(settings.commentary_change_min_interval_seconds);
    let interval_at = after(settings.commentary_interval_seconds);
    if question.changed && changed_at <= question.now {
        return CommentaryDecision::Due(CommentaryTrigger::ChangeDetected);
    }
    if question.anything_new && interval_at <= question.now {
        return CommentaryDecision::Due(CommentaryTrigger::Interval);
    }
    let changed_at = question.changed.then_some(changed_at);
    let interval_at = question.anything_new.then_some(interval_at);
    CommentaryDecision::Wait {
        until: changed_at.into_iter().chain(interval_at).min(),
    }
}
