//! The knobs themselves.

mod asked;
mod effort;
mod initiative;
mod memory;
mod realtime;
mod retired;
mod spending;
mod stream_watch;
mod unknown;
mod voice;

use vocabulary::ModelChoice;

use crate::choice::{
    Forgetting, ModelOrOffline, ModelProvider, PromptProfile, ProviderOrInherit, Quieting, StructuredOutput,
};
use crate::document::Document;
use crate::knob::{Knob, Limits, SettingError};
use crate::section::{Section, choice_of, settings_section};
pub use asked::ModelKeys;
pub use effort::EffortSettings;
pub use initiative::{
    AttentionSettings, DiscoverySettings, DiscoverySourcesSettings, InitiativeBudgetSettings,
    InitiativeTextSettings, MediaSettings, ToolsSettings,
};
pub use memory::{EmbeddingSettings, MemorySettings, MemoryStoreSettings, RerankerSettings};
pub use realtime::{
    ElevenLabsRealtimeSettings, GeminiRealtimeSettings, OpenAiRealtimeSettings, XaiRealtimeSettings,
};
pub(crate) use retired::RETIRED;
pub use spending::{SpendingPerDaySettings, SpendingPercentSettings};
pub use stream_watch::StreamWatchSettings;
use unknown::unknown_key;
pub use voice::{
    SttPipelineSettings, VoiceDecisionSettings, VoiceGenerationSettings, VoiceSettings, VoiceThoughtSettings,
};

settings_section! {
    /// Who Denizen is in the room.
    IdentitySettings at "identity" {
        /// The name it answers to.
        name: String = "Denizen", Limits::Text { min: 1, max: 40 };
        /// Other names it answers to.
        aliases: Vec<String> = Vec::<String>::new(), Limits::List { max: 20 };
        /// How it is and how it talks, in its own words to the model.
        persona: String = "You are a thoughtful, good-humoured member of this room. You listen more than you talk, you say things plainly and briefly, and you never pretend to know what you do not.",
            Limits::Text { min: 0, max: 4000 }, acts Answering;
    }
}

settings_section! {
    /// How often and how quickly it writes.
    ActivitySettings at "activity" {
        /// Messages by one author that come within this time of each other share one reply.
        reply_coalesce_window_seconds: u64 = 6, Limits::Whole { min: 0, max: 20 }, unit Seconds;
        /// A burst of this many messages is answered without waiting for more.
        reply_coalesce_max_messages: u64 = 6, Limits::Whole { min: 1, max: 20 }, unit Messages;
        /// Where the room shows who is typing: how long an author must have paused before the burst counts as finished.
        reply_settle_seconds: f64 = 1.2, Limits::Fraction { min: 0.0, max: 20.0 }, unit Seconds;
        /// How long a call that is a whole question or sentence ("Denizen, what time is it?") waits for more by its
        /// author before it is answered, also where the room does not show who is typing; more that comes later is
        /// still answered together with it.
        reply_complete_seconds: f64 = 1.2, Limits::Fraction { min: 0.0, max: 20.0 }, unit Seconds;
        /// Let messages by different authors share one reply.
        coalesce_any_author: bool = false, Limits::Switch;
        /// Shortest time between two of its messages in a room.
        min_seconds_between_messages: u64 = 5, Limits::Whole { min: 0, max: 300 }, unit Seconds;
        /// Most messages it writes in a room in any hour; a reply that is owed is never lost to this.
        max_messages_per_hour: u64 = 20, Limits::Whole { min: 0, max: 1000 }, unit Messages;
        /// Most reactions it gives in a room in any hour, where an emoji under a message is its whole answer; 0: it gives none. Whoever calls it is answered in words.
        max_reactions_per_hour: u64 = 12, Limits::Whole { min: 0, max: 200 };
        /// Answers to other programs in a room, all together, before it breaks the talk off (`permissions.allowAnsweringBots`).
        max_bot_replies: u64 = 3, Limits::Whole { min: 1, max: 50 };
        /// How long no program may have called it in a room before it answers one again, once it has broken off.
        bot_pause_minutes: u64 = 30, Limits::Whole { min: 1, max: 1440 }, unit Minutes;
        /// How eager it is to join in unasked, in the channels of `permissions.replies.replyChannelIds`.
        reply_level_initiative: u64 = 60, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// How eager it is to join in unasked, everywhere else.
        reply_level_non_initiative: u64 = 25, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// Times a reply is tried again after the model failed.
        max_retries: u64 = 2, Limits::Whole { min: 0, max: 10 };
        /// Wait before the first retry; each further one waits twice as long.
        retry_delay_seconds: f64 = 2.5, Limits::Fraction { min: 0.1, max: 60.0 }, unit Seconds;
        /// Share of its replies that are threaded to the message in the channels of `permissions.replies.replyChannelIds`; elsewhere they always are.
        threaded_reply_percent: u64 = 65, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// Longest message it sends in one piece; longer ones are split at a sensible place.
        max_message_characters: u64 = 1900, Limits::Whole { min: 200, max: 4000 }, unit Characters;
    }
}

settings_section! {
    /// What it may do unasked, and what people may have done.
    PermissionsSettings at "permissions" {
        /// Let it consider messages that are not addressed to it, while it is part of the conversation.
        allow_initiative_replies: bool = true, Limits::Switch;
        /// Who may have something forgotten for good: with `everyone`, people may by `/forget me` and `/forget that`; with `operator`, only whoever runs it may.
        forgetting: Forgetting = Forgetting::Everyone, choice_of!(Forgetting);
        /// Who may have it say nothing in a room for a while: with `everyone`, whoever types `/quiet 15m` there; with `operator`, only whoever runs it, and on Discord people who may manage messages or the server, by `/denizen quiet`. New servers of Discord begin with `operator`.
        quieting: Quieting = Quieting::Everyone, choice_of!(Quieting);
        /// Let it answer other programs that call it by name, mention or reply; without, they are read and never answered. `activity.maxBotReplies` and `activity.botPauseMinutes` break such talk off.
        allow_answering_bots: bool = false, Limits::Switch;
    }
}

settings_section! {
    /// Where and to whom it may reply.
    RepliesPermissions at "permissions.replies" {
        /// Only these channels; empty: every channel.
        allowed_channel_ids: Vec<String> = Vec::<String>::new(), Limits::List { max: 500 };
        /// Never in these channels.
        blocked_channel_ids: Vec<String> = Vec::<String>::new(), Limits::List { max: 500 };
        /// Only to these people; empty: to everyone.
        allowed_user_ids: Vec<String> = Vec::<String>::new(), Limits::List { max: 500 };
        /// Never to these people; it reads them all the same.
        blocked_user_ids: Vec<String> = Vec::<String>::new(), Limits::List { max: 500 };
        /// Channels where it is among friends: more eager, and some replies are plain messages.
        reply_channel_ids: Vec<String> = Vec::<String>::new(), Limits::List { max: 500 };
        /// Channels where it may bring up something of its own.
        discovery_channel_ids: Vec<String> = Vec::<String>::new(), Limits::List { max: 500 };
    }
}

settings_section! {
    /// How it knows that a message is meant for it.
    AddressingSettings at "addressing" {
        /// Messages among which its own must be for it to count as part of the conversation.
        recent_window_messages: u64 = 5, Limits::Whole { min: 1, max: 35 }, unit Messages;
        /// Treat further messages of the person it is talking with as addressed to it.
        followup_enabled: bool = true, Limits::Switch;
        /// For how many messages of the room an exchange stays open.
        followup_messages: u64 = 40, Limits::Whole { min: 1, max: 200 }, unit Messages;
        /// For how long an exchange stays open without a word from either side.
        followup_minutes: u64 = 15, Limits::Whole { min: 1, max: 240 }, unit Minutes;
        /// Weigh what was learnt from real rooms where a message calls nobody and an exchange is open: whom its author talks with, who spoke since, and the like. Without, plain rules alone decide.
        score_enabled: bool = true, Limits::Switch;
        /// From which score on such a message counts as meant for it: of a hundred messages with that score about so many are. Lower answers more, and more that was not meant.
        score_threshold: u64 = 42, Limits::Whole { min: 1, max: 99 };
    }
}

settings_section! {
    /// A small model that is asked whether an unclear message was meant for Denizen. It can admit a message, never force a reply.
    AddressClassifierSettings at "addressClassifierLlm" {
        /// Ask it at all.
        enabled: bool = false, Limits::Switch;
        /// Confidence from which a message counts as addressed.
        threshold: f64 = 0.62, Limits::Fraction { min: 0.0, max: 1.0 };
        /// Provider; `inherit` takes `llm.provider`.
        provider: ProviderOrInherit = ProviderOrInherit::Inherit, choice_of!(ProviderOrInherit), acts Answering;
        /// Model; empty takes the provider's small default, or `llm.model` when the provider is inherited.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Answering;
        /// How long it may take.
        timeout_seconds: u64 = 10, Limits::Whole { min: 1, max: 120 }, unit Seconds;
    }
}

settings_section! {
    /// The language model that writes the replies.
    LlmSettings at "llm" {
        /// `auto` takes the first of: an Anthropic, OpenAI or Gemini key in the environment, a model server on its usual loopback port, the built-in offline model.
        provider: ModelProvider = ModelProvider::Auto, choice_of!(ModelProvider), acts Answering;
        /// Model name; empty takes the provider's default.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Answering;
        /// Address of an OpenAI-compatible server, such as `http://127.0.0.1:11434/v1`; empty looks at the usual loopback ports.
        compatible_base_url: String = "", Limits::Text { min: 0, max: 500 }, acts Answering;
        /// Randomness of the wording.
        temperature: f64 = 0.8, Limits::Fraction { min: 0.0, max: 2.0 }, acts Answering;
        /// Longest answer.
        max_output_tokens: u64 = 600, Limits::Whole { min: 16, max: 32000 }, unit Tokens, acts Answering;
        /// How long one answer may take in all. As long as nobody sets it, a reply by a model server on this machine or in its network has five minutes: it may be slow.
        timeout_seconds: u64 = REPLY_SECONDS, Limits::Whole { min: 1, max: 600 }, unit Seconds;
        /// How long a model may take to send the first byte of an answer, whatever it is asked for.
        first_byte_seconds: u64 = 20, Limits::Whole { min: 1, max: 600 }, unit Seconds, acts Answering;
        /// The same for a model server on this machine or in its network, which may have to load the model first. As long as nobody sets it, one that still shows itself then is waited for on, by how long it took before. `llm.timeoutSeconds` ends every answer.
        local_first_byte_seconds: u64 = LOCAL_FIRST_BYTE_SECONDS, Limits::Whole { min: 1, max: 600 }, unit Seconds, acts Answering;
        /// How long an answer that has begun may stand still.
        stall_seconds: u64 = 15, Limits::Whole { min: 1, max: 600 }, unit Seconds, acts Answering;
        /// Ask for a typed answer (reply or silence). `auto` falls back to plain text where a server refuses. Where look-ups are offered, too, a model server is asked for it in words only: many refuse both together.
        structured_output: StructuredOutput = StructuredOutput::Auto, choice_of!(StructuredOutput), acts Answering;
        /// How a reply is asked for. `plain` is for small models: the conversation as a short script, no typed answer, look-ups only where the words ask for them. `auto` takes it for a model server whose model has at most 4 billion parameters, reads at most 8,192 tokens, or refuses tools.
        profile: PromptProfile = PromptProfile::Auto, choice_of!(PromptProfile);
        /// Room for the whole prompt, estimated at four characters a token.
        context_tokens: u64 = 12000, Limits::Whole { min: 1000, max: 1000000 }, unit Tokens, acts Answering;
    }
}

settings_section! {
    /// The model for the second pass, after the first one asked for a lookup.
    ReplyFollowupSettings at "replyFollowupLlm" {
        /// Use another model for that pass.
        enabled: bool = false, Limits::Switch, acts Answering;
        /// Provider; `inherit` takes `llm.provider`.
        provider: ProviderOrInherit = ProviderOrInherit::Inherit, choice_of!(ProviderOrInherit), acts Answering;
        /// Model; empty takes the provider's default, or `llm.model` when the provider is inherited.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Answering;
        /// Most rounds of lookups for one reply; 0 offers the model no tools.
        max_tool_steps: u64 = 2, Limits::Whole { min: 0, max: 8 };
        /// Most lookups for one reply; a call beyond that is told so.
        max_tool_calls: u64 = 4, Limits::Whole { min: 0, max: 12 };
    }
}

settings_section! {
    /// What else goes into a prompt.
    ContextSettings at "context" {
        /// Older messages of the room that are looked up because they fit what is being said.
        max_relevant_messages: u64 = 6, Limits::Whole { min: 0, max: 30 }, unit Messages, acts Answering;
        /// How long a reply may wait for that look-up.
        recall_timeout_seconds: f64 = 1.0, Limits::Fraction { min: 0.05, max: 10.0 }, unit Seconds;
        /// Pictures of the newest messages that are shown to the model.
        max_images: u64 = 2, Limits::Whole { min: 0, max: 8 }, acts Answering;
    }
}

settings_section! {
    /// Folding what has left the recent window of a long conversation into a running summary.
    CompactionSettings at "context.compaction" {
        /// Do so in text channels too (where Denizen is in voice it always does); then a reply is based on the summary and everything since, instead of on `memory.maxRecentMessages`.
        text_channels: bool = true, Limits::Switch;
        /// Who writes the summary: `model` asks one, `offline` picks out telling words without any, `auto` asks a model and falls back.
        summariser: ModelOrOffline = ModelOrOffline::Auto, choice_of!(ModelOrOffline);
        /// How long a model may take for a summary. Replies never wait for it. As long as nobody sets it, a model server on this machine or in its network has up to five minutes, by how long it took before.
        timeout_seconds: u64 = SUMMARY_SECONDS, Limits::Whole { min: 2, max: 600 }, unit Seconds;
        /// Provider; `inherit` takes `llm.provider`.
        provider: ProviderOrInherit = ProviderOrInherit::Inherit, choice_of!(ProviderOrInherit), acts Answering;
        /// Model; empty takes the provider's small default, or `llm.model` when the provider is inherited.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Answering;
    }
}

settings_section! {
    /// How long things are kept on disk.
    StorageSettings at "storage" {
        /// Messages; 0 keeps them for good.
        keep_messages_days: u64 = 0, Limits::Whole { min: 0, max: 3650 }, unit Days, acts After;
        /// Journal lines, which explain decisions.
        keep_journal_days: u64 = 30, Limits::Whole { min: 1, max: 3650 }, unit Days, acts After;
        /// Recorded inputs, which make decisions replayable.
        keep_recordings_days: u64 = 14, Limits::Whole { min: 1, max: 3650 }, unit Days, acts After;
        /// What each model call was given and answered, for the context inspector.
        keep_asks_days: u64 = 14, Limits::Whole { min: 1, max: 3650 }, unit Days, acts After;
        /// Largest total size of the kept model calls; the oldest go first.
        max_asks_megabytes: u64 = 256, Limits::Whole { min: 1, max: 100000 }, unit Megabytes, acts After;
    }
}

macro_rules! all_sections {
    ($($field:ident: $section:ty,)+) => {
        /// What all settings mean together: explicit values over defaults, every one within its limits.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Settings {
            $(pub $field: $section,)+
        }

        impl Settings {
            /// Every knob, in the order of the manual.
            pub fn knobs() -> Vec<Knob> {
                let mut knobs = Vec::new();
                $(knobs.extend(<$section as Section>::knobs());)+
                knobs
            }

            fn read_sections(document: &Document, errors: &mut Vec<SettingError>) -> Self {
                Self { $($field: <$section as Section>::read(document, errors),)+ }
            }
        }
    };
}

all_sections! {
    identity: IdentitySettings,
    activity: ActivitySettings,
    permissions: PermissionsSettings,
    replies: RepliesPermissions,
    addressing: AddressingSettings,
    address_classifier: AddressClassifierSettings,
    llm: LlmSettings,
    effort: EffortSettings,
    reply_followup: ReplyFollowupSettings,
    memory: MemorySettings,
    embedding: EmbeddingSettings,
    reranker: RerankerSettings,
    memory_store: MemoryStoreSettings,
    context: ContextSettings,
    compaction: CompactionSettings,
    voice: VoiceSettings,
    voice_generation: VoiceGenerationSettings,
    voice_decision: VoiceDecisionSettings,
    stt_pipeline: SttPipelineSettings,
    openai_realtime: OpenAiRealtimeSettings,
    xai_realtime: XaiRealtimeSettings,
    gemini_realtime: GeminiRealtimeSettings,
    elevenlabs_realtime: ElevenLabsRealtimeSettings,
    voice_thoughts: VoiceThoughtSettings,
    stream_watch: StreamWatchSettings,
    attention: AttentionSettings,
    initiative: InitiativeTextSettings,
    initiative_budget: InitiativeBudgetSettings,
    spending_per_day: SpendingPerDaySettings,
    spending_percent: SpendingPercentSettings,
    discovery: DiscoverySettings,
    discovery_sources: DiscoverySourcesSettings,
    media: MediaSettings,
    tools: ToolsSettings,
    storage: StorageSettings,
}

/// How long a reply may take, a model server nearby to its first byte, and its whole reply, where nobody says otherwise.
const REPLY_SECONDS: u64 = 60;
const LOCAL_FIRST_BYTE_SECONDS: u64 = 45;
const NEARBY_REPLY_SECONDS: u64 = 300;
/// How long a summary may take, and at most by a model server nearby, where nobody says otherwise.
const SUMMARY_SECONDS: u64 = 20;
const NEARBY_SUMMARY_SECONDS: u64 = 300;

impl LlmSettings {
    /// How long a reply may take, by whether its model is on this machine or in its network.
    pub fn reply_seconds(&self, nearby: bool) -> u64 {
        match nearby && self.timeout_seconds == REPLY_SECONDS {
            true => NEARBY_REPLY_SECONDS,
            false => self.timeout_seconds,
        }
    }

    /// Whether a server nearby is waited for as long as it works: nobody has said how long.
    pub fn waits_while_it_works(&self) -> bool {
        self.local_first_byte_seconds == LOCAL_FIRST_BYTE_SECONDS
    }
}

impl CompactionSettings {
    /// How long a model server nearby may take at most; none where somebody has said how long all have.
    pub fn nearby_seconds(&self) -> Option<u64> {
        (self.timeout_seconds == SUMMARY_SECONDS).then_some(NEARBY_SUMMARY_SECONDS)
    }
}

impl IdentitySettings {
    /// Every name it answers to.
    pub fn names(&self) -> Vec<String> {
        let names = std::iter::once(&self.name).chain(&self.aliases);
        names.cloned().collect()
    }
}

impl Settings {
    /// Reads a document; all problems are reported at once, unknown keys with the nearest known one. Keys of knobs that
    /// are gone are passed over.
    pub fn read(document: &Document) -> Result<Self, Vec<SettingError>> {
        let mut errors = Vec::new();
        let settings = Self::read_sections(document, &mut errors);
        let knobs = Self::knobs();
        for (key, _) in document.iter() {
            if !knobs.iter().any(|knob| knob.key == *key) && !retired::is_retired(key) {
                errors.push(unknown_key(key, &knobs));
            }
        }
        if errors.is_empty() {
            Ok(settings)
        } else {
            Err(errors)
        }
    }

    /// A purpose's own choice of model, or the main one where it inherits.
    pub fn model_choice(&self, provider: ProviderOrInherit, model: &str) -> ModelChoice {
        let (provider, model) = match provider.own() {
            Some(own) => (own, model),
            None if model.is_empty() => (self.llm.provider, self.llm.model.as_str()),
            None => (self.llm.provider, model),
        };
        ModelChoice {
            provider: provider.name().to_owned(),
            model: model.to_owned(),
        }
    }

    /// One knob by its full key; the error suggests the nearest.
    pub fn knob(key: &str) -> Result<Knob, SettingError> {
        let mut knobs = Self::knobs();
        match knobs.iter().position(|knob| knob.key == key) {
            Some(index) => Ok(knobs.swap_remove(index)),
            None => Err(unknown_key(key, &knobs)),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::read(&Document::default()).expect("a test reads every declared default")
    }
}
