//! Everything that can happen to a mind.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vocabulary::{
    AskAllowance, AskId, AskOutcome, AskPurpose, Author, CapturedTurn, DeliveryId, ExtractionId, FeedHarvest,
    FeedSource, FrameRefusal, GatherId, Glimpse, MediaId, MediaKind, MediaOutcome, Message, MessageId,
    ModelChoice, OutsideTool, PersonId, QuietWish, RecallId, ReplyModel, RoomFacts, RoomId, SessionId, Share,
    ShareEnd, ShareId, Span, ToolResult, ToolRunId, UnheardReason, VoiceLoss,
};

pub use crate::conversing::{ServiceEvents, ServiceKnown};
use crate::reasons::ContextUse;
pub use crate::remembered::{Forgotten, Recollection, StoredGems, StoringOutcome};

/// One thing that happened. Recorded as it is: the inputs and the seed are the whole truth of a mind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Something happened in a room.
    Room(RoomId, RoomEvent),
    /// What came of something that the mind wanted.
    Answer(Answer),
    /// Something happened to memory.
    Memory(MemoryEvent),
    /// Somebody who looks after Denizen wants something.
    Operator(OperatorWish),
    /// Something about the process or its clock.
    Shell(ShellEvent),
}

impl Input {
    /// A message came in, in the room it names.
    pub fn message_arrived(message: Message) -> Self {
        Self::Room(message.room.clone(), RoomEvent::MessageArrived(message))
    }

    /// A screen is shared, in the room it names.
    pub fn share_started(share: Share) -> Self {
        Self::Room(share.room.clone(), RoomEvent::ShareStarted(share))
    }
}

impl From<Answer> for Input {
    fn from(answer: Answer) -> Self {
        Self::Answer(answer)
    }
}

/// What can happen in a room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomEvent {
    /// The platform says what kind of room this is, and what it is called.
    Described(RoomFacts),
    /// The room is gone for good; nothing can be said in it any more.
    Ended,
    MessageArrived(Message),
    /// A message that was written while Denizen was away; those of a room come in their order, and then `CaughtUp`.
    MessageMissed(Message),
    /// Everything that was missed in this room has been told.
    CaughtUp,
    MessageEdited {
        id: MessageId,
        text: String,
    },
    MessageDeleted {
        id: MessageId,
    },
    /// Somebody put a reaction under a message, or took it back.
    ReactionChanged {
        message: MessageId,
        person: PersonId,
        emoji: String,
        added: bool,
    },
    /// A reaction of Denizen's could not be put under a message.
    ReactionFailed {
        message: MessageId,
        emoji: String,
        detail: String,
    },
    /// Somebody wants nothing said in this room for a while, or wants that over; nobody: whoever runs it does.
    QuietChosen {
        person: Option<PersonId>,
        wish: QuietWish,
    },
    /// Somebody started or stopped typing, where the room can tell.
    TypingChanged {
        person: PersonId,
        typing: bool,
    },
    /// Somebody came into a voice room.
    PersonJoined(Author),
    /// Somebody left a voice room.
    PersonLeft {
        person: PersonId,
    },
    /// Somebody began to speak.
    SpeechStarted {
        person: PersonId,
    },
    /// Somebody fell silent.
    SpeechEnded {
        person: PersonId,
    },
    /// Somebody has been speaking for so long; told every 100 ms, and only while Denizen is being heard.
    SpeechContinues {
        person: PersonId,
        spoken: Span,
    },
    /// What has been understood so far of somebody who still speaks.
    SpeechPartial {
        person: PersonId,
        text: String,
    },
    /// What somebody said, written down: of whoever's track it was, and marked as spoken.
    UtteranceHeard {
        message: Message,
        spoken: Span,
        /// How long they had been silent when it was taken for finished.
        silence: Span,
        took: Span,
    },
    /// Somebody made a sound, and no words came of it.
    UtteranceMissed {
        person: PersonId,
        reason: UnheardReason,
        detail: String,
        spoken: Span,
    },
    /// Somebody wants Denizen in the voice of this room, or out of it, by its page; nobody: whoever runs it does.
    VoiceAsked {
        person: Option<PersonId>,
        come: bool,
    },
    /// Denizen will be in the voice of this room when its ears and its voice are loaded; told every few seconds until then.
    VoiceLoads,
    /// Denizen is in the voice of this room; where nobody hears, what is typed stands in for what is said.
    VoiceJoined {
        hears: bool,
        /// It has a voice; where it has none, it answers in the text of the room.
        #[serde(default = "has_a_voice", skip_serializing_if = "Clone::clone")]
        speaks: bool,
        /// The operator's short sounds, by name.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sounds: Vec<String>,
    },
    /// A realtime service hears and speaks for Denizen here, or cannot and its own ears and voice do.
    VoiceServiceStands {
        /// Whose: `openai:gpt-realtime-1.5`.
        service: String,
        /// What it calls the event by which it is asked to say something.
        event: String,
        works: bool,
        detail: String,
        /// It thinks for itself, and calls what it is asked for and tells by these names.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        native: Option<ServiceEvents>,
    },
    /// What a realtime service knows that thinks for itself, as far as can be told from here.
    VoiceServiceKnows(ServiceKnown),
    /// People spoke at once: the service heard them one after the other, or mixed.
    SpeakersOverlapped {
        people: Vec<PersonId>,
        mixed: bool,
    },
    /// Denizen is not in the voice of this room, or not any more.
    VoiceLeft {
        reason: VoiceLoss,
        detail: String,
    },
    /// Somebody does not want to be listened to, or does again.
    ListeningChosen {
        person: PersonId,
        listen: bool,
    },
    /// A sound effect was heard; nobody: Denizen played it.
    SoundPlayed {
        person: Option<PersonId>,
        name: String,
    },
    /// One of the operator's short sounds could not be played.
    SoundFailed {
        name: String,
        detail: String,
    },
    /// Denizen is heard saying this delivery.
    PlaybackStarted {
        delivery: DeliveryId,
    },
    /// Denizen has said this delivery, or was cut short after so many characters of its sentences, joined by a space.
    PlaybackEnded {
        delivery: DeliveryId,
        cut_after: Option<usize>,
    },
    /// So many characters of this delivery were heard by now; told at the end of a sentence, or of words.
    PlaybackProgressed {
        delivery: DeliveryId,
        characters: usize,
    },
    /// This delivery cannot be said, or not any further than was told.
    PlaybackFailed {
        delivery: DeliveryId,
        detail: String,
    },
    /// Ears or a voice of somebody else's were used, and want to be paid; where nobody knows how much, none.
    SpeechPaid {
        engine: String,
        cost_micro_dollars: Option<u64>,
    },
    /// Something was seen beside the conversation, and has left its live buffer: it waits to be folded in.
    NoteTaken {
        shared_by: String,
        text: String,
    },
    /// Somebody started to share a screen.
    ShareStarted(Share),
    /// A frame of the share that is watched was taken in and scored.
    FrameArrived {
        share: ShareId,
        glimpse: Glimpse,
    },
    ShareEnded {
        share: ShareId,
        reason: ShareEnd,
    },
    /// Somebody chose whose screen is watched; none: nobody's.
    WatchChosen {
        share: Option<ShareId>,
    },
    /// Frames of a known share were refused at the door. `folded` counts more of them before this one.
    FrameRefused {
        share: ShareId,
        reason: FrameRefusal,
        detail: String,
        folded: u64,
    },
    /// The conversation is over; what follows is a new one.
    SessionEnded,
}

/// What was recorded before it was told had one.
fn has_a_voice() -> bool {
    true
}

/// What came of an effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
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
    /// What came of storing the gems of a run.
    GemsStored {
        extraction: ExtractionId,
        outcome: StoringOutcome,
    },
}

/// What can happen to memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryEvent {
    /// Captured turns are in the buffer, and this process's to make gems of.
    TurnsBuffered { turns: Vec<CapturedTurn> },
    /// Another agent says how full the context of its conversation is.
    ContextUsed { session: SessionId, context: ContextUse },
    /// A conversation of another agent's is over.
    ConversationEnded { session: SessionId },
    /// Something is gone from memory for good, and must go from here too.
    Forgotten(Box<Forgotten>),
}

/// What an operator can want.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperatorWish {
    /// To see what Denizen would think now. Nothing is posted, and nothing is held.
    ThinkNow,
    /// The thought that is held gone.
    ThoughtDropped,
    /// A source gone that Denizen has added itself.
    SourceDropped { source: FeedSource },
    /// Models that are left alone tried with the next question: somebody has paid, or looked what is wrong.
    ModelsTried,
    /// Models left alone no more that have answered such a question elsewhere: it is known that they do.
    ModelsAnswered { purposes: Vec<AskPurpose> },
    /// A message answered: once more, or because no reply could be made.
    ReplyAgain { room: RoomId, message: MessageId },
}

/// What can happen to the process, and what it says of the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShellEvent {
    /// What can be done out there is something else than before: tools to run, and media that can be made.
    CapabilitiesChanged {
        tools: Vec<OutsideTool>,
        media: Vec<MediaKind>,
    },
    /// Replies are written by another model than before, or more is known of it; none: it is not known.
    ReplyModelChanged { model: Option<ReplyModel> },
    /// Questions may take something else than before on top of their words and answers, by what they are for.
    AllowancesChanged {
        allowances: BTreeMap<AskPurpose, AskAllowance>,
    },
    /// Questions go to other models than before, by what they are for.
    ModelsChanged {
        models: BTreeMap<AskPurpose, ModelChoice>,
    },
    /// A provider that did not accept the key has given out its list of models with it.
    KeyAccepted { provider: String },
    /// A request was refused before it reached the mind. `folded` counts more of them before it.
    RequestRefused {
        method: String,
        path: String,
        status: u16,
        code: String,
        folded: u64,
    },
    /// The settings passed from now on are others than before.
    SettingsChanged { version: u64, changed: Vec<String> },
    /// A model that is taken because none is named was replaced by another: it ends, or is not there.
    ModelMoved {
        provider: String,
        /// `main` or `small`.
        role: String,
        from: String,
        to: String,
        because: String,
    },
    /// What is known of models was read anew: it counts from now on, or is refused with its problem.
    CatalogueChanged {
        path: String,
        date: Option<String>,
        problem: Option<String>,
    },
    /// The moment that was asked for has come; harmless if nobody needs it.
    WakeReached,
    /// The process came up again with this mind's state; whatever was under way outside is gone.
    Restarted { down_for: Span },
    /// The state that was kept could not be read as a whole, or inputs after it could not be stepped: what was carried
    /// over, what was lost, and the newest messages of the rooms, oldest first.
    StateSalvaged {
        carried: Vec<String>,
        lost: Vec<String>,
        messages: Vec<Message>,
    },
    /// The process will end soon.
    ShutdownRequested,
}
