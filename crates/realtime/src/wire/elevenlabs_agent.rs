//! ElevenLabs' socket of agents, where one of the operator's agents thinks and speaks. It would answer whatever it hears, so
//! it hears nothing: words come by the socket for transcription, and it is given them when an answer is wanted.

use std::sync::Arc;

use runtime::ports::NativeInstructions;
use serde_json::{Value, json};
use vocabulary::ToolCall;

use super::SessionBrief;
use super::reading::{kind_of, name, sound, text, words};
use crate::command::{AnswerPrompt, Command, Held};
use crate::event::{FaultKind, ResponseOutcome, ServiceEvent, ServiceFault, Usage};

/// What it is told to answer where nobody has said anything.
const GO_ON: &str = "(Please go on.)";

pub(super) fn path(brief: &SessionBrief) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("agent_id", &brief.model)
        .finish();
    format!("/v1/convai/conversation?{query}")
}

pub(super) fn write(brief: &SessionBrief, command: &Command) -> Vec<Value> {
    let update = |text: String| json!({"type": "contextual_update", "text": text});
    match command {
        Command::Begin { being, history, .. } => {
            let mut frames = vec![begin(brief, being)];
            if !history.is_empty() {
                let lines = history.iter().map(|line| match line.is_own {
                    true => format!("You: {}", line.text),
                    false => line.text.clone(),
                });
                let lines = lines.collect::<Vec<_>>().join("\n");
                frames.push(update(format!("What was said before:\n{lines}")));
            }
            frames
        }
        // What it is to be can be set only when it begins.
        Command::Instruct { being } => {
            vec![update(format!("What you are to be has changed:\n{}", being.text))]
        }
        Command::Answer { prompt, .. } => answer(prompt),
        Command::Pong { id } => vec![json!({"type": "pong", "event_id": id})],
        _ => Vec::new(),
    }
}

fn begin(brief: &SessionBrief, being: &Arc<NativeInstructions>) -> Value {
    let mut wanted = json!({
        "agent": {"prompt": {"prompt": being.text}, "first_message": ""},
    });
    let language = brief.language.split(['-', '_']).next().unwrap_or_default();
    if !language.is_empty() {
        wanted["agent"]["language"] = json!(language.to_lowercase());
    }
    if !brief.voice.is_empty() {
        wanted["tts"] = json!({"voice_id": brief.voice});
    }
    json!({"type": "conversation_initiation_client_data", "conversation_config_override": wanted})
}

fn answer(prompt: &AnswerPrompt) -> Vec<Value> {
    // It goes on by itself when it has what its calls came to.
    if !prompt.results.is_empty() {
        let results = prompt.results.iter().map(|result| {
            json!({
                "type": "client_tool_result",
                "tool_call_id": result.call_id,
                "result": result.text,
                "is_error": result.failed,
            })
        });
        return results.collect();
    }
    let mut lines: Vec<String> = prompt
        .held
        .iter()
        .map(|held| match held {
            Held::Words(words) => words.clone(),
            Held::Clip { line, .. } => line.clone(),
        })
        .collect();
    let last = lines.pop().unwrap_or_else(|| GO_ON.to_owned());
    if !prompt.hint.is_empty() {
        lines.push(prompt.hint.clone());
    }
    let mut frames = Vec::new();
    if !lines.is_empty() {
        frames.push(json!({"type": "contextual_update", "text": lines.join("\n")}));
    }
    frames.push(json!({"type": "user_message", "text": last}));
    frames
}

pub(super) fn read(frame: &Value) -> Vec<ServiceEvent> {
    let one = |event| vec![event];
    match frame["type"].as_str().unwrap_or_default() {
        "conversation_initiation_metadata" => {
            let format = &frame["conversation_initiation_metadata_event"]["agent_output_audio_format"];
            let rate = format.as_str().and_then(|format| format.strip_prefix("pcm_"));
            let rate = rate.and_then(|rate| rate.parse().ok());
            match rate {
                Some(speaks_at) => vec![ServiceEvent::Rate { speaks_at }, ServiceEvent::Ready],
                // It would be taken for noise.
                None => one(ServiceEvent::Fault(ServiceFault::new(
                    FaultKind::Refused,
                    "the agent's output format is none of PCM: change it in the agent's settings",
                ))),
            }
        }
        "ping" => match frame["ping_event"]["event_id"].as_i64() {
            Some(id) => one(ServiceEvent::Pinged { id }),
            None => one(ServiceEvent::Other),
        },
        "audio" => {
            let event = &frame["audio_event"];
            one(ServiceEvent::Sound {
                response: None,
                samples: sound(&event["audio_base_64"]),
                marks: Vec::new(),
            })
        }
        // One comes with the first sound of each answer.
        "agent_response" => vec![
            ServiceEvent::Turned,
            ServiceEvent::Said {
                response: None,
                text: text(&frame["agent_response_event"]["agent_response"]).unwrap_or_default(),
            },
        ],
        "interruption" => vec![ServiceEvent::Interrupted, ended(ResponseOutcome::Cancelled)],
        "agent_response_complete" => one(ended(ResponseOutcome::Whole)),
        "client_tool_call" => called(&frame["client_tool_call"]),
        "client_error" => {
            let error = &frame["client_error_event"];
            let kind = error["error_type"].as_str().unwrap_or_default();
            one(ServiceEvent::Fault(ServiceFault::new(
                kind_of(kind),
                words(&error["message"]),
            )))
        }
        _ => one(ServiceEvent::Other),
    }
}

fn ended(outcome: ResponseOutcome) -> ServiceEvent {
    ServiceEvent::Ended {
        response: None,
        outcome,
        usage: Usage::default(),
    }
}

fn called(call: &Value) -> Vec<ServiceEvent> {
    let (Some(id), Some(name)) = (name(&call["tool_call_id"]), name(&call["tool_name"])) else {
        return vec![ServiceEvent::Other];
    };
    let arguments = match &call["parameters"] {
        Value::Null => json!({}),
        arguments => arguments.clone(),
    };
    vec![
        ServiceEvent::Called {
            response: None,
            call: ToolCall { id, name, arguments },
        },
        ServiceEvent::Paused {
            response: None,
            usage: Usage::default(),
        },
    ]
}
