//! How long its model takes to the first sentence of an answer: one that is slow is waited for, as long as nobody has gone on.

use vocabulary::{Moment, Span};

use super::turn::VoiceTurn;
use crate::step_context::flight::Pace;

/// So long a model may take without anybody having to be patient with it.
const USUAL: Span = Span::seconds(2);
/// What a small model, which mostly runs on the machine itself, is taken to need before anything is known of it.
const OF_A_SMALL_ONE: Span = Span::seconds(10);
/// Whoever waits longer than this reads the answer.
const HEAD_START_MAX: Span = Span::seconds(40);

/// The first sentence of a turn is there, if it is the first.
pub(super) fn learn(pace: &mut Pace, turn: &mut VoiceTurn, now: Moment) {
    if turn.first_written.is_none() && !turn.kind.is_remark() {
        turn.first_written = Some(now);
        pace.took(turn.asked_for(now));
    }
}

/// By how much later than usual its first words can be there at all.
pub(super) fn head_start(pace: Pace, is_small: bool) -> Span {
    let unknown = match is_small {
        true => OF_A_SMALL_ONE,
        false => USUAL,
    };
    let expected = pace.known().unwrap_or(unknown);
    Span(expected.0.saturating_sub(USUAL.0)).min(HEAD_START_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_model_is_known_after_one_answer_and_a_quick_one_after_some() {
        let mut pace = Pace::default();
        assert_eq!(head_start(pace, false), Span::ZERO);
        assert_eq!(head_start(pace, true), Span::seconds(8));
        pace.took(Span(900));
        assert_eq!(head_start(pace, true), Span::ZERO);
        pace.took(Span::seconds(18));
        assert_eq!(head_start(pace, false), Span::seconds(16));
        for left in [7, 2, 0] {
            pace.took(Span::ZERO);
            assert_eq!(head_start(pace, false).0 / 1_000, left);
        }
        pace.given_up_after(Span(4_500));
        assert_eq!(head_start(pace, false), Span::seconds(7));
        pace.took(Span::minutes(5));
        assert_eq!(head_start(pace, false), HEAD_START_MAX);
    }
}
