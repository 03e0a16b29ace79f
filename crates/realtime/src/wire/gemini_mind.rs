//! Gemini's Live API where it thinks, too. It answers whatever activity ends, so people's words and sound are held here until
//! an answer is wanted, and are then one activity.

use std::sync::Arc;

use runtime::ports::NativeInstructions;
use serde_json::{Map, Value, json};
use vocabulary::{ToolCall, ToolResult};

use super::reading::{encoded, name};
use super::{SessionBrief, gemini};
use crate::command::{AnswerPrompt, Command, Held, HistoryLine};
use crate::event::{ServiceEvent, Usage};

/// From so much on the service folds what was said before, down to half of it.
const CONTEXT_TOKENS: u64 = 24_000;

pub(super) fn write(brief: &SessionBrief, command: &Command) -> Vec<Value> {
    match command {
        Command::Begin {
            resume,
            being,
            history,
        } => begin(brief, resume.as_deref(), being, history),
        Command::Instruct { being } => vec![json!({
            "contextUpdate": {
                "systemInstruction": {"parts": [{"text": being.text}]},
                "tools": {"tools": tools(brief, being)},
            },
        })],
        Command::Answer { prompt, .. } => answer(brief, prompt),
        _ => Vec::new(),
    }
}

fn begin(
    brief: &SessionBrief,
    resume: Option<&str>,
    being: &Arc<NativeInstructions>,
    history: &[HistoryLine],
) -> Vec<Value> {
    let mut generation = json!({"responseModalities": ["AUDIO"]});
    if !brief.voice.is_empty() {
        generation["speechConfig"] =
            json!({"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": brief.voice}}});
    }
    let mut setup = json!({
        "model": gemini::model(brief),
        "generationConfig": generation,
        "systemInstruction": {"parts": [{"text": being.text}]},
        "tools": tools(brief, being),
        "realtimeInputConfig": {"automaticActivityDetection": {"disabled": true}},
        "contextWindowCompression": {"triggerTokens": CONTEXT_TOKENS.to_string(), "slidingWindow": {}},
        "outputAudioTranscription": {},
        "sessionResumption": match resume {
            Some(handle) => json!({"handle": handle}),
            None => json!({}),
        },
    });
    if history.is_empty() {
        return vec![json!({"setup": setup})];
    }
    // It waits for what was said before, and answers nothing of it.
    setup["historyConfig"] = json!({"initialHistoryInClientContent": true});
    let turns: Vec<Value> = history
        .iter()
        .map(|line| {
            let role = if line.is_own { "model" } else { "user" };
            json!({"role": role, "parts": [{"text": line.text}]})
        })
        .collect();
    vec![
        json!({"setup": setup}),
        json!({"clientContent": {"turns": turns, "turnComplete": true}}),
    ]
}

/// Models that reason for long never wait for what they have called.
fn never_waits(brief: &SessionBrief) -> bool {
    brief.model.contains("extended-thinking")
}

fn tools(brief: &SessionBrief, being: &Arc<NativeInstructions>) -> Value {
    let declared: Vec<Value> = being
        .tools
        .iter()
        .map(|tool| {
            let mut declared = json!({
                "name": tool.name,
                "description": tool.description,
                "parametersJsonSchema": tool.parameters,
            });
            // Else it speaks on, and ends its turn, before it knows what came of it.
            if !never_waits(brief) {
                declared["behavior"] = json!("BLOCKING");
            }
            declared
        })
        .collect();
    match declared.is_empty() {
        true => json!([]),
        false => json!([{"functionDeclarations": declared}]),
    }
}

fn answer(brief: &SessionBrief, prompt: &AnswerPrompt) -> Vec<Value> {
    // It goes on by itself when it has what its calls came to; an activity would take them back.
    if !prompt.results.is_empty() {
        let responses: Vec<Value> = prompt.results.iter().map(result).collect();
        return vec![json!({"toolResponse": {"functionResponses": responses}})];
    }
    let input = |what: &str, value: Value| {
        let mut input = Map::new();
        input.insert(what.to_owned(), value);
        json!({"realtimeInput": input})
    };
    let mut frames = vec![input("activityStart", json!({}))];
    for held in &prompt.held {
        match held {
            Held::Words(words) => frames.push(input("text", json!(words))),
            Held::Clip { line, samples } => {
                let mime = format!("audio/pcm;rate={}", brief.hears_at());
                frames.push(input("text", json!(line)));
                frames.push(input(
                    "audio",
                    json!({"mimeType": mime, "data": encoded(samples)}),
                ));
            }
        }
    }
    if !prompt.hint.is_empty() {
        frames.push(input("text", json!(prompt.hint)));
    }
    frames.push(input("activityEnd", json!({})));
    frames
}

fn result(result: &ToolResult) -> Value {
    let key = if result.failed { "error" } else { "output" };
    let mut response = Map::new();
    response.insert(key.to_owned(), json!(result.text));
    json!({"id": result.call_id, "name": result.name, "response": response})
}

/// What it wants done, after which it waits.
pub(super) fn calls(wanted: &Value, usage: Usage, events: &mut Vec<ServiceEvent>) {
    let before = events.len();
    for call in wanted["functionCalls"].as_array().into_iter().flatten() {
        if let (Some(id), Some(name)) = (name(&call["id"]), name(&call["name"])) {
            let arguments = match &call["args"] {
                Value::Null => json!({}),
                arguments => arguments.clone(),
            };
            events.push(ServiceEvent::Called {
                response: None,
                call: ToolCall { id, name, arguments },
            });
        }
    }
    if events.len() > before {
        events.push(ServiceEvent::Paused {
            response: None,
            usage,
        });
    }
}
