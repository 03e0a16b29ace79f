//! Gemini's stream of partial responses.

use serde::Deserialize;
use serde_json::Value;
use vocabulary::{Finish, ToolCall, Usage};

use super::{Decoded, StreamTrouble, TOOL_CALLS_MAX, UNNAMED_CALL, count, named};
use crate::error_body::ErrorReport;
use crate::sse::Event;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    candidates: Option<Vec<Candidate>>,
    prompt_feedback: Option<PromptFeedback>,
    usage_metadata: Option<Counted>,
    model_version: Option<String>,
    error: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    content: Option<Content>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    parts: Option<Vec<Value>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    text: Option<String>,
    #[serde(default)]
    thought: bool,
    function_call: Option<FunctionCall>,
    /// Wanted back with the part it came with.
    thought_signature: Option<String>,
}

#[derive(Deserialize)]
struct FunctionCall {
    id: Option<String>,
    name: String,
    args: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptFeedback {
    block_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Counted {
    #[serde(default, deserialize_with = "count")]
    prompt_token_count: u64,
    #[serde(default, deserialize_with = "count")]
    cached_content_token_count: u64,
    #[serde(default, deserialize_with = "count")]
    candidates_token_count: u64,
    /// Thoughts are paid for like the answer.
    #[serde(default, deserialize_with = "count")]
    thoughts_token_count: u64,
}

/// The answer as far as it has come.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    model: Option<String>,
    text: String,
    calls: Vec<ToolCall>,
    /// The parts as they came.
    parts: Vec<Value>,
    signed: bool,
    thought: bool,
    usage: Usage,
    finish: Option<Finish>,
}

impl Answer {
    pub(super) fn take(&mut self, event: &Event) -> Result<String, StreamTrouble> {
        let not_json = |error| StreamTrouble::not_json(&error);
        // Whoever passes over that events are wanted sends a list of the same.
        if !event.data.trim_start().starts_with('[') {
            return self.take_chunk(serde_json::from_str(&event.data).map_err(not_json)?);
        }
        let chunks: Vec<Chunk> = serde_json::from_str(&event.data).map_err(not_json)?;
        let mut added = String::new();
        for chunk in chunks {
            added.push_str(&self.take_chunk(chunk)?);
        }
        Ok(added)
    }

    fn take_chunk(&mut self, chunk: Chunk) -> Result<String, StreamTrouble> {
        if let Some(error) = chunk.error {
            return Err(StreamTrouble::reported(ErrorReport::from_error(&error)));
        }
        if let Some(reason) = chunk.prompt_feedback.and_then(|feedback| feedback.block_reason) {
            return Err(StreamTrouble::Refused(match named(&reason) {
                "" => "the prompt was blocked, and no reason given".to_owned(),
                reason => format!("the prompt was blocked ({reason})"),
            }));
        }
        if chunk.candidates.is_none() && chunk.usage_metadata.is_none() {
            return Err(StreamTrouble::Malformed("an event without candidates".to_owned()));
        }
        if chunk.model_version.is_some() {
            self.model = chunk.model_version;
        }
        if let Some(counted) = chunk.usage_metadata {
            self.usage = Usage {
                input_tokens: counted.prompt_token_count,
                cached_input_tokens: counted.cached_content_token_count,
                cache_written_tokens: 0,
                output_tokens: counted
                    .candidates_token_count
                    .saturating_add(counted.thoughts_token_count),
                ..Usage::default()
            };
        }
        let mut added = String::new();
        if let Some(candidate) = chunk.candidates.into_iter().flatten().next() {
            for part in candidate
                .content
                .and_then(|content| content.parts)
                .into_iter()
                .flatten()
            {
                self.take_part(part, &mut added)?;
            }
            if let Some(reason) = candidate.finish_reason {
                self.finish = Some(self.ended(&reason, &added)?);
            }
        }
        self.text.push_str(&added);
        Ok(added)
    }

    pub(super) fn is_whole(&self) -> bool {
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
        Ok(Decoded {
            carried: match self.signed && !self.calls.is_empty() {
                true => self.parts,
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

    fn take_part(&mut self, raw: Value, added: &mut String) -> Result<(), StreamTrouble> {
        let part = Part::deserialize(&raw).map_err(|error| StreamTrouble::not_json(&error))?;
        self.signed |= part.thought_signature.is_some();
        self.thought |= part.thought || part.thought_signature.is_some();
        if part.thought {
            return Ok(());
        }
        if let Some(text) = part.text {
            added.push_str(&text);
            if self.takes_as_more(&text, part.thought_signature.is_some()) {
                return Ok(());
            }
        }
        if let Some(call) = part.function_call {
            if self.calls.len() >= TOOL_CALLS_MAX {
                return Ok(());
            }
            // Older ones tell calls apart by order; everyone else needs a name for each.
            let id = call
                .id
                .unwrap_or_else(|| format!("{UNNAMED_CALL}{}", self.calls.len()));
            self.calls.push(ToolCall {
                id,
                name: call.name,
                arguments: call.args.unwrap_or_else(|| Value::Object(serde_json::Map::new())),
            });
        }
        self.parts.push(raw);
        Ok(())
    }

    /// A text comes in many parts; without signatures they are one that goes on.
    fn takes_as_more(&mut self, text: &str, signed: bool) -> bool {
        let Some(last) = self.parts.last_mut().filter(|_| !signed) else {
            return false;
        };
        match last.get_mut("text") {
            Some(Value::String(before)) => before.push_str(text),
            _ => return false,
        }
        true
    }

    fn ended(&self, reason: &str, added: &str) -> Result<Finish, StreamTrouble> {
        let said_nothing = self.text.is_empty() && added.is_empty() && self.calls.is_empty();
        Ok(match reason {
            "MAX_TOKENS" | "CONTINUATION" => Finish::Length,
            "SAFETY"
            | "RECITATION"
            | "LANGUAGE"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION" => match said_nothing {
                true => return Err(StreamTrouble::declined(reason)),
                false => Finish::Refused,
            },
            "MALFORMED_FUNCTION_CALL"
            | "UNEXPECTED_TOOL_CALL"
            | "TOO_MANY_TOOL_CALLS"
            | "MALFORMED_RESPONSE" => {
                return Err(StreamTrouble::Malformed(format!(
                    "a tool call that cannot be read ({reason})"
                )));
            }
            "OTHER" if said_nothing => {
                return Err(StreamTrouble::Malformed(
                    "it stopped without saying why".to_owned(),
                ));
            }
            _ => Finish::Complete,
        })
    }
}
