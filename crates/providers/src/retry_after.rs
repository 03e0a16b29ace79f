//! What a provider asks us to wait before we try again.

use jiff::Timestamp;
use reqwest::header::{HeaderMap, HeaderName};
use serde_json::Value;
use vocabulary::Span;

/// Such a number of seconds is no wait, but a time of this century; and such a number is one of milliseconds.
const SECONDS_FROM: f64 = 1_000_000_000.0;
const MILLISECONDS_FROM: f64 = 100_000_000_000.0;

/// When what is used up is there again, as OpenAI and whoever speaks like it say it: how much is left, and in how long.
/// OpenRouter and other gateways have one limit, and say when it is lifted.
const RESETS: [(&str, &str); 3] = [
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
];
/// The same as Anthropic says it: how much is left, and the time of the day.
const RESET_TIMES: [(&str, &str); 4] = [
    (
        "anthropic-ratelimit-requests-remaining",
        "anthropic-ratelimit-requests-reset",
    ),
    (
        "anthropic-ratelimit-tokens-remaining",
        "anthropic-ratelimit-tokens-reset",
    ),
    (
        "anthropic-ratelimit-input-tokens-remaining",
        "anthropic-ratelimit-input-tokens-reset",
    ),
    (
        "anthropic-ratelimit-output-tokens-remaining",
        "anthropic-ratelimit-output-tokens-reset",
    ),
];

/// Reads `retry-after-ms`, or `Retry-After` as seconds or as a date; where there is neither and too much was asked, when
/// the limits that are used up are lifted.
pub(crate) fn from_headers(status: u16, headers: &HeaderMap, now: Timestamp) -> Option<Span> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.trim().parse::<f64>().ok()) {
        return Some(Span::from_seconds(milliseconds / 1_000.0));
    }
    let Some(text) = text("retry-after").map(str::trim) else {
        return (status == 429).then(|| until_reset(headers, now)).flatten();
    };
    if text.parse::<f64>().is_ok() {
        return from_time_or_length(text, now);
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?;
    Some(until(date.timestamp(), now))
}

/// When the last of the limits that are used up is lifted. Where nobody says what is left, every limit may be it, and the
/// one that is lifted first is waited for.
fn until_reset(headers: &HeaderMap, now: Timestamp) -> Option<Span> {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim());
    let lengths = RESETS.iter().map(|(left, reset)| {
        let wait = text(reset).and_then(|text| from_time_or_length(text, now));
        (text(left), wait)
    });
    let times = RESET_TIMES.iter().map(|(left, reset)| {
        let time = text(reset).and_then(|time| time.parse::<Timestamp>().ok());
        (text(left), time.map(|time| until(time, now)))
    });
    let known: Vec<(Option<bool>, Span)> = lengths
        .chain(times)
        .filter_map(|(left, wait)| {
            let is_used_up = left.and_then(|left| left.parse::<f64>().ok());
            Some((is_used_up.map(|left| left <= 0.0), wait?))
        })
        .collect();
    let used_up = known.iter().filter(|(is_used_up, _)| *is_used_up == Some(true));
    let last = used_up.map(|(_, wait)| *wait).max();
    let unsaid = known.iter().filter(|(is_used_up, _)| is_used_up.is_none());
    last.or_else(|| unsaid.map(|(_, wait)| *wait).min())
}

/// A number too large for a wait is a time: seconds or, where it is larger still, milliseconds since 1970. One that is too
/// large for a time is nothing.
fn from_time_or_length(text: &str, now: Timestamp) -> Option<Span> {
    let milliseconds = match text.parse::<f64>() {
        Ok(time) if time >= MILLISECONDS_FROM => Some(time),
        Ok(time) if time >= SECONDS_FROM => Some(time * 1_000.0),
        _ => None,
    };
    let time = match milliseconds {
        Some(time) => Some(Timestamp::from_millisecond(time.round() as i64).ok()?),
        None => text.parse().ok(),
    };
    time.map_or_else(|| from_length(text), |time| Some(until(time, now)))
}

/// What a gateway passes on in its error of the headers of whom it asked.
pub(crate) fn from_passed_on(headers: &Value, now: Timestamp) -> Option<Span> {
    let mut passed_on = HeaderMap::new();
    for (name, value) in headers.as_object()? {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let pair = (name.parse::<HeaderName>(), value.parse());
        if let (Ok(name), Ok(value)) = pair {
            passed_on.insert(name, value);
        }
    }
    from_headers(429, &passed_on, now)
}

fn until(time: Timestamp, now: Timestamp) -> Span {
    let wait = time.as_millisecond() - now.as_millisecond();
    Span(u64::try_from(wait).unwrap_or(0))
}

/// Reads a length such as `6m0s`, `1d2h`, `120ms` or `1.5s`; a number alone is seconds.
fn from_length(text: &str) -> Option<Span> {
    if let Ok(seconds) = text.parse::<f64>() {
        return is_length(seconds).then(|| Span::from_seconds(seconds));
    }
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let number: f64 = rest[..end].parse().ok()?;
        let unit = &rest[end..];
        let length = unit
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(unit.len());
        seconds += number
            * match &unit[..length] {
                "d" => 86_400.0,
                "h" => 3_600.0,
                "m" => 60.0,
                "s" => 1.0,
                "ms" => 0.001,
                "us" | "ns" => 0.0,
                _ => return None,
            };
        rest = &unit[length..];
    }
    (!text.is_empty() && is_length(seconds)).then(|| Span::from_seconds(seconds))
}

fn is_length(seconds: f64) -> bool {
    seconds.is_finite() && seconds >= 0.0
}

/// Reads a length such as `34s` or `1.5s`, as Google writes it.
pub(crate) fn from_duration_text(text: &str) -> Option<Span> {
    let seconds: f64 = text.strip_suffix('s')?.parse().ok()?;
    seconds.is_finite().then(|| Span::from_seconds(seconds))
}

#[cfg(test)]
#[path = "retry_after_tests.rs"]
mod tests;
