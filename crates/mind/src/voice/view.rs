//! The voice of a room as its page shows it.

use serde::{Deserialize, Serialize};
use vocabulary::{Moment, PersonId};

use super::mouth::Mouth;
use super::people::VoicePeople;
use super::session::{Standing, VoiceSession};

/// Whether Denizen is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum VoicePresence {
    Out,
    Joining,
    In,
    Leaving,
}

/// What Denizen does there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum VoiceDoing {
    Listening,
    /// It makes an answer.
    Thinking,
    Speaking,
}

/// Somebody in the voice of a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VoicePerson {
    pub id: PersonId,
    pub name: String,
    pub speaking: bool,
    /// What they say is written down; false: they do not want to be listened to.
    pub listened_to: bool,
}

/// The voice of a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VoiceView {
    pub presence: VoicePresence,
    pub doing: VoiceDoing,
    /// Since when it is in.
    pub since: Option<Moment>,
    pub people: Vec<VoicePerson>,
}

pub(super) fn of(
    people: &VoicePeople,
    session: &VoiceSession,
    mouth: &Mouth,
    is_answering: bool,
) -> VoiceView {
    let person = |(id, present): (&PersonId, &super::people::Present)| VoicePerson {
        id: id.clone(),
        name: present.name.clone(),
        speaking: present.speaking.is_some(),
        listened_to: people.is_listened_to(id),
    };
    VoiceView {
        presence: match session.standing {
            Standing::Out => VoicePresence::Out,
            _ if session.leaving.is_some() => VoicePresence::Leaving,
            Standing::Joining(_) => VoicePresence::Joining,
            Standing::In(_) => VoicePresence::In,
        },
        doing: match (mouth.is_open(), is_answering) {
            (true, _) => VoiceDoing::Speaking,
            (false, true) => VoiceDoing::Thinking,
            (false, false) => VoiceDoing::Listening,
        },
        since: session.since(),
        people: people.iter().map(person).collect(),
    }
}
