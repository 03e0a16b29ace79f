//! OpenAI's Realtime API as ears and mouth. Texts are said out of band, in a context of their own: nothing of them is kept
//! there, and nothing that was heard answers itself.

use serde_json::{Value, json};
use vocabulary::ToolCall;

use super::reading::{arguments, complaint, count, encoded, name, seconds, sound, text};
use super::{READER, SessionBrief, openai_mind};
use crate::command::Command;
use crate::event::{FaultKind, ResponseOutcome, ServiceEvent, ServiceFault, Usage};

/// A session with a text of its own in it is told apart by this.
pub(super) const NUMBER: &str = "denizen_utterance";
/// Hints for the transcription: it takes a sentence, not a page.
const HINT_CHARACTERS_MAX: usize = 400;

pub(super) fn path(model: &str) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("model", model)
        .finish();
    format!("/realtime?{query}")
}

pub(super) fn write(brief: &SessionBrief, command: &Command) -> Vec<Value> {
    match command {
        Command::SetUp { .. } => vec![json!({"type": "session.update", "session": session(brief)})],
        Command::Commit => vec![json!({"type": "input_audio_buffer.commit"})],
        Command::Utter { number, text } => vec![json!({
            "type": "response.create",
            "response": {
                "conversation": "none",
                "instructions": READER,
                "input": [{
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": text}],
                }],
                "metadata": {NUMBER: number.to_string()},
                "output_modalities": ["audio"],
                "tool_choice": "none",
            },
        })],
        Command::Cancel { response, .. } => response
            .iter()
            .map(|response| json!({"type": "response.cancel", "response_id": response}))
            .collect(),
        Command::Forget { item } => vec![json!({"type": "conversation.item.delete", "item_id": item})],
        other => openai_mind::write(brief, other),
    }
}

/// A piece of sound. There are many of them and they are long: nothing in them needs to be escaped, or looked at.
pub(super) fn append(samples: &[i16]) -> String {
    format!(
        r#"{{"type":"input_audio_buffer.append","audio":"{}"}}"#,
        encoded(samples)
    )
}

/// How the session is to be: Denizen says when a turn is over, and when something is said.
pub(super) fn session(brief: &SessionBrief) -> Value {
    let format = json!({"type": "audio/pcm", "rate": brief.hears_at()});
    let mut transcription = json!({"model": brief.transcription_model});
    let language = brief.language.split(['-', '_']).next().unwrap_or_default();
    if !language.is_empty() {
        transcription["language"] = json!(language.to_lowercase());
    }
    if !brief.hints.is_empty() {
        match brief.transcription_model.as_str() {
            model if model.contains("gpt-transcribe") || model.contains("live-transcribe") => {
                transcription["keywords"] = json!(brief.hints);
            }
            // It takes none.
            model if model.contains("realtime-whisper") => {}
            _ => {
                let hints = brief.hints.join(", ");
                transcription["prompt"] = json!(hints.chars().take(HINT_CHARACTERS_MAX).collect::<String>());
            }
        }
    }
    let mut output = json!({"format": {"type": "audio/pcm", "rate": brief.speaks_at()}});
    if !brief.voice.is_empty() {
        output["voice"] = json!(brief.voice);
    }
    json!({
        "type": "realtime",
        "output_modalities": ["audio"],
        "instructions": READER,
        "audio": {
            "input": {"format": format, "turn_detection": null, "transcription": transcription},
            "output": output,
        },
    })
}

pub(super) fn read(frame: &Value) -> ServiceEvent {
    let response = || name(&frame["response_id"]);
    match frame["type"].as_str().unwrap_or_default() {
        // xAI greets twice, with this first.
        "session.created" | "conversation.created" => ServiceEvent::Greeted,
        "session.updated" => ServiceEvent::Ready,
        "input_audio_buffer.committed" => match name(&frame["item_id"]) {
            Some(item) => ServiceEvent::Committed { item },
            None => ServiceEvent::Other,
        },
        "conversation.item.input_audio_transcription.delta" => ServiceEvent::Partial {
            item: name(&frame["item_id"]),
            text: text(&frame["delta"]).unwrap_or_default(),
            whole: false,
        },
        // xAI tells what it has understood so far.
        "conversation.item.input_audio_transcription.updated" => ServiceEvent::Partial {
            item: name(&frame["item_id"]),
            text: text(&frame["transcript"]).unwrap_or_default(),
            whole: true,
        },
        "conversation.item.input_audio_transcription.completed" => ServiceEvent::Transcript {
            item: name(&frame["item_id"]),
            text: text(&frame["transcript"]),
            usage: heard(&frame["usage"]),
        },
        "conversation.item.input_audio_transcription.failed" => ServiceEvent::TranscriptFailed {
            item: name(&frame["item_id"]),
            fault: complaint(&frame["error"]),
        },
        "conversation.item.added" | "conversation.item.created" => match name(&frame["item"]["id"]) {
            Some(item) => ServiceEvent::Remembered { item },
            None => ServiceEvent::Other,
        },
        "response.created" => match name(&frame["response"]["id"]) {
            Some(response) => ServiceEvent::Began {
                response,
                number: frame["response"]["metadata"][NUMBER]
                    .as_str()
                    .and_then(|number| number.parse().ok()),
            },
            None => ServiceEvent::Other,
        },
        "response.output_audio.delta" | "response.audio.delta" => ServiceEvent::Sound {
            response: response(),
            samples: sound(&frame["delta"]),
            marks: Vec::new(),
        },
        "response.output_audio_transcript.delta" | "response.audio_transcript.delta" => ServiceEvent::Said {
            response: response(),
            text: text(&frame["delta"]).unwrap_or_default(),
        },
        "response.output_item.added" => match name(&frame["item"]["id"]) {
            Some(item) if frame["item"]["type"] == "message" => ServiceEvent::Voiced {
                response: response(),
                item,
            },
            _ => ServiceEvent::Other,
        },
        "response.function_call_arguments.done" => called(response(), frame),
        "response.output_item.done" if frame["item"]["type"] == "function_call" => {
            called(response(), &frame["item"])
        }
        "response.done" => ended(&frame["response"]),
        "rate_limits.updated" => limits(&frame["rate_limits"]),
        "error" => ServiceEvent::Fault(complaint(&frame["error"])),
        _ => ServiceEvent::Other,
    }
}

fn called(response: Option<String>, call: &Value) -> ServiceEvent {
    match (name(&call["call_id"]), name(&call["name"])) {
        (Some(id), Some(name)) => ServiceEvent::Called {
            response,
            call: ToolCall {
                id,
                name,
                arguments: arguments(&call["arguments"]),
            },
        },
        _ => ServiceEvent::Other,
    }
}

fn ended(response: &Value) -> ServiceEvent {
    let details = &response["status_details"];
    let outcome = match response["status"].as_str() {
        Some("completed") => ResponseOutcome::Whole,
        Some("cancelled") => ResponseOutcome::Cancelled,
        Some("incomplete") => {
            let reason = details["reason"].as_str().unwrap_or("no reason");
            let detail = format!(
                "it stopped in the midst of the text ({})",
                super::reading::words(&json!(reason))
            );
            ResponseOutcome::Failed(ServiceFault::new(FaultKind::Passing, detail))
        }
        _ => ResponseOutcome::Failed(complaint(&details["error"])),
    };
    ServiceEvent::Ended {
        response: name(&response["id"]),
        outcome,
        usage: said(&response["usage"]),
    }
}

fn said(usage: &Value) -> Usage {
    let (input, output) = (&usage["input_token_details"], &usage["output_token_details"]);
    let cached = &input["cached_tokens_details"];
    Usage {
        text_in: count(&input["text_tokens"]),
        sound_in: count(&input["audio_tokens"]),
        text_out: count(&output["text_tokens"]),
        sound_out: count(&output["audio_tokens"]),
        text_cached: count(&cached["text_tokens"]),
        sound_cached: count(&cached["audio_tokens"]),
        seconds: None,
    }
}

fn heard(usage: &Value) -> Usage {
    let details = &usage["input_token_details"];
    let input = count(&usage["input_tokens"]);
    let text_in = count(&details["text_tokens"]).min(input);
    Usage {
        text_in,
        sound_in: input - text_in,
        text_out: count(&usage["output_tokens"]),
        sound_out: 0,
        text_cached: 0,
        sound_cached: 0,
        seconds: usage["seconds"]
            .as_f64()
            .filter(|seconds| seconds.is_finite() && *seconds >= 0.0),
    }
}

/// The limit that is nearest.
fn limits(limits: &Value) -> ServiceEvent {
    let nearest = limits
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|limit| Some((limit["remaining"].as_u64()?, limit)))
        .min_by_key(|(remaining, _)| *remaining);
    match nearest {
        Some((remaining, limit)) => ServiceEvent::Limits {
            remaining,
            resets_in: seconds(&limit["reset_seconds"]),
        },
        None => ServiceEvent::Other,
    }
}
