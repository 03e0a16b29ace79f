//! What the shell needs of the outside world; adapters fulfil these, and never meet each other.

mod abroad;
mod asks;
mod batch;
mod clock_doubt;
mod language;
mod memory;
mod messages;
mod native;
mod outbound;
mod realtime;
mod rooms;
mod sight;
mod speech;
mod store;
mod track_queue;
mod voice;
mod voice_doors;

pub use abroad::{
    Abroad, CallStanding, IntentStanding, PlatformStanding, PlatformState, PlatformTrouble, RequestCounts,
    ShardStanding, SoundCounts,
};
pub use asks::{AskEnding, AskFilter, AskRecord, AskSummary, AskTotals, KeptInstead};
pub use batch::{Batch, Committed, MessageChange, RecordedInput, in_stepping_order};
pub use clock_doubt::{ClockDoubt, Swept};
pub use language::{
    AskedBy, CatalogueNews, ChosenReader, Delta, Language, LanguageStatus, ModelInUse, ModelLack, ModelMove,
    ModelWarning, Patience, Prepared, RAW_RESPONSE_BYTES_MAX, RawResponse, SentInstead, Wire,
};
pub use memory::{
    BufferCount, EmbedRole, Embedded, Embedder, EmbedderIdentity, GemStore, Listing, MemoryFault, Outbox,
    Page, Removed, Reranker, StoreStats, TurnBuffer, WhoseTurns,
};
pub use messages::{MessagePage, MessageQuery, Reaction, StoredMessage};
pub use native::{
    NativeClip, NativeConversation, NativeEvents, NativeInstructions, NativeKnown, NativePiece,
};
pub use outbound::{
    Discovery, MadeMedia, MediaFault, MediaMaker, OutboundServices, ToolStatus, Toolbox, media_patience,
};
pub use realtime::{
    NoRealtime, RealtimeFault, RealtimeNews, RealtimeService, RealtimeServices, RealtimeSound,
    RealtimeStanding, RealtimeTranscript, RealtimeUnreached,
};
pub use rooms::{Rooms, SendFailure};
pub use sight::{Eye, ReadLine, Seen, Sight, StreamRefusal, Streams, TextReader, Undecodable};
pub use speech::{
    CONTINUES_EVERY, ChosenSpeech, ClipListener, HeardSpeech, Hearing, Listened, NoSpeech, Speech,
    SpeechEngines, SpeechFault, SpeechOutlook, SpeechStanding, Spoken, SpokenSound, Utterance,
};
pub use store::{
    CommunityRecord, DiskWork, Forgetting, Forgotten, JournalQuery, KeptState, LayeredSettings, Recording,
    RemovedCommunity, Resume, SavedSettings, Segment, Store, StoreError, UnreadInput,
};
pub use track_queue::TrackQueue;
pub use voice::{
    NoVoice, PlaybackExtent, SAMPLES_PER_SECOND, SoundFrame, Voice, VoiceComing, VoiceEvent, VoiceFault,
    VoiceRoom,
};
pub use voice_doors::{
    DoorRefusal, InVoice, LineCoding, LineEnd, LineFault, PersonInVoice, VoiceAnswer, VoiceDoors, VoiceLine,
    VoiceQuarters, VoiceSession,
};
