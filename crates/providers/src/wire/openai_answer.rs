//! The stream of chat completion chunks, as OpenAI and its many imitators send it.

use serde::Deserialize;
use serde_json::Value;
use vocabulary::{Finish, ToolCall, Usage};

use super::{Decoded, OWN_CALL_ID, StreamTrouble, TOOL_CALLS_MAX, arguments, count, told_count};
use crate::error_body::ErrorReport;
use crate::marks::MarkFilter;
use crate::sse::Event;
use crate::text_calls::TextCalls;
use crate::think::{ThinkFilter, after_thoughts};

#[derive(Deserialize)]
struct Chunk {
    model: Option<String>,
    choices: Option<Vec<Choice>>,
    usage: Option<Counted>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    delta: Option<Piece>,
    /// Where an answer in one piece has it.
    message: Option<Piece>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Piece {
    /// Words, or a list of parts with them.
    content: Option<Value>,
    /// Thoughts: only that there are some is looked at. Servers name them differently, and some twice.
    reasoning: Option<Value>,
    reasoning_content: Option<Value>,
    thinking: Option<Value>,
    refusal: Option<String>,
    tool_calls: Option<Vec<CallPiece>>,
}

#[derive(Deserialize)]
struct CallPiece {
    index: Option<usize>,
    id: Option<String>,
    function: Option<FunctionPiece>,
}

#[derive(Deserialize)]
struct FunctionPiece {
    name: Option<String>,
    /// Text that adds up to JSON; some servers send the object itself.
    arguments: Option<Value>,
}

#[derive(Deserialize)]
struct Counted {
    #[serde(default, deserialize_with = "count")]
    prompt_tokens: u64,
    #[serde(default, deserialize_with = "count")]
    completion_tokens: u64,
    prompt_tokens_details: Option<CountedDetails>,
}

#[derive(Deserialize)]
struct CountedDetails {
    #[serde(default, deserialize_with = "told_count")]
    cached_tokens: Option<u64>,
    #[serde(default, deserialize_with = "told_count")]
    cache_write_tokens: Option<u64>,
}

/// The answer as far as it has come.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    model: Option<String>,
    text: String,
    filter: ThinkFilter,
    marks: MarkFilter,
    text_calls: TextCalls,
    calls: Vec<CallSoFar>,
    usage: Usage,
    refused: bool,
    thought: bool,
    finish: Option<Finish>,
    over: bool,
    /// It came in one piece.
    whole: bool,
}

#[derive(Debug)]
struct CallSoFar {
    index: usize,
    id: String,
    /// The server gave it its id.
    given: bool,
    name: String,
    arguments: String,
}

impl CallSoFar {
    /// Whether a piece under the same index begins another call: some servers give all of them the first.
    fn is_another(&self, id: Option<&str>, function: Option<&FunctionPiece>) -> bool {
        let has_new_id = id.is_some_and(|id| self.given && id != self.id);
        let name = function
            .and_then(|function| function.name.as_deref())
            .unwrap_or("");
        let has_words = function.is_some_and(|function| match &function.arguments {
            Some(Value::String(text)) => !text.trim().is_empty(),
            Some(value) => !value.is_null(),
            None => false,
        });
        let is_whole = serde_json::from_str::<Value>(&self.arguments).is_ok_and(|value| value.is_object());
        let is_begun = !name.is_empty() && (name != self.name || has_words);
        has_new_id || (id.is_none() && is_begun && is_whole)
    }

    /// The next piece of its name: some servers say all of it with each piece of a call, or all of it so far.
    fn go_on(&mut self, name: &str) {
        match name.strip_prefix(&self.name) {
            Some(more) => self.name.push_str(more),
            None => self.name.push_str(name),
        }
    }
}

/// The words of a content, which some send in parts.
fn words(content: Value) -> String {
    match content {
        Value::String(text) => text,
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// Whether a content in parts has one of thoughts.
fn has_thoughts(content: &Value) -> bool {
    let parts = content.as_array().into_iter().flatten();
    parts.into_iter().any(|part| part["type"] == "thinking")
}

/// Nothing that was thought.
fn is_nothing(thought: &Value) -> bool {
    thought.is_null() || thought.as_str().is_some_and(str::is_empty)
}

impl Answer {
    /// Of a server that may leave calls in the text, and marks of its model.
    pub(super) fn of_server(text_calls: TextCalls, marks: MarkFilter) -> Self {
        Self {
            text_calls,
            marks,
            ..Self::default()
        }
    }

    pub(super) fn take(&mut self, event: &Event) -> Result<String, StreamTrouble> {
        if event.data.trim() == "[DONE]" {
            self.over = true;
            return Ok(String::new());
        }
        let chunk: Chunk = serde_json::from_str(&event.data).map_err(|error| {
            // A server that reports trouble in an event of its own need not use the format of chunks.
            if event.name == "error" {
                StreamTrouble::reported(ErrorReport::from_body(event.data.as_bytes()))
            } else {
                StreamTrouble::not_json(&error)
            }
        })?;
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            return Err(StreamTrouble::reported(ErrorReport::from_error(&error)));
        }
        if event.name == "error" {
            return Err(StreamTrouble::reported(ErrorReport::from_body(
                event.data.as_bytes(),
            )));
        }
        if chunk.choices.is_none() && chunk.usage.is_none() {
            return Err(StreamTrouble::Malformed("an event without choices".to_owned()));
        }
        if let Some(model) = chunk.model.filter(|model| !model.is_empty()) {
            self.model = Some(model);
        }
        if let Some(counted) = chunk.usage {
            let details = counted.prompt_tokens_details;
            let of =
                |count: fn(&CountedDetails) -> Option<u64>| details.as_ref().and_then(count).unwrap_or(0);
            self.usage = Usage {
                input_tokens: counted.prompt_tokens,
                cached_input_tokens: of(|details| details.cached_tokens),
                cache_written_tokens: of(|details| details.cache_write_tokens),
                output_tokens: counted.completion_tokens,
                ..Usage::default()
            };
        }
        let mut added = String::new();
        if let Some(choice) = chunk.choices.into_iter().flatten().next() {
            self.whole |= choice.message.is_some();
            if let Some(piece) = choice.delta.or(choice.message) {
                let thoughts = [&piece.reasoning, &piece.reasoning_content, &piece.thinking];
                self.thought |= thoughts.into_iter().flatten().any(|thought| !is_nothing(thought));
                self.refused |= piece.refusal.is_some_and(|refusal| !refusal.is_empty());
                let content = piece.content.unwrap_or_default();
                self.thought |= has_thoughts(&content);
                let text = self.filter.push(&words(content));
                added = self.text_calls.push(&self.marks.push(&text));
                for (position, call) in piece.tool_calls.into_iter().flatten().enumerate() {
                    self.take_call(position, call);
                }
            }
            if let Some(reason) = choice.finish_reason {
                self.finish = Some(finish(&reason));
            }
        }
        self.text.push_str(&added);
        Ok(added)
    }

    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    pub(super) fn is_whole(&self) -> bool {
        self.over || self.finish.is_some()
    }

    /// What the provider has counted so far.
    pub(super) fn usage(&self) -> Usage {
        self.usage
    }

    pub(super) fn finish(mut self) -> Result<Decoded, StreamTrouble> {
        let mut thought = self.thought || self.filter.has_dropped();
        let is_torn = self.filter.is_thinking();
        let last = std::mem::take(&mut self.filter).finish();
        let last = self.marks.push(&last) + &self.marks.finish();
        self.text.push_str(&self.text_calls.push(&last));
        let (rest, in_text) = std::mem::take(&mut self.text_calls).finish();
        self.text.push_str(&rest);
        if let Some(answer) = after_thoughts(&self.text).map(str::to_owned) {
            (self.text, thought) = (answer, true);
        }
        let mut finish = match self.finish {
            // It was whole before the server stopped at the cap.
            Some(Finish::Length) if self.marks.is_over() => Finish::Complete,
            // Thoughts that do not end were cut, whatever the server calls it.
            Some(Finish::Complete) if is_torn && self.calls.is_empty() => Finish::Length,
            Some(finish) => finish,
            // A few servers never give a reason, but do say that they are done.
            None if (self.over || self.whole) && !(self.text.is_empty() && in_text.is_empty()) => {
                Finish::Complete
            }
            None => return Err(StreamTrouble::half()),
        };
        let mut tool_calls = Vec::new();
        for call in self.calls {
            tool_calls.push(ToolCall {
                id: call.id,
                arguments: arguments(&call.arguments),
                name: call.name,
            });
        }
        // A server that reads calls itself leaves none in the text.
        if tool_calls.is_empty() {
            tool_calls = in_text;
        }
        if !tool_calls.is_empty() && finish == Finish::Complete {
            finish = Finish::ToolCalls;
        }
        if self.refused {
            finish = Finish::Refused;
        }
        Ok(Decoded {
            text: self.text,
            tool_calls,
            carried: Vec::new(),
            finish,
            usage: self.usage,
            model: self.model,
            thought,
        })
    }

    fn take_call(&mut self, position: usize, piece: CallPiece) {
        let index = piece.index.unwrap_or(position);
        let id = piece.id.filter(|id| !id.is_empty());
        let at = match self.calls.iter().rposition(|call| call.index == index) {
            Some(at) if !self.calls[at].is_another(id.as_deref(), piece.function.as_ref()) => at,
            _ if self.calls.len() >= TOOL_CALLS_MAX => return,
            _ => {
                self.calls.push(CallSoFar {
                    index,
                    id: format!("{OWN_CALL_ID}{}", self.calls.len()),
                    given: false,
                    name: String::new(),
                    arguments: String::new(),
                });
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[at];
        if let Some(id) = id {
            call.id = id;
            call.given = true;
        }
        if let Some(function) = piece.function {
            if let Some(name) = function.name {
                call.go_on(&name);
            }
            match function.arguments {
                Some(Value::String(text)) => call.arguments.push_str(&text),
                Some(Value::Null) | None => {}
                Some(whole) => call.arguments.push_str(&whole.to_string()),
            }
        }
    }
}

fn finish(reason: &str) -> Finish {
    match reason {
        "length" => Finish::Length,
        "tool_calls" | "function_call" => Finish::ToolCalls,
        "content_filter" => Finish::Refused,
        _ => Finish::Complete,
    }
}
