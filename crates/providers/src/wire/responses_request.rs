//! The body of OpenAI's `POST /v1/responses`. Nothing is stored there: what must be known again is carried along.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use vocabulary::{ChatRole, ModelRequest, OutputShape};

use super::Manner;
use super::conversation::{Piece, Said, conversation, sent_arguments};
use crate::pictures::Pictures;
use crate::schema::{Dialect, write_schema, write_value};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    stream: bool,
    store: bool,
    /// Thoughts are written out of it, too.
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Reasoning>,
    /// Thoughts come locked, to be sent back with the results of calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    include: Vec<&'static str>,
    prompt_cache_key: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    instructions: &'a str,
    input: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<TextConfig<'a>>,
}

#[derive(Serialize)]
struct Reasoning {
    effort: &'static str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Item<'a> {
    Message {
        role: &'static str,
        content: Content<'a>,
    },
    Call {
        r#type: &'static str,
        call_id: &'a str,
        name: &'a str,
        arguments: String,
    },
    Output {
        r#type: &'static str,
        call_id: &'a str,
        output: &'a str,
    },
    Carried(&'a Value),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<Part<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part<'a> {
    InputText { text: Cow<'a, str> },
    InputImage { detail: &'static str, image_url: String },
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    parameters: Box<RawValue>,
    strict: bool,
}

#[derive(Serialize)]
struct TextConfig<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    name: &'a str,
    strict: bool,
    schema: Box<RawValue>,
}

pub(super) fn body(request: &ModelRequest, pictures: &Pictures, manner: Manner<'_>) -> Vec<u8> {
    let system = super::system(request, manner);
    let mut input = Vec::new();
    for said in conversation(request, pictures, &manner.address()) {
        push_items(&mut input, said);
    }
    let offered = request.tools.iter().filter(|_| manner.tools);
    let tools = offered.map(|tool| Tool {
        r#type: "function",
        name: &tool.name,
        description: &tool.description,
        parameters: write_schema(&tool.parameters, Dialect::Full),
        // Strict ones must require every argument.
        strict: false,
    });
    let thinks = manner.thought.effort.is_some() || manner.thought.room > 0;
    let body = Body {
        model: manner.model,
        stream: true,
        store: false,
        max_output_tokens: request
            .max_output_tokens
            .saturating_add(manner.thought.room)
            .max(16),
        temperature: manner.temperature.then_some(request.temperature),
        reasoning: manner.thought.effort.map(|effort| Reasoning { effort }),
        include: match thinks {
            true => vec!["reasoning.encrypted_content"],
            false => Vec::new(),
        },
        prompt_cache_key: manner.cache_key(request),
        instructions: &system,
        input,
        tools: tools.collect(),
        text: match &request.output {
            OutputShape::Json { name, schema, .. } if manner.structured => Some(TextConfig {
                format: Format {
                    r#type: "json_schema",
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

fn push_items<'a>(input: &mut Vec<Item<'a>>, said: Said<'a>) {
    if let Some(carried) = said.carried {
        input.extend(carried.pieces.iter().map(Item::Carried));
        return;
    }
    let role = match said.role {
        ChatRole::Assistant => "assistant",
        ChatRole::User | ChatRole::Tool => "user",
    };
    let mut parts = Vec::new();
    let mut after = Vec::new();
    for piece in said.pieces {
        match piece {
            Piece::Text(text) => parts.push(Part::InputText { text }),
            Piece::Picture { mime, base64 } => parts.push(Part::InputImage {
                detail: "auto",
                image_url: format!("data:{mime};base64,{base64}"),
            }),
            Piece::Call(call) => after.push(Item::Call {
                r#type: "function_call",
                call_id: &call.id,
                name: &call.name,
                arguments: write_value(&sent_arguments(call)).get().to_owned(),
            }),
            Piece::Result(result) => after.push(Item::Output {
                r#type: "function_call_output",
                call_id: &result.call_id,
                output: &result.text,
            }),
        }
    }
    if !parts.is_empty() {
        input.push(Item::Message {
            role,
            content: content(parts),
        });
    }
    input.extend(after);
}

/// Plain text goes as it is: parts of an assistant's message would be of another type.
fn content(parts: Vec<Part<'_>>) -> Content<'_> {
    let texts: Option<Vec<&str>> = parts
        .iter()
        .map(|part| match part {
            Part::InputText { text } => Some(text.as_ref()),
            Part::InputImage { .. } => None,
        })
        .collect();
    match texts {
        Some(texts) => Content::Text(Cow::Owned(texts.join("\n\n"))),
        None => Content::Parts(parts),
    }
}
