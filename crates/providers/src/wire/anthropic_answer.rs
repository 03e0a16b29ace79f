//! Anthropic's stream of message events.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use vocabulary::{Finish, ToolCall, Usage};

use super::{Decoded, StreamTrouble, TOOL_CALLS_MAX, arguments, named, told_count};
use crate::error_body::ErrorReport;
use crate::sse::Event;

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Happening {
    MessageStart {
        message: Opening,
    },
    ContentBlockStart {
        index: usize,
        content_block: Block,
    },
    ContentBlockDelta {
        index: usize,
        delta: Piece,
    },
    MessageDelta {
        delta: Ending,
        #[serde(default)]
        usage: Counted,
    },
    MessageStop,
    /// The whole answer, where it was not streamed.
    Message(Whole),
    Error {
        error: Value,
    },
    /// `ping`, `content_block_stop`, and whatever is added later.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Whole {
    #[serde(flatten)]
    opening: Opening,
    #[serde(flatten)]
    ending: Ending,
    content: Vec<Value>,
}

#[derive(Deserialize)]
struct Opening {
    model: Option<String>,
    #[serde(default)]
    usage: Counted,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        #[serde(default)]
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
    },
    Thinking {
        #[serde(default)]
        thinking: String,
        #[serde(default)]
        signature: String,
    },
    /// Locked; only the provider can read it.
    RedactedThinking {
        data: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Piece {
    TextDelta {
        text: String,
    },
    InputJsonDelta {
        partial_json: String,
    },
    ThinkingDelta {
        thinking: String,
    },
    SignatureDelta {
        signature: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Ending {
    stop_reason: Option<String>,
    stop_details: Option<StopDetails>,
}

#[derive(Deserialize)]
struct StopDetails {
    category: Option<String>,
}

#[derive(Default, Deserialize)]
struct Counted {
    #[serde(default, deserialize_with = "told_count")]
    input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "told_count")]
    cache_read_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "told_count")]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "told_count")]
    output_tokens: Option<u64>,
}

/// The answer as far as it has come.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    model: Option<String>,
    text: String,
    /// The blocks of the message, by their index.
    blocks: BTreeMap<usize, Written>,
    /// Bytes of thoughts, which are kept only to be sent back.
    thought_bytes: usize,
    fresh_input: u64,
    cached_input: u64,
    written_input: u64,
    output: u64,
    finish: Option<Finish>,
    /// The window of the model was full before it was done.
    window_full: bool,
    /// Why it declined, in the provider's word.
    declined: Option<String>,
    over: bool,
}

/// A block as far as it has come.
#[derive(Debug)]
enum Written {
    Text(String),
    Thinking {
        thinking: String,
        signature: String,
    },
    Redacted(String),
    Call {
        id: String,
        name: String,
        arguments: String,
    },
}

impl Answer {
    pub(super) fn take(&mut self, event: &Event) -> Result<String, StreamTrouble> {
        let happening: Happening =
            serde_json::from_str(&event.data).map_err(|error| StreamTrouble::not_json(&error))?;
        match happening {
            Happening::MessageStart { message } => {
                self.model = message.model;
                self.count(message.usage);
            }
            Happening::ContentBlockStart { index, content_block } => {
                return Ok(self.begin(index, content_block));
            }
            Happening::ContentBlockDelta { index, delta } => return Ok(self.go_on(index, delta)),
            Happening::MessageDelta { delta, usage } => {
                self.count(usage);
                self.end(delta);
            }
            Happening::MessageStop => self.over = true,
            Happening::Message(whole) => return self.take_whole(whole),
            Happening::Error { error } => {
                return Err(StreamTrouble::reported(ErrorReport::from_error(&error)));
            }
            Happening::Other => {}
        }
        Ok(String::new())
    }

    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// What the provider has counted so far.
    pub(super) fn usage(&self) -> Usage {
        Usage {
            input_tokens: self
                .fresh_input
                .saturating_add(self.cached_input)
                .saturating_add(self.written_input),
            cached_input_tokens: self.cached_input,
            cache_written_tokens: self.written_input,
            output_tokens: self.output,
            ..Usage::default()
        }
    }

    pub(super) fn finish(self) -> Result<Decoded, StreamTrouble> {
        let (true, Some(finish)) = (self.over, self.finish) else {
            return Err(StreamTrouble::half());
        };
        let usage = self.usage();
        let has_calls = self
            .blocks
            .values()
            .any(|block| matches!(block, Written::Call { .. }));
        if self.text.is_empty() && !has_calls {
            if self.window_full {
                return Err(StreamTrouble::WindowFull);
            }
            if finish == Finish::Refused {
                let category = self.declined.as_deref().map_or("", named);
                return Err(StreamTrouble::declined(category));
            }
        }
        let mut tool_calls = Vec::new();
        let mut pieces = Vec::new();
        let thinks = self.thought_bytes > 0;
        for block in self.blocks.into_values() {
            pieces.extend(returned(&block));
            if let Written::Call {
                id,
                name,
                arguments: text,
            } = block
            {
                let arguments = arguments(&text);
                tool_calls.push(ToolCall { id, name, arguments });
            }
        }
        Ok(Decoded {
            // What is not a thought can be written anew from its parts.
            carried: if thinks && has_calls { pieces } else { Vec::new() },
            text: self.text,
            tool_calls,
            finish,
            usage,
            model: self.model,
            thought: thinks,
        })
    }

    fn end(&mut self, ending: Ending) {
        if let Some(reason) = ending.stop_reason {
            self.window_full = reason == "model_context_window_exceeded";
            self.finish = Some(finish(&reason));
        }
        if let Some(details) = ending.stop_details {
            self.declined = details.category;
        }
    }

    fn take_whole(&mut self, whole: Whole) -> Result<String, StreamTrouble> {
        self.model = whole.opening.model;
        self.count(whole.opening.usage);
        self.end(whole.ending);
        self.over = true;
        let mut said = String::new();
        for (index, raw) in whole.content.into_iter().enumerate() {
            let block = Block::deserialize(&raw).map_err(|error| StreamTrouble::not_json(&error))?;
            said.push_str(&self.begin(index, block));
            // What is streamed comes in pieces that are put together.
            if let Some(Written::Call { arguments, .. }) = self.blocks.get_mut(&index) {
                *arguments = raw["input"].to_string();
            }
        }
        Ok(said)
    }

    fn begin(&mut self, index: usize, block: Block) -> String {
        let calls = self
            .blocks
            .values()
            .filter(|block| matches!(block, Written::Call { .. }));
        let (block, said) = match block {
            Block::Text { text } => (Written::Text(text.clone()), text),
            Block::ToolUse { id, name } if calls.count() < TOOL_CALLS_MAX => {
                let arguments = String::new();
                (Written::Call { id, name, arguments }, String::new())
            }
            Block::Thinking { thinking, signature } => {
                self.thought_bytes += thinking.len() + signature.len() + 1;
                (Written::Thinking { thinking, signature }, String::new())
            }
            Block::RedactedThinking { data } => {
                self.thought_bytes += data.len() + 1;
                (Written::Redacted(data), String::new())
            }
            Block::ToolUse { .. } | Block::Other => return String::new(),
        };
        self.blocks.insert(index, block);
        self.text.push_str(&said);
        said
    }

    fn go_on(&mut self, index: usize, piece: Piece) -> String {
        match (self.blocks.get_mut(&index), piece) {
            (Some(Written::Text(text)), Piece::TextDelta { text: more }) => {
                text.push_str(&more);
                self.text.push_str(&more);
                return more;
            }
            // A server that does not say that a text begins is understood all the same.
            (_, Piece::TextDelta { text }) => {
                self.text.push_str(&text);
                return text;
            }
            (Some(Written::Call { arguments, .. }), Piece::InputJsonDelta { partial_json }) => {
                arguments.push_str(&partial_json);
            }
            (Some(Written::Thinking { thinking, .. }), Piece::ThinkingDelta { thinking: more }) => {
                self.thought_bytes += more.len();
                thinking.push_str(&more);
            }
            (Some(Written::Thinking { signature, .. }), Piece::SignatureDelta { signature: more }) => {
                self.thought_bytes += more.len();
                signature.push_str(&more);
            }
            _ => {}
        }
        String::new()
    }

    /// Counts are running totals; what an event does not mention stays.
    fn count(&mut self, counted: Counted) {
        self.fresh_input = counted.input_tokens.unwrap_or(self.fresh_input);
        self.cached_input = counted.cache_read_input_tokens.unwrap_or(self.cached_input);
        self.written_input = counted.cache_creation_input_tokens.unwrap_or(self.written_input);
        self.output = counted.output_tokens.unwrap_or(self.output);
    }
}

fn finish(stop_reason: &str) -> Finish {
    match stop_reason {
        "max_tokens" | "model_context_window_exceeded" | "pause_turn" => Finish::Length,
        "tool_use" => Finish::ToolCalls,
        "refusal" => Finish::Refused,
        _ => Finish::Complete,
    }
}

/// A block as it goes back.
fn returned(block: &Written) -> Option<Value> {
    Some(match block {
        // An empty text is refused.
        Written::Text(text) if text.trim().is_empty() => return None,
        Written::Text(text) => json!({"type": "text", "text": text}),
        Written::Thinking { thinking, signature } => {
            json!({"type": "thinking", "thinking": thinking, "signature": signature})
        }
        Written::Redacted(data) => json!({"type": "redacted_thinking", "data": data}),
        Written::Call {
            id,
            name,
            arguments: text,
        } => {
            let input = Some(arguments(text)).filter(Value::is_object);
            json!({"type": "tool_use", "id": id, "name": name, "input": input.unwrap_or_else(|| json!({}))})
        }
    })
}
