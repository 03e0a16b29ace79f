//! Everything a mind can want of the world.

use std::collections::BTreeMap;

use gist::Gathered;
use gist::gems::fingerprint;
use serde::{Deserialize, Serialize};
use vocabulary::{
    AskId, Attachment, Author, AuthorKind, CapturedTurn, DeliveryId, ExtractionId, FeedWish, Forget,
    GatherId, MediaOrder, Message, MessageId, ModelRequest, Moment, PersonId, RecallId, RoomId, SessionId,
    ShareId, Span, ToolCall, ToolRunId, ToolSpec, TurnId, TurnKey, Viewpoint, WallTime,
};

use crate::journal::JournalEntry;

/// What to do about a thing that happened, and when to be woken next.
#[must_use]
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub effects: Vec<Effect>,
    pub wake: Option<Wake>,
}

/// When the mind next wants stepping, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Wake {
    pub at: Moment,
    pub reason: WakeReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WakeReason {
    /// A burst of messages counts as finished.
    BurstCloses,
    /// Enough time has passed since the last message to send another.
    SpacingEnds,
    /// A failed attempt may be made again.
    RetryDue,
    /// A recall has had its time.
    RecallDeadline,
    /// A tool has had its time.
    ToolDeadline,
    /// An ask has had its time.
    AskDeadline,
    /// A room has had its time to confirm a message.
    DeliveryDeadline,
    /// Nobody has said anything for a while: time to make gems of what was said.
    ConversationIdle,
    /// Making or storing gems may be tried again.
    MemoryRetry,
    /// A note on a shared screen is due.
    NoteDue,
    /// It is time to consider a comment on a shared screen.
    CommentaryDue,
    /// It is time to see whether it has a thought of its own.
    AmbientTick,
    /// The look around before a thought has had its time.
    GatherDeadline,
    /// A picture, clip or GIF has had its time.
    MediaDeadline,
    /// What was promised to be forgotten before the process ended has had its time.
    ForgettingDeadline,
    /// What was said aloud may be decided on now, or is too old to be answered.
    VoiceTurnDue,
    /// Nobody has said anything in the voice of a room for long, or it has been there for long.
    VoiceSessionDue,
    /// A room may be spoken in again.
    QuietEnds,
    /// It has been silent in the voice of a room for so long that a thought may fill it.
    VoiceThoughtDue,
}

/// One wish. The shell carries it out and answers with an input; it decides nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Something is to happen in a room.
    Room(RoomId, RoomWish),
    /// Ask a model → `AskProgressed`…, then `AskEnded`.
    Ask(Box<Asking>),
    /// Nobody waits for this ask any more.
    CancelAsk {
        ask: AskId,
    },
    /// Look for older messages and facts that fit → `Recalled`.
    Recall(RecallQuery),
    /// Run a tool → `ToolEnded`.
    RunTool(Box<ToolRun>),
    /// Look around before a thought → `SurroundingsGathered`.
    GatherSurroundings(Box<Gather>),
    /// Have a picture, clip or GIF made or found, and kept → `MediaEnded`.
    MakeMedia(MediaOrder),
    /// A text worth keeping beyond its session is handed to memory.
    OfferToMemory {
        room: RoomId,
        text: String,
        /// Whose shared screen it tells of, by name; none: it is the summary of a conversation that has ended.
        seen_with: Option<String>,
    },
    /// Store the gems of a run, and let its turns leave the buffer → `GemsStored`.
    StoreGems(Box<Gathering>),
    /// Forget for good, everywhere → `Forgotten`.
    Forget {
        what: Forget,
        asked_in: RoomId,
    },
    Journal(Box<JournalEntry>),
}

impl Effect {
    /// A message goes out, to the room it names.
    pub fn send(delivery: Delivery) -> Self {
        Self::Room(delivery.room.clone(), RoomWish::Send(delivery))
    }
}

/// What can be wanted in a room.
#[derive(Clone, Debug, PartialEq)]
pub enum RoomWish {
    /// Put a message there, once per delivery id → `MessageSent` or `SendFailed`.
    Send(Delivery),
    /// Put an emoji under a message; to do so again changes nothing → `ReactionChanged` of its own, or `ReactionFailed`.
    React { message: MessageId, emoji: String },
    /// Show or hide that Denizen is writing.
    ShowTyping { typing: bool },
    /// Show what has been written so far, where a room can; the message itself follows by `Send`.
    ShowDraft { turn: TurnId, text: String },
    /// Take a shown draft back: nothing will be sent for it.
    DropDraft { turn: TurnId },
    /// Take the frames of this share in, and of no other here → `FrameArrived`…
    WatchScreen { share: ShareId },
    /// Take no frames in here any more.
    UnwatchScreen,
    /// Go into the voice of this room → `VoiceJoined` or `VoiceLeft`.
    JoinVoice,
    /// Leave it → `VoiceLeft`.
    LeaveVoice,
    /// Say a sentence aloud → `PlaybackStarted`, then `PlaybackEnded` or `PlaybackFailed` once for a delivery.
    Speak {
        delivery: DeliveryId,
        turn: TurnId,
        /// Sentences of one delivery come in their order; the first is spoken while the next are written.
        sentence: String,
        /// None follow; it may be empty, and then only closes the delivery.
        last: bool,
    },
    /// Fall silent within a frame, whatever is being said → `PlaybackEnded` with how far it got.
    StopSpeaking,
    /// Have what somebody says written down, or not any more.
    Listen { person: PersonId, listen: bool },
    /// Play one of the operator's short sounds → `SoundPlayed`.
    PlaySound { name: String },
    /// Tell the realtime service that thinks for itself what it is to be, and what it may call.
    InstructService {
        instructions: String,
        tools: Vec<ToolSpec>,
        /// It is to forget everything that it was told and has heard before.
        anew: bool,
    },
    /// Tell it something in words, for when it next answers.
    TellService { text: String },
    /// Put among the messages of the room what was heard of Denizen from `at` on; nothing is posted → `MessageSent`.
    WriteDown { delivery: Delivery, at: WallTime },
}

/// A message to be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    pub id: DeliveryId,
    pub room: RoomId,
    pub turn: TurnId,
    /// The ask whose answer this is.
    pub ask: AskId,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageId>,
    /// People whose mention in the text may notify them; all other mentions are inert.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_notify: Vec<PersonId>,
    /// Pictures, clips or GIFs that go with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// It was said aloud, and is written down.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spoken: bool,
    /// It is a sign of Denizen's about itself, and so is the message that it becomes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sign: bool,
}

impl Delivery {
    /// The message it becomes where the platform takes over the delivery's own id.
    pub fn as_message(&self, denizen: PersonId, name: &str, at: WallTime) -> Message {
        Message {
            id: MessageId::new(self.id.as_str()),
            room: self.room.clone(),
            author: Author {
                id: denizen,
                name: name.to_owned(),
                kind: AuthorKind::Denizen,
            },
            text: self.text.clone(),
            at,
            reply_to: self.reply_to.clone(),
            mentions: self.may_notify.clone(),
            attachments: self.attachments.clone(),
            reply_to_author: None,
            spoken: self.spoken,
            sign: self.sign,
        }
    }
}

/// A question to a model, with what it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Asking {
    pub ask: AskId,
    pub room: RoomId,
    pub turn: TurnId,
    pub request: ModelRequest,
    /// The realtime service of the room answers by itself, and is heard under this → `PlaybackStarted`, …
    pub aloud: Option<DeliveryId>,
}

/// What to look for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecallQuery {
    pub recall: RecallId,
    pub room: RoomId,
    /// Plain words; the store makes a search of them.
    pub words: String,
    /// Messages that are in the prompt anyway.
    pub exclude: Vec<MessageId>,
    /// Older messages of the room, at most.
    pub max_messages: usize,
    /// Who looks, and so what of memory may be seen.
    pub view: Viewpoint,
    /// The people at hand: what is known of them is wanted whether or not it fits the words.
    pub people: Vec<PersonId>,
    /// Gems and turns that fit, at most; 0: memory is not asked at all.
    pub max_facts: usize,
    /// Only gems.
    #[serde(default)]
    pub gems_only: bool,
    /// Standing and pinned gems that are wanted whether or not they fit the words, at most.
    #[serde(default)]
    pub max_lasting: usize,
    /// Turns that fit less surely are only counted: what is brought back is kept with the input that it makes.
    #[serde(default)]
    pub min_confidence: f64,
    /// How sure it is does not matter: nobody is asked to judge what is found.
    #[serde(default)]
    pub unjudged: bool,
}

/// A look around.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gather {
    pub gather: GatherId,
    pub wish: FeedWish,
    pub deadline: Span,
}

/// The gems of a run, on their way to the store.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathering {
    pub extraction: ExtractionId,
    pub session: SessionId,
    /// The turns they were made of, which leave the buffer once the gems are stored.
    pub turns: Vec<TurnKey>,
    pub gems: Vec<Gathered>,
    /// How each turn read when the gems were made of it, as a `gist::gems::fingerprint`.
    pub heard: BTreeMap<TurnKey, u64>,
}

impl Gathering {
    /// Whether a turn was edited since the gems were made of it.
    pub fn reads_otherwise(&self, turn: &CapturedTurn) -> bool {
        let heard = self.heard.get(&turn.id);
        heard.is_some_and(|heard| *heard != fingerprint(&turn.text))
    }
}

/// A tool call to carry out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolRun {
    pub run: ToolRunId,
    pub room: RoomId,
    pub turn: TurnId,
    pub call: ToolCall,
    /// Who looks, where the tool looks something up.
    pub view: Viewpoint,
    pub deadline: Span,
}
