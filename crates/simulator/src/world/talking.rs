//! What is said in the voice of rooms, by people and by Denizen, at its time.

use mind::{Answer, Delivery, Input, RoomEvent, RoomWish};
use vocabulary::{Message, RoomId, Span, WallTime};

use super::{Happening, World};
use crate::director::Director;
use crate::platform::{Person, Say};
use crate::voices::{END_OF_SPEECH, VoiceDeed, VoiceTick};

impl<D: Director> World<D> {
    /// Somebody does something with their voice.
    pub(super) fn voice_deed(&mut self, room: &RoomId, person: &Person, deed: &VoiceDeed) {
        let ticks = self.voices.carry_out(room, person, deed);
        self.plan_ticks(room, ticks);
    }

    /// Carries out what Denizen wants in the voice of a room.
    pub(super) fn voice_wish(&mut self, room: &RoomId, wish: &RoomWish) {
        let ticks = self.voices.perform(room, wish, self.now);
        self.plan_ticks(room, ticks);
    }

    fn plan_ticks(&mut self, room: &RoomId, ticks: Vec<(Span, VoiceTick)>) {
        for (after, tick) in ticks {
            let happening = Happening::Voice(self.life, room.clone(), tick);
            self.agenda.plan(self.now + after, happening);
        }
    }

    /// What was heard of Denizen stands in the room.
    pub(super) fn write_down(&mut self, delivery: &Delivery, at: WallTime) {
        self.platform.deliver(delivery, at);
        let message = self.platform.delivered(&delivery.id).cloned();
        if let Some(message) = message {
            let delivery = delivery.id.clone();
            self.later(
                Span::ZERO,
                Input::Answer(Answer::MessageSent { delivery, message }),
            );
        }
    }

    /// Something happens in the voice of a room that was begun in a life of the process.
    pub(super) fn voice_tick(&mut self, life: u64, room: RoomId, tick: VoiceTick) {
        let is_there = life == self.life && self.down_until.is_none();
        match tick {
            // People are there, whatever becomes of the process; it hears of them when it is back.
            VoiceTick::Event(event) => {
                let lives_on = matches!(event, RoomEvent::PersonJoined(_) | RoomEvent::PersonLeft { .. });
                if is_there || (lives_on && self.down_until.is_none()) {
                    self.step(Input::Room(room, event));
                }
            }
            VoiceTick::Continues(person, spoken) => {
                if is_there && self.voices.is_heard(&room, self.now) {
                    self.step(Input::Room(room, RoomEvent::SpeechContinues { person, spoken }));
                }
            }
            VoiceTick::Heard(person, text, spoken, took) => {
                if is_there && self.voices.is_listened_to(&room, &person.id) {
                    let message = self.utterance(&room, &person, text);
                    self.step(Input::Room(
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
                if self.voices.joined(&room) {
                    self.step(Input::Room(room, RoomEvent::VoiceJoined));
                }
            }
            VoiceTick::Ended(delivery) => {
                if is_there && self.voices.ended(&room, &delivery) {
                    let cut_after = None;
                    self.step(Input::Room(
                        room,
                        RoomEvent::PlaybackEnded { delivery, cut_after },
                    ));
                }
            }
            VoiceTick::In => {}
        }
    }

    /// The same words by the same person within a moment are the same utterance, told twice.
    fn utterance(&mut self, room: &RoomId, person: &Person, text: String) -> Message {
        let last = self.platform.last_of(room, &person.id);
        if let Some(last) = last.filter(|last| last.spoken && last.text == text)
            && self.wall().0 - last.at.0 < 100
        {
            return last.clone();
        }
        let say = Say {
            room: room.clone(),
            person: person.clone(),
            text,
            replies_to: None,
            mentions: Vec::new(),
            picture: None,
            spoken: true,
        };
        self.platform.write(&say, self.wall())
    }
}
