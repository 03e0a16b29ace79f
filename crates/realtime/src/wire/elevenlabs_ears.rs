//! ElevenLabs' transcription socket: sound in pieces, a commit, and the words of it.

use serde_json::{Value, json};

use super::SessionBrief;
use super::reading::{encoded, kind_of, text, words};
use crate::command::Command;
use crate::event::{FaultKind, ServiceEvent, ServiceFault, Usage};

const RATE: u32 = 16_000;
/// Names that are likely to be said: so many, of so many characters, are taken.
const HINTS_MAX: usize = 50;
const HINT_CHARACTERS_MAX: usize = 20;

pub(super) fn path(brief: &SessionBrief) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query
        .append_pair("model_id", &brief.transcription_model)
        .append_pair("audio_format", "pcm_16000")
        .append_pair("commit_strategy", "manual");
    let language = brief.language.split(['-', '_']).next().unwrap_or_default();
    if !language.is_empty() {
        query.append_pair("language_code", &language.to_lowercase());
    }
    let fits = |hint: &&String| hint.chars().count() <= HINT_CHARACTERS_MAX;
    for hint in brief.hints.iter().filter(fits).take(HINTS_MAX) {
        query.append_pair("keyterms", hint);
    }
    format!("/v1/speech-to-text/realtime?{}", query.finish())
}

pub(super) fn write(command: &Command) -> Vec<Value> {
    let chunk = |samples: &[i16], commit: bool| {
        json!({
            "message_type": "input_audio_chunk",
            "audio_base_64": encoded(samples),
            "commit": commit,
            "sample_rate": RATE,
        })
    };
    match command {
        Command::Append { samples } => vec![chunk(samples, false)],
        Command::Commit => vec![chunk(&[], true)],
        _ => Vec::new(),
    }
}

pub(super) fn read(frame: &Value) -> ServiceEvent {
    match frame["message_type"].as_str().unwrap_or_default() {
        "session_started" => ServiceEvent::Ready,
        "partial_transcript" => ServiceEvent::Partial {
            item: None,
            text: text(&frame["text"]).unwrap_or_default(),
            whole: true,
        },
        "committed_transcript" | "final_transcript" => ServiceEvent::Transcript {
            item: None,
            text: text(&frame["text"]),
            usage: Usage::default(),
        },
        // Trouble has a name of its own for each kind, and the words in one place.
        kind if frame["error"].is_string() => ServiceEvent::Fault(ServiceFault {
            kind: match kind_of(kind) {
                // Its account is not one of this machine's doing.
                FaultKind::Passing if kind == "error" => FaultKind::Passing,
                known => known,
            },
            detail: words(&frame["error"]),
            wait: None,
            about: None,
        }),
        _ => ServiceEvent::Other,
    }
}
