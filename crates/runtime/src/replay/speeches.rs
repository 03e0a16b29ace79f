//! Who speaks while Denizen is heard in a replay: ears tell it every 100 ms, and only then, so it follows from what is
//! said with other settings.

use std::collections::BTreeMap;

use mind::{Input, RoomEvent};
use vocabulary::{Moment, PersonId, RoomId, Span};

use super::mouth::Mouth;
use crate::ports::Recording;

const TOLD_EVERY: Span = Span(100);

/// Somebody in a room.
type Voice = (RoomId, PersonId);

#[derive(Debug)]
pub(super) struct Speeches {
    /// When a speech begins, how long it had lasted when the ears told so: where that is known.
    lasted: BTreeMap<(Voice, Moment), Span>,
    /// The same, of any.
    usually: Span,
    open: BTreeMap<Voice, Speech>,
}

#[derive(Debug)]
struct Speech {
    /// When somebody began, by the count of the ears.
    began: Moment,
    /// When it was last told, or that they began.
    told: Moment,
}

impl Speeches {
    pub fn of(recording: &Recording) -> Self {
        let (mut lasted, mut started) = (BTreeMap::new(), BTreeMap::new());
        for recorded in &recording.inputs {
            let at = recorded.now.moment;
            match &recorded.input {
                Input::Room(room, RoomEvent::SpeechStarted { person }) => {
                    started.insert((room.clone(), person.clone()), at);
                }
                Input::Room(room, RoomEvent::SpeechContinues { person, spoken }) => {
                    let voice = (room.clone(), person.clone());
                    // The first of them tells how far behind the ears are.
                    if let Some(began) = started.remove(&voice) {
                        let before = spoken.0.saturating_sub(at.since(began).0);
                        lasted.insert((voice, began), Span(before));
                    }
                }
                _ => {}
            }
        }
        let mut known: Vec<Span> = lasted.values().copied().collect();
        known.sort_unstable();
        Self {
            usually: known.get(known.len() / 2).copied().unwrap_or_default(),
            lasted,
            open: BTreeMap::new(),
        }
    }

    /// Takes in what happens.
    pub fn see(&mut self, at: Moment, input: &Input) {
        match input {
            Input::Room(room, RoomEvent::SpeechStarted { person }) => {
                let voice = (room.clone(), person.clone());
                let known = self.lasted.get(&(voice.clone(), at));
                let began = at - *known.unwrap_or(&self.usually);
                self.open.insert(voice, Speech { began, told: at });
            }
            Input::Room(room, RoomEvent::SpeechEnded { person } | RoomEvent::PersonLeft { person }) => {
                self.open.remove(&(room.clone(), person.clone()));
            }
            _ => {}
        }
    }

    /// When somebody is next told to go on speaking, while Denizen is heard.
    pub fn next_tick(&self, mouth: &Mouth) -> Option<Moment> {
        let due = |((room, _), speech): (&Voice, &Speech)| mouth.heard_from(room, speech.told + TOLD_EVERY);
        self.open.iter().filter_map(due).min()
    }

    /// What is told then.
    pub fn tick(&mut self, at: Moment, mouth: &Mouth) -> Vec<Input> {
        let mut told = Vec::new();
        for ((room, person), speech) in &mut self.open {
            if mouth.heard_from(room, speech.told + TOLD_EVERY) == Some(at) {
                speech.told = at;
                let event = RoomEvent::SpeechContinues {
                    person: person.clone(),
                    spoken: at.since(speech.began),
                };
                told.push(Input::Room(room.clone(), event));
            }
        }
        told
    }
}
