//! Everything that can happen to a mind.

use serde::{Deserialize, Serialize};
use vocabulary::{
    AskId, AskOutcome, CapturedTurn, DeliveryId, ExtractionId, FeedHarvest, FeedSource, Forget, Found,
    FrameRefusal, GatherId, Gem, GemId, Glimpse, MediaId, MediaKind, MediaOutcome, Message, MessageId,
    OutsideTool, PersonId, RecallId, RoomId, SessionId, Share, ShareEnd, ShareId, Span, ToolResult,
    ToolRunId, TurnKey,
};

use crate::reasons::ContextUse;

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
    /// The look around before a thought is done.
    SurroundingsGathered {
        gather: GatherId,
        found: FeedHarvest,
    },
    /// What came of a picture, clip or GIF that was wanted.
    MediaEnded {
        media: MediaId,
        outcome: MediaOutcome,
    },
    /// What can be done out there is something else than before: tools to run, and media that can be made.
    CapabilitiesChanged {
        tools: Vec<OutsideTool>,
        media: Vec<MediaKind>,
    },
    /// Somebody put a reaction under a message, or took it back.
    ReactionChanged {
        room: RoomId,
        message: MessageId,
        person: PersonId,
        emoji: String,
        added: bool,
    },
    /// The operator wants to see what it would think now. Nothing is posted, and nothing is held.
    ThinkNow,
    /// The operator wants the thought that is held gone.
    ThoughtDropped,
    /// The operator wants a source gone that it has added itself.
    SourceDropped {
        source: FeedSource,
    },
    /// Something was seen beside the conversation, and has left its live buffer: it waits to be folded in.
    NoteTaken {
        room: RoomId,
        shared_by: String,
        text: String,
    },
    /// Somebody started to share a screen.
    ShareStarted(Share),
    /// A frame of the share that is watched was taken in and scored.
    FrameArrived {
        room: RoomId,
        share: ShareId,
        glimpse: Glimpse,
    },
    ShareEnded {
        room: RoomId,
        share: ShareId,
        reason: ShareEnd,
    },
    /// Somebody chose whose screen is watched; none: nobody's.
    WatchChosen {
        room: RoomId,
        share: Option<ShareId>,
    },
    /// Frames of a known share were refused at the door. `folded` counts more of them before this one.
    FrameRefused {
        room: RoomId,
        share: ShareId,
        reason: FrameRefusal,
        detail: String,
        folded: u64,
    },
    /// The conversation of a room is over; what follows is a new one.
    SessionEnded {
        room: RoomId,
    },
    /// Captured turns are in the buffer, and this process's to make gems of.
    TurnsBuffered {
        turns: Vec<CapturedTurn>,
    },
    /// Another agent says how full the context of its conversation is.
    ContextUsed {
        session: SessionId,
        context: ContextUse,
    },
    /// A conversation of another agent's is over.
    ConversationEnded {
        session: SessionId,
    },
    /// What came of storing the gems of a run.
    GemsStored {
        extraction: ExtractionId,
        outcome: StoringOutcome,
    },
    /// Something is gone from memory for good, and must go from here too.
    Forgotten(Box<Forgotten>),
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
    /// Gems and turns of any room in view that fit, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Found>,
    /// What is known of the people at hand, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of_people: Vec<Gem>,
    /// Why it is empty, when something went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// What came of storing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoringOutcome {
    Stored(StoredGems),
    /// It will be tried again: for a person, what went wrong and what to do.
    Failed {
        detail: String,
    },
}

/// What became of the gems of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredGems {
    /// New ones.
    pub added: Vec<GemId>,
    /// Known ones that were said again.
    pub strengthened: Vec<GemId>,
    /// Ones that do not hold any more.
    pub superseded: Vec<GemId>,
    /// Stored by an earlier try.
    pub already_there: usize,
}

/// What was forgotten, and how to tell where else it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Forgotten {
    pub what: Forget,
    /// Who is forgotten, by name.
    pub names: Vec<String>,
    /// The forgotten texts. Whoever records this input lets it go with all others before it.
    pub texts: Vec<String>,
    /// Every turn that went, for whatever reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turn_ids: Vec<TurnKey>,
    pub gems: usize,
    pub turns: usize,
    /// The room in which it was asked for, where it is told that it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_in: Option<RoomId>,
    /// Why nothing, or not everything, could be forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}
