//! What was decided in the voice of rooms besides answers: whether Denizen was there, was spoken over, and said a thought
//! of its own; and where two reruns differ in it.

use std::collections::BTreeMap;

use mind::reasons::VoiceThoughtOutcome;
use mind::{Input, JournalEvent, RoomEvent};
use vocabulary::{Moment, PersonId, RoomId, WallTime};

use super::Rerunning;
use crate::ports::Recording;

/// Somebody who spoke while Denizen did, with what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpokenOver {
    pub at: WallTime,
    pub room: RoomId,
    pub person: PersonId,
    /// Their name and words, where they were understood.
    pub name: Option<String>,
    pub words: Option<String>,
    /// What was decided; empty: Denizen was not heard then.
    pub before: String,
    pub after: String,
}

/// When Denizen was in the voice of a room, and why: in a word or two for each coming and going.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoiceStays {
    pub room: RoomId,
    pub before: String,
    pub after: String,
}

/// Counted over a rerun: thoughts of its own in the voice of rooms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VoiceThoughtDecisions {
    /// Silences in which a model was asked.
    pub thoughts: u64,
    /// Those that were heard, in their words.
    pub said: Vec<String>,
    pub held: u64,
    pub dropped: u64,
    /// The room moved on before they were heard.
    pub overtaken: u64,
    pub failed: u64,
    /// A model would have been asked, and what it would have said is not known.
    pub not_known: u64,
    /// Silences that each gate stopped, by its name.
    pub stopped: BTreeMap<&'static str, u64>,
}

impl VoiceThoughtDecisions {
    pub fn of(rerun: &Rerunning) -> Self {
        let mut decisions = Self::default();
        for entry in rerun.iter() {
            match &entry.event {
                JournalEvent::VoiceThoughtStarted { .. } => decisions.thoughts += 1,
                JournalEvent::VoiceThoughtStopped { gate, .. } => {
                    *decisions.stopped.entry(gate.name()).or_default() += 1;
                }
                JournalEvent::VoiceThoughtEnded { ask: Some(ask), .. } if rerun.not_known.contains(ask) => {
                    decisions.not_known += 1;
                }
                JournalEvent::VoiceThoughtEnded { outcome, .. } => match outcome {
                    VoiceThoughtOutcome::Spoken => {
                        let words = entry.scope.turn.and_then(|turn| rerun.aloud.get(&turn));
                        decisions.said.push(words.cloned().unwrap_or_default());
                    }
                    VoiceThoughtOutcome::Held => decisions.held += 1,
                    VoiceThoughtOutcome::Dropped => decisions.dropped += 1,
                    VoiceThoughtOutcome::Invalidated | VoiceThoughtOutcome::Interrupted => {
                        decisions.overtaken += 1;
                    }
                    VoiceThoughtOutcome::Failed => decisions.failed += 1,
                },
                _ => {}
            }
        }
        decisions
    }
}

/// The rooms in whose voice it would have been at other times, or for another reason.
pub fn stay_differences(before: &Rerunning, after: &Rerunning) -> Vec<VoiceStays> {
    let (old, mut new) = (stays(before), stays(after));
    let mut differing: Vec<VoiceStays> = Vec::new();
    let mut note = |room: RoomId, before: Vec<String>, after: Vec<String>| {
        if before != after {
            differing.push(VoiceStays {
                room,
                before: before.join(", "),
                after: after.join(", "),
            });
        }
    };
    for (room, before) in old {
        let after = new.remove(&room).unwrap_or_default();
        note(room, before, after);
    }
    for (room, after) in new {
        note(room, Vec::new(), after);
    }
    differing
}

fn stays(rerun: &Rerunning) -> BTreeMap<RoomId, Vec<String>> {
    let mut stays: BTreeMap<RoomId, Vec<String>> = BTreeMap::new();
    for entry in rerun.iter() {
        let word = match &entry.event {
            JournalEvent::VoiceSessionStarted { because, .. } => format!("in: {}", because.name()),
            JournalEvent::VoiceSessionDeclined { reason, .. } => format!("declined: {}", reason.name()),
            JournalEvent::VoiceSessionEnded { because, .. } => format!("out: {}", because.name()),
            _ => continue,
        };
        if let Some(room) = entry.scope.room.clone() {
            stays.entry(room).or_default().push(word);
        }
    }
    stays
}

/// A speech of somebody's, from when on.
type Speech = (Moment, RoomId, PersonId);

/// Those who spoke while Denizen did, where something else would have come of it: in the order of time.
pub fn spoken_over_differences(
    recording: &Recording,
    before: &Rerunning,
    after: &Rerunning,
) -> Vec<SpokenOver> {
    let (old, new) = (overlaps(recording, before), overlaps(recording, after));
    let mut differing = Vec::new();
    for speech @ (began, room, person) in old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))) {
        let of = |found: &BTreeMap<Speech, (WallTime, String)>| found.get(speech).cloned();
        let (before, after) = (of(&old), of(&new));
        let at = before.as_ref().or(after.as_ref()).map(|(at, _)| *at);
        let word = |found: Option<(WallTime, String)>| found.map(|(_, word)| word).unwrap_or_default();
        let (before, after) = (word(before), word(after));
        if before == after {
            continue;
        }
        let (name, words) = words_of(recording, *began, room, person).unzip();
        differing.push(SpokenOver {
            at: at.unwrap_or_default(),
            room: room.clone(),
            person: person.clone(),
            name,
            words,
            before,
            after,
        });
    }
    differing.sort_by_key(|over| over.at);
    differing
}

fn overlaps(recording: &Recording, rerun: &Rerunning) -> BTreeMap<Speech, (WallTime, String)> {
    let started = |at: Moment, room: &RoomId, person: &PersonId| {
        let until = recording.inputs.iter().take_while(|input| input.now.moment <= at);
        let own =
            |event: &RoomEvent| matches!(event, RoomEvent::SpeechStarted { person: who } if who == person);
        let starts = until
            .filter(|input| matches!(&input.input, Input::Room(there, event) if there == room && own(event)));
        starts.last().map(|input| input.now.moment)
    };
    let mut found = BTreeMap::new();
    for entry in rerun.iter() {
        let JournalEvent::BargeInDecided {
            person, stop, reason, ..
        } = &entry.event
        else {
            continue;
        };
        let Some(room) = &entry.scope.room else { continue };
        let began = started(entry.moment, room, person).unwrap_or(entry.moment);
        let does = if *stop { "falls silent" } else { "goes on" };
        let word = format!("{does}: {}", reason.name());
        found.insert((began, room.clone(), person.clone()), (entry.wall, word));
    }
    found
}

/// Who that was, and what they said then, where it was understood.
fn words_of(
    recording: &Recording,
    began: Moment,
    room: &RoomId,
    person: &PersonId,
) -> Option<(String, String)> {
    let after = recording.inputs.iter().filter(|input| input.now.moment >= began);
    let mut own = after.filter_map(|input| match &input.input {
        Input::Room(there, RoomEvent::UtteranceHeard { message, .. })
            if there == room && message.author.id == *person =>
        {
            Some((message.author.name.clone(), message.text.clone()))
        }
        _ => None,
    });
    own.next()
}
