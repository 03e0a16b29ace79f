//! OpenAI's Realtime API where it thinks, too: a conversation is kept there, and nothing in it is answered before that is
//! asked for.

use std::sync::Arc;

use runtime::ports::NativeInstructions;
use serde_json::{Value, json};

use super::SessionBrief;
use super::openai::{self, NUMBER};
use crate::command::{AnswerPrompt, Command, HistoryLine};

/// What an answer may have in tokens: 20 are a second of speech.
pub(crate) const ANSWER_TOKENS_MAX: u64 = 2_000;
/// What can go wrong without anything of the answer being wrong.
pub(crate) const ASIDE: &str = "denizen_aside";

pub(super) fn write(brief: &SessionBrief, command: &Command) -> Vec<Value> {
    match command {
        Command::Begin { being, history, .. } => {
            let mut session = openai::session(brief);
            be(&mut session, being);
            session["max_output_tokens"] = json!(ANSWER_TOKENS_MAX);
            begin(session, history)
        }
        Command::Instruct { being } => {
            let mut session = json!({"type": "realtime"});
            be(&mut session, being);
            vec![json!({"type": "session.update", "session": session})]
        }
        Command::Tell { item, text } => {
            let mut told = message(false, text);
            told["id"] = json!(item);
            vec![json!({"type": "conversation.item.create", "event_id": ASIDE, "item": told})]
        }
        Command::Results { results } => results
            .iter()
            .map(|result| {
                let output =
                    json!({"type": "function_call_output", "call_id": result.call_id, "output": result.text});
                json!({"type": "conversation.item.create", "event_id": ASIDE, "item": output})
            })
            .collect(),
        Command::Answer { number, prompt } => vec![json!({
            "type": "response.create",
            "event_id": answer_event(*number),
            "response": response(*number, prompt),
        })],
        Command::Truncate { item, heard } => vec![json!({
            "type": "conversation.item.truncate",
            "event_id": ASIDE,
            "item_id": item,
            "content_index": 0,
            "audio_end_ms": heard.0,
        })],
        _ => Vec::new(),
    }
}

/// The name of what asks for an answer: a complaint about it carries that name.
pub(crate) fn answer_event(number: u64) -> String {
    format!("denizen_answer_{number}")
}

/// Puts what it is to be into a session.
pub(super) fn be(session: &mut Value, being: &Arc<NativeInstructions>) {
    let tools: Vec<Value> = being
        .tools
        .iter()
        .map(|tool| {
            json!({
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            })
        })
        .collect();
    session["instructions"] = json!(being.text);
    session["tool_choice"] = json!("auto");
    session["tools"] = json!(tools);
}

/// The set-up, and what was said before.
pub(super) fn begin(session: Value, history: &[HistoryLine]) -> Vec<Value> {
    let mut frames = vec![json!({"type": "session.update", "session": session})];
    for line in history {
        let item = message(line.is_own, &line.text);
        frames.push(json!({"type": "conversation.item.create", "event_id": ASIDE, "item": item}));
    }
    frames
}

/// People's words are a user's, whatever they say; its own are its own.
fn message(is_own: bool, text: &str) -> Value {
    let (role, kind) = match is_own {
        true => ("assistant", "output_text"),
        false => ("user", "input_text"),
    };
    json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]})
}

fn response(number: u64, prompt: &AnswerPrompt) -> Value {
    let mut response = json!({
        "metadata": {NUMBER: number.to_string()},
        "output_modalities": ["audio"],
    });
    // Instructions of an answer stand in place of those of the session.
    if !prompt.hint.is_empty() {
        response["instructions"] = json!(format!("{}\n\n{}", prompt.being.text, prompt.hint));
    }
    response
}
