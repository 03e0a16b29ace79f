//! Who speaks while Denizen is heard in a replay: ears tell it every 100 ms of voice, and only then, so it follows from
//! what is said with other settings.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Input, RoomEvent};
use vocabulary::{Moment, PersonId, RoomId, Span};

use super::mouth::Mouth;
use crate::ports::Recording;

const TOLD_EVERY: Span = Span(100);
/// After so long a silence a speech is taken for ended: where nothing tells how long it was.
const SILENCE: Span = Span(700);

/// Somebody in a room.
type Voice = (RoomId, PersonId);
/// What was recorded of each speech, by when it began.
type Recorded = BTreeMap<(Voice, Moment), Known>;

#[derive(Debug)]
pub(super) struct Speeches {
    known: Recorded,
    /// How long a speech has usually lasted when the ears tell that it began.
    usually: Span,
    open: BTreeMap<Voice, Speech>,
}

/// What a recording tells of a speech.
#[derive(Debug, Default)]
struct Known {
    /// What the ears told of its length, and when: while Denizen was heard then.
    told: Vec<(Moment, Span)>,
    /// Its parts together, where they are known.
    parts: Option<Span>,
    ended: Option<Moment>,
    /// Denizen was heard when it ended: the ears told of all its voice.
    heard_at_its_end: bool,
}

#[derive(Debug)]
struct Speech {
    /// When the ears told that somebody began.
    started: Moment,
    /// How long it had lasted then, by the count of the ears.
    before: Span,
    /// When it was last looked at, and how long it had lasted when that was last told.
    seen: Moment,
    told: Span,
}

impl Speeches {
    pub fn of(recording: &Recording) -> Self {
        let mut known = Recorded::new();
        let mut heard_in = BTreeSet::new();
        for recorded in &recording.inputs {
            let Input::Room(room, event) = &recorded.input else {
                continue;
            };
            let at = recorded.now.moment;
            match event {
                RoomEvent::PlaybackStarted { .. } => {
                    heard_in.insert(room);
                }
                RoomEvent::PlaybackEnded { .. }
                | RoomEvent::PlaybackFailed { .. }
                | RoomEvent::VoiceLeft { .. } => {
                    heard_in.remove(room);
                }
                RoomEvent::SpeechStarted { person } => {
                    let voice = (room.clone(), person.clone());
                    known.insert((voice, at), Known::default());
                }
                RoomEvent::SpeechContinues { person, spoken } => {
                    if let Some(speech) = newest(&mut known, room, person, at) {
                        speech.told.push((at, *spoken));
                    }
                }
                RoomEvent::SpeechEnded { person } => {
                    if let Some(speech) = newest(&mut known, room, person, at) {
                        speech.ended.get_or_insert(at);
                        speech.heard_at_its_end = heard_in.contains(room);
                    }
                }
                RoomEvent::UtteranceHeard {
                    message,
                    spoken,
                    took,
                    ..
                } => {
                    // The next speech may have begun before the words of this one came.
                    if let Some(speech) = newest(&mut known, room, &message.author.id, at - *took) {
                        speech.has_part(*spoken);
                    }
                }
                RoomEvent::UtteranceMissed { person, spoken, .. } => {
                    if let Some(speech) = newest(&mut known, room, person, at) {
                        speech.has_part(*spoken);
                    }
                }
                _ => {}
            }
        }
        let befores = known.iter().filter_map(|((_, at), speech)| speech.before(*at));
        let mut befores: Vec<Span> = befores.collect();
        befores.sort_unstable();
        Self {
            usually: befores.get(befores.len() / 2).copied().unwrap_or_default(),
            known,
            open: BTreeMap::new(),
        }
    }

    /// Takes in what happens.
    pub fn see(&mut self, at: Moment, input: &Input) {
        match input {
            Input::Room(room, RoomEvent::SpeechStarted { person }) => {
                let voice = (room.clone(), person.clone());
                let known = self.known.get(&(voice.clone(), at));
                let before = known.and_then(|known| known.before(at));
                let speech = Speech {
                    started: at,
                    before: before.unwrap_or(self.usually),
                    seen: at,
                    told: Span::ZERO,
                };
                self.open.insert(voice, speech);
            }
            Input::Room(room, RoomEvent::SpeechEnded { person } | RoomEvent::PersonLeft { person }) => {
                self.open.remove(&(room.clone(), person.clone()));
            }
            _ => {}
        }
    }

    /// When somebody may next be told to go on speaking, while Denizen is heard.
    pub fn next_tick(&self, mouth: &Mouth) -> Option<Moment> {
        let due = |(voice, speech): (&Voice, &Speech)| {
            let known = self.known.get(&(voice.clone(), speech.started));
            mouth.heard_from(&voice.0, speech.due(known))
        };
        self.open.iter().filter_map(due).min()
    }

    /// What is told then: nothing of whoever is silent by now.
    pub fn tick(&mut self, at: Moment, mouth: &Mouth) -> Vec<Input> {
        let mut told = Vec::new();
        for (voice, speech) in &mut self.open {
            let known = self.known.get(&(voice.clone(), speech.started));
            let (room, person) = voice;
            if mouth.heard_from(room, speech.due(known)) != Some(at) {
                continue;
            }
            speech.seen = at;
            let spoken = speech.lasted(at, known);
            if spoken > speech.told {
                speech.told = spoken;
                let person = person.clone();
                let event = RoomEvent::SpeechContinues { person, spoken };
                told.push(Input::Room(room.clone(), event));
            }
        }
        told
    }
}

/// Somebody's speech that began last before a moment.
fn newest<'a>(
    known: &'a mut Recorded,
    room: &RoomId,
    person: &PersonId,
    at: Moment,
) -> Option<&'a mut Known> {
    let voice = (room.clone(), person.clone());
    let begun = (voice.clone(), Moment(0))..=(voice, at);
    known.range_mut(begun).next_back().map(|(_, speech)| speech)
}

impl Known {
    fn has_part(&mut self, spoken: Span) {
        let before = self.parts.unwrap_or_default();
        self.parts = Some(Span(before.0.saturating_add(spoken.0)));
    }

    /// How long it had lasted when the ears told that it began: what they told first shows how far behind they were.
    fn before(&self, began: Moment) -> Option<Span> {
        let (at, spoken) = self.told.first()?;
        Some(Span(spoken.0.saturating_sub(at.since(began).0)))
    }

    /// The longest that the ears would have told: a speech is open for a while after its last voice.
    fn longest(&self, speech: &Speech) -> Option<Span> {
        let last = self.told.last().map(|(_, spoken)| *spoken);
        let until_silent = |ended: Moment| {
            let lasted = speech.before.0.saturating_add(ended.since(speech.started).0);
            Span(lasted.saturating_sub(SILENCE.0))
        };
        match last {
            Some(last) if self.heard_at_its_end => Some(last),
            _ => self.parts.or(self.ended.map(until_silent)).max(last),
        }
    }
}

impl Speech {
    /// When it is to be looked at next: when the ears told of it then, or would have.
    fn due(&self, known: Option<&Known>) -> Moment {
        let would = self.seen + TOLD_EVERY;
        let mut told = known.iter().flat_map(|known| &known.told).map(|(at, _)| *at);
        told.find(|at| *at > self.seen).map_or(would, |at| at.min(would))
    }

    /// How long it has lasted: as the ears told then, and by the clock where they did not.
    fn lasted(&self, at: Moment, known: Option<&Known>) -> Span {
        let by_the_clock = |since: Moment, spoken: Span| Span(spoken.0.saturating_add(at.since(since).0));
        let Some(known) = known else {
            return by_the_clock(self.started, self.before);
        };
        let count = known.told.partition_point(|(then, _)| *then <= at);
        let (told, to_come) = known.told.split_at(count);
        let lasted = match (told.last(), to_come.first()) {
            (Some((_, spoken)), Some(_)) => *spoken,
            (Some((then, spoken)), None) => by_the_clock(*then, *spoken),
            (None, Some((_, most))) => by_the_clock(self.started, self.before).min(*most),
            (None, None) => by_the_clock(self.started, self.before),
        };
        known.longest(self).map_or(lasted, |longest| lasted.min(longest))
    }
}
