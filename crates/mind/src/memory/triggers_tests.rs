use vocabulary::Span;

use super::ExtractionDecision::{Extract, Wait};
use super::{ContextUse, ExtractionQuestion, ExtractionSkip, ExtractionTrigger, SessionEnding, decide};

fn quiet() -> ExtractionQuestion {
    ExtractionQuestion {
        enabled: true,
        pending: 3,
        spoken: false,
        since_last_turn: Span::seconds(10),
        context: None,
        ended: None,
        in_flight: false,
        resting: false,
        batch_size: 5,
        idle_timeout: Span::minutes(15),
        context_threshold: 0.5,
    }
}

fn used(tokens: u64) -> Option<ContextUse> {
    Some(ContextUse {
        tokens,
        window: 1_000,
    })
}

#[test]
fn each_trigger_and_each_reason_to_wait_has_its_case() {
    let cases = [
        ("three of five", quiet(), Wait(ExtractionSkip::BelowBatchSize)),
        (
            "five",
            ExtractionQuestion {
                pending: 5,
                ..quiet()
            },
            extract(ExtractionTrigger::TurnEnd, 5),
        ),
        (
            "seven: the oldest five",
            ExtractionQuestion {
                pending: 7,
                ..quiet()
            },
            extract(ExtractionTrigger::TurnEnd, 5),
        ),
        (
            "five that are said aloud",
            ExtractionQuestion {
                pending: 5,
                spoken: true,
                ..quiet()
            },
            Wait(ExtractionSkip::TalkGoesOn),
        ),
        (
            "seven, and the talk has paused: all of it",
            ExtractionQuestion {
                pending: 7,
                spoken: true,
                since_last_turn: Span::seconds(30),
                ..quiet()
            },
            extract(ExtractionTrigger::TurnEnd, 7),
        ),
        (
            "as much talk as a run takes",
            ExtractionQuestion {
                pending: 21,
                spoken: true,
                ..quiet()
            },
            extract(ExtractionTrigger::TurnEnd, 20),
        ),
        (
            "idle",
            ExtractionQuestion {
                since_last_turn: Span::minutes(15),
                ..quiet()
            },
            extract(ExtractionTrigger::Idle, 3),
        ),
        (
            "almost idle",
            ExtractionQuestion {
                since_last_turn: Span(899_999),
                ..quiet()
            },
            Wait(ExtractionSkip::BelowBatchSize),
        ),
        (
            "half full",
            ExtractionQuestion {
                context: used(500),
                ..quiet()
            },
            extract(ExtractionTrigger::Context, 3),
        ),
        (
            "not half full",
            ExtractionQuestion {
                context: used(499),
                ..quiet()
            },
            Wait(ExtractionSkip::BelowBatchSize),
        ),
        (
            "over",
            ExtractionQuestion {
                ended: Some(SessionEnding::Ended),
                ..quiet()
            },
            extract(ExtractionTrigger::SessionEnd, 3),
        ),
        (
            "/new",
            ExtractionQuestion {
                ended: Some(SessionEnding::New),
                ..quiet()
            },
            extract(ExtractionTrigger::New, 3),
        ),
        (
            "/reset",
            ExtractionQuestion {
                ended: Some(SessionEnding::Reset),
                ..quiet()
            },
            extract(ExtractionTrigger::Reset, 3),
        ),
        (
            "one at a time",
            ExtractionQuestion {
                pending: 9,
                in_flight: true,
                ..quiet()
            },
            Wait(ExtractionSkip::AlreadyInFlight),
        ),
        (
            "after a failure",
            ExtractionQuestion {
                pending: 9,
                resting: true,
                ..quiet()
            },
            Wait(ExtractionSkip::Resting),
        ),
        (
            "nothing",
            ExtractionQuestion {
                pending: 0,
                ended: Some(SessionEnding::Ended),
                ..quiet()
            },
            Wait(ExtractionSkip::NothingPending),
        ),
        (
            "off",
            ExtractionQuestion {
                enabled: false,
                pending: 9,
                ..quiet()
            },
            Wait(ExtractionSkip::MemoryOff),
        ),
        (
            "a backlog goes in runs",
            ExtractionQuestion {
                pending: 90,
                ended: Some(SessionEnding::Ended),
                ..quiet()
            },
            extract(ExtractionTrigger::SessionEnd, 20),
        ),
    ];
    for (name, question, expected) in cases {
        assert_eq!(decide(&question), expected, "{name}");
    }
}

#[test]
fn a_window_of_unknown_size_is_never_full() {
    assert_eq!(
        ContextUse {
            tokens: 10,
            window: 0
        }
        .share(),
        0.0
    );
}

fn extract(trigger: ExtractionTrigger, turns: usize) -> super::ExtractionDecision {
    Extract { trigger, turns }
}
