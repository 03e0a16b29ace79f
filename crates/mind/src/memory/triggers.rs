//! When gems are made of captured turns: a pure question with one answer, and every "not now" has a name.

use serde::{Deserialize, Serialize};
use vocabulary::Span;

/// Turns that one run takes at most, however many wait.
pub(crate) const RUN_TURNS_MAX: usize = 20;

/// Why gems are made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExtractionTrigger {
    /// A batch of turns is complete.
    TurnEnd,
    /// Nobody has said anything for a while.
    Idle,
    /// The conversation fills a good part of its model's window, and will soon be folded away.
    Context,
    /// The conversation is over.
    SessionEnd,
    /// Somebody began a new one with `/new`.
    New,
    /// Somebody began anew with `/reset`.
    Reset,
}

/// Why they are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtractionSkip {
    NothingPending,
    BelowBatchSize,
    AlreadyInFlight,
    /// The last try failed a moment ago.
    Resting,
    MemoryOff,
}

/// How a conversation was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionEnding {
    Ended,
    New,
    Reset,
}

/// How much of its window a conversation's last prompt took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextUse {
    pub tokens: u64,
    pub window: u64,
}

impl ContextUse {
    /// The part of the window that is full, from 0 up.
    pub fn share(self) -> f64 {
        if self.window == 0 {
            0.0
        } else {
            self.tokens as f64 / self.window as f64
        }
    }
}

/// All that the answer depends on.
#[derive(Clone, Copy, Debug)]
pub struct ExtractionQuestion {
    pub enabled: bool,
    /// Turns of the conversation of which no gems were made yet.
    pub pending: usize,
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
    use ExtractionDecision::{Extract, Wait};
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
        return Extract {
            trigger,
            turns: everything,
        };
    }
    let filled = question
        .context
        .is_some_and(|context| context.share() >= question.context_threshold);
    if filled {
        return Extract {
            trigger: ExtractionTrigger::Context,
            turns: everything,
        };
    }
    if question.pending >= question.batch_size {
        return Extract {
            trigger: ExtractionTrigger::TurnEnd,
            turns: question.batch_size.min(RUN_TURNS_MAX),
        };
    }
    if question.since_last_turn >= question.idle_timeout {
        return Extract {
            trigger: ExtractionTrigger::Idle,
            turns: everything,
        };
    }
    Wait(ExtractionSkip::BelowBatchSize)
}

#[cfg(test)]
#[path = "triggers_tests.rs"]
mod triggers_tests;
