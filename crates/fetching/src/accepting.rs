//! Media types: what a server says it sends, and whether that will do.
//!
//! A body without a type is taken only where text of some kind is wanted and its beginning looks like text; whoever
//! wants pictures must be told that they are pictures.

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};

/// What a server says of a body.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ContentType {
    /// Without parameters, in lower case; empty where nothing is said.
    pub(crate) mime: String,
    pub(crate) charset: Option<String>,
}

impl ContentType {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let Some(value) = headers.get(CONTENT_TYPE) else {
            return Self::default();
        };
        let value = String::from_utf8_lossy(value.as_bytes());
        let mut parts = value.split(';');
        let mime = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            let value = value.trim().trim_matches(['"', '\'']);
            let named = name.trim().eq_ignore_ascii_case("charset") && !value.is_empty() && value.len() <= 40;
            named.then(|| value.to_ascii_lowercase())
        });
        Self { mime, charset }
    }
}

/// Whether a type is among those wanted; a body without one is judged by `looks_like_text` when it is there.
pub(crate) fn will_do(mime: &str, accept: &[String]) -> bool {
    accept.is_empty() || mime.is_empty() || accept.iter().any(|wanted| matches(wanted, mime))
}

/// Whether a body without a type will do.
pub(crate) fn untyped_will_do(accept: &[String], bytes: &[u8]) -> bool {
    accept.is_empty() || (accept.iter().any(|wanted| is_textual(wanted)) && looks_like_text(bytes))
}

/// What is told to the server.
pub(crate) fn accept_header(accept: &[String]) -> HeaderValue {
    let anything = HeaderValue::from_static("*/*");
    match accept.is_empty() {
        true => anything,
        false => HeaderValue::from_str(&accept.join(", ")).unwrap_or(anything),
    }
}

fn matches(wanted: &str, mime: &str) -> bool {
    let wanted = bare(wanted);
    match wanted.strip_suffix('*') {
        Some("*/") => true,
        Some(family) => family.ends_with('/') && mime.starts_with(family),
        None => wanted == mime,
    }
}

fn is_textual(wanted: &str) -> bool {
    let wanted = bare(wanted);
    wanted == "*/*"
        || wanted.starts_with("text/")
        || wanted.ends_with("xml")
        || wanted.ends_with("json")
        || wanted == "application/*"
}

/// `text/html; q=0.9` is `text/html`.
fn bare(wanted: &str) -> String {
    let bare = wanted.split(';').next().unwrap_or_default();
    bare.trim().to_ascii_lowercase()
}

fn looks_like_text(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(1024)];
    let utf16 = beginning.starts_with(&[0xff, 0xfe]) || beginning.starts_with(&[0xfe, 0xff]);
    let binary = |byte: &u8| matches!(byte, 0..=8 | 14..=26 | 28..=31);
    utf16 || !beginning.iter().any(binary)
}

#[cfg(test)]
#[path = "accepting_tests.rs"]
mod tests;
