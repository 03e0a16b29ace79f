//! Which inputs are turns, and to which conversation they belong. The shell captures them in the write that stores the input.

use std::collections::BTreeMap;

use gist::gems::redaction::redact;
use settings::MemorySettings;
use vocabulary::text::head;
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, DeliveryId, Message, PersonId, Place, RoomId, SessionId,
    TurnKey, TurnKind, WallTime, rfc3339,
};

use super::command;
use crate::input::{Answer, Input, RoomEvent};
use crate::prompt::transcript::attached as described;

/// Longest text that is captured of one turn.
const TURN_CHARS_MAX: usize = 20_000;

/// What is known of the rooms in which turns are captured.
pub trait KnownRooms: std::fmt::Debug {
    /// How many conversations of a room have ended; part of the name of the one that goes on.
    fn sessions_ended(&self, room: &RoomId) -> u64;
    /// Whether a delivery is a post of its own accord.
    fn posts_by_itself(&self, delivery: &DeliveryId) -> bool;
    /// Whether a room is private by its kind or by what the platform says.
    fn is_private(&self, room: &RoomId) -> bool;
    /// Whether what somebody says aloud in a room may be kept.
    fn is_listened_to(&self, room: &RoomId, person: &PersonId) -> bool;
}

/// Whose spoken words may be kept, as the inputs of a batch change it.
#[derive(Debug)]
pub struct Listening<'a> {
    rooms: &'a dyn KnownRooms,
    /// What people chose in this batch, on top of what the mind knows.
    chosen: BTreeMap<PersonId, bool>,
}

impl<'a> Listening<'a> {
    pub fn new(rooms: &'a dyn KnownRooms) -> Self {
        Self {
            rooms,
            chosen: BTreeMap::new(),
        }
    }

    /// Whether an input may be kept with its words: not what somebody said who is not listened to, and nothing of programs.
    pub fn keeps(&mut self, input: &Input) -> bool {
        match input {
            Input::Room(_, RoomEvent::ListeningChosen { person, listen }) => {
                self.chosen.insert(person.clone(), *listen);
                true
            }
            Input::Room(_, RoomEvent::MessageArrived(message) | RoomEvent::MessageMissed(message)) => {
                if let Some(command::Command::Listen(listen)) = command::read(&message.text)
                    && is_person(message)
                {
                    let person = message.author.id.clone();
                    self.chosen.insert(person, listen);
                }
                true
            }
            Input::Room(room, RoomEvent::UtteranceHeard { message, .. }) => {
                let person = &message.author.id;
                let chosen = self.chosen.get(person).copied();
                is_person(message) && chosen.unwrap_or_else(|| self.rooms.is_listened_to(room, person))
            }
            Input::Room(room, RoomEvent::SpeechPartial { person, .. }) => {
                self.rooms.is_listened_to(room, person)
            }
            _ => true,
        }
    }
}

/// Captures the turns of a batch of inputs, which may end conversations on the way.
#[derive(Debug)]
pub struct Capture<'a> {
    community: &'a CommunityId,
    rooms: &'a dyn KnownRooms,
    settings: &'a MemorySettings,
    /// Conversations that inputs of this batch end, on top of those the mind knows of.
    endings: BTreeMap<RoomId, u64>,
    /// Whether rooms that inputs of this batch describe are private.
    described: BTreeMap<RoomId, bool>,
    listening: Listening<'a>,
}

impl<'a> Capture<'a> {
    pub fn new(community: &'a CommunityId, rooms: &'a dyn KnownRooms, settings: &'a MemorySettings) -> Self {
        Self {
            community,
            rooms,
            settings,
            endings: BTreeMap::new(),
            described: BTreeMap::new(),
            listening: Listening::new(rooms),
        }
    }

    /// The turn that an input is, if it is one.
    pub fn turn_of(&mut self, seq: u64, input: &Input, at: WallTime) -> Option<CapturedTurn> {
        if !self.listening.keeps(input) {
            return None;
        }
        match input {
            Input::Room(room, event) => self.turn_in_room(seq, room, event, at),
            Input::Answer(answer) => self.turn_in_answer(answer),
            // Nothing was said in these.
            Input::Memory(_) | Input::Operator(_) | Input::Shell(_) => None,
        }
    }

    fn turn_in_room(
        &mut self,
        seq: u64,
        room: &RoomId,
        event: &RoomEvent,
        at: WallTime,
    ) -> Option<CapturedTurn> {
        match event {
            RoomEvent::MessageArrived(message) | RoomEvent::MessageMissed(message) => {
                if let Some(command) = command::read(&message.text).filter(|_| is_person(message)) {
                    if command.ending().is_some() {
                        self.note_ending(room);
                    }
                    return None;
                }
                self.message(message, typed_or_spoken(message))
            }
            RoomEvent::UtteranceHeard { message, .. } => self.message(message, TurnKind::Spoken),
            RoomEvent::NoteTaken { shared_by, text } => self.seen(
                &format!("note:{}:{seq}", self.community),
                room,
                shared_by,
                text,
                at,
            ),
            RoomEvent::SessionEnded | RoomEvent::Ended => {
                self.note_ending(room);
                None
            }
            RoomEvent::Described(facts) => {
                self.described.insert(room.clone(), facts.is_private());
                None
            }
            // A change of what was said reaches memory by itself; the rest are signs, not words.
            RoomEvent::MessageEdited { .. }
            | RoomEvent::MessageDeleted { .. }
            | RoomEvent::CaughtUp
            | RoomEvent::ReactionChanged { .. }
            | RoomEvent::ReactionFailed { .. }
            | RoomEvent::QuietChosen { .. }
            | RoomEvent::TypingChanged { .. }
            | RoomEvent::PersonJoined(_)
            | RoomEvent::PersonLeft { .. }
            | RoomEvent::SpeechStarted { .. }
            | RoomEvent::SpeechEnded { .. }
            | RoomEvent::SpeechContinues { .. }
            | RoomEvent::SpeechPartial { .. }
            | RoomEvent::UtteranceMissed { .. }
            | RoomEvent::VoiceLoads
            | RoomEvent::VoiceServiceStands { .. }
            | RoomEvent::VoiceServiceKnows(_)
            | RoomEvent::SpeakersOverlapped { .. }
            | RoomEvent::VoiceJoined { .. }
            | RoomEvent::VoiceAsked { .. }
            | RoomEvent::SpeechPaid { .. }
            | RoomEvent::PlaybackProgressed { .. }
            | RoomEvent::VoiceLeft { .. }
            | RoomEvent::ListeningChosen { .. }
            | RoomEvent::SoundPlayed { .. }
            | RoomEvent::SoundFailed { .. }
            | RoomEvent::PlaybackFailed { .. }
            | RoomEvent::PlaybackStarted { .. }
            | RoomEvent::PlaybackEnded { .. }
            | RoomEvent::ShareStarted(_)
            | RoomEvent::FrameArrived { .. }
            | RoomEvent::ShareEnded { .. }
            | RoomEvent::WatchChosen { .. }
            | RoomEvent::FrameRefused { .. } => None,
        }
    }

    fn turn_in_answer(&self, answer: &Answer) -> Option<CapturedTurn> {
        match answer {
            Answer::MessageSent { delivery, message } => {
                let kind = match self.rooms.posts_by_itself(delivery) {
                    true => TurnKind::Ambient,
                    false => typed_or_spoken(message),
                };
                self.message(message, kind)
            }
            Answer::SendFailed { .. }
            | Answer::AskProgressed { .. }
            | Answer::AskEnded { .. }
            | Answer::Recalled { .. }
            | Answer::ToolEnded { .. }
            | Answer::SurroundingsGathered { .. }
            | Answer::MediaEnded { .. }
            | Answer::GemsStored { .. } => None,
        }
    }

    /// The final summary of the conversation of a room that has just ended.
    pub fn summary(
        &self,
        room: &RoomId,
        denizen: &PersonId,
        name: &str,
        text: &str,
        at: WallTime,
    ) -> Option<CapturedTurn> {
        let session = self.session(room, self.rooms.sessions_ended(room).saturating_sub(1), at);
        let speaker = Author {
            id: denizen.clone(),
            name: name.to_owned(),
            kind: AuthorKind::Denizen,
        };
        let id = format!("summary:{session}:{}", at.0);
        let mut turn = self.turn(&id, room, speaker, TurnKind::Summary, text, at)?;
        turn.session = session;
        Some(turn)
    }

    /// What was seen on a screen while it was watched.
    pub fn recap(&self, room: &RoomId, shared_by: &str, text: &str, at: WallTime) -> Option<CapturedTurn> {
        let id = format!("recap:{}:{room}:{}", self.community, at.0);
        self.seen(&id, room, shared_by, text, at)
    }

    fn seen(
        &self,
        id: &str,
        room: &RoomId,
        shared_by: &str,
        text: &str,
        at: WallTime,
    ) -> Option<CapturedTurn> {
        let speaker = Author {
            id: PersonId::new(format!("screen:{}", shared_by.to_lowercase())),
            name: shared_by.to_owned(),
            kind: AuthorKind::OtherBot,
        };
        self.turn(id, room, speaker, TurnKind::ScreenNote, text, at)
    }

    fn message(&self, message: &Message, kind: TurnKind) -> Option<CapturedTurn> {
        if message.sign {
            return None;
        }
        let id = TurnKey::of_message(self.community, &message.id);
        // What was drawn is remembered like what was said, and is forgotten with it.
        let seen = message.attachments.iter();
        let seen = seen.filter(|attached| !attached.description.is_empty());
        let seen: String = seen
            .map(|attached| format!(" [{}]", described(attached)))
            .collect();
        self.turn(
            id.as_str(),
            &message.room,
            message.author.clone(),
            kind,
            &format!("{}{seen}", message.text),
            message.at,
        )
    }

    fn turn(
        &self,
        id: &str,
        room: &RoomId,
        speaker: Author,
        kind: TurnKind,
        text: &str,
        at: WallTime,
    ) -> Option<CapturedTurn> {
        if !self.settings.enabled || text.trim().is_empty() {
            return None;
        }
        let ended = self.rooms.sessions_ended(room) + self.endings.get(room).copied().unwrap_or(0);
        let text = head(text, TURN_CHARS_MAX);
        Some(CapturedTurn {
            id: TurnKey::new(id),
            place: Place {
                community: self.community.clone(),
                room: room.clone(),
                private: self.is_private(room),
            },
            session: self.session(room, ended, at),
            number: 0,
            speaker,
            kind,
            text: redact(text).text,
            at,
        })
    }

    /// A room's conversations are told apart by day, and by how many were ended before.
    fn session(&self, room: &RoomId, ended: u64, at: WallTime) -> SessionId {
        let day = rfc3339::date(at);
        let community = self.community;
        match ended {
            0 => SessionId::new(format!("{community}/{room}/{day}")),
            _ => SessionId::new(format!("{community}/{room}/{day}.{ended}")),
        }
    }

    /// A direct message is private by its kind; any other room where the platform or the operator says so.
    fn is_private(&self, room: &RoomId) -> bool {
        let listed = self.settings.private_room_ids.iter();
        let described = self.described.get(room).copied();
        described.unwrap_or_else(|| self.rooms.is_private(room))
            || listed.into_iter().any(|private| private == room.as_str())
    }

    fn note_ending(&mut self, room: &RoomId) {
        *self.endings.entry(room.clone()).or_default() += 1;
    }
}

fn typed_or_spoken(message: &Message) -> TurnKind {
    if message.spoken {
        TurnKind::Spoken
    } else {
        TurnKind::Typed
    }
}

fn is_person(message: &Message) -> bool {
    message.author.kind == AuthorKind::Person
}

#[cfg(test)]
#[path = "capture_tests.rs"]
mod capture_tests;
