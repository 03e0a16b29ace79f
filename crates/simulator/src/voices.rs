//! The voice of rooms: who is there, who speaks, ears that write down what was said, and Denizen's own voice.

mod native;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use mind::{RoomEvent, RoomWish};
use vocabulary::{AskId, DeliveryId, Moment, PersonId, RoomId, Span, UnheardReason, VoiceLoss};

use crate::native_service::NativeService;
use crate::platform::Person;
use crate::voice_guesses::partials;

/// How long a character takes to be said, and how soon the first is heard.
const A_CHARACTER: Span = Span(50);
const FIRST_HEARD: Span = Span(100);
/// How long somebody takes for a word, at least for anything.
const A_WORD: Span = Span(300);
const SHORTEST: Span = Span(400);
/// How long a silence must last before what was said counts as finished, and how long the ears take.
pub const END_OF_SPEECH: Span = Span(700);
pub const EARS_TAKE: Span = Span(200);
/// How often it is told that somebody goes on speaking.
const CONTINUES_EVERY: Span = Span(100);

/// What somebody does with their voice, or is done to it.
#[derive(Clone, Debug)]
pub enum VoiceDeed {
    Join,
    Leave,
    /// Makes a sound for so long; what is understood of it, or why nothing is.
    Speak {
        lasts: Span,
        heard: Result<String, UnheardReason>,
        /// The ears tell it twice.
        twice: bool,
        /// How much longer than usual the ears take.
        late: Span,
        /// What they guess meanwhile, where that is not what they hear in the end.
        guess: Option<String>,
    },
    /// Speaks for so long that the ears write it down in pieces.
    SpeakOn(Vec<String>),
    /// Wants to be listened to, or does not.
    Listen(bool),
    Sound(String),
}

/// How long it takes to say a text.
pub fn lasts(text: &str) -> Span {
    Span(A_WORD.0 * text.split_whitespace().count() as u64).max(SHORTEST)
}

/// What Denizen's voice does instead of speaking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouthFault {
    /// It says that it failed.
    Fails,
    /// Nothing is heard of it.
    Silent,
    /// It says its first sentence, and fails.
    Breaks,
}

/// What happens in a room at a later time, because of something that somebody does now.
#[derive(Clone, Debug)]
pub enum VoiceTick {
    Event(RoomEvent),
    /// Somebody goes on speaking, for so long by now.
    Continues(PersonId, Span),
    /// What was said is written down: by whom, their words, how long they spoke, and how long the ears took.
    Heard(Person, String, Span, Span),
    /// Denizen is in.
    In,
    /// So many characters were heard of it.
    Progressed(DeliveryId, usize),
    /// The voice cannot go on.
    Broke(DeliveryId),
    /// Denizen has said all of it.
    Ended(DeliveryId),
    /// A realtime service says more by itself; perhaps that is all.
    Native {
        ask: AskId,
        text: String,
        last: bool,
    },
}

#[derive(Clone, Debug)]
struct Talk {
    delivery: DeliveryId,
    begins: Moment,
    ends: Moment,
    characters: usize,
    /// It ends with its first sentence, and not well.
    breaks: bool,
}

#[derive(Clone, Debug, Default)]
struct VoiceRoom {
    people: BTreeMap<PersonId, Person>,
    unheard: BTreeSet<PersonId>,
    /// It is to be let in.
    wants_in: bool,
    is_in: bool,
    /// It was in, in this life of the process.
    was_in: bool,
    talk: Option<Talk>,
}

/// The voices of all rooms.
#[derive(Clone, Debug, Default)]
pub struct Voices {
    rooms: BTreeMap<RoomId, VoiceRoom>,
    /// Nobody understands speech.
    pub deaf: bool,
    /// Ears take so long to be loaded.
    pub loading: Span,
    /// The operator's short sounds.
    pub sounds: Vec<String>,
    /// The next one that is picked cannot be played.
    pub sound_fails: bool,
    pub faults: VecDeque<MouthFault>,
    /// What a realtime service says by itself.
    pub native: NativeService,
    /// What is not said, because the voice would not.
    unsaid: BTreeSet<DeliveryId>,
}

impl Voices {
    /// Whether somebody is in the voice of a room.
    pub fn holds(&self, room: &RoomId, person: &PersonId) -> bool {
        let room = self.rooms.get(room);
        room.is_some_and(|room| room.people.contains_key(person))
    }

    /// Whether Denizen is heard in a room.
    pub fn is_heard(&self, room: &RoomId, now: Moment) -> bool {
        let talk = self.rooms.get(room).and_then(|room| room.talk.as_ref());
        talk.is_some_and(|talk| talk.begins <= now && now < talk.ends)
    }

    /// Whether it is saying something.
    pub fn is_saying(&self, room: &RoomId, delivery: &DeliveryId) -> bool {
        let talk = self.rooms.get(room).and_then(|room| room.talk.as_ref());
        talk.is_some_and(|talk| talk.delivery == *delivery)
    }

    /// Whether what somebody says is written down.
    pub fn is_listened_to(&self, room: &RoomId, person: &PersonId) -> bool {
        let is_unheard = |room: &VoiceRoom| room.unheard.contains(person);
        self.understands(room, person) && !self.rooms.get(room).is_some_and(is_unheard)
    }

    /// Whether words come of what somebody says: Denizen hears it, or was there until they left with it on their lips.
    pub fn understands(&self, room: &RoomId, person: &PersonId) -> bool {
        let is_last = |room: &VoiceRoom| room.was_in && !room.people.contains_key(person);
        self.hears(room) || !self.deaf && self.rooms.get(room).is_some_and(is_last)
    }

    /// Whether Denizen is in a room and somebody understands speech there.
    pub fn hears(&self, room: &RoomId) -> bool {
        self.rooms.get(room).is_some_and(|room| room.is_in && !self.deaf)
    }

    /// Everybody in the voice of any room.
    pub fn everybody(&self) -> Vec<(RoomId, Person)> {
        let rooms = self.rooms.iter();
        rooms
            .flat_map(|(id, room)| room.people.values().map(|person| (id.clone(), person.clone())))
            .collect()
    }

    /// The process is gone: Denizen is in no voice any more.
    pub fn lose_all(&mut self) {
        for room in self.rooms.values_mut() {
            room.is_in = false;
            room.was_in = false;
            room.wants_in = false;
            room.talk = None;
        }
    }

    /// What comes of something that somebody does, and after how long.
    pub fn carry_out(&mut self, id: &RoomId, person: &Person, deed: &VoiceDeed) -> Vec<(Span, VoiceTick)> {
        let room = self.rooms.entry(id.clone()).or_default();
        let at_once = |event| vec![(Span::ZERO, VoiceTick::Event(event))];
        let who = person.id.clone();
        match deed {
            VoiceDeed::Join => {
                room.people.insert(who, person.clone());
                at_once(RoomEvent::PersonJoined(person.author()))
            }
            VoiceDeed::Leave => {
                room.people.remove(&who);
                at_once(RoomEvent::PersonLeft { person: who })
            }
            VoiceDeed::Listen(listen) => at_once(RoomEvent::ListeningChosen {
                person: who,
                listen: *listen,
            }),
            VoiceDeed::Sound(name) => at_once(RoomEvent::SoundPlayed {
                person: Some(who),
                name: name.clone(),
            }),
            VoiceDeed::SpeakOn(pieces) => {
                let started = RoomEvent::SpeechStarted { person: who.clone() };
                let mut ticks = vec![(Span::ZERO, VoiceTick::Event(started))];
                let mut at = Span::ZERO;
                for (number, piece) in pieces.iter().enumerate() {
                    let spoken = lasts(piece);
                    at = Span(at.0 + spoken.0);
                    let silence = match number + 1 == pieces.len() {
                        true => END_OF_SPEECH,
                        false => Span::ZERO,
                    };
                    let heard = VoiceTick::Heard(person.clone(), piece.clone(), spoken, EARS_TAKE);
                    ticks.push((Span(at.0 + silence.0 + EARS_TAKE.0), heard));
                }
                let ended = RoomEvent::SpeechEnded { person: who };
                ticks.push((Span(at.0 + END_OF_SPEECH.0), VoiceTick::Event(ended)));
                ticks
            }
            VoiceDeed::Speak {
                lasts,
                heard,
                twice,
                late,
                guess,
            } => {
                let started = RoomEvent::SpeechStarted { person: who.clone() };
                let mut ticks = vec![(Span::ZERO, VoiceTick::Event(started))];
                let mut spoken = CONTINUES_EVERY;
                while spoken < *lasts {
                    ticks.push((spoken, VoiceTick::Continues(who.clone(), spoken)));
                    spoken = Span(spoken.0 + CONTINUES_EVERY.0);
                }
                if let Some(text) = guess.as_ref().or(heard.as_ref().ok()) {
                    ticks.extend(partials(&who, text, *lasts));
                }
                // That somebody has fallen silent is known when the silence has lasted.
                let ended = RoomEvent::SpeechEnded { person: who.clone() };
                ticks.push((Span(lasts.0 + END_OF_SPEECH.0), VoiceTick::Event(ended)));
                let took = Span(EARS_TAKE.0 + late.0);
                let after = Span(lasts.0 + END_OF_SPEECH.0 + took.0);
                match heard {
                    Ok(text) => {
                        let heard = VoiceTick::Heard(person.clone(), text.clone(), *lasts, took);
                        ticks.push((after, heard.clone()));
                        ticks.extend(twice.then_some((Span(after.0 + 50), heard)));
                    }
                    Err(reason) => {
                        let missed = RoomEvent::UtteranceMissed {
                            person: who,
                            reason: *reason,
                            detail: String::new(),
                            spoken: *lasts,
                        };
                        ticks.push((after, VoiceTick::Event(missed)));
                    }
                }
                ticks
            }
        }
    }

    /// Denizen is in a room, if it still wants to be; whether it is.
    pub fn joined(&mut self, room: &RoomId) -> bool {
        let room = self.rooms.entry(room.clone()).or_default();
        room.is_in |= std::mem::take(&mut room.wants_in);
        room.was_in |= room.is_in;
        room.is_in
    }

    /// Denizen is out of a room that it was in; whether it was.
    pub fn lost(&mut self, room: &RoomId) -> bool {
        let room = self.rooms.entry(room.clone()).or_default();
        room.talk = None;
        std::mem::take(&mut room.is_in)
    }

    /// All of something was said, if nothing came between.
    pub fn ended(&mut self, room: &RoomId, delivery: &DeliveryId) -> bool {
        let room = self.rooms.entry(room.clone()).or_default();
        room.talk.take_if(|talk| talk.delivery == *delivery).is_some()
    }

    /// What comes of what Denizen wants, and after how long.
    pub fn perform(&mut self, id: &RoomId, wish: &RoomWish, now: Moment) -> Vec<(Span, VoiceTick)> {
        let room = self.rooms.entry(id.clone()).or_default();
        let event = |after, event| vec![(after, VoiceTick::Event(event))];
        match wish {
            RoomWish::JoinVoice => {
                room.wants_in = true;
                let loads = |tenth| (Span::seconds(10 * tenth), VoiceTick::Event(RoomEvent::VoiceLoads));
                let told = (1..=self.loading.0 / 10_000).map(loads);
                told.chain([(Span(self.loading.0 + 200), VoiceTick::In)])
                    .collect()
            }
            RoomWish::LeaveVoice => {
                room.wants_in = false;
                room.is_in = false;
                room.talk = None;
                let left = RoomEvent::VoiceLeft {
                    reason: VoiceLoss::Asked,
                    detail: String::new(),
                };
                event(Span(50), left)
            }
            RoomWish::Listen { person, listen } => {
                match listen {
                    true => room.unheard.remove(person),
                    false => room.unheard.insert(person.clone()),
                };
                Vec::new()
            }
            RoomWish::PlaySound { name } => {
                let name = name.clone();
                let played = match std::mem::take(&mut self.sound_fails) {
                    true => RoomEvent::SoundFailed {
                        name,
                        detail: "it cannot be read".to_owned(),
                    },
                    false => RoomEvent::SoundPlayed { person: None, name },
                };
                event(Span::ZERO, played)
            }
            RoomWish::Speak {
                delivery,
                sentence,
                last,
                ..
            } => {
                let mut ticks = Vec::new();
                if self.unsaid.contains(delivery) {
                    return ticks;
                }
                if room.talk.as_ref().is_none_or(|talk| talk.delivery != *delivery) {
                    let fault = self.faults.pop_front();
                    let breaks = fault == Some(MouthFault::Breaks);
                    self.unsaid.extend(fault.map(|_| delivery.clone()));
                    match fault {
                        Some(MouthFault::Silent) => return Vec::new(),
                        Some(MouthFault::Fails) => {
                            let failed = RoomEvent::PlaybackFailed {
                                delivery: delivery.clone(),
                                detail: "the voice is hoarse".to_owned(),
                            };
                            return event(Span(300), failed);
                        }
                        Some(MouthFault::Breaks) | None => {}
                    }
                    let begins = now + FIRST_HEARD;
                    room.talk = Some(Talk {
                        delivery: delivery.clone(),
                        begins,
                        ends: begins,
                        characters: 0,
                        breaks,
                    });
                    let started = RoomEvent::PlaybackStarted {
                        delivery: delivery.clone(),
                    };
                    ticks.push((FIRST_HEARD, VoiceTick::Event(started)));
                }
                if let Some(talk) = &mut room.talk {
                    let characters = sentence.chars().count();
                    let gap = usize::from(talk.characters > 0 && characters > 0);
                    talk.characters += characters + gap;
                    talk.ends = talk.ends.max(now) + Span(A_CHARACTER.0 * (characters + gap) as u64);
                    let said = talk.ends.since(now);
                    ticks.push((said, VoiceTick::Progressed(delivery.clone(), talk.characters)));
                    if talk.breaks {
                        ticks.push((Span(said.0 + 50), VoiceTick::Broke(delivery.clone())));
                    } else if *last {
                        ticks.push((talk.ends.since(now), VoiceTick::Ended(delivery.clone())));
                    }
                }
                ticks
            }
            RoomWish::StopSpeaking => {
                let Some(talk) = room.talk.take() else {
                    return Vec::new();
                };
                let said = now.since(talk.begins).0 / A_CHARACTER.0;
                let ended = RoomEvent::PlaybackEnded {
                    delivery: talk.delivery,
                    cut_after: Some((said as usize).min(talk.characters)),
                };
                event(Span(20), ended)
            }
            _ => Vec::new(),
        }
    }
}
