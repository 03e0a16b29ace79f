//! The wire formats: a request becomes bytes, and a stream of events becomes an answer.

mod anthropic_answer;
mod anthropic_request;
mod conversation;
mod gemini_answer;
mod gemini_request;
mod openai_answer;
mod openai_request;
mod responses_answer;
mod responses_request;
mod without;

use std::borrow::Cow;

use bytes::Bytes;
use runtime::ports::Wire;
use serde::{Deserialize, Deserializer};
use thiserror::Error;
use vocabulary::{ChatRole, ContentPart, Finish, ModelRequest, OutputShape, ToolCall, Usage};

use crate::catalogue::Provider;
use crate::error_body::ErrorReport;
use crate::http::below;
use crate::marks::MarkFilter;
use crate::pictures::Pictures;
use crate::refused::Parameter;
use crate::sse::Event;
use crate::text_calls::TextCalls;
use crate::thought::Thought;

pub(crate) use without::{is_capped, streams};

/// What of a request is written, beside the request itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner<'a> {
    pub(crate) provider: Provider,
    pub(crate) wire: Wire,
    pub(crate) model: &'a str,
    /// Ask for the provider's structured output, where the request wants JSON.
    pub(crate) structured: bool,
    /// Say how random the wording may be; some models refuse to be told.
    pub(crate) temperature: bool,
    /// Offer the tools of the request.
    pub(crate) tools: bool,
    pub(crate) thought: Thought,
    /// The model signs its thoughts and wants them back.
    pub(crate) signs_thoughts: bool,
    /// It is OpenAI's own, and takes a name for the part of the prompt that stays.
    pub(crate) names_cache: bool,
}

impl Manner<'_> {
    /// Who is asked, for what only they may be sent back.
    pub(crate) fn address(&self) -> String {
        address(self.wire, self.provider, self.model)
    }

    /// A name for the part of the prompt that stays: whoever begins alike is sent where that is already read.
    fn cache_key(&self, request: &ModelRequest) -> String {
        let stable: String = request.system.chars().take(CACHE_KEY_CHARS).collect();
        format!(
            "denizen-{:016x}",
            fnv(&[request.purpose.name(), self.model, &stable])
        )
    }
}

/// How far the beginning of a system text tells one kind of question from another.
const CACHE_KEY_CHARS: usize = 2_000;

/// The same number for the same words, in every process.
fn fnv(words: &[&str]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

pub(crate) fn address(wire: Wire, provider: Provider, model: &str) -> String {
    let format = match wire {
        Wire::AnthropicMessages => "messages",
        Wire::OpenAiChat => "chat",
        Wire::OpenAiResponses => "responses",
        Wire::Gemini => "generate",
        Wire::Offline => "offline",
    };
    format!("{format} {provider} {model}")
}

/// Where a request goes, for an answer in pieces or in one.
pub(crate) fn url(wire: Wire, base_url: &str, model: &str, streams: bool) -> String {
    match wire {
        Wire::AnthropicMessages => below(base_url, "/v1", "/messages"),
        Wire::OpenAiChat => below(base_url, "", "/chat/completions"),
        Wire::OpenAiResponses => below(base_url, "", "/responses"),
        Wire::Gemini => {
            let model = model.trim_start_matches("models/");
            let path = match streams {
                true => format!("/models/{model}:streamGenerateContent?alt=sse"),
                false => format!("/models/{model}:generateContent"),
            };
            below(base_url, "/v1beta", &path)
        }
        Wire::Offline => "offline:".to_owned(),
    }
}

/// Writes the body of a request, without the parameters that are refused.
pub(crate) fn body(
    request: &ModelRequest,
    pictures: &Pictures,
    manner: Manner<'_>,
    refused: &[Parameter],
) -> Bytes {
    let bytes = match manner.wire {
        Wire::AnthropicMessages => anthropic_request::body(request, pictures, manner),
        Wire::OpenAiChat => openai_request::body(request, pictures, manner),
        Wire::OpenAiResponses => responses_request::body(request, pictures, manner),
        Wire::Gemini => gemini_request::body(request, pictures, manner),
        Wire::Offline => crate::offline::body(request),
    };
    Bytes::from(match refused {
        [] => bytes,
        refused => without::without(bytes, manner.wire, refused),
    })
}

/// The system text; it asks for plain words where tools go along and the schema does not.
fn system<'a>(request: &'a ModelRequest, manner: Manner<'_>) -> Cow<'a, str> {
    match &request.output {
        OutputShape::Json {
            words: Some(words), ..
        } if !manner.structured && manner.tools => {
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
    /// The pieces of the answer that its provider wants back as they came; none where they can be written anew.
    pub(crate) carried: Vec<serde_json::Value>,
    pub(crate) finish: Finish,
    pub(crate) usage: Usage,
    /// The model that answered, where the provider says.
    pub(crate) model: Option<String>,
    /// The model was seen to think first.
    pub(crate) thought: bool,
}

/// Why a stream amounts to nothing. The texts hold nothing of what was said.
#[derive(Debug, Error)]
pub(crate) enum StreamTrouble {
    #[error("{0}")]
    Malformed(String),
    #[error("{0}")]
    Refused(String),
    #[error("the provider reported a problem")]
    Reported(Box<ErrorReport>),
    #[error("the window of the model is full")]
    WindowFull,
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

    /// It declined without a word, for a reason that it names.
    fn declined(reason: &str) -> Self {
        Self::Refused(match named(reason) {
            "" => "it stopped for safety without a word".to_owned(),
            reason => format!("it stopped for safety without a word ({reason})"),
        })
    }

    fn reported(report: ErrorReport) -> Self {
        Self::Reported(Box::new(report))
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
    Responses(responses_answer::Answer),
    Gemini(gemini_answer::Answer),
}

impl Decoder {
    /// For the answer to a request that travels over HTTP.
    pub(crate) fn new(wire: Wire, provider: Provider, request: &ModelRequest) -> Option<Self> {
        match wire {
            Wire::AnthropicMessages => Some(Decoder::Anthropic(anthropic_answer::Answer::default())),
            Wire::OpenAiChat => {
                let text_calls = calls_in_text(provider, request);
                let marks = match provider {
                    Provider::Compatible => MarkFilter::of_server(),
                    _ => MarkFilter::default(),
                };
                Some(Decoder::OpenAi(openai_answer::Answer::of_server(
                    text_calls, marks,
                )))
            }
            Wire::OpenAiResponses => Some(Decoder::Responses(responses_answer::Answer::default())),
            Wire::Gemini => Some(Decoder::Gemini(gemini_answer::Answer::default())),
            Wire::Offline => None,
        }
    }

    /// Takes an event in; gives the text it adds.
    pub(crate) fn take(&mut self, event: &Event) -> Result<String, StreamTrouble> {
        match self {
            Decoder::Anthropic(answer) => answer.take(event),
            Decoder::OpenAi(answer) => answer.take(event),
            Decoder::Responses(answer) => answer.take(event),
            Decoder::Gemini(answer) => answer.take(event),
        }
    }

    /// What the provider has counted so far.
    pub(crate) fn usage(&self) -> Usage {
        bounded(match self {
            Decoder::Anthropic(answer) => answer.usage(),
            Decoder::OpenAi(answer) => answer.usage(),
            Decoder::Responses(answer) => answer.usage(),
            Decoder::Gemini(answer) => answer.usage(),
        })
    }

    /// Whether nothing more is to come, so that the connection need not be waited for.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            Decoder::Anthropic(answer) => answer.is_over(),
            Decoder::OpenAi(answer) => answer.is_over(),
            Decoder::Responses(answer) => answer.is_over(),
            // Usage may come with or after the last piece; only the end of the stream is the end.
            Decoder::Gemini(_) => false,
        }
    }

    /// Whether it said why it stopped, so that nothing of the answer is missing.
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Decoder::Anthropic(answer) => answer.is_over(),
            Decoder::OpenAi(answer) => answer.is_whole(),
            Decoder::Responses(answer) => answer.is_over(),
            Decoder::Gemini(answer) => answer.is_whole(),
        }
    }

    /// The stream has ended: the answer, if it was whole.
    pub(crate) fn finish(self) -> Result<Decoded, StreamTrouble> {
        let mut decoded = match self {
            Decoder::Anthropic(answer) => answer.finish(),
            Decoder::OpenAi(answer) => answer.finish(),
            Decoder::Responses(answer) => answer.finish(),
            Decoder::Gemini(answer) => answer.finish(),
        }?;
        decoded.usage = bounded(decoded.usage);
        Ok(decoded)
    }
}

/// Counts that can be added up.
fn bounded(usage: Usage) -> Usage {
    Usage {
        input_tokens: usage.input_tokens.min(TOKENS_MAX),
        cached_input_tokens: usage.cached_input_tokens.min(TOKENS_MAX),
        cache_written_tokens: usage.cache_written_tokens.min(TOKENS_MAX),
        output_tokens: usage.output_tokens.min(TOKENS_MAX),
        ..usage
    }
}

/// A number of tokens, whatever it is: a count that cannot be read is not worth an answer.
fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(value
        .as_u64()
        .or_else(|| Some(value.as_f64()? as u64))
        .unwrap_or(0))
}

/// The same where what is not said is something else than none.
fn told_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(value.as_u64().or_else(|| Some(value.as_f64()? as u64)))
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

/// A reason as the provider names it, if it looks like a name at all.
fn named(reason: &str) -> &str {
    let is_name = |c: char| c.is_ascii_alphabetic() || c == '_';
    if reason.len() <= 40 && reason.chars().all(is_name) {
        reason
    } else {
        ""
    }
}

/// How calls are named that Gemini gave no name; it is not told this one.
const UNNAMED_CALL: &str = "unnamed_call_";
/// How calls are named that came without a name.
const OWN_CALL_ID: &str = "call_";
/// Most tool calls of one answer that are looked at.
const TOOL_CALLS_MAX: usize = 64;
/// More tokens than this no answer takes.
const TOKENS_MAX: u64 = 100_000_000;

#[cfg(test)]
mod hostile_answers;
