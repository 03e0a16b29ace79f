//! The voice of a room as its page shows it.

use serde::{Deserialize, Serialize};
use settings::RealtimeReplyStrategy;
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
    /// The realtime service that hears and speaks, where one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<VoiceServiceView>,
}

/// A realtime service in the voice of a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VoiceServiceView {
    /// Whose: `openai:gpt-realtime-1.5`.
    pub service: String,
    /// Who thinks: `brain` is Denizen, `native` the service.
    pub strategy: String,
    /// Where it thinks for itself, what it goes by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knows: Option<String>,
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
        service: session.service.as_ref().map(|seat| VoiceServiceView {
            service: seat.service.clone(),
            strategy: match session.native {
                Some(_) => RealtimeReplyStrategy::Native.name().to_owned(),
                None => RealtimeReplyStrategy::Brain.name().to_owned(),
            },
            knows: session.native.as_ref().map(|link| link.knows()),
        }),
    }
}
