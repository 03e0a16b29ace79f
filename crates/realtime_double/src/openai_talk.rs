//! What a conversation at OpenAI's Realtime API, or xAI's, holds: items, calls of tools, and how much of an answer was heard.

use serde_json::{Value, json};

use crate::openai::Session;

/// Something that a conversation knows.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) role: String,
    /// Of an answer's sound.
    pub(crate) milliseconds: usize,
}

/// Longest name that an item may be given.
const NAME_MAX: usize = 32;

/// What is wrong with tools, where something is.
pub(crate) fn wrong_tool(tools: &Value) -> Option<String> {
    let is_right = |tool: &Value| {
        tool["type"] == "function" && tool["name"].is_string() && tool["parameters"]["type"] == "object"
    };
    let mut tools = tools.as_array().into_iter().flatten().enumerate();
    let (place, _) = tools.find(|(_, tool)| !is_right(tool))?;
    Some(format!("Invalid value: 'session.tools[{place}]'."))
}

impl Session {
    pub(crate) fn keep(&mut self, id: &str, role: &str, text: &str, milliseconds: usize) {
        self.seat.desk.know(self.seat.connection, role, text);
        self.items.push(Item {
            id: id.to_owned(),
            role: role.to_owned(),
            milliseconds,
        });
    }

    fn refuse(&mut self, code: &str, message: &str) {
        self.complain("invalid_request_error", code, message);
    }

    /// Something is told to the conversation.
    pub(crate) fn create(&mut self, item: &Value) {
        let id = match item["id"].as_str() {
            Some(id) if id.len() > NAME_MAX || self.items.iter().any(|kept| kept.id == id) => {
                return self.refuse("item_create_invalid_item_id", "Invalid 'item.id'.");
            }
            Some(id) => id.to_owned(),
            None => self.seat.id("item"),
        };
        let role = match item["type"].as_str() {
            Some("function_call_output") => {
                let call = item["call_id"].as_str().unwrap_or_default();
                if !self
                    .items
                    .iter()
                    .any(|kept| kept.id == call && kept.role == "call")
                {
                    return self.refuse("item_create_invalid_call_id", "No such tool call.");
                }
                "result"
            }
            _ => item["role"].as_str().unwrap_or_default(),
        };
        let kinds: &[&str] = match role {
            "user" => &["input_text", "input_audio"],
            "system" => &["input_text"],
            "assistant" => &["output_text", "output_audio"],
            "result" => &[],
            _ => return self.refuse("invalid_value", "Invalid 'item.role'."),
        };
        let content = item["content"].as_array().cloned().unwrap_or_default();
        let fits = |part: &Value| kinds.contains(&part["type"].as_str().unwrap_or_default());
        if !content.iter().all(fits) {
            return self.refuse("invalid_value", "Invalid 'item.content'.");
        }
        let text = item["output"]
            .as_str()
            .or_else(|| item["content"][0]["text"].as_str());
        let text = text.unwrap_or_default().to_owned();
        self.seat.desk.remember(self.seat.connection, &id);
        self.keep(&id, role, &text, 0);
        let mut added = item.clone();
        added["id"] = json!(id);
        added["object"] = json!("realtime.item");
        added["status"] = json!("completed");
        for event in ["conversation.item.added", "conversation.item.done"] {
            self.tell(event, json!({"item": added, "previous_item_id": null}));
        }
    }

    /// Of an answer it is to know no more than was heard.
    pub(crate) fn truncate(&mut self, frame: &Value) {
        let id = frame["item_id"].as_str().unwrap_or_default().to_owned();
        let heard = frame["audio_end_ms"].as_u64();
        let Some(item) = self.items.iter_mut().find(|item| item.id == id) else {
            // What is being said has no end yet.
            return match (self.is_saying(&id), heard) {
                (true, Some(heard)) => self.truncated(&id, heard),
                _ => self.refuse("item_truncate_invalid_item_id", "Item not found."),
            };
        };
        match heard {
            Some(heard) if item.role == "assistant" && heard as usize <= item.milliseconds => {
                item.milliseconds = heard as usize;
                self.truncated(&id, heard);
            }
            _ => self.refuse("invalid_value", "Audio content is already shorter than that."),
        }
    }

    fn truncated(&mut self, id: &str, heard: u64) {
        self.seat.desk.truncate(id, heard);
        let more = json!({"item_id": id, "content_index": 0, "audio_end_ms": heard});
        self.tell("conversation.item.truncated", more);
    }

    /// It wants something done before it says anything.
    pub(crate) fn call(&mut self, name: &str, arguments: &Value, metadata: Value) {
        let (response, item, call) = (self.seat.id("resp"), self.seat.id("item"), self.seat.id("call"));
        let begun = self.response(&response, "in_progress", &metadata, false);
        self.tell("response.created", json!({"response": begun}));
        let mut wanted = json!({
            "id": item, "object": "realtime.item", "type": "function_call", "status": "in_progress",
            "name": name, "call_id": call, "arguments": "",
        });
        self.tell(
            "response.output_item.added",
            json!({"response_id": response, "output_index": 0, "item": wanted}),
        );
        let of = json!({"response_id": response, "item_id": item, "output_index": 0, "call_id": call});
        let mut delta = of.clone();
        delta["delta"] = json!(arguments.to_string());
        self.tell("response.function_call_arguments.delta", delta);
        let mut whole = of;
        whole["name"] = json!(name);
        whole["arguments"] = json!(arguments.to_string());
        self.tell("response.function_call_arguments.done", whole);
        wanted["arguments"] = json!(arguments.to_string());
        wanted["status"] = json!("completed");
        self.keep(&call, "call", name, 0);
        self.tell(
            "response.output_item.done",
            json!({"response_id": response, "output_index": 0, "item": wanted}),
        );
        let mut done = self.response(&response, "completed", &metadata, false);
        done["output"] = json!([wanted]);
        done["usage"] = json!({
            "total_tokens": 150, "input_tokens": 130, "output_tokens": 20,
            "input_token_details": {"text_tokens": 130, "audio_tokens": 0, "cached_tokens": 0},
            "output_token_details": {"text_tokens": 20, "audio_tokens": 0},
        });
        self.tell("response.done", json!({"response": done}));
    }
}
