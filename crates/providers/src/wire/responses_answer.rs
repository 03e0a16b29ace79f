//! The stream of events of OpenAI's Responses API.

use serde::Deserialize;
use serde_json::Value;
use vocabulary::{Finish, ToolCall, Usage};

use super::{Decoded, StreamTrouble, TOOL_CALLS_MAX, arguments, count};
use crate::error_body::ErrorReport;
use crate::sse::Event;

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Happening {
    #[serde(rename = "response.output_text.delta")]
    Text { delta: String },
    #[serde(rename = "response.refusal.delta")]
    Refusal {},
    /// The item is whole; while it is written it is not looked at.
    #[serde(rename = "response.output_item.done")]
    Item { item: Value },
    #[serde(rename = "response.completed", alias = "response.incomplete")]
    Over { response: Response },
    #[serde(rename = "response.failed")]
    Failed { response: Response },
    #[serde(rename = "error")]
    Error(Value),
    #[serde(other)]
    Other,
}

/// The response as a whole, which is also what comes where nothing is streamed.
#[derive(Deserialize)]
struct Response {
    model: Option<String>,
    status: Option<String>,
    #[serde(default)]
    output: Vec<Value>,
    usage: Option<Counted>,
    incomplete_details: Option<Incomplete>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Incomplete {
    reason: Option<String>,
}

#[derive(Deserialize)]
struct Counted {
    #[serde(default, deserialize_with = "count")]
    input_tokens: u64,
    #[serde(default, deserialize_with = "count")]
    output_tokens: u64,
    input_tokens_details: Option<InputDetails>,
}

#[derive(Deserialize)]
struct InputDetails {
    #[serde(default, deserialize_with = "count")]
    cached_tokens: u64,
    #[serde(default, deserialize_with = "count")]
    cache_write_tokens: u64,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item {
    Message {
        #[serde(default)]
        content: Vec<Content>,
    },
    FunctionCall {
        call_id: String,
        name: String,
        #[serde(default)]
        arguments: String,
    },
    Reasoning {},
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content {
    OutputText {
        text: String,
    },
    Refusal {},
    #[serde(other)]
    Other,
}

/// The answer as far as it has come.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    model: Option<String>,
    text: String,
    items: Vec<Value>,
    calls: Vec<ToolCall>,
    usage: Usage,
    refused: bool,
    thought: bool,
    finish: Option<Finish>,
}

impl Answer {
    pub(super) fn take(&mut self, event: &Event) -> Result<String, StreamTrouble> {
        if event.data.trim() == "[DONE]" {
            return Ok(String::new());
        }
        let value: Value =
            serde_json::from_str(&event.data).map_err(|error| StreamTrouble::not_json(&error))?;
        let is_whole = value.get("object").and_then(Value::as_str) == Some("response");
        if is_whole {
            let response = Response::deserialize(&value).map_err(|error| StreamTrouble::not_json(&error))?;
            return self.take_whole(response);
        }
        let happening = Happening::deserialize(&value).map_err(|error| StreamTrouble::not_json(&error))?;
        match happening {
            Happening::Text { delta } => {
                self.text.push_str(&delta);
                return Ok(delta);
            }
            Happening::Refusal {} => self.refused = true,
            Happening::Item { item } => self.take_item(item),
            Happening::Over { response } => self.end(response)?,
            Happening::Failed { response } => {
                self.count(&response);
                let error = response.error.unwrap_or(Value::Null);
                return Err(StreamTrouble::reported(ErrorReport::from_error(&error)));
            }
            // Its code and message stand in the event itself, or in a field as everywhere else.
            Happening::Error(error) => {
                let error = error
                    .get("error")
                    .filter(|error| error.is_object())
                    .unwrap_or(&error);
                return Err(StreamTrouble::reported(ErrorReport::from_error(error)));
            }
            Happening::Other => {}
        }
        Ok(String::new())
    }

    pub(super) fn is_over(&self) -> bool {
        self.finish.is_some()
    }

    /// What the provider has counted so far.
    pub(super) fn usage(&self) -> Usage {
        self.usage
    }

    pub(super) fn finish(self) -> Result<Decoded, StreamTrouble> {
        let mut finish = self.finish.ok_or_else(StreamTrouble::half)?;
        if !self.calls.is_empty() && finish == Finish::Complete {
            finish = Finish::ToolCalls;
        }
        if self.refused {
            finish = Finish::Refused;
        }
        Ok(Decoded {
            carried: match self.thought && !self.calls.is_empty() {
                true => self.items,
                false => Vec::new(),
            },
            text: self.text,
            tool_calls: self.calls,
            finish,
            usage: self.usage,
            model: self.model,
            thought: self.thought,
        })
    }

    fn take_item(&mut self, raw: Value) {
        let Ok(item) = Item::deserialize(&raw) else { return };
        match item {
            Item::FunctionCall {
                call_id,
                name,
                arguments: text,
            } => {
                // It may be told of twice.
                let is_known = self.calls.iter().any(|call| call.id == call_id);
                if is_known || self.calls.len() >= TOOL_CALLS_MAX {
                    return;
                }
                self.calls.push(ToolCall {
                    id: call_id,
                    name,
                    arguments: arguments(&text),
                });
            }
            Item::Message { content } => {
                self.refused |= content.iter().any(|part| matches!(part, Content::Refusal {}));
            }
            Item::Reasoning {} => self.thought = true,
            Item::Other => return,
        }
        self.items.push(raw);
    }

    fn take_whole(&mut self, mut response: Response) -> Result<String, StreamTrouble> {
        if response.status.as_deref() == Some("failed") {
            self.count(&response);
            let error = response.error.unwrap_or(Value::Null);
            return Err(StreamTrouble::reported(ErrorReport::from_error(&error)));
        }
        let mut said = String::new();
        for item in std::mem::take(&mut response.output) {
            if let Ok(Item::Message { content }) = Item::deserialize(&item) {
                for part in content {
                    if let Content::OutputText { text } = part {
                        said.push_str(&text);
                    }
                }
            }
            self.take_item(item);
        }
        self.text.push_str(&said);
        self.end(response)?;
        Ok(said)
    }

    fn end(&mut self, response: Response) -> Result<(), StreamTrouble> {
        self.count(&response);
        let reason = response.incomplete_details.and_then(|details| details.reason);
        let said_nothing = self.text.is_empty() && self.calls.is_empty();
        self.finish = Some(match reason.as_deref() {
            Some("content_filter") if said_nothing => return Err(StreamTrouble::declined("content_filter")),
            Some("content_filter") => Finish::Refused,
            Some(_) => Finish::Length,
            None if response.status.as_deref() == Some("incomplete") => Finish::Length,
            None => Finish::Complete,
        });
        Ok(())
    }

    fn count(&mut self, response: &Response) {
        if response.model.is_some() {
            self.model.clone_from(&response.model);
        }
        if let Some(counted) = &response.usage {
            let details = counted.input_tokens_details.as_ref();
            self.usage = Usage {
                input_tokens: counted.input_tokens,
                cached_input_tokens: details.map_or(0, |details| details.cached_tokens),
                cache_written_tokens: details.map_or(0, |details| details.cache_write_tokens),
                output_tokens: counted.output_tokens,
                ..Usage::default()
            };
        }
    }
}
