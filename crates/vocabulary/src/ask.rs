//! Questions to language models, and what comes of them: the replayable request and outcome types.

use serde::{Deserialize, Serialize};

use crate::{
    AskFailure, AttachmentId, Carried, SessionId, Span, ToolCall, ToolResult, ToolSpec, Usage, named,
};

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

    /// For a person.
    pub fn words(self) -> &'static str {
        match self {
            AskPurpose::TextReply => "replies",
            AskPurpose::TextReplyFollowup => "replies after lookups",
            AskPurpose::AddressClassifier => "whom a message is for",
            AskPurpose::ContextCompaction => "summaries",
            AskPurpose::GemExtraction => "memory",
            AskPurpose::ScreenNote => "notes on screens",
            AskPurpose::ScreenCommentary => "comments on screens",
            AskPurpose::AmbientThought => "thoughts of its own",
            AskPurpose::VoiceReply => "what it says aloud",
            AskPurpose::VoiceReplyFollowup => "what it says aloud after lookups",
            AskPurpose::VoiceReplyDecision => "whether to say something aloud",
            AskPurpose::VoiceThought => "thoughts of its own, aloud",
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
    /// Tokens that it was allowed in all, thoughts included; none where nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<u32>,
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
