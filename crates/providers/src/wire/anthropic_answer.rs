//! Anthropic's stream of message events.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use vocabulary::{Finish, ToolCall, Usage};

use super::{Decoded, StreamTrouble, TOOL_CALLS_MAX, arguments};
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
    Error {
        error: Value,
    },
    /// `ping`, `content_block_stop`, and whatever is added later.
    #[serde(other)]
    Other,
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
    /// Thinking and signatures are the model's own business.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Ending {
    stop_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Counted {
    input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

/// The answer as far as it has come.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    model: Option<String>,
    text: String,
    /// Calls under way by block index: id, name, arguments as text.
    calls: BTreeMap<usize, (String, String, String)>,
    fresh_input: u64,
    cached_input: u64,
    written_input: u64,
    output: u64,
    finish: Option<Finish>,
    over: bool,
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
            Happening::ContentBlockStart { index, content_block } => match content_block {
                Block::Text { text } => return Ok(self.say(text)),
                Block::ToolUse { id, name } if self.calls.len() < TOOL_CALLS_MAX => {
                    self.calls.insert(index, (id, name, String::new()));
                }
                Block::ToolUse { .. } | Block::Other => {}
            },
            Happening::ContentBlockDelta { index, delta } => match delta {
                Piece::TextDelta { text } => return Ok(self.say(text)),
                Piece::InputJsonDelta { partial_json } => {
                    if let Some((_, _, arguments)) = self.calls.get_mut(&index) {
                        arguments.push_str(&partial_json);
                    }
                }
                Piece::Other => {}
            },
            Happening::MessageDelta { delta, usage } => {
                self.count(usage);
                if let Some(reason) = delta.stop_reason {
                    self.finish = Some(finish(&reason));
                }
            }
            Happening::MessageStop => self.over = true,
            Happening::Error { error } => {
                return Err(StreamTrouble::Reported(ErrorReport::from_error(&error)));
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
            input_tokens: self.fresh_input + self.cached_input + self.written_input,
            cached_input_tokens: self.cached_input,
            cache_written_tokens: self.written_input,
            output_tokens: self.output,
            cost_micro_dollars: None,
            cost_assumed: false,
        }
    }

    pub(super) fn finish(self) -> Result<Decoded, StreamTrouble> {
        let (true, Some(finish)) = (self.over, self.finish) else {
            return Err(StreamTrouble::half());
        };
        let usage = self.usage();
        let mut tool_calls = Vec::new();
        for (id, name, text) in self.calls.into_values() {
            let arguments = arguments(&text);
            tool_calls.push(ToolCall { id, name, arguments });
        }
        Ok(Decoded {
            text: self.text,
            tool_calls,
            finish,
            usage,
            model: self.model,
        })
    }

    fn say(&mut self, text: String) -> String {
        self.text.push_str(&text);
        text
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
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "tool_use" => Finish::ToolCalls,
        "refusal" => Finish::Refused,
        _ => Finish::Complete,
    }
}
