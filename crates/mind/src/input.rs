//! Everything that can happen to a mind.

use serde::{Deserialize, Serialize};
use vocabulary::{
    AskId, AskOutcome, DeliveryId, Message, MessageId, PersonId, RecallId, RoomId, Span, ToolResult,
    ToolRunId,
};

/// One thing that happened. Recorded as it is: the inputs and the seed are the whole truth of a mind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    MessageArrived(Message),
    MessageEdited {
        room: RoomId,
        id: MessageId,
        text: String,
    },
    MessageDeleted {
        room: RoomId,
        id: MessageId,
    },
    /// Somebody started or stopped typing, where the room can tell.
    TypingChanged {
        room: RoomId,
        person: PersonId,
        typing: bool,
    },
    /// A delivery is in the room for good, under the platform's id.
    MessageSent {
        delivery: DeliveryId,
        message: Message,
    },
    SendFailed {
        delivery: DeliveryId,
        detail: String,
        retryable: bool,
    },
    /// More of an answer under way; pieces in order, none empty.
    AskProgressed {
        ask: AskId,
        text: String,
    },
    AskEnded {
        ask: AskId,
        outcome: AskOutcome,
    },
    Recalled {
        recall: RecallId,
        found: Recollection,
    },
    ToolEnded {
        run: ToolRunId,
        result: ToolResult,
    },
    /// Something was seen beside the conversation, and has left its live buffer: it waits to be folded in.
    NoteTaken {
        room: RoomId,
        shared_by: String,
        text: String,
    },
    /// The conversation of a room is over; what follows is a new one.
    SessionEnded {
        room: RoomId,
    },
    /// Somebody asked for something that will not do, and was told so at the door. `folded` counts more of them before it.
    RequestRefused {
        method: String,
        path: String,
        status: u16,
        code: String,
        folded: u64,
    },
    /// The settings passed from now on are others than before.
    SettingsChanged {
        version: u64,
        changed: Vec<String>,
    },
    /// The moment that was asked for has come; harmless if nobody needs it.
    WakeReached,
    /// The process came up again with this mind's state; whatever was under way outside is gone.
    Restarted {
        down_for: Span,
    },
    /// The process will end soon.
    ShutdownRequested,
}

/// What a recall brought back. Empty where nothing fitted or the store failed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recollection {
    /// Older messages of the room that fit, best first.
    pub messages: Vec<Message>,
    /// Why it is empty, when something went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}
