//! Every checker of voice can fail: an evening of talk is doctored, and the right property must be found broken.

use mind::{Effect, JournalEvent, RoomWish};
use vocabulary::{DeliveryId, PersonId, TurnId};

use super::check;
use super::check_tests::{entries, twice, without};
use crate::simulate::{Length, Options, live_through};
use crate::trace::Trace;

const OPTIONS: Options = Options {
    faults: false,
    twice: false,
};

#[track_caller]
fn finds(property: &str, doctor: impl FnOnce(&mut Trace)) {
    let mut trace = live_through(3, Length::Talk(8), OPTIONS);
    assert_eq!(check(&trace), Vec::new());
    doctor(&mut trace);
    let found: Vec<&str> = check(&trace).iter().map(|violation| violation.property).collect();
    assert!(found.contains(&property), "expected {property}, found {found:?}");
}

/// The first delivery that was cut short, and where.
fn stopped(trace: &Trace) -> (usize, DeliveryId) {
    let mut saying = None;
    for (number, step) in trace.steps.iter().enumerate() {
        for effect in &step.effects {
            match effect {
                Effect::Room(_, RoomWish::Speak { delivery, .. }) => saying = Some(delivery.clone()),
                Effect::Room(_, RoomWish::StopSpeaking) => {
                    return (number, saying.expect("it says what it is stopped in"));
                }
                _ => {}
            }
        }
    }
    panic!("nobody speaks over it");
}

#[test]
fn a_spoken_turn_that_never_ends_is_found() {
    finds("every_voice_turn_ends_once", |trace| {
        without(trace, "voice_turn_ended")
    });
}

#[test]
fn a_spoken_turn_that_ends_twice_is_found() {
    let end = |effect: &Effect| matches!(effect, Effect::Journal(entry) if entry.event.name() == "voice_turn_ended");
    finds("every_voice_turn_ends_once", |trace| twice(trace, end, |_| {}));
}

#[test]
fn words_that_are_given_to_somebody_else_are_found() {
    finds("words_stay_with_whoever_said_them", |trace| {
        for entry in entries(trace) {
            if let JournalEvent::VoiceTurnOpened { speakers, .. } = &mut entry.event {
                *speakers = vec![PersonId::from("mallory")];
            }
        }
    });
}

#[test]
fn a_sentence_after_a_stop_is_found() {
    finds("nothing_is_said_after_a_stop", |trace| {
        let (number, delivery) = stopped(trace);
        let room = trace.steps[number]
            .effects
            .iter()
            .find_map(|effect| match effect {
                Effect::Room(room, RoomWish::StopSpeaking) => Some(room.clone()),
                _ => None,
            });
        let speak = RoomWish::Speak {
            delivery,
            turn: TurnId::default(),
            sentence: "And another thing.".to_owned(),
            last: true,
        };
        let effect = Effect::Room(room.expect("it was just found"), speak);
        trace.steps[number].effects.push(effect);
    });
}

#[test]
fn more_that_was_heard_than_written_is_found() {
    finds("no_more_was_heard_than_written", |trace| {
        for entry in entries(trace) {
            if let JournalEvent::ReplySpoken {
                heard_characters,
                written_characters,
                ..
            } = &mut entry.event
            {
                *heard_characters = *written_characters + 1;
            }
        }
    });
}
