//! What all dialects read alike: sound in base 64, counts, and complaints.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use vocabulary::Span;

use crate::event::{FaultKind, ServiceFault};

/// Longest piece of a service's own words.
const WORDS_CHARACTERS_MAX: usize = 300;
/// A frame holds no more sound than this; more is not sound but mischief.
const SOUND_BYTES_MAX: usize = 8 * 1024 * 1024;

pub(super) fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// The same, where an empty one says nothing.
pub(super) fn name(value: &Value) -> Option<String> {
    text(value).filter(|name| !name.is_empty())
}

pub(super) fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

/// Sound as samples; what is none is silence of no length.
pub(super) fn sound(value: &Value) -> Vec<i16> {
    let encoded = value.as_str().unwrap_or_default();
    let mut samples = Vec::new();
    if encoded.len() <= SOUND_BYTES_MAX
        && let Ok(bytes) = STANDARD.decode(encoded)
    {
        audio::pcm::read(&bytes, &mut samples);
    }
    samples
}

/// Samples as they are sent.
pub(super) fn encoded(samples: &[i16]) -> String {
    let mut bytes = Vec::new();
    audio::pcm::write(samples, &mut bytes);
    STANDARD.encode(bytes)
}

/// A stranger's words on one line, cut.
pub(super) fn words(value: &Value) -> String {
    vocabulary::text::plain_line(value.as_str().unwrap_or_default(), WORDS_CHARACTERS_MAX)
}

/// What kind of trouble a name of a service's stands for.
pub(crate) fn kind_of(code: &str) -> FaultKind {
    let code = code.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| code.contains(part));
    match () {
        () if has(&[
            "model_not_found",
            "invalid_model",
            "unsupported_model",
            "is not found for api version",
        ]) =>
        {
            FaultKind::Model
        }
        () if has(&["session_expired", "session_time_limit", "max_duration"]) => FaultKind::SessionOver,
        () if has(&["not_active", "not_found", "already_has_active"]) => FaultKind::Moot,
        () if has(&["commit_empty", "insufficient_audio"]) => FaultKind::NoSound,
        () if has(&["quota", "billing", "insufficient_funds", "credits"]) => FaultKind::Quota,
        () if has(&[
            "rate_limit",
            "rate_limited",
            "throttled",
            "resource_exhausted",
            "queue_overflow",
        ]) =>
        {
            FaultKind::Busy
        }
        () if has(&[
            "api_key",
            "api key",
            "auth",
            "permission",
            "unaccepted_terms",
            "forbidden",
        ]) =>
        {
            FaultKind::Key
        }
        () if has(&[
            "invalid",
            "unsupported",
            "input_error",
            "chunk_size",
            "unknown_parameter",
        ]) =>
        {
            FaultKind::Refused
        }
        () => FaultKind::Passing,
    }
}

/// A complaint in OpenAI's form.
pub(super) fn complaint(error: &Value) -> ServiceFault {
    let code = error["code"].as_str().unwrap_or_default();
    let kind = error["type"].as_str().unwrap_or_default();
    let by_code = kind_of(code);
    let kind = match by_code {
        FaultKind::Passing => kind_of(kind),
        known => known,
    };
    let detail = match words(&error["message"]) {
        none if none.is_empty() => words(&error["code"]),
        words => words,
    };
    ServiceFault {
        kind,
        // A session has several models: which of them it is stands here.
        detail: match words(&error["param"]) {
            part if kind == FaultKind::Model && !part.is_empty() => format!("{detail} ({part})"),
            _ => detail,
        },
        wait: None,
        about: name(&error["event_id"]),
    }
}

/// What stands in the body of a refusal: each maker has a form of its own, with names for what is wrong in some of its fields.
pub(crate) fn refusal(body: &str) -> Option<ServiceFault> {
    let body: Value = serde_json::from_str(body).ok()?;
    let body = body.get(0).unwrap_or(&body);
    let error = body.get("error").or_else(|| body.get("detail"))?;
    let reasons = error["details"].as_array().into_iter().flatten();
    let names = [&error["code"], &error["type"], &error["status"]];
    let names = names.into_iter().chain(reasons.map(|detail| &detail["reason"]));
    let kinds = names.filter_map(Value::as_str).map(kind_of);
    let kind = kinds.fold(FaultKind::Passing, |kind, next| match kind {
        FaultKind::Passing => next,
        known => known,
    });
    let message = error["message"].as_str().or_else(|| error.as_str());
    Some(ServiceFault::new(
        kind,
        words(&Value::from(message.unwrap_or_default())),
    ))
}

/// What a tool is called with. Where that is no JSON, it is a string of what it is.
pub(super) fn arguments(value: &Value) -> Value {
    match value.as_str() {
        Some("") => Value::Object(serde_json::Map::new()),
        Some(text) => serde_json::from_str(text).unwrap_or_else(|_| value.clone()),
        None => value.clone(),
    }
}

/// Seconds as a service writes them: `1.5`, or `"50s"`.
pub(super) fn seconds(value: &Value) -> Option<Span> {
    let number = match value {
        Value::String(text) => text.trim_end_matches('s').parse::<f64>().ok()?,
        other => other.as_f64()?,
    };
    (number.is_finite() && (0.0..1.0e9).contains(&number)).then_some(Span((number * 1_000.0) as u64))
}
