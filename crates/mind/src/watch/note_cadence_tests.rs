use proptest::prelude::*;
use settings::Settings;
use vocabulary::Moment;

use super::activity::Activity;
use super::allowance::NEVER;
use super::note::NoteTrigger;
use super::note_cadence::{NoteDecision, NoteHold, NoteQuestion, decide};

const AT_TEN: NoteQuestion = NoteQuestion {
    now: Moment(100_000),
    fresh_frame: true,
    urgent: None,
    activity: Activity::Moving,
    frozen: false,
    last_attempt: Some(Moment(90_000)),
    in_flight: false,
    failures: 0,
    unpaid_until: None,
    allowed_at: Moment(0),
};

fn answer(question: NoteQuestion) -> NoteDecision {
    decide(&question, &Settings::default().stream_watch)
}

fn held(reason: NoteHold, until: Option<u64>) -> NoteDecision {
    NoteDecision::Hold {
        reason,
        until: until.map(Moment),
    }
}

#[test]
fn a_moving_screen_is_noted_every_ten_seconds() {
    assert_eq!(answer(AT_TEN), NoteDecision::Take(NoteTrigger::Interval));
    let a_moment_before = NoteQuestion {
        now: Moment(99_999),
        ..AT_TEN
    };
    assert_eq!(answer(a_moment_before), held(NoteHold::Interval, Some(100_000)));
}

#[test]
fn a_static_screen_is_noted_every_thirty_seconds() {
    let still = NoteQuestion {
        activity: Activity::Static,
        ..AT_TEN
    };
    assert_eq!(answer(still), held(NoteHold::IdleInterval, Some(120_000)));
    let later = NoteQuestion {
        now: Moment(120_000),
        ..still
    };
    assert_eq!(answer(later), NoteDecision::Take(NoteTrigger::IdleInterval));
}

#[test]
fn the_first_frame_a_cut_and_a_change_are_noted_at_once_but_for_the_cooldown() {
    for urgent in [
        NoteTrigger::FirstFrame,
        NoteTrigger::SceneCut,
        NoteTrigger::Change,
    ] {
        let question = NoteQuestion {
            urgent: Some(urgent),
            activity: Activity::Significant,
            ..AT_TEN
        };
        assert_eq!(answer(question), NoteDecision::Take(urgent));
        let never_attempted = NoteQuestion {
            last_attempt: None,
            ..question
        };
        assert_eq!(answer(never_attempted), NoteDecision::Take(urgent));
        let a_second_after = NoteQuestion {
            now: Moment(91_000),
            ..question
        };
        assert_eq!(answer(a_second_after), held(NoteHold::Cooldown, Some(92_000)));
    }
}

#[test]
fn a_change_is_noted_even_when_the_screen_is_static_again() {
    let calm_again = NoteQuestion {
        urgent: Some(NoteTrigger::Change),
        activity: Activity::Static,
        ..AT_TEN
    };
    assert_eq!(answer(calm_again), NoteDecision::Take(NoteTrigger::Change));
}

#[test]
fn one_note_at_a_time() {
    let busy = NoteQuestion {
        in_flight: true,
        urgent: Some(NoteTrigger::SceneCut),
        ..AT_TEN
    };
    assert_eq!(answer(busy), held(NoteHold::InFlight, None));
}

#[test]
fn a_frozen_sender_is_not_described_again() {
    let no_new_frame = NoteQuestion {
        fresh_frame: false,
        ..AT_TEN
    };
    assert_eq!(answer(no_new_frame), held(NoteHold::Frozen, None));
    let the_same_picture_again = NoteQuestion {
        frozen: true,
        activity: Activity::Static,
        now: Moment(900_000),
        ..AT_TEN
    };
    assert_eq!(answer(the_same_picture_again), held(NoteHold::Frozen, None));
}

#[test]
fn a_model_that_fails_is_asked_less_and_less_often() {
    let waits = [0, 1, 2, 3, 4, 60].map(|failures| {
        let question = NoteQuestion {
            now: Moment(90_001),
            urgent: Some(NoteTrigger::Change),
            failures,
            ..AT_TEN
        };
        match answer(question) {
            NoteDecision::Hold { until: Some(at), .. } => at.0 - 90_000,
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(waits, [2_000, 4_000, 8_000, 16_000, 32_000, 512_000]);
}

proptest! {
    /// Whatever the state, waiting until the moment it names is enough for a note to be taken, and no less is.
    #[test]
    fn what_is_held_until_a_moment_is_taken_at_that_moment(
        now in 0_u64..200_000, last in proptest::option::of(0_u64..200_000), failures in 0_u64..20, urgent in any::<bool>(),
        allowed in 0_u64..250_000,
        activity in prop_oneof![Just(Activity::Static), Just(Activity::Moving), Just(Activity::Significant)],
    ) {
        let question = NoteQuestion {
            now: Moment(now),
            fresh_frame: true,
            urgent: urgent.then_some(NoteTrigger::Change),
            activity,
            frozen: false,
            last_attempt: last.map(Moment),
            in_flight: false,
            failures,
            unpaid_until: None,
            allowed_at: Moment(allowed),
        };
        if let NoteDecision::Hold { until, .. } = answer(question) {
            let until = until.expect("time alone opens it");
            prop_assert!(until > question.now);
            let at_last = answer(NoteQuestion { now: until, ..question });
            prop_assert!(matches!(at_last, NoteDecision::Take(_)));
            let just_before = answer(NoteQuestion { now: Moment(until.0 - 1), ..question });
            let holds = matches!(just_before, NoteDecision::Hold { .. });
            prop_assert!(holds);
        }
    }
}

#[test]
fn a_note_waits_for_the_calls_of_an_hour_however_urgent_it_is() {
    let spent = NoteQuestion {
        urgent: Some(NoteTrigger::SceneCut),
        allowed_at: Moment(104_000),
        ..AT_TEN
    };
    assert_eq!(answer(spent), held(NoteHold::HourlyCap, Some(104_000)));
    let none_at_all = NoteQuestion {
        allowed_at: NEVER,
        ..AT_TEN
    };
    assert_eq!(answer(none_at_all), held(NoteHold::HourlyCap, None));
    let later = NoteQuestion {
        now: Moment(104_000),
        ..spent
    };
    assert_eq!(answer(later), NoteDecision::Take(NoteTrigger::SceneCut));
}
