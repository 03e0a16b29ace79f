//! The body of Gemini's `streamGenerateContent`.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use vocabulary::{ChatRole, ModelRequest, OutputShape};

use super::conversation::{Piece, Said, conversation, sent_arguments};
use super::{Manner, UNNAMED_CALL};
use crate::pictures::Pictures;
use crate::schema::{Dialect, write_schema, write_value};
use crate::thought::{Switch, Thought};

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
    parts: Parts<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Parts<'a> {
    New(Vec<Part<'a>>),
    /// As they came, with the signatures of their thoughts.
    Carried(&'a [serde_json::Value]),
}

#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Part<'a> {
    Text {
        text: Cow<'a, str>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    name: &'a str,
    args: Box<RawValue>,
}

#[derive(Serialize)]
struct FunctionResponse<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_budget: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_level: Option<String>,
}

pub(super) fn body(request: &ModelRequest, pictures: &Pictures, manner: Manner<'_>) -> Vec<u8> {
    let schema = match &request.output {
        OutputShape::Json { schema, .. } if manner.structured => Some(write_schema(schema, Dialect::Full)),
        _ => None,
    };
    let thought = manner.thought;
    let offered = request.tools.iter().filter(|_| manner.tools);
    let declarations: Vec<Declaration<'_>> = offered
        .map(|tool| Declaration {
            name: &tool.name,
            description: &tool.description,
            parameters_json_schema: write_schema(&tool.parameters, Dialect::Full),
        })
        .collect();
    let system = super::system(request, manner);
    let body = Body {
        system_instruction: (!request.system.is_empty()).then(|| Instruction {
            parts: vec![Part::Text {
                text: Cow::Borrowed(&system),
            }],
        }),
        contents: conversation(request, pictures, &manner.address())
            .into_iter()
            .map(|said| content(said, manner))
            .collect(),
        tools: if declarations.is_empty() {
            Vec::new()
        } else {
            vec![Tools {
                function_declarations: declarations,
            }]
        },
        generation_config: GenerationConfig {
            max_output_tokens: request.max_output_tokens.saturating_add(thought.room),
            temperature: manner.temperature.then_some(request.temperature),
            thinking_config: thinking(thought),
            response_mime_type: schema.is_some().then_some("application/json"),
            response_json_schema: schema,
        },
    };
    serde_json::to_vec(&body).expect("plain data is always JSON")
}

/// The third generation is told a level, the one before it a number of tokens.
fn thinking(thought: Thought) -> Option<ThinkingConfig> {
    let thinking_budget = match thought.switch {
        Switch::Budget(tokens) => Some(tokens),
        Switch::Unsaid | Switch::Off | Switch::Adaptive => None,
    };
    let thinking_level = thought.effort.map(str::to_uppercase);
    (thinking_budget.is_some() || thinking_level.is_some()).then_some(ThinkingConfig {
        thinking_budget,
        thinking_level,
    })
}

fn content<'a>(said: Said<'a>, manner: Manner<'_>) -> Content<'a> {
    // Of several calls at once only the first carries a signature.
    let mut signature = manner.signs_thoughts.then_some(NO_SIGNATURE);
    Content {
        role: match said.role {
            ChatRole::Assistant => "model",
            ChatRole::User | ChatRole::Tool => "user",
        },
        parts: match said.carried {
            Some(carried) => Parts::Carried(&carried.pieces),
            None => {
                let parts = said.pieces.into_iter().map(|piece| part(piece, &mut signature));
                Parts::New(parts.collect())
            }
        },
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
                id: given(&call.id),
                name: &call.name,
                args: write_value(&sent_arguments(call)),
            },
            thought_signature: signature.take(),
        },
        Piece::Result(result) => Part::Response {
            function_response: FunctionResponse {
                id: given(&result.call_id),
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

/// The id of a call, where the provider gave it one: what we called it ourselves means nothing there.
fn given(id: &str) -> Option<&str> {
    (!id.starts_with(UNNAMED_CALL)).then_some(id)
}
