//! When gems are made of captured turns: a pure question with one answer, and every "not now" has a name.

use serde::{Deserialize, Serialize};
use vocabulary::Span;

pub use crate::reasons::{ContextUse, ExtractionSkip, ExtractionTrigger};

/// Turns that one run takes at most, however many wait.
pub(crate) const RUN_TURNS_MAX: usize = 20;
/// Talk that has stopped for so long has come to a point. Until then it is not cut up: what is said aloud comes in scraps.
pub(crate) const TALK_PAUSE: Span = Span::seconds(30);

/// How a conversation was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionEnding {
    Ended,
    New,
    Reset,
}

/// All that the answer depends on.
#[derive(Clone, Copy, Debug)]
pub struct ExtractionQuestion {
    pub enabled: bool,
    /// Turns of the conversation of which no gems were made yet.
    pub pending: usize,
    /// The newest of them were said aloud.
    pub spoken: bool,
    pub since_last_turn: Span,
    /// The use of context, while it has not led to a run yet.
    pub context: Option<ContextUse>,
    pub ended: Option<SessionEnding>,
    pub in_flight: bool,
    pub resting: bool,
    pub batch_size: usize,
    pub idle_timeout: Span,
    pub context_threshold: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtractionDecision {
    /// Make gems of the oldest `turns`.
    Extract {
        trigger: ExtractionTrigger,
        turns: usize,
    },
    Wait(ExtractionSkip),
}

/// Whether gems are made now, of how many turns, and why.
pub fn decide(question: &ExtractionQuestion) -> ExtractionDecision {
    use ExtractionDecision::Wait;
    let extract = |trigger, turns| ExtractionDecision::Extract { trigger, turns };
    if !question.enabled {
        return Wait(ExtractionSkip::MemoryOff);
    }
    if question.pending == 0 {
        return Wait(ExtractionSkip::NothingPending);
    }
    if question.in_flight {
        return Wait(ExtractionSkip::AlreadyInFlight);
    }
    if question.resting {
        return Wait(ExtractionSkip::Resting);
    }
    let everything = question.pending.min(RUN_TURNS_MAX);
    if let Some(ending) = question.ended {
        let trigger = match ending {
            SessionEnding::Ended => ExtractionTrigger::SessionEnd,
            SessionEnding::New => ExtractionTrigger::New,
            SessionEnding::Reset => ExtractionTrigger::Reset,
        };
        return extract(trigger, everything);
    }
    let filled = question
        .context
        .is_some_and(|context| context.share() >= question.context_threshold);
    if filled {
        return extract(ExtractionTrigger::Context, everything);
    }
    if question.pending >= question.batch_size {
        let goes_on = question.spoken && question.since_last_turn < TALK_PAUSE;
        if goes_on && question.pending < RUN_TURNS_MAX {
            return Wait(ExtractionSkip::TalkGoesOn);
        }
        let turns = if question.spoken {
            everything
        } else {
            question.batch_size
        };
        return extract(ExtractionTrigger::TurnEnd, turns.min(RUN_TURNS_MAX));
    }
    if question.since_last_turn >= question.idle_timeout {
        return extract(ExtractionTrigger::Idle, everything);
    }
    Wait(ExtractionSkip::BelowBatchSize)
}

#[cfg(test)]
#[path = "triggers_tests.rs"]
mod triggers_tests;
