//! Every checker of voice can fail: an evening of talk is doctored, and the right property must be found broken.

use mind::{Effect, Input, JournalEvent, RoomEvent, RoomWish};
use vocabulary::{ContentPart, DeliveryId, PersonId, TurnId, VoiceLoss};

use super::check;
use super::check_tests::{entries, twice, without};
use crate::simulate::{Length, Options, live_through};
use crate::trace::Trace;

const FAIR: Options = Options {
    faults: false,
    twice: false,
};

#[track_caller]
fn finds(property: &str, doctor: impl FnOnce(&mut Trace)) {
    let mut trace = live_through(1, Length::Talk(12), FAIR);
    assert_eq!(check(&trace), Vec::new());
    doctor(&mut trace);
    let found: Vec<&str> = check(&trace).iter().map(|violation| violation.property).collect();
    assert!(found.contains(&property), "expected {property}, found {found:?}");
}

fn without_all(trace: &mut Trace, name: &str) {
    for step in &mut trace.steps {
        let is_it = |effect: &Effect| matches!(effect, Effect::Journal(entry) if entry.event.name() == name);
        step.effects.retain(|effect| !is_it(effect));
    }
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

/// Everything that models were shown, one text after the other.
fn shown(trace: &mut Trace) -> impl Iterator<Item = &mut String> {
    let effects = trace.steps.iter_mut().flat_map(|step| &mut step.effects);
    let requests = effects.filter_map(|effect| match effect {
        Effect::Ask(asking) => Some(&mut asking.request),
        _ => None,
    });
    let parts = requests.flat_map(|request| request.turns.iter_mut().flat_map(|turn| &mut turn.parts));
    parts.filter_map(|part| match part {
        ContentPart::Text(text) => Some(text),
        _ => None,
    })
}

#[test]
fn words_that_a_model_is_shown_under_another_name_are_found() {
    finds("words_stay_with_whoever_said_them", |trace| {
        for text in shown(trace) {
            *text = text.replace("[vc] Alice: ", "[vc] Bob: ");
        }
    });
}

#[test]
fn words_of_somebody_who_is_not_listened_to_are_found_in_a_prompt() {
    finds("words_stay_with_whoever_said_them", |trace| {
        let text = shown(trace).next().expect("a model is asked");
        text.push_str("\n[12:00] [vc] Alice: this was for nobody's ears");
    });
}

#[test]
fn words_of_which_nothing_comes_are_found() {
    finds("everything_said_is_decided_on", |trace| {
        without_all(trace, "voice_turn_addressing");
    });
}

#[test]
fn what_is_let_pass_and_is_no_turn_is_found() {
    finds("every_admitted_turn_is_opened", |trace| {
        without_all(trace, "voice_turn_opened");
    });
}

#[test]
fn more_that_was_heard_than_played_is_found() {
    finds("no_more_was_heard_than_played", |trace| {
        for step in &mut trace.steps {
            match &mut step.input {
                Input::Room(_, RoomEvent::PlaybackEnded { cut_after, .. }) => *cut_after = Some(1),
                Input::Room(_, RoomEvent::PlaybackProgressed { characters, .. }) => *characters = 1,
                _ => {}
            }
        }
    });
}

#[test]
fn what_is_said_from_outside_is_found() {
    finds("nothing_is_said_from_outside", |trace| {
        for step in &mut trace.steps {
            if let Input::Room(_, event @ RoomEvent::VoiceJoined { .. }) = &mut step.input {
                *event = RoomEvent::VoiceLeft {
                    reason: VoiceLoss::Lost,
                    detail: String::new(),
                };
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
            turn: TurnId(1_000_000),
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

#[test]
fn a_mark_among_what_was_heard_is_found() {
    finds("only_words_are_written_down", |trace| {
        for step in &mut trace.steps {
            for effect in &mut step.effects {
                if let Effect::Room(_, RoomWish::WriteDown { delivery, .. }) = effect {
                    delivery.text.push_str(" [SKIP]");
                }
            }
        }
    });
}
