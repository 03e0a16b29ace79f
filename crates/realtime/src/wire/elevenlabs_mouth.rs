//! ElevenLabs' speech socket for several texts at once: each has a context of its own, which can be closed in the midst.

use serde_json::{Value, json};

use super::SessionBrief;
use super::reading::{name, sound, words};
use crate::command::Command;
use crate::event::{FaultKind, ResponseOutcome, ServiceEvent, ServiceFault, Usage};

/// Without words it closes the socket after so many seconds; no more are allowed.
const INACTIVITY_SECONDS: u64 = 180;

pub(super) fn path(brief: &SessionBrief) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query
        .append_pair("model_id", &brief.model)
        .append_pair("output_format", "pcm_24000")
        .append_pair("sync_alignment", "true")
        .append_pair("inactivity_timeout", &INACTIVITY_SECONDS.to_string());
    // The multilingual models of the newer kind alone take a language.
    let language = brief.language.split(['-', '_']).next().unwrap_or_default();
    if !language.is_empty() && brief.model.contains("_v2_5") {
        query.append_pair("language_code", &language.to_lowercase());
    }
    let voice: String = url::form_urlencoded::byte_serialize(brief.voice.as_bytes()).collect();
    format!("/v1/text-to-speech/{voice}/multi-stream-input?{}", query.finish())
}

/// What a text is called there.
pub(super) fn context(number: u64) -> String {
    format!("denizen-{number}")
}

pub(super) fn write(command: &Command) -> Vec<Value> {
    match command {
        Command::Utter { number, text } => {
            let context = context(*number);
            vec![
                json!({"text": " ", "context_id": context}),
                json!({"text": format!("{text} "), "context_id": context, "flush": true}),
                // What was flushed is still said; that it is all is told then.
                json!({"context_id": context, "close_context": true}),
            ]
        }
        Command::Cancel { number, .. } => {
            vec![json!({"context_id": context(*number), "close_context": true})]
        }
        _ => Vec::new(),
    }
}

pub(super) fn read(frame: &Value) -> Vec<ServiceEvent> {
    let response = name(&frame["contextId"]).or_else(|| name(&frame["context_id"]));
    let mut events = Vec::new();
    let samples = sound(&frame["audio"]);
    if !samples.is_empty() {
        events.push(ServiceEvent::Sound {
            response: response.clone(),
            samples,
            marks: marks(&frame["alignment"]),
        });
    }
    let error = frame["error"].as_str().or_else(|| frame["message"].as_str());
    let fault = error.map(|error| {
        let code = frame["code"].as_i64().unwrap_or_default();
        ServiceFault::new(
            match (super::reading::kind_of(error), code) {
                (FaultKind::Passing, 1008) => FaultKind::Refused,
                (kind, _) => kind,
            },
            words(&json!(error)),
        )
    });
    let is_final = frame["isFinal"].as_bool().or(frame["is_final"].as_bool());
    match (fault, response) {
        (Some(fault), Some(response)) => events.push(ServiceEvent::Ended {
            response: Some(response),
            outcome: ResponseOutcome::Failed(fault),
            usage: Usage::default(),
        }),
        (Some(fault), None) => events.push(ServiceEvent::Fault(fault)),
        (None, response) if is_final == Some(true) => events.push(ServiceEvent::Ended {
            response,
            outcome: ResponseOutcome::Whole,
            usage: Usage::default(),
        }),
        (None, _) => {}
    }
    if events.is_empty() {
        events.push(ServiceEvent::Other);
    }
    events
}

/// By when, in seconds since the beginning of this piece, how many of its characters are said.
fn marks(alignment: &Value) -> Vec<(f64, usize)> {
    let list = |name: &str| alignment[name].as_array().map(Vec::as_slice).unwrap_or_default();
    let (starts, lengths) = (list("charStartTimesMs"), list("charDurationsMs"));
    let mut characters = 0;
    let mut marks = Vec::new();
    for ((start, length), character) in starts.iter().zip(lengths).zip(list("chars")) {
        characters += character
            .as_str()
            .map_or(0, |character| character.chars().count());
        let ends = start.as_f64().unwrap_or(0.0) + length.as_f64().unwrap_or(0.0);
        if ends.is_finite() && ends >= 0.0 {
            marks.push((ends / 1_000.0, characters));
        }
    }
    marks
}
