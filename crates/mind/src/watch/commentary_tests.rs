use settings::Settings;
use vocabulary::Moment;

use super::commentary::{
    CommentaryDecision, CommentaryGate, CommentaryQuestion, CommentaryTrigger, FloorState, decide,
};

const QUIET: CommentaryQuestion = CommentaryQuestion {
    now: Moment(100_000),
    has_frame: true,
    in_flight: false,
    first_time: false,
    changed: false,
    anything_new: false,
    last_considered: Some(Moment(90_000)),
    failures: 0,
};

fn answer(question: CommentaryQuestion) -> CommentaryDecision {
    decide(&question, &Settings::default().stream_watch)
}

fn waits(until: Option<u64>) -> CommentaryDecision {
    CommentaryDecision::Wait {
        until: until.map(Moment),
    }
}

#[test]
fn the_strongest_trigger_wins() {
    let everything = CommentaryQuestion {
        now: Moment(110_000),
        first_time: true,
        changed: true,
        anything_new: true,
        ..QUIET
    };
    let due = |question| match answer(question) {
        CommentaryDecision::Due(trigger) => trigger,
        other => panic!("{other:?}"),
    };
    assert_eq!(due(everything), CommentaryTrigger::ShareStart);
    let seen_before = CommentaryQuestion {
        first_time: false,
        ..everything
    };
    assert_eq!(due(seen_before), CommentaryTrigger::ChangeDetected);
    let only_noted = CommentaryQuestion {
        changed: false,
        ..seen_before
    };
    assert_eq!(due(only_noted), CommentaryTrigger::Interval);
}

#[test]
fn a_change_has_a_cooldown_of_its_own() {
    let question = CommentaryQuestion {
        now: Moment(92_000),
        changed: true,
        anything_new: true,
        ..QUIET
    };
    assert_eq!(answer(question), waits(Some(95_000)));
}

#[test]
fn a_model_that_fails_is_asked_less_and_less_often() {
    let waits = [0, 1, 2, 20].map(|failures| {
        let question = CommentaryQuestion {
            now: Moment(90_001),
            changed: true,
            anything_new: true,
            failures,
            ..QUIET
        };
        match answer(question) {
            CommentaryDecision::Wait { until: Some(at) } => at.0 - 90_000,
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(waits, [5_000, 10_000, 20_000, 300_000]);
}

#[test]
fn whoever_is_typing_is_not_talked_over() {
    let typing = FloorState {
        enabled: true,
        channel_allowed: true,
        last_heard: Some(Moment(95_000)),
        typing_until: Some(Moment(103_000)),
        ..FloorState::default()
    };
    let shut = typing.shut(Moment(100_000));
    assert_eq!(shut.len(), 1);
    assert_eq!(
        (shut[0].gate, shut[0].until),
        (CommentaryGate::QuietWindow, Some(Moment(103_000)))
    );
}

#[test]
fn without_anything_new_nothing_is_considered_however_long_it_takes() {
    let an_hour_later = CommentaryQuestion {
        now: Moment(3_600_000),
        ..QUIET
    };
    assert_eq!(answer(an_hour_later), waits(None));
}

#[test]
fn one_comment_at_a_time_and_none_without_a_frame() {
    let due = CommentaryQuestion {
        first_time: true,
        ..QUIET
    };
    let in_flight = CommentaryQuestion {
        in_flight: true,
        ..due
    };
    let blind = CommentaryQuestion {
        has_frame: false,
        ..due
    };
    assert_eq!(answer(in_flight), waits(None));
    assert_eq!(answer(blind), waits(None));
}

#[test]
fn every_gate_says_its_name_and_when_time_opens_it() {
    let open = FloorState {
        enabled: true,
        channel_allowed: true,
        ..FloorState::default()
    };
    let now = Moment(100_000);
    assert!(open.shut(now).is_empty());
    let cases = [
        (
            FloorState {
                enabled: false,
                ..open
            },
            CommentaryGate::CommentaryOff,
            None,
        ),
        (
            FloorState {
                channel_allowed: false,
                ..open
            },
            CommentaryGate::ChannelNotAllowed,
            None,
        ),
        (
            FloorState {
                hour_full: true,
                hour_full_until: Some(Moment(130_000)),
                ..open
            },
            CommentaryGate::HourlyCap,
            Some(130_000),
        ),
        (
            FloorState {
                playback: true,
                ..open
            },
            CommentaryGate::Playback,
            None,
        ),
        (
            FloorState {
                queued_work: true,
                ..open
            },
            CommentaryGate::QueuedWork,
            None,
        ),
        (
            FloorState {
                last_heard: Some(Moment(98_000)),
                ..open
            },
            CommentaryGate::QuietWindow,
            Some(100_200),
        ),
        (
            FloorState {
                spaced_at: Moment(101_000),
                ..open
            },
            CommentaryGate::Spacing,
            Some(101_000),
        ),
    ];
    for (surroundings, gate, until) in cases {
        let shut = surroundings.shut(now);
        assert_eq!(shut.len(), 1, "{gate:?}");
        assert_eq!((shut[0].gate, shut[0].until), (gate, until.map(Moment)));
    }
    let long_quiet = FloorState {
        last_heard: Some(Moment(97_800)),
        ..open
    };
    assert!(long_quiet.shut(now).is_empty(), "2.2 seconds are enough");
}
