//! What a server sent, and whether there is text in it.

use fetching::Fetched;

use super::readable::{Header, page_of_html};
use super::{Page, shown};
use crate::plain;

/// Text that is kept of what is not HTML.
const TEXT_CHARS_MAX: usize = 400_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Html,
    /// Plain text, JSON, XML, feeds: shown as they are.
    Text,
    /// Something without text, by its media type.
    Other(String),
}

impl Kind {
    pub(super) fn of(mime: &str, bytes: &[u8]) -> Self {
        if bytes.starts_with(b"%PDF-") {
            return Self::Other("application/pdf".to_owned());
        }
        match mime {
            "text/html" | "application/xhtml+xml" => Self::Html,
            "" | "application/octet-stream" if looks_like_html(bytes) => Self::Html,
            "" if !bytes.contains(&0) => Self::Text,
            "application/json"
            | "application/xml"
            | "application/javascript"
            | "application/x-ndjson"
            | "application/yaml"
            | "application/toml" => Self::Text,
            mime if mime.starts_with("text/") || mime.ends_with("+json") || mime.ends_with("+xml") => {
                Self::Text
            }
            "" => Self::Other("something that is no text".to_owned()),
            mime => Self::Other(plain::line(mime, 60)),
        }
    }

    pub(super) fn read(&self, fetched: &Fetched) -> Result<Page, String> {
        match self {
            Self::Html => Ok(page_of_html(&fetched.text(), &fetched.url)),
            Self::Text => {
                let text: String = fetched.text().chars().take(TEXT_CHARS_MAX).collect();
                let header = Header {
                    title: String::new(),
                    url: fetched.url.to_string(),
                    language: None,
                    published: None,
                    remarks: vec![if fetched.mime.is_empty() {
                        "text/plain".to_owned()
                    } else {
                        fetched.mime.clone()
                    }],
                };
                Ok(Page {
                    header: header.line(),
                    text: plain::text(&text),
                })
            }
            Self::Other(what) => {
                let what = match what.as_str() {
                    "application/pdf" => "a PDF",
                    image if image.starts_with("image/") => "a picture",
                    sound if sound.starts_with("audio/") || sound.starts_with("video/") => "sound or video",
                    what => what,
                };
                Err(format!(
                    "{} is {what}, and only web pages and plain texts can be read. Look for a page about it",
                    shown(&fetched.url)
                ))
            }
        }
    }
}

fn looks_like_html(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(512)]).to_ascii_lowercase();
    let start = start.trim_start();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

#[cfg(test)]
#[path = "kind_tests.rs"]
mod tests;
