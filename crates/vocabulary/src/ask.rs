//! Questions to language models, and what comes of them: the replayable request and outcome types.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{AttachmentId, Carried, SessionId, Span, ToolCall, ToolResult, ToolSpec, Usage, named};

named! {
    /// What a model is asked for; each has its own choice of provider and model.
    pub enum AskPurpose {
        /// The reply to a text turn.
        TextReply = "text_reply",
        /// The reply after tools were run.
        TextReplyFollowup = "text_reply_followup",
        /// Whether a message was meant for Denizen.
        AddressClassifier = "address_classifier",
        /// Folding old turns into the running summary of a conversation.
        ContextCompaction = "context_compaction",
        /// Distilling turns into gems of memory.
        GemExtraction = "gem_extraction",
        /// What is to be seen on a shared screen, in a line.
        ScreenNote = "screen_note",
        /// Whether something is worth saying about a shared screen, and what.
        ScreenCommentary = "screen_commentary",
        /// What it is thinking by itself, and whether that is worth saying.
        AmbientThought = "ambient_thought",
        /// What it says to what was said aloud.
        VoiceReply = "voice_reply",
        /// The same after tools were run.
        VoiceReplyFollowup = "voice_reply_followup",
        /// Whether it should say something to what was said aloud: yes or no.
        VoiceReplyDecision = "voice_reply_decision",
        /// Whether something is worth saying into a silence, and what.
        VoiceThought = "voice_thought",
    }
}

impl AskPurpose {
    /// Which of a provider's default models is taken for it.
    pub fn role(self) -> ModelRole {
        match self {
            AskPurpose::AddressClassifier
            | AskPurpose::ContextCompaction
            | AskPurpose::GemExtraction
            | AskPurpose::ScreenNote
            | AskPurpose::VoiceReplyDecision => ModelRole::Small,
            AskPurpose::TextReply
            | AskPurpose::TextReplyFollowup
            | AskPurpose::ScreenCommentary
            | AskPurpose::AmbientThought
            | AskPurpose::VoiceReply
            | AskPurpose::VoiceReplyFollowup
            | AskPurpose::VoiceThought => ModelRole::Main,
        }
    }
}

/// What a default model is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelRole {
    /// What people read.
    Main,
    /// What happens often and is read by nobody: notes, summaries, gems, whom a message is for.
    Small,
}

impl ModelRole {
    /// Both of them.
    pub const ALL: [ModelRole; 2] = [ModelRole::Main, ModelRole::Small];

    /// The name as the catalogue of models writes it.
    pub fn name(self) -> &'static str {
        match self {
            ModelRole::Main => "main",
            ModelRole::Small => "small",
        }
    }
}

/// Which provider and model an operator wants for a purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct ModelChoice {
    /// `auto`, `anthropic`, `openai`, `gemini`, `compatible` or `offline`.
    pub provider: String,
    /// Empty: the provider's default.
    pub model: String,
}

/// What is known of the model that writes the replies, as far as it tells how such a model is best asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplyModel {
    pub provider: String,
    pub model: String,
    /// How large it is, in millions of parameters, where its server says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters_millions: Option<u64>,
    /// How much it can read at once, where its server says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u64>,
    /// Its server has refused tools.
    #[serde(default)]
    pub refuses_tools: bool,
}

/// One request to a model, complete: an adapter only translates it to a provider's wire format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelRequest {
    pub purpose: AskPurpose,
    pub choice: ModelChoice,
    pub system: String,
    pub turns: Vec<ChatTurn>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpec>,
    pub output: OutputShape,
    pub max_output_tokens: u32,
    pub temperature: f64,
    /// How long the whole ask may take, retries included.
    pub deadline: Span,
    /// What went into the prompt, section by section, for the context inspector.
    pub sections: Vec<SectionReport>,
}

/// One turn of the conversation as the model sees it; neighbours never share a role except around tools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct ChatTurn {
    pub role: ChatRole,
    pub parts: Vec<ContentPart>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChatRole {
    User,
    Assistant,
    /// Carries tool results only.
    Tool,
}

/// A piece of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContentPart {
    Text(String),
    /// A picture, by id: the shell fetches the bytes when the request is made.
    Image {
        id: AttachmentId,
        mime: String,
    },
    /// The conversation before a turn, by reference: the shell puts the lines in when the request is made.
    History {
        session: SessionId,
        /// Turns with smaller numbers only.
        before: u64,
        /// The newest that fit.
        max_chars: usize,
    },
    /// In assistant turns.
    ToolCall(ToolCall),
    /// In tool turns.
    ToolResult(ToolResult),
    /// In assistant turns: the same turn as the provider wrote it, for that provider alone.
    Carried(Carried),
}

/// What the answer must look like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OutputShape {
    Text,
    /// A JSON object of this schema; adapters use the provider's structured output where it has one.
    Json {
        name: String,
        schema: serde_json::Value,
        /// How the system text words it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<AnswerWords>,
    },
}

impl OutputShape {
    /// The same, with the words by which the system text asks for it.
    pub fn worded(mut self, typed: String, plain: String) -> Self {
        if let OutputShape::Json { words, .. } = &mut self {
            *words = Some(AnswerWords { typed, plain });
        }
        self
    }
}

/// How a system text says what the answer must look like. Where tools go with a request and the schema cannot, an adapter
/// puts the plain words in place of the typed ones: a model that is told to write JSON never calls a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct AnswerWords {
    /// As it stands in the system text.
    pub typed: String,
    /// The same for an answer in plain words.
    pub plain: String,
}

/// What became of one section of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SectionReport {
    pub name: String,
    pub fate: SectionFate,
    /// Lower goes first when room is short.
    pub priority: u8,
    /// Characters there were to say.
    pub wanted_chars: usize,
    /// Characters that were said.
    pub kept_chars: usize,
    /// The most this section may take.
    pub cap_chars: usize,
    /// Why it was trimmed or dropped, or what it holds, in a few words.
    pub remark: String,
    /// The text as it stands in the request.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SectionFate {
    Kept,
    Trimmed,
    Dropped,
    /// There was nothing to say.
    Empty,
}

/// How an ask ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AskOutcome {
    Answered(ModelAnswer),
    Failed(AskFailure),
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelAnswer {
    /// The provider and model that really answered.
    pub provider: String,
    pub model: String,
    /// The whole text, without reasoning.
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// What goes back to the provider with the results of the calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<Carried>,
    pub finish: Finish,
    pub usage: Usage,
    /// From sending to the first piece of text.
    pub first_text: Option<Span>,
    pub took: Span,
    /// Tries that were needed, the successful one included.
    pub tries: u32,
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    Complete,
    /// It hit the output cap.
    Length,
    ToolCalls,
    /// The provider or the model declined for safety.
    Refused,
}

/// Why no answer came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AskFailure {
    pub kind: AskFailureKind,
    /// For a person: what happened and what to do about it. Never holds a key or message text.
    pub detail: String,
    /// What the provider asked us to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<Span>,
    /// What it took all the same, where the provider had counted before it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Requests that went out for it; every one counts.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub tries: u32,
}

fn once() -> u32 {
    1
}

fn is_once(tries: &u32) -> bool {
    *tries == 1
}

named! {
    pub enum AskFailureKind {
        TimedOut = "timed_out",
        RateLimited = "rate_limited",
        /// Declined by the provider before or instead of answering.
        Refused = "refused",
        /// No connection could be made, or it broke before an answer began.
        Unreachable = "unreachable",
        /// The provider was reached and has trouble of its own, such as HTTP 500.
        ServerError = "server_error",
        /// The provider took the question and has not sent a byte of an answer.
        NoFirstByte = "no_first_byte",
        /// An answer began and nothing more of it came.
        StreamStalled = "stream_stalled",
        /// The provider said something that cannot be understood, or stopped halfway.
        Malformed = "malformed",
        ContextTooLong = "context_too_long",
        /// The provider rejected the request or the key.
        Rejected = "rejected",
        /// The provider has no such model, or not for this key.
        UnknownModel = "unknown_model",
        /// The process ended while the ask was under way.
        Interrupted = "interrupted",
        /// It was not asked: nothing is left of what may be spent today.
        BudgetSpent = "budget_spent",
        /// Nothing that is set up here can do this.
        Unavailable = "unavailable",
        /// The provider's account has no credit or quota left; waiting a little does not help.
        QuotaSpent = "quota_spent",
    }
}

/// Whose doing it is that no answer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    /// The model, its server or the way there: it may be otherwise a little later.
    ModelForNow,
    /// The model's server, until somebody changes something here.
    ModelForGood,
    /// What was asked, or what may be spent on it.
    Question,
    /// This process, which ended meanwhile.
    Process,
}

impl AskFailureKind {
    fn doing(self) -> Doing {
        match self {
            AskFailureKind::TimedOut
            | AskFailureKind::RateLimited
            | AskFailureKind::Unreachable
            | AskFailureKind::ServerError
            | AskFailureKind::NoFirstByte
            | AskFailureKind::StreamStalled
            | AskFailureKind::Malformed => Doing::ModelForNow,
            AskFailureKind::Rejected | AskFailureKind::UnknownModel | AskFailureKind::QuotaSpent => {
                Doing::ModelForGood
            }
            AskFailureKind::Refused
            | AskFailureKind::BudgetSpent
            | AskFailureKind::ContextTooLong
            | AskFailureKind::Unavailable => Doing::Question,
            AskFailureKind::Interrupted => Doing::Process,
        }
    }

    /// Whether the same question may succeed a little later.
    pub fn is_retryable(self) -> bool {
        matches!(self.doing(), Doing::ModelForNow | Doing::Process)
    }

    /// Whether it says something of the model, rather than of what was asked or of this process.
    pub fn is_the_models(self) -> bool {
        matches!(self.doing(), Doing::ModelForNow | Doing::ModelForGood)
    }

    /// Whether it stays so until somebody changes something here.
    pub fn lasts(self) -> bool {
        self.doing() == Doing::ModelForGood
    }

    /// Whether a room has waited long for nothing: trying it again and again would hold up everybody in it.
    pub fn took_its_time(self) -> bool {
        matches!(
            self,
            AskFailureKind::TimedOut | AskFailureKind::NoFirstByte | AskFailureKind::StreamStalled
        )
    }

    /// Whether nobody has read the question, so that it has cost nothing for certain.
    pub fn was_not_read(self) -> bool {
        matches!(
            self,
            AskFailureKind::Unreachable
                | AskFailureKind::Unavailable
                | AskFailureKind::Rejected
                | AskFailureKind::UnknownModel
                | AskFailureKind::RateLimited
                | AskFailureKind::QuotaSpent
                | AskFailureKind::ServerError
                | AskFailureKind::ContextTooLong
        )
    }
}

impl AskFailure {
    /// A failure after which nobody asked us to wait.
    pub fn new(kind: AskFailureKind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            retry_after: None,
            usage: None,
            tries: 1,
        }
    }
}

impl fmt::Display for AskFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.detail)
    }
}
