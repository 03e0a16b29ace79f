//! Why a message or a turn of a text channel came to what it came to.

use serde::{Deserialize, Serialize};

/// Why a message could not lead to a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// This id was seen before.
    Duplicate,
    /// Denizen's own words, come back.
    OwnMessage,
    /// Another program wrote it.
    OtherBot,
    /// Another program wrote it and did not call Denizen, which answers those that do.
    UncalledByBot,
    /// Another program called Denizen, and has been answered often enough for now.
    BotLimit,
    /// It was written while Denizen was away, and did not call it.
    Missed,
    /// It called Denizen while it was away, too long ago for anybody to wait still.
    MissedTooLongAgo,
    /// It called Denizen while it was away, as others did since, who are answered.
    MissedTooMany,
}

/// Why a turn waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DelayReason {
    /// Too soon after the last message.
    Spacing,
    /// A failed attempt is made again later.
    Retry,
}

/// Why a message cannot be answered on an operator's wish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgainRefusal {
    /// It is too long ago to stand in the conversation, or was taken back.
    NotInConversation,
    /// No person wrote it.
    NotByAPerson,
    /// It waits for its reply.
    Waiting,
    /// Its reply is being made.
    BeingAnswered,
}

/// Why a room is not known any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomEnding {
    /// Its platform says that it is gone.
    Gone,
    /// There are too many, and this one was quiet for longest.
    TooManyRooms,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnOutcome {
    Sent,
    /// An emoji under the message was the whole answer.
    Reacted,
    Skipped,
    Failed,
    /// Its burst went on, or was edited: a new turn answers it whole.
    Superseded,
}

/// Why a command that somebody typed is not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandHold {
    /// It takes away for good, and waits for a yes.
    Unconfirmed,
    /// A yes to nothing.
    NothingToConfirm,
    /// Only the operator may: `permissions.forgetting`.
    NotPermitted,
    /// Only the operator may: `permissions.quieting`.
    QuietNotPermitted,
    /// It does not say for how long in words that are known.
    Unclear,
}
