//! A picture inside an answer: in base 64, as a data address, or as the address where it is.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use bytes::Bytes;
use runtime::ports::MediaFault;
use serde_json::Value;

use crate::fault::failed;
use crate::job::Job;

/// The first picture of an answer in the shape of OpenAI's.
pub(crate) async fn first_picture(job: &Job<'_>, answer: &Value) -> Result<Bytes, MediaFault> {
    let first = &answer["data"][0];
    if let Some(text) = first["b64_json"].as_str().filter(|text| !text.is_empty()) {
        return decode(job, text);
    }
    match first["url"].as_str() {
        Some(url) if url.starts_with("data:") => match url.split_once(";base64,") {
            Some((_, text)) => decode(job, text),
            None => Err(unexpected(job)),
        },
        Some(url) => job.fetch(url).await,
        None => Err(unexpected(job)),
    }
}

fn decode(job: &Job<'_>, text: &str) -> Result<Bytes, MediaFault> {
    let text = text.trim();
    let decoded = STANDARD.decode(text).or_else(|_| STANDARD_NO_PAD.decode(text));
    decoded.map(Bytes::from).map_err(|_| unexpected(job))
}

pub(crate) fn unexpected(job: &Job<'_>) -> MediaFault {
    failed(format!(
        "{} answered otherwise than its API does. Check that media.{}Url is the address of such an API",
        job.service.who,
        job.kind.name()
    ))
}
