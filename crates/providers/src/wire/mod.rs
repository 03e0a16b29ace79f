//! The wire formats: a request becomes bytes, and a stream of events becomes an answer.

mod anthropic_answer;
mod anthropic_request;
mod conversation;
mod gemini_answer;
mod gemini_request;
mod openai_answer;
mod openai_request;

use std::collections::BTreeMap;

use bytes::Bytes;
use runtime::ports::Wire;
use thiserror::Error;
use vocabulary::{AttachmentId, Finish, ModelRequest, ToolCall, Usage};

use crate::catalogue::Provider;
use crate::error_body::ErrorReport;
use crate::sse::Event;

/// What of a request is written, beside the request itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner<'a> {
    pub(crate) provider: Provider,
    pub(crate) model: &'a str,
    /// Ask for the provider's structured output, where the request wants JSON.
    pub(crate) structured: bool,
    /// Say how random the wording may be; some models refuse to be told.
    pub(crate) temperature: bool,
}

/// The format a provider speaks.
pub(crate) fn wire_of(provider: Provider) -> Wire {
    match provider {
        Provider::Anthropic => Wire::AnthropicMessages,
        Provider::OpenAi | Provider::Compatible => Wire::OpenAiChat,
        Provider::Gemini => Wire::Gemini,
        Provider::Offline => Wire::Offline,
    }
}

/// Where a request goes.
pub(crate) fn url(provider: Provider, base_url: &str, model: &str) -> String {
    match provider {
        Provider::Anthropic => format!("{}/v1/messages", base_url.trim_end_matches("/v1")),
        Provider::OpenAi | Provider::Compatible => format!("{base_url}/chat/completions"),
        Provider::Gemini => format!(
            "{}/v1beta/models/{}:streamGenerateContent?alt=sse",
            base_url.trim_end_matches("/v1beta"),
            model.trim_start_matches("models/"),
        ),
        Provider::Offline => "offline:".to_owned(),
    }
}

/// Writes the body of a request.
pub(crate) fn body(
    request: &ModelRequest,
    images: &BTreeMap<AttachmentId, Bytes>,
    manner: Manner<'_>,
) -> Bytes {
    let bytes = match manner.provider {
        Provider::Anthropic => anthropic_request::body(request, images, manner),
        Provider::OpenAi | Provider::Compatible => openai_request::body(request, images, manner),
        Provider::Gemini => gemini_request::body(request, images, manner),
        Provider::Offline => crate::offline::body(request),
    };
    Bytes::from(bytes)
}

/// Whether the provider's structured output is put into a request at all.
pub(crate) fn takes_structured_output(provider: Provider, model: &str, request: &ModelRequest) -> bool {
    match provider {
        Provider::Offline => false,
        Provider::Gemini => gemini_request::takes_schema_with_tools(model) || request.tools.is_empty(),
        Provider::Anthropic | Provider::OpenAi | Provider::Compatible => true,
    }
}

/// What a stream amounted to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) tool_calls: Vec<ToolCall>,
    pub(crate) finish: Finish,
    pub(crate) usage: Usage,
    /// The model that answered, where the provider says.
    pub(crate) model: Option<String>,
}

/// Why a stream amounts to nothing. The texts hold nothing of what was said.
#[derive(Debug, Error)]
pub(crate) enum StreamTrouble {
    #[error("{0}")]
    Malformed(String),
    #[error("{0}")]
    Refused(String),
    #[error("the provider reported a problem")]
    Reported(ErrorReport),
}

impl StreamTrouble {
    fn not_json(error: &serde_json::Error) -> Self {
        // The error's text could quote the answer; its kind and place cannot.
        Self::Malformed(format!(
            "an event that is not in its format ({:?} error at column {})",
            error.classify(),
            error.column()
        ))
    }

    fn half() -> Self {
        Self::Malformed("the answer broke off before its end".to_owned())
    }
}

/// Makes an answer of events.
#[derive(Debug)]
pub(crate) enum Decoder {
    Anthropic(anthropic_answer::Answer),
    OpenAi(openai_answer::Answer),
    Gemini(gemini_answer::Answer),
}

impl Decoder {
    /// For a format that travels over HTTP.
    pub(crate) fn new(wire: Wire) -> Option<Self> {
        match wire {
            Wire::AnthropicMessages => Some(Decoder::Anthropic(anthropic_answer::Answer::default())),
            Wire::OpenAiChat => Some(Decoder::OpenAi(openai_answer::Answer::default())),
            Wire::Gemini => Some(Decoder::Gemini(gemini_answer::Answer::default())),
            Wire::Offline => None,
        }
    }

    /// Takes an event in; gives the text it adds.
    pub(crate) fn take(&mut self, event: &Event) -> Result<String, StreamTrouble> {
        match self {
            Decoder::Anthropic(answer) => answer.take(event),
            Decoder::OpenAi(answer) => answer.take(event),
            Decoder::Gemini(answer) => answer.take(event),
        }
    }

    /// Whether nothing more is to come, so that the connection need not be waited for.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            Decoder::Anthropic(answer) => answer.is_over(),
            Decoder::OpenAi(answer) => answer.is_over(),
            // Usage may come with or after the last piece; only the end of the stream is the end.
            Decoder::Gemini(_) => false,
        }
    }

    /// Whether an answer in one piece, not streamed, is understood too.
    pub(crate) fn takes_whole_answers(&self) -> bool {
        matches!(self, Decoder::OpenAi(_))
    }

    /// The stream has ended: the answer, if it was whole.
    pub(crate) fn finish(self) -> Result<Decoded, StreamTrouble> {
        match self {
            Decoder::Anthropic(answer) => answer.finish(),
            Decoder::OpenAi(answer) => answer.finish(),
            Decoder::Gemini(answer) => answer.finish(),
        }
    }
}

/// Reads the arguments of a call, which travel as text; no text means no arguments.
fn arguments(tool: &str, text: &str) -> Result<serde_json::Value, StreamTrouble> {
    if text.trim().is_empty() {
        return Ok(serde_json::Value::Object(serde_json::Map::new()));
    }
    serde_json::from_str(text).map_err(|_| {
        StreamTrouble::Malformed(format!(
            "a call of the tool `{tool}` whose arguments are not JSON"
        ))
    })
}

/// Most tool calls of one answer that are looked at.
const TOOL_CALLS_MAX: usize = 64;
