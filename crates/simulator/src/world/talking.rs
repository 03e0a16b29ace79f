//! What is said in the voice of rooms, by people and by Denizen, at its time.

use mind::{Answer, Asking, Delivery, Input, RoomEvent, RoomWish};
use vocabulary::{AskId, DeliveryId, Message, RoomId, Span, WallTime};

use super::{Happening, World};
use crate::director::{AskPlan, Director};
use crate::native_service::{NativeFault, NativeService};
use crate::platform::{Person, Say};
use crate::voices::{END_OF_SPEECH, VoiceDeed, VoiceTick};

/// Somebody does something with their voice.
pub(super) fn voice_deed<D: Director>(
    world: &mut World<D>,
    room: &RoomId,
    person: &Person,
    deed: &VoiceDeed,
) {
    let ticks = world.voices.carry_out(room, person, deed);
    plan_ticks(world, room, ticks);
}

/// Carries out what Denizen wants in the voice of a room.
pub(super) fn voice_wish<D: Director>(world: &mut World<D>, room: &RoomId, wish: &RoomWish) {
    let ticks = world.voices.perform(room, wish, world.now);
    plan_ticks(world, room, ticks);
}

fn plan_ticks<D: Director>(world: &mut World<D>, room: &RoomId, ticks: Vec<(Span, VoiceTick)>) {
    for (after, tick) in ticks {
        let happening = Happening::Voice(world.life, room.clone(), tick);
        world.agenda.plan(world.now + after, happening);
    }
}

/// What was heard of Denizen stands in the room.
pub(super) fn write_down<D: Director>(world: &mut World<D>, delivery: &Delivery, at: WallTime) {
    world.platform.deliver(delivery, at);
    let message = world.platform.delivered(&delivery.id).cloned();
    if let Some(message) = message {
        let delivery = delivery.id.clone();
        world.later(
            Span::ZERO,
            Input::Answer(Answer::MessageSent { delivery, message }),
        );
    }
}

/// A realtime service answers by itself: what is heard of it comes at its time.
pub(super) fn answer_natively<D: Director>(
    world: &mut World<D>,
    asking: &Asking,
    delivery: &DeliveryId,
    plan: &mut AskPlan,
) {
    let fault = world.director.native_fault();
    let place = (asking.room.clone(), delivery.clone());
    let sound = world.voices.native.answer(asking.ask, place, fault, plan);
    let pieces = sound.into_iter().map(|(after, text, last)| {
        let piece = VoiceTick::Native {
            ask: asking.ask,
            text,
            last,
        };
        (after, piece)
    });
    let pieces: Vec<(Span, VoiceTick)> = pieces.collect();
    plan_ticks(world, &asking.room, pieces);
}

/// Nobody waits for an answer of the service's own any more.
pub(super) fn stop_native<D: Director>(world: &mut World<D>, ask: AskId) {
    let Some((room, delivery, fault)) = world.voices.native.of(ask).cloned() else {
        return;
    };
    let mut ticks = match world.voices.is_saying(&room, &delivery) {
        true => world.voices.perform(&room, &RoomWish::StopSpeaking, world.now),
        false => Vec::new(),
    };
    if fault == Some(NativeFault::SoundAfterStop) {
        let started = RoomEvent::PlaybackStarted {
            delivery: delivery.clone(),
        };
        let progressed = RoomEvent::PlaybackProgressed {
            delivery: delivery.clone(),
            characters: 400,
        };
        let cut_after = None;
        let ended = RoomEvent::PlaybackEnded { delivery, cut_after };
        let late = [started, progressed, ended].map(VoiceTick::Event);
        ticks.extend(late.into_iter().map(|tick| (Span(700), tick)));
    }
    plan_ticks(world, &room, ticks);
}

/// Something happens in the voice of a room that was begun in a life of the process.
pub(super) fn voice_tick<D: Director>(world: &mut World<D>, life: u64, room: RoomId, tick: VoiceTick) {
    let is_there = life == world.life && world.down_until.is_none();
    match tick {
        // People are there, whatever becomes of the process; it hears of them when it is back.
        VoiceTick::Event(event) => {
            let lives_on = matches!(event, RoomEvent::PersonJoined(_) | RoomEvent::PersonLeft { .. });
            if is_there || (lives_on && world.down_until.is_none()) {
                world.step(Input::Room(room, event));
            }
        }
        VoiceTick::Continues(person, spoken) => {
            if is_there && world.voices.is_heard(&room, world.now) {
                world.step(Input::Room(room, RoomEvent::SpeechContinues { person, spoken }));
            }
        }
        VoiceTick::Heard(person, text, spoken, took) => {
            if is_there && world.voices.understands(&room, &person.id) {
                // The ears were done with it before they heard that they should not listen, or it has no words: the
                // room never has it.
                let is_kept = world.voices.is_listened_to(&room, &person.id) && !text.trim().is_empty();
                let message = match is_kept {
                    true => utterance(world, &room, &person, text),
                    false => world
                        .platform
                        .compose(&spoken_words(&room, &person, text), world.wall()),
                };
                world.step(Input::Room(
                    room,
                    RoomEvent::UtteranceHeard {
                        message,
                        spoken,
                        silence: END_OF_SPEECH,
                        took,
                    },
                ));
            }
        }
        VoiceTick::In if is_there => {
            if world.voices.joined(&room) {
                let in_room = room.clone();
                world.step(Input::Room(
                    room,
                    RoomEvent::VoiceJoined {
                        hears: !world.voices.deaf,
                        speaks: true,
                        sounds: world.voices.sounds.clone(),
                    },
                ));
                if world.voices.native.thinks {
                    world.step(Input::Room(in_room.clone(), NativeService::stands(true)));
                    let begins = world.voices.native.begins();
                    world.step(Input::Room(in_room, begins));
                }
            }
        }
        VoiceTick::Native { ask, text, last } => {
            let said = world.voices.native.of(ask).cloned();
            if let Some((room, delivery, fault)) = said
                && is_there
                && !world.cancelled.contains(&ask)
            {
                let ticks = world
                    .voices
                    .native_sound(&room, &delivery, &text, (last, fault), world.now);
                plan_ticks(world, &room, ticks);
            }
        }
        VoiceTick::Ended(delivery) => {
            if is_there && world.voices.ended(&room, &delivery) {
                let cut_after = None;
                world.step(Input::Room(
                    room,
                    RoomEvent::PlaybackEnded { delivery, cut_after },
                ));
            }
        }
        VoiceTick::Progressed(delivery, characters) => {
            if is_there && world.voices.is_saying(&room, &delivery) {
                let progressed = RoomEvent::PlaybackProgressed { delivery, characters };
                world.step(Input::Room(room, progressed));
            }
        }
        VoiceTick::Broke(delivery) => {
            if is_there && world.voices.ended(&room, &delivery) {
                let detail = "the voice is hoarse".to_owned();
                let failed = RoomEvent::PlaybackFailed { delivery, detail };
                world.step(Input::Room(room, failed));
            }
        }
        VoiceTick::In => {}
    }
}

/// The same words by the same person within a moment are the same utterance, told twice.
fn utterance<D: Director>(world: &mut World<D>, room: &RoomId, person: &Person, text: String) -> Message {
    let last = world.platform.last_of(room, &person.id);
    if let Some(last) = last.filter(|last| last.spoken && last.text == text)
        && world.wall().0 - last.at.0 < 100
    {
        return last.clone();
    }
    world
        .platform
        .write(&spoken_words(room, person, text), world.wall())
}

fn spoken_words(room: &RoomId, person: &Person, text: String) -> Say {
    Say {
        room: room.clone(),
        person: person.clone(),
        text,
        replies_to: None,
        mentions: Vec::new(),
        picture: None,
        spoken: true,
    }
}
