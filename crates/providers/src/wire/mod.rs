//! The wire formats: a request becomes bytes, and a stream of events becomes an answer.

mod anthropic_answer;
mod anthropic_request;
mod conversation;
mod gemini_answer;
mod gemini_request;
mod openai_answer;
mod openai_request;

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytes::Bytes;
use runtime::ports::Wire;
use thiserror::Error;
use vocabulary::{AttachmentId, ChatRole, ContentPart, Finish, ModelRequest, OutputShape, ToolCall, Usage};

use crate::catalogue::Provider;
use crate::error_body::ErrorReport;
use crate::http::below;
use crate::sse::Event;
use crate::text_calls::TextCalls;

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
        Provider::Anthropic => below(base_url, "/v1", "/messages"),
        Provider::OpenAi | Provider::Compatible => below(base_url, "", "/chat/completions"),
        Provider::Gemini => {
            let model = model.trim_start_matches("models/");
            let path = format!("/models/{model}:streamGenerateContent?alt=sse");
            below(base_url, "/v1beta", &path)
        }
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
        // llama.cpp and its kin bind every word of the answer to the schema, so that no tool could ever be called.
        Provider::Compatible => request.tools.is_empty(),
        Provider::Anthropic | Provider::OpenAi => true,
    }
}

/// The system text; it asks for plain words where tools go along and the schema does not.
fn system<'a>(request: &'a ModelRequest, manner: Manner<'_>) -> Cow<'a, str> {
    match &request.output {
        OutputShape::Json {
            words: Some(words), ..
        } if !manner.structured && !request.tools.is_empty() => {
            Cow::Owned(request.system.replacen(&words.typed, &words.plain, 1))
        }
        _ => Cow::Borrowed(&request.system),
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
    /// For the answer to a request that travels over HTTP.
    pub(crate) fn new(provider: Provider, request: &ModelRequest) -> Option<Self> {
        match wire_of(provider) {
            Wire::AnthropicMessages => Some(Decoder::Anthropic(anthropic_answer::Answer::default())),
            Wire::OpenAiChat => {
                let text_calls = calls_in_text(provider, request);
                Some(Decoder::OpenAi(openai_answer::Answer::with_text_calls(
                    text_calls,
                )))
            }
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

    /// What the provider has counted so far.
    pub(crate) fn usage(&self) -> Usage {
        match self {
            Decoder::Anthropic(answer) => answer.usage(),
            Decoder::OpenAi(answer) => answer.usage(),
            Decoder::Gemini(answer) => answer.usage(),
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

/// Whether calls are looked for in the text: OpenAI itself never leaves any there, some that speak like it do.
fn calls_in_text(provider: Provider, request: &ModelRequest) -> TextCalls {
    if provider != Provider::Compatible {
        return TextCalls::default();
    }
    let offered = request.tools.iter().map(|tool| tool.name.clone()).collect();
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let earlier = parts
        .filter(|part| matches!(part, ContentPart::ToolCall(_)))
        .count();
    let parts = request
        .turns
        .iter()
        .filter(|turn| turn.role != ChatRole::Assistant);
    let given: Vec<&str> = parts
        .flat_map(|turn| &turn.parts)
        .filter_map(|part| match part {
            ContentPart::Text(text) => Some(text.as_str()),
            ContentPart::ToolResult(result) => Some(result.text.as_str()),
            _ => None,
        })
        .collect();
    TextCalls::new(offered, earlier, &given.join("\n"))
}

/// Reads the arguments of a call, which travel as text; no text means no arguments. What is no JSON stays text, so that
/// the model is told so and can try again.
pub(crate) fn arguments(text: &str) -> serde_json::Value {
    if text.trim().is_empty() {
        return serde_json::Value::Object(serde_json::Map::new());
    }
    serde_json::from_str(text).unwrap_or_else(|_| serde_json::Value::String(text.to_owned()))
}

/// Most tool calls of one answer that are looked at.
const TOOL_CALLS_MAX: usize = 64;
