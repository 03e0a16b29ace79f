//! For how long a model is left alone, for each reason.

use vocabulary::{AskPurpose, Span};

use crate::reasons::{RestCause, SpendingPurpose};

/// How a model is left alone.
pub(super) struct Manner {
    /// From so many failures in a row on.
    pub from: u32,
    /// For so long at first, and for twice as long each time it is tried in vain.
    pub first: Span,
    pub widest: Span,
    /// Whoever calls Denizen by name has it tried after such a part of that.
    pub called_after: u64,
}

impl Manner {
    /// The one table of pauses; `docs/guides/operating.md` has it in words, `models.md` there what comes of it.
    pub fn of(cause: RestCause, purpose: AskPurpose) -> Self {
        let (minute, hour) = (Span::minutes(1), Span::hours(1));
        let usual = Span::minutes(5);
        let (from, first, widest, called_after) = match cause {
            // Its provider has said so, or each time is paid for.
            RestCause::Asked | RestCause::Spent | RestCause::Mute => (1, usual, hour, 1),
            // Two questions, each asked in two ways: one alone may be what it has no words for.
            RestCause::Empty => (4, usual, hour, 1),
            RestCause::Key | RestCause::Region | RestCause::Gone => (2, usual, hour, 4),
            // One question alone may be what it does not take.
            RestCause::Rejected => (3, usual, hour, 4),
            // As often as a prompt is made shorter; the next room may have a shorter one.
            RestCause::TooLong if is_reply(purpose) => (4, usual, hour, 4),
            RestCause::TooLong => (2, usual, hour, 4),
            // Limits are mostly by the minute.
            RestCause::Limited => (3, minute, Span::minutes(16), 1),
            RestCause::Down | RestCause::Garbled => (3, minute, Span::minutes(16), 4),
            // To try costs nothing, and whoever has started it expects an answer.
            RestCause::Unreachable => (3, Span::seconds(40), minute, 4),
            // Whoever asks waits for each try.
            RestCause::Hanging => (3, minute, Span::minutes(8), 4),
        };
        Self {
            from,
            first,
            widest,
            called_after,
        }
    }
}

pub(super) fn is_reply(purpose: AskPurpose) -> bool {
    SpendingPurpose::of(purpose) == SpendingPurpose::Replies
}
