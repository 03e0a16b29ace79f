//! The body of Gemini's `streamGenerateContent`.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use vocabulary::{AttachmentId, ChatRole, ModelRequest, OutputShape};

use super::Manner;
use super::conversation::{Piece, Said, conversation, sent_arguments};
use crate::schema::{Dialect, write_schema, write_value};

/// A thinking model spends its thoughts out of the same allowance as its answer.
const TOKENS_FOR_THOUGHT: u32 = 2_000;
/// Gemini 3 wants the signature of its thought back with a call; this is Google's word for "not kept".
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Instruction<'a>>,
    contents: Vec<Content<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tools<'a>>,
    generation_config: GenerationConfig,
}

#[derive(Serialize)]
struct Instruction<'a> {
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Content<'a> {
    role: &'static str,
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Part<'a> {
    Text {
        text: &'a str,
    },
    Picture {
        inline_data: InlineData<'a>,
    },
    Call {
        function_call: FunctionCall<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        thought_signature: Option<&'static str>,
    },
    Response {
        function_response: FunctionResponse<'a>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InlineData<'a> {
    mime_type: &'a str,
    data: String,
}

#[derive(Serialize)]
struct FunctionCall<'a> {
    name: &'a str,
    args: Box<RawValue>,
}

#[derive(Serialize)]
struct FunctionResponse<'a> {
    name: &'a str,
    response: Outcome<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Outcome<'a> {
    Result(&'a str),
    Error(&'a str),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tools<'a> {
    function_declarations: Vec<Declaration<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Declaration<'a> {
    name: &'a str,
    description: &'a str,
    parameters_json_schema: Box<RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig {
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_config: Option<ThinkingConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<Box<RawValue>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThinkingConfig {
    thinking_budget: u32,
}

pub(super) fn body(
    request: &ModelRequest,
    images: &BTreeMap<AttachmentId, Bytes>,
    manner: Manner<'_>,
) -> Vec<u8> {
    let schema = match &request.output {
        OutputShape::Json { schema, .. } if manner.structured => Some(write_schema(schema, Dialect::Full)),
        _ => None,
    };
    let thinks = thinks(manner.model);
    let declarations: Vec<Declaration<'_>> = request
        .tools
        .iter()
        .map(|tool| Declaration {
            name: &tool.name,
            description: &tool.description,
            parameters_json_schema: write_schema(&tool.parameters, Dialect::Full),
        })
        .collect();
    let system = super::system(request, manner);
    let body = Body {
        system_instruction: (!request.system.is_empty()).then(|| Instruction {
            parts: vec![Part::Text { text: &system }],
        }),
        contents: conversation(request, images)
            .into_iter()
            .map(|said| content(said, manner.model))
            .collect(),
        tools: if declarations.is_empty() {
            Vec::new()
        } else {
            vec![Tools {
                function_declarations: declarations,
            }]
        },
        generation_config: GenerationConfig {
            max_output_tokens: match thinks {
                Thinks::AsItLikes => request.max_output_tokens.saturating_add(TOKENS_FOR_THOUGHT),
                Thinks::UnlessTold | Thinks::Never => request.max_output_tokens,
            },
            temperature: manner.temperature.then_some(request.temperature),
            thinking_config: (thinks == Thinks::UnlessTold).then_some(ThinkingConfig { thinking_budget: 0 }),
            response_mime_type: schema.is_some().then_some("application/json"),
            response_json_schema: schema,
        },
    };
    serde_json::to_vec(&body).expect("plain data is always JSON")
}

fn content<'a>(said: Said<'a>, model: &str) -> Content<'a> {
    // Of several calls at once only the first carries a signature.
    let mut signature = (generation(model) >= 3).then_some(NO_SIGNATURE);
    Content {
        role: match said.role {
            ChatRole::Assistant => "model",
            ChatRole::User | ChatRole::Tool => "user",
        },
        parts: said
            .pieces
            .into_iter()
            .map(|piece| part(piece, &mut signature))
            .collect(),
    }
}

fn part<'a>(piece: Piece<'a>, signature: &mut Option<&'static str>) -> Part<'a> {
    match piece {
        Piece::Text(text) => Part::Text { text },
        Piece::Picture { mime, base64 } => Part::Picture {
            inline_data: InlineData {
                mime_type: mime,
                data: base64,
            },
        },
        Piece::Call(call) => Part::Call {
            function_call: FunctionCall {
                name: &call.name,
                args: write_value(&sent_arguments(call)),
            },
            thought_signature: signature.take(),
        },
        Piece::Result(result) => Part::Response {
            function_response: FunctionResponse {
                name: &result.name,
                response: if result.failed {
                    Outcome::Error(&result.text)
                } else {
                    Outcome::Result(&result.text)
                },
            },
        },
    }
}

/// Models before the third generation refuse a schema and tools in one request.
pub(super) fn takes_schema_with_tools(model: &str) -> bool {
    generation(model) >= 3
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Thinks {
    Never,
    /// Thinks by default and can be told not to, which makes the first word come sooner.
    UnlessTold,
    AsItLikes,
}

fn thinks(model: &str) -> Thinks {
    let model = model.trim_start_matches("models/");
    if model.starts_with("gemini-2.5-flash") {
        Thinks::UnlessTold
    } else if model.starts_with("gemini-2.5") || generation(model) >= 3 {
        Thinks::AsItLikes
    } else {
        Thinks::Never
    }
}

fn generation(model: &str) -> u32 {
    let digits: String = model
        .trim_start_matches("models/")
        .trim_start_matches("gemini-")
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().unwrap_or(0)
}
