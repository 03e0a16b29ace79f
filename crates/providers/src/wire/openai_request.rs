//! The body of `POST /chat/completions`, for OpenAI itself and for servers that speak like it.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use vocabulary::{ChatRole, ModelRequest, OutputShape};

use super::Manner;
use super::conversation::{Piece, Said, conversation, sent_arguments};
use crate::catalogue::Provider;
use crate::pictures::Pictures;
use crate::schema::{Dialect, write_schema, write_value};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    stream: bool,
    stream_options: StreamOptions,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<String>,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
    /// Null where an assistant only called tools.
    content: Option<Content<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
}

/// Plain text is sent as a string, because many servers take nothing else.
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(String),
    Parts(Vec<Part<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part<'a> {
    Text { text: Cow<'a, str> },
    ImageUrl { image_url: ImageUrl },
}

#[derive(Serialize)]
struct ImageUrl {
    url: String,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    r#type: &'static str,
    function: CalledFunction<'a>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    arguments: String,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: Box<RawValue>,
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    r#type: &'static str,
    json_schema: NamedSchema<'a>,
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'a str,
    strict: bool,
    schema: Box<RawValue>,
}

pub(super) fn body(request: &ModelRequest, pictures: &Pictures, manner: Manner<'_>) -> Vec<u8> {
    let openai = manner.provider == Provider::OpenAi;
    let cap = request.max_output_tokens.saturating_add(manner.thought.room);
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(Message {
            role: "system",
            tool_call_id: None,
            content: Some(Content::Text(super::system(request, manner).into_owned())),
            tool_calls: Vec::new(),
        });
    }
    for said in conversation(request, pictures, &manner.address()) {
        push_messages(&mut messages, said);
    }
    let body = Body {
        model: manner.model,
        stream: true,
        stream_options: StreamOptions { include_usage: true },
        max_tokens: (!openai).then_some(cap),
        max_completion_tokens: openai.then_some(cap),
        temperature: manner.temperature.then_some(request.temperature),
        reasoning_effort: manner.thought.effort,
        prompt_cache_key: manner.names_cache.then(|| manner.cache_key(request)),
        messages,
        tools: request
            .tools
            .iter()
            .filter(|_| manner.tools)
            .map(|tool| Tool {
                r#type: "function",
                function: Function {
                    name: &tool.name,
                    description: &tool.description,
                    parameters: write_schema(&tool.parameters, Dialect::Full),
                },
            })
            .collect(),
        response_format: match &request.output {
            OutputShape::Json { name, schema, .. } if manner.structured => Some(ResponseFormat {
                r#type: "json_schema",
                json_schema: NamedSchema {
                    name,
                    strict: true,
                    // Strict mode refuses bounds on texts.
                    schema: write_schema(schema, Dialect::WithoutBounds),
                },
            }),
            _ => None,
        },
    };
    serde_json::to_vec(&body).expect("plain data is always JSON")
}

fn push_messages<'a>(messages: &mut Vec<Message<'a>>, said: Said<'a>) {
    let role = match said.role {
        ChatRole::User => "user",
        ChatRole::Assistant => "assistant",
        ChatRole::Tool => "tool",
    };
    let mut parts = Vec::new();
    let mut tool_calls = Vec::new();
    for piece in said.pieces {
        match piece {
            Piece::Text(text) => parts.push(Part::Text { text }),
            Piece::Picture { mime, base64 } => parts.push(Part::ImageUrl {
                image_url: ImageUrl {
                    url: format!("data:{mime};base64,{base64}"),
                },
            }),
            Piece::Call(call) => tool_calls.push(Call {
                id: &call.id,
                r#type: "function",
                function: CalledFunction {
                    name: &call.name,
                    arguments: write_value(&sent_arguments(call)).get().to_owned(),
                },
            }),
            // Each result is a message of its own here.
            Piece::Result(result) => messages.push(Message {
                role: "tool",
                tool_call_id: Some(&result.call_id),
                content: Some(Content::Text(result.text.clone())),
                tool_calls: Vec::new(),
            }),
        }
    }
    if !parts.is_empty() || !tool_calls.is_empty() {
        messages.push(Message {
            role,
            tool_call_id: None,
            content: content(parts),
            tool_calls,
        });
    }
}

fn content(parts: Vec<Part<'_>>) -> Option<Content<'_>> {
    if parts.is_empty() {
        return None;
    }
    let texts: Option<Vec<&str>> = parts
        .iter()
        .map(|part| match part {
            Part::Text { text } => Some(text.as_ref()),
            Part::ImageUrl { .. } => None,
        })
        .collect();
    Some(match texts {
        Some(texts) => Content::Text(texts.join("\n\n")),
        None => Content::Parts(parts),
    })
}
