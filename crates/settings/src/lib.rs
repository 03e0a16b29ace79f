//! Every knob of Denizen, declared once: from the declaration come the struct, the reader that refuses bad
//! values by their full key, the JSON schema, the manual page, the dashboard form and the migration.
//!
//! What an operator *said* is a [`Document`] (only the keys they set); what it *means* is [`Settings`].

mod catalogue;
mod choice;
mod document;
mod guarded;
mod knob;
mod layers;
mod manual;
mod migrate;
mod schema;
mod section;

pub use catalogue::{
    ActivitySettings, AddressClassifierSettings, AddressingSettings, AttentionSettings, CompactionSettings,
    ContextSettings, DiscoverySettings, DiscoverySourcesSettings, EffortSettings, ElevenLabsRealtimeSettings,
    EmbeddingSettings, GeminiRealtimeSettings, IdentitySettings, InitiativeBudgetSettings,
    InitiativeTextSettings, LlmSettings, MediaSettings, MemorySettings, MemoryStoreSettings, ModelKeys,
    OpenAiRealtimeSettings, PermissionsSettings, RepliesPermissions, ReplyFollowupSettings, RerankerSettings,
    Settings, SpendingPerDaySettings, SpendingPercentSettings, StorageSettings, StreamWatchSettings,
    SttPipelineSettings, ToolsSettings, VoiceDecisionSettings, VoiceGenerationSettings, VoiceSettings,
    VoiceThoughtSettings, XaiRealtimeSettings,
};
pub use choice::{
    BufferKind, Effort, EmbeddingProvider, EndOfTurn, Forgetting, GemStoreKind, GifProvider, ImageSize,
    MediaProvider, ModelOrOffline, ModelProvider, PromptProfile, ProviderOrInherit, Quieting,
    RealtimeOverlap, RealtimeProvider, RealtimeReplyStrategy, SearchProvider, SpeechProvider,
    StructuredOutput, TextReaderKind, ThresholdMode, TranscriptionProvider, VoiceJoinPolicy, VoiceMode,
};
pub use document::{Document, DocumentError};
pub use guarded::{only_on_the_machine, refused_from_afar};
#[cfg(feature = "describe")]
pub use knob::KnobValue;
pub use knob::{Acts, Knob, Limits, SettingError, Unit};
pub use layers::{Layer, Layers, is_of_the_process};
pub use manual::manual;
pub use migrate::{MigrationNote, migrate, take_what_fits};
pub use schema::schema;
pub use section::camel_case;
