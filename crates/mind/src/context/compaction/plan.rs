//! When is it time to fold, and what? One question, asked in one place, whoever builds a prompt.

use vocabulary::TurnSeq;

use crate::reasons::CompactionSkip;

/// Turns that are never summarised: the model sees them word for word.
pub const RECENT_WINDOW: usize = 50;
/// Turns that are folded at a time, once that many lie outside the window.
pub const BATCH_SIZE: usize = 10;
/// Notes that are folded without waiting for turns.
pub const NOTES_ALONE: usize = 12;

/// What the plan looks at. Sizes of prompts are not among it, so no prompt can make the answer permanently yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    /// Numbers of the turns that are kept word for word, in order.
    pub verbatim: &'a [TurnSeq],
    /// The first turn that is not in the summary.
    pub cursor: TurnSeq,
    /// The number the next turn will have.
    pub next: TurnSeq,
    pub pending_notes: usize,
    pub in_flight: bool,
    pub ending: bool,
    pub summariser_available: bool,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    Fold {
        /// How many of the oldest turns; may be none, when notes alone are folded.
        turns: usize,
        /// The number of the first turn of the protected window.
        recent_start: TurnSeq,
    },
    Skip(CompactionSkip),
}

/// Decides whether to fold, and which turns: only the oldest, only a whole batch, none of the recent window.
pub fn plan(question: &Question<'_>) -> Plan {
    if question.ending {
        return Plan::Skip(CompactionSkip::SessionEnding);
    }
    if question.in_flight {
        return Plan::Skip(CompactionSkip::AlreadyInFlight);
    }
    let count = question.verbatim.len();
    let said = question.next.0.saturating_sub(question.cursor.0);
    let enough_turns = said > (RECENT_WINDOW + BATCH_SIZE) as u64;
    let enough_notes = question.pending_notes >= NOTES_ALONE;
    if !enough_turns && !enough_notes {
        return Plan::Skip(CompactionSkip::BelowThreshold);
    }
    let outside = count.saturating_sub(RECENT_WINDOW);
    let turns = if enough_turns && outside >= BATCH_SIZE {
        BATCH_SIZE
    } else {
        0
    };
    if turns == 0 && !enough_notes {
        return Plan::Skip(CompactionSkip::NoEligibleBatch);
    }
    if !question.summariser_available {
        return Plan::Skip(CompactionSkip::ModelUnavailable);
    }
    let recent_start = question
        .verbatim
        .get(outside)
        .or(question.verbatim.first())
        .copied()
        .unwrap_or(question.next);
    Plan::Fold { turns, recent_start }
}
