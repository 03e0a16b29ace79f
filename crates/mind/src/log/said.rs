//! One turn of a conversation, and how the session page shows it.

use serde::{Deserialize, Serialize};
use vocabulary::{Message, MessageId, TurnSeq, WallTime};

/// How a turn came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Modality {
    Typed,
    Spoken,
    /// Something that was seen or noticed, not said.
    Note,
    /// Somebody came or went.
    Membership,
}

/// One thing that was said, with the number it keeps for good.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Said {
    pub seq: TurnSeq,
    pub message: Message,
}

impl Said {
    /// How it came about.
    pub fn modality(&self) -> Modality {
        if self.message.spoken {
            Modality::Spoken
        } else {
            Modality::Typed
        }
    }

    /// Who said it, under the name the room shows.
    pub fn speaker(&self) -> &str {
        &self.message.author.name
    }

    /// What was said.
    pub fn text(&self) -> &str {
        &self.message.text
    }
}

/// A turn as the session page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TimelineTurn {
    pub seq: TurnSeq,
    pub speaker: String,
    pub at: WallTime,
    pub modality: Modality,
    pub text: String,
    /// The message it was, in a text channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
}

impl From<&Said> for TimelineTurn {
    fn from(said: &Said) -> Self {
        Self {
            seq: said.seq,
            speaker: said.speaker().to_owned(),
            at: said.message.at,
            modality: said.modality(),
            text: said.text().to_owned(),
            message: Some(said.message.id.clone()),
        }
    }
}
