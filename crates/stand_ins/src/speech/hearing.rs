//! Transcripts in the shapes of each service.

use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::{AskedAboutSpeech, as_json, elevenlabs_refusal, openai_refusal};

/// `POST /v1/audio/transcriptions`.
pub(super) fn openai(asked: &AskedAboutSpeech, words: &str) -> Response {
    let form = &asked.form;
    let Some((rate, samples)) = form.sound() else {
        return openai_refusal(400, "invalid_value", "Invalid file format.");
    };
    let seconds = samples as f64 / f64::from(rate.max(1));
    if seconds < 0.1 {
        return openai_refusal(
            400,
            "audio_too_short",
            "Audio file is too short. Minimum audio length is 0.1 seconds.",
        );
    }
    let model = form.field("model");
    if model.is_empty() {
        return openai_refusal(
            400,
            "missing_required_parameter",
            "you must provide a model parameter",
        );
    }
    let is_new = model.starts_with("gpt-");
    match form.field("response_format") {
        "" | "json" if is_new => as_json(&json!({"text": words, "usage": tokens(seconds, words)})),
        "" | "json" => as_json(&json!({"text": words, "usage": duration(seconds)})),
        "text" => words.to_owned().into_response(),
        "verbose_json" if !is_new => as_json(&json!({
            "task": "transcribe",
            "language": "english",
            "duration": seconds,
            "text": words,
            "segments": [{
                "id": 0, "seek": 0, "start": 0.0, "end": seconds, "text": format!(" {words}"), "tokens": [50364],
                "temperature": 0.0, "avg_logprob": -0.3, "compression_ratio": 1.2,
                "no_speech_prob": if words.is_empty() { 0.9 } else { 0.02 },
            }],
            "usage": duration(seconds),
        })),
        other => {
            let text = format!(
                "response_format '{other}' is not compatible with model '{model}'. Use 'json' or 'text' instead."
            );
            openai_refusal(400, "unsupported_value", &text)
        }
    }
}

fn duration(seconds: f64) -> Value {
    json!({"type": "duration", "seconds": seconds.ceil() as u64})
}

fn tokens(seconds: f64, words: &str) -> Value {
    let sound = (seconds * 10.0).ceil() as u64;
    let output = words.split_whitespace().count() as u64 + 2;
    json!({
        "type": "tokens",
        "total_tokens": sound + output,
        "input_tokens": sound,
        "input_token_details": {"text_tokens": 0, "audio_tokens": sound},
        "output_tokens": output,
    })
}

/// `POST /inference`.
pub(super) fn whisper_cpp(asked: &AskedAboutSpeech, words: &str) -> Response {
    if asked.form.sound().is_none() {
        return as_json(&json!({"error": "no 'file' field in the request"}));
    }
    as_json(&json!({"text": format!(" {words}\n")}))
}

/// `POST /v1/speech-to-text`.
pub(super) fn elevenlabs(asked: &AskedAboutSpeech, words: &str) -> Response {
    let form = &asked.form;
    if !form.field("model_id").starts_with("scribe_") {
        let text = format!("'{}' is not a valid model_id.", form.field("model_id"));
        return elevenlabs_refusal(400, "invalid_model_id", &text);
    }
    if form.sound().is_none() {
        return elevenlabs_refusal(400, "invalid_content", "The file could not be read as audio.");
    }
    as_json(&json!({
        "language_code": "eng",
        "language_probability": 0.98,
        "text": words,
        "words": words.split_whitespace().map(|word| json!({"text": word, "type": "word"})).collect::<Vec<_>>(),
    }))
}
