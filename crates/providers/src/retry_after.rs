//! What a provider asks us to wait before we try again.

use jiff::Timestamp;
use reqwest::header::HeaderMap;
use vocabulary::Span;

/// Reads `retry-after-ms`, or `Retry-After` as seconds or as a date.
pub(crate) fn from_headers(headers: &HeaderMap, now: Timestamp) -> Option<Span> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.trim().parse::<f64>().ok()) {
        return Some(Span::from_seconds(milliseconds / 1_000.0));
    }
    let text = text("retry-after")?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return seconds.is_finite().then(|| Span::from_seconds(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?;
    let wait = date.timestamp().as_millisecond() - now.as_millisecond();
    Some(Span(u64::try_from(wait).unwrap_or(0)))
}

/// Reads a length such as `34s` or `1.5s`, as Google writes it.
pub(crate) fn from_duration_text(text: &str) -> Option<Span> {
    let seconds: f64 = text.strip_suffix('s')?.parse().ok()?;
    seconds.is_finite().then(|| Span::from_seconds(seconds))
}

#[cfg(test)]
#[path = "retry_after_tests.rs"]
mod tests;
