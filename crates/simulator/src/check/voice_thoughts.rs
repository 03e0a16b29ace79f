//! Thoughts in the voice of a room: each ends once, none is asked for or begun while somebody speaks, while Denizen is
//! spoken with or where nobody is, and a model is not asked more often than the settings say.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Effect, Input, JournalEvent, RoomEvent, RoomWish, ShellEvent};
use vocabulary::{AskPurpose, Moment, PersonId, RoomId, Span, TurnId};

use super::Report;
use crate::trace::Trace;

/// A speech that nobody ended is over after this.
const SPEECH_MAX: Span = Span::seconds(30);

/// Who is in the voice of a room and speaks, as the mind was told.
#[derive(Default)]
struct Floor {
    present: BTreeSet<PersonId>,
    unlistened: BTreeSet<PersonId>,
    speaking: BTreeMap<PersonId, Moment>,
}

impl Floor {
    fn happened(&mut self, event: &RoomEvent, at: Moment) {
        match event {
            RoomEvent::PersonJoined(author) => {
                self.present.insert(author.id.clone());
            }
            RoomEvent::PersonLeft { person } => {
                self.present.remove(person);
                self.speaking.remove(person);
            }
            RoomEvent::ListeningChosen { person, listen: true } => {
                self.unlistened.remove(person);
            }
            RoomEvent::ListeningChosen { person, .. } => {
                self.unlistened.insert(person.clone());
                self.speaking.remove(person);
            }
            RoomEvent::SpeechStarted { person }
                if self.present.contains(person) && !self.unlistened.contains(person) =>
            {
                self.speaking.insert(person.clone(), at);
            }
            RoomEvent::SpeechEnded { person } => {
                self.speaking.remove(person);
            }
            _ => {}
        }
    }

    fn speaks(&self, at: Moment) -> Option<&PersonId> {
        let mut speaking = self.speaking.iter();
        speaking
            .find(|(_, since)| at.since(**since) < SPEECH_MAX)
            .map(|(person, _)| person)
    }
}

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut floors: BTreeMap<RoomId, Floor> = BTreeMap::new();
    let mut open: BTreeMap<TurnId, RoomId> = BTreeMap::new();
    let mut begun: BTreeSet<TurnId> = BTreeSet::new();
    let mut began: BTreeMap<RoomId, Moment> = BTreeMap::new();
    for step in &trace.steps {
        let at = step.now.moment;
        match &step.input {
            Input::Room(room, event) => floors.entry(room.clone()).or_default().happened(event, at),
            Input::Shell(ShellEvent::Restarted { .. }) => {
                for floor in floors.values_mut() {
                    floor.present.clear();
                    floor.speaking.clear();
                }
            }
            _ => {}
        }
        for effect in &step.effects {
            match effect {
                Effect::Ask(asking) if asking.request.purpose == AskPurpose::VoiceThought => {
                    let settings = &step.settings.voice_thoughts;
                    if !settings.enabled || settings.eagerness == 0 || !open.contains_key(&asking.turn) {
                        let what = format!("ask {} is not wanted", asking.ask);
                        report.add("voice_thoughts_are_wanted", at, what);
                    }
                    undisturbed(floors.get(&asking.room), "is asked for", at, report);
                }
                Effect::Room(room, RoomWish::Speak { turn, .. })
                    if open.contains_key(turn) && begun.insert(*turn) =>
                {
                    undisturbed(floors.get(room), "is begun", at, report);
                }
                Effect::Journal(entry) => {
                    let turn = entry.scope.turn.unwrap_or_default();
                    match &entry.event {
                        JournalEvent::VoiceThoughtStarted { .. } => {
                            let room = entry.scope.room.clone().unwrap_or_else(|| RoomId::new(""));
                            let gap = Span::seconds(step.settings.voice_thoughts.min_seconds_between);
                            let before = began.insert(room.clone(), at);
                            if before.is_some_and(|before| at.since(before) < gap) {
                                let what = format!("thought {turn} comes too soon after the last");
                                report.add("voice_thoughts_keep_their_distance", at, what);
                            }
                            let is_second = open.values().any(|other| *other == room);
                            if is_second || open.insert(turn, room).is_some() {
                                let what = format!("thought {turn} begins while another is under way");
                                report.add("one_voice_thought_at_a_time", at, what);
                            }
                        }
                        JournalEvent::VoiceThoughtEnded { .. } if open.remove(&turn).is_none() => {
                            let what = format!("thought {turn} ends again, or never began");
                            report.add("every_voice_thought_ends_once", at, what);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
}

/// Nobody speaks, and somebody is there.
fn undisturbed(floor: Option<&Floor>, deed: &str, at: Moment, report: &mut Report) {
    let Some(floor) = floor else { return };
    if let Some(person) = floor.speaks(at) {
        let what = format!("a thought {deed} while {person} speaks");
        report.add("no_thought_while_somebody_speaks", at, what);
    }
    if floor
        .present
        .iter()
        .all(|person| floor.unlistened.contains(person))
    {
        let what = format!("a thought {deed} where nobody is listened to");
        report.add("no_thought_where_nobody_listens", at, what);
    }
}
