//! Reading a body within its limit.

use bytes::Bytes;
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};
use url::Url;

use crate::decoding::{Decoder, DecodingFault};
use crate::fault::{FetchFault, one_line, root_cause};

/// What a body may be larger than its limit by as long as it is compressed: headers of the compression.
const OVERHEAD: usize = 4096;

/// Reads a body to its end, decompressed, or says that it is too large as soon as that is known.
pub(crate) async fn read(url: &Url, mut response: Response, limit: usize) -> Result<Bytes, FetchFault> {
    let encoding = encoding_of(response.headers());
    let Some(mut decoder) = Decoder::for_encoding(&encoding, limit) else {
        let why = format!(
            "it is encoded as {}, which nobody asked for",
            one_line(&encoding, 40)
        );
        return Err(FetchFault::refused(url, why));
    };
    let sent_limit = match decoder {
        Decoder::Plain(_) => limit,
        Decoder::Gzip { .. } | Decoder::Deflate(_) => limit.saturating_add(OVERHEAD),
    };
    if response
        .content_length()
        .is_some_and(|length| length > sent_limit as u64)
    {
        return Err(too_large(url, limit));
    }
    let mut sent: usize = 0;
    loop {
        let chunk = response.chunk().await.map_err(|error| broken_off(url, &error))?;
        let Some(chunk) = chunk else { break };
        sent = sent.saturating_add(chunk.len());
        // Compressed data may also stand for nothing at all, for ever.
        if sent > sent_limit {
            return Err(too_large(url, limit));
        }
        decoder
            .push(&chunk)
            .map_err(|fault| fault_of(url, fault, limit))?;
    }
    let bytes = decoder.finish().map_err(|fault| fault_of(url, fault, limit))?;
    Ok(Bytes::from(bytes))
}

fn encoding_of(headers: &HeaderMap) -> String {
    let all: Vec<_> = headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .collect();
    all.join(", ")
}

fn broken_off(url: &Url, error: &reqwest::Error) -> FetchFault {
    FetchFault::failed(url, format!("it broke off in the middle ({})", root_cause(error)))
}

fn fault_of(url: &Url, fault: DecodingFault, limit: usize) -> FetchFault {
    match fault {
        DecodingFault::TooLarge => too_large(url, limit),
        DecodingFault::Broken(why) => FetchFault::failed(url, why),
    }
}

fn too_large(url: &Url, limit: usize) -> FetchFault {
    FetchFault::refused(url, format!("it is larger than {}", size(limit)))
}

fn size(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..1_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
