//! What is said over the socket of a voice room, beside the sound.

use mind::JournalEntry;
use runtime::live::LiveEvent;
use runtime::ports::LineCoding;
use serde::{Deserialize, Serialize};
use vocabulary::{Author, DeliveryId, MessageId, PersonId, RoomId};

use super::view::VoiceParticipant;

/// The journal's line about whether something was meant for Denizen.
const DECISION: &str = "voice_turn_addressing";

/// What a program says; sound comes as it is.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Said {
    /// The microphone is off, or on again.
    Mute { muted: bool },
    /// Whether what is said is listened to and written down.
    Listen { listen: bool },
    /// Words in place of sound, as if they had been heard.
    SayTyped { text: String },
}

/// What a program is told.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(super) enum Say<'a> {
    Hello {
        session: &'a str,
        room: &'a RoomId,
        you: &'a Author,
        format: &'static str,
        samples_per_second: u32,
        channels: u8,
        frame_milliseconds: u8,
    },
    /// Who is there; told whenever it changes.
    People {
        in_room: bool,
        people: &'a [VoiceParticipant],
    },
    Speaking {
        person: &'a PersonId,
        speaking: bool,
    },
    Transcript {
        id: &'a MessageId,
        person: &'a PersonId,
        name: &'a str,
        text: &'a str,
        #[serde(rename = "final")]
        is_final: bool,
    },
    /// Whether Denizen answers, and why: a line of the journal.
    Decision {
        line: &'a JournalEntry,
    },
    /// What Denizen is saying.
    Saying {
        delivery: &'a DeliveryId,
        text: &'a str,
    },
    /// It has stopped saying it; so much of it was heard.
    Stopped {
        delivery: &'a DeliveryId,
        text: &'a str,
        heard: &'a str,
    },
    Error {
        code: &'a str,
        message: &'a str,
    },
}

/// What is wrong with a text message.
pub(super) fn read(text: &str) -> Result<Said, String> {
    serde_json::from_str(text).map_err(|problem| {
        format!(
            "That text cannot be read: {problem}. Send {{\"type\":\"mute\",\"muted\":true}}, {{\"type\":\"listen\",\"listen\":false}} or {{\"type\":\"say_typed\",\"text\":…}}, or sound as binary frames."
        )
    })
}

/// Whether somebody may have come or gone, or be listened to otherwise than before.
pub(super) fn tells_of_people(event: &LiveEvent, room: &RoomId) -> bool {
    matches!(event, LiveEvent::VoicePeople { room: where_, .. } if where_ == room)
}

/// What a live event says to whoever is in the voice of a room.
pub(super) fn of_event<'a>(event: &'a LiveEvent, room: &RoomId) -> Option<Say<'a>> {
    match event {
        LiveEvent::VoiceSpeaking {
            room: where_,
            person,
            speaking,
        } if where_ == room => Some(Say::Speaking {
            person,
            speaking: *speaking,
        }),
        LiveEvent::VoiceTranscript {
            room: where_,
            id,
            person,
            name,
            text,
            is_final,
        } if where_ == room => Some(Say::Transcript {
            id,
            person,
            name,
            text,
            is_final: *is_final,
        }),
        LiveEvent::VoiceSaying {
            room: where_,
            delivery,
            text,
            heard,
        } if where_ == room => Some(match heard {
            None => Say::Saying { delivery, text },
            Some(heard) => Say::Stopped {
                delivery,
                text,
                heard,
            },
        }),
        LiveEvent::Journal { entry } if entry.scope.room.as_ref() == Some(room) => {
            (entry.event.name() == DECISION).then_some(Say::Decision { line: entry })
        }
        _ => None,
    }
}

/// How the address names a coding.
pub(super) fn name_of(coding: LineCoding) -> &'static str {
    match coding {
        LineCoding::Pcm16 => "pcm16",
        LineCoding::Opus => "opus",
    }
}
