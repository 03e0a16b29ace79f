//! When a note is taken. It goes by the screen alone: that somebody speaks, that a reply is in the making or that
//! something is being played are not even parameters.

use settings::StreamWatchSettings;
use vocabulary::{Moment, Span};

use super::activity::Activity;
use super::allowance::NEVER;
use super::note::NoteTrigger;
pub use crate::reasons::NoteHold;

/// How often the cooldown is doubled while a model fails, and what it comes to at most.
const DOUBLINGS_MAX: u64 = 8;
const FAILURE_WAIT_MAX: Span = Span::minutes(10);

/// A screen as the note-taker finds it.
#[derive(Clone, Copy, Debug)]
pub struct NoteQuestion {
    pub now: Moment,
    /// There is a frame that no note describes yet.
    pub fresh_frame: bool,
    /// Why a note would be taken at once: the strongest reason since the last attempt.
    pub urgent: Option<NoteTrigger>,
    /// How busy the newest frame is.
    pub activity: Activity,
    /// Not a single area of the screen has changed since the last note, and that note said so already.
    pub frozen: bool,
    /// When a note was last attempted, however that went.
    pub last_attempt: Option<Moment>,
    pub in_flight: bool,
    /// Attempts in a row that failed.
    pub failures: u64,
    /// No model may be asked before then.
    pub unpaid_until: Option<Moment>,
    /// The first moment for another call.
    pub allowed_at: Moment,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteDecision {
    Take(NoteTrigger),
    Hold {
        reason: NoteHold,
        /// When time alone would change the answer.
        until: Option<Moment>,
    },
}

/// Decides whether a note is taken now.
pub fn decide(question: &NoteQuestion, settings: &StreamWatchSettings) -> NoteDecision {
    let hold = |reason, until| NoteDecision::Hold { reason, until };
    if question.in_flight {
        return hold(NoteHold::InFlight, None);
    }
    if !question.fresh_frame {
        let reason = match question.last_attempt {
            None => NoteHold::NoFrame,
            Some(_) => NoteHold::Frozen,
        };
        return hold(reason, None);
    }
    if let Some(until) = question.unpaid_until.filter(|until| *until > question.now) {
        return hold(NoteHold::BudgetSpent, Some(until));
    }
    let cooldown = cooldown(question.failures, settings);
    let after = |wait: Span| question.last_attempt.map_or(question.now, |last| last + wait);
    let take = |trigger, due: Moment, reason| match question.allowed_at {
        allowed_at if due.max(allowed_at) <= question.now => NoteDecision::Take(trigger),
        NEVER => hold(NoteHold::HourlyCap, None),
        allowed_at if allowed_at > due => hold(NoteHold::HourlyCap, Some(allowed_at)),
        _ => hold(reason, Some(due)),
    };
    if let Some(trigger) = question.urgent {
        return take(trigger, after(cooldown), NoteHold::Cooldown);
    }
    if question.frozen {
        return hold(NoteHold::Frozen, None);
    }
    let (interval, trigger, reason) = if question.activity == Activity::Static {
        let idle = settings.note_idle_interval_seconds;
        (idle, NoteTrigger::IdleInterval, NoteHold::IdleInterval)
    } else {
        let interval = settings.note_interval_seconds;
        (interval, NoteTrigger::Interval, NoteHold::Interval)
    };
    take(trigger, after(Span::seconds(interval).max(cooldown)), reason)
}

/// The shortest wait between two attempts. A model that fails is asked less and less often.
fn cooldown(failures: u64, settings: &StreamWatchSettings) -> Span {
    let shortest = Span::seconds(settings.change_min_interval_seconds);
    Span(shortest.0 << failures.min(DOUBLINGS_MAX)).min(FAILURE_WAIT_MAX.max(shortest))
}
