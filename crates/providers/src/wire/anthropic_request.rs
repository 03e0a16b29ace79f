//! The body of Anthropic's `POST /v1/messages`.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;
use vocabulary::{ChatRole, ModelRequest, OutputShape};

use super::Manner;
use super::conversation::{Piece, Said, called, conversation, sent_arguments};
use crate::pictures::Pictures;
use crate::schema::{Dialect, write_schema, write_value};
use crate::thought::Switch;

/// Anthropic keeps nothing shorter than 1,024 tokens.
const KEPT_CHARS_MIN: usize = 4 * 1_024;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    /// Thoughts are written out of it, too.
    max_tokens: u32,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Thinking>,
    #[serde(skip_serializing_if = "System::is_empty")]
    system: System<'a>,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig>,
}

/// The system text, marked to be kept where it is long enough for that: it comes after the tools and before everything
/// that changes, so that both are read from the cache at the next question.
#[derive(Serialize)]
#[serde(untagged)]
enum System<'a> {
    Plain(&'a str),
    Kept([KeptText<'a>; 1]),
}

#[derive(Serialize)]
struct KeptText<'a> {
    r#type: &'static str,
    text: &'a str,
    cache_control: CacheControl,
}

#[derive(Serialize)]
struct CacheControl {
    r#type: &'static str,
}

impl CacheControl {
    const EPHEMERAL: Self = Self { r#type: "ephemeral" };
}

impl<'a> System<'a> {
    fn of(text: &'a str, length: usize) -> Self {
        if text.is_empty() || length < KEPT_CHARS_MIN {
            return System::Plain(text);
        }
        System::Kept([KeptText {
            r#type: "text",
            text,
            cache_control: CacheControl::EPHEMERAL,
        }])
    }

    fn is_empty(&self) -> bool {
        matches!(self, System::Plain(text) if text.is_empty())
    }
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Blocks<'a>,
}

impl Message<'_> {
    /// Words of people, rather than what tools gave.
    fn is_question(&self) -> bool {
        let is_result = |block: &Block<'_>| matches!(block, Block::ToolResult { .. });
        self.role == "user" && matches!(&self.content, Blocks::New(blocks) if !blocks.iter().any(is_result))
    }

    /// Words of the model's own, which are never put together anew.
    fn ends_in_own_words(&self) -> bool {
        let ends = |blocks: &Vec<Block<'_>>| matches!(blocks.last(), Some(Block::Text { .. }));
        self.role == "assistant" && matches!(&self.content, Blocks::New(blocks) if ends(blocks))
    }

    /// How many letters it has, about; pictures and thoughts aside.
    fn length(&self) -> usize {
        let Blocks::New(blocks) = &self.content else {
            return 0;
        };
        let lengths = blocks.iter().map(|block| match block {
            Block::Text { text, .. } => text.len(),
            Block::ToolResult { content, .. } => content.len(),
            Block::ToolUse { input, .. } => input.get().len(),
            Block::Image { .. } => 0,
        });
        lengths.sum()
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Blocks<'a> {
    New(Vec<Block<'a>>),
    /// As they came: a thought that is changed is refused.
    Carried(&'a [serde_json::Value]),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    Image {
        source: Source<'a>,
    },
    ToolUse {
        id: &'a str,
        name: &'a str,
        input: Box<RawValue>,
    },
    ToolResult {
        tool_use_id: &'a str,
        content: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

#[derive(Serialize)]
struct Source<'a> {
    r#type: &'static str,
    media_type: &'a str,
    data: String,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: Box<RawValue>,
}

#[derive(Serialize)]
struct ToolChoice {
    r#type: &'static str,
}

/// Whether it thinks; where nothing is said, as its kind does.
#[derive(Serialize)]
struct Thinking {
    r#type: &'static str,
}

#[derive(Serialize)]
struct OutputConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format>,
}

#[derive(Serialize)]
struct Format {
    r#type: &'static str,
    schema: Box<RawValue>,
}

pub(super) fn body(request: &ModelRequest, pictures: &Pictures, manner: Manner<'_>) -> Vec<u8> {
    let system = super::system(request, manner);
    let tools = tools(request, manner);
    let format = match &request.output {
        OutputShape::Json { schema, .. } if manner.structured => Some(Format {
            r#type: "json_schema",
            schema: write_schema(schema, Dialect::WithoutBounds),
        }),
        _ => None,
    };
    let effort = manner.thought.effort;
    let described = |tool: &Tool<'_>| tool.description.len() + tool.input_schema.get().len();
    let before = system.len() + tools.iter().map(described).sum::<usize>();
    let said = conversation(request, pictures, &manner.address());
    let mut messages: Vec<Message<'_>> = said.into_iter().map(message).collect();
    keep(&mut messages, before);
    let body = Body {
        model: manner.model,
        max_tokens: request.max_output_tokens.saturating_add(manner.thought.room),
        stream: true,
        thinking: match manner.thought.switch {
            Switch::Off => Some(Thinking { r#type: "disabled" }),
            Switch::Adaptive => Some(Thinking { r#type: "adaptive" }),
            Switch::Unsaid | Switch::Budget(_) => None,
        },
        system: System::of(&system, before),
        messages,
        tool_choice: (!manner.tools && !tools.is_empty()).then_some(ToolChoice { r#type: "none" }),
        tools,
        output_config: (effort.is_some() || format.is_some()).then_some(OutputConfig { effort, format }),
    };
    serde_json::to_vec(&body).expect("plain data is always JSON")
}

/// Marks where the conversation stays as it is: at the last words of the model's own before the question. What follows
/// them is put together anew for every question; all before them is read from the cache at the next one.
fn keep(messages: &mut [Message<'_>], before: usize) {
    let question = messages.iter().rposition(Message::is_question).unwrap_or(0);
    let Some(last) = messages[..question].iter().rposition(Message::ends_in_own_words) else {
        return;
    };
    let length = before + messages[..=last].iter().map(Message::length).sum::<usize>();
    if length >= KEPT_CHARS_MIN
        && let Blocks::New(blocks) = &mut messages[last].content
        && let Some(Block::Text { cache_control, .. }) = blocks.last_mut()
    {
        *cache_control = Some(CacheControl::EPHEMERAL);
    }
}

/// The tools on offer. A conversation with calls in it is refused where it names no tools at all: then the ones that were
/// called are named, and may not be called again.
fn tools<'a>(request: &'a ModelRequest, manner: Manner<'_>) -> Vec<Tool<'a>> {
    if !manner.tools {
        let before = called(request).into_iter().map(|name| Tool {
            name,
            description: "Cannot be called any more.",
            input_schema: write_schema(&json!({"type": "object"}), Dialect::Full),
        });
        return before.collect();
    }
    let offered = request.tools.iter().map(|tool| Tool {
        name: &tool.name,
        description: &tool.description,
        input_schema: write_schema(&tool.parameters, Dialect::Full),
    });
    offered.collect()
}

fn message(said: Said<'_>) -> Message<'_> {
    Message {
        role: match said.role {
            ChatRole::Assistant => "assistant",
            ChatRole::User | ChatRole::Tool => "user",
        },
        content: match said.carried {
            Some(carried) => Blocks::Carried(&carried.pieces),
            None => Blocks::New(said.pieces.into_iter().map(block).collect()),
        },
    }
}

fn block(piece: Piece<'_>) -> Block<'_> {
    match piece {
        Piece::Text(text) => Block::Text {
            text,
            cache_control: None,
        },
        Piece::Picture { mime, base64 } => Block::Image {
            source: Source {
                r#type: "base64",
                media_type: mime,
                data: base64,
            },
        },
        Piece::Call(call) => Block::ToolUse {
            id: &call.id,
            name: &call.name,
            input: write_value(&sent_arguments(call)),
        },
        Piece::Result(result) => Block::ToolResult {
            tool_use_id: &result.call_id,
            content: &result.text,
            is_error: result.failed,
        },
    }
}
