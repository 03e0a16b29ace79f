//! Bodies that are no JSON: read up to a limit. One that is larger is refused at once, while the rest of it is thrown
//! away: whoever is still sending would lose the reason with the connection.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::{HeaderMap, StatusCode, header};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;

use crate::refusal::Refusal;

/// How long a body may take: a frame that is older is not worth waiting for.
const DEADLINE: Duration = Duration::from_secs(10);
/// How much of a refused body is thrown away, and for how long, before the connection is cut.
const DISCARDED_BYTES_MAX: usize = 64 * 1024 * 1024;
const DISCARDING_MAX: Duration = Duration::from_secs(10);

/// A body, or that it is too large.
#[derive(Debug)]
pub(super) enum Read {
    Whole(Bytes),
    /// It has this many bytes at least.
    TooLarge {
        bytes: usize,
    },
}

/// Reads a body of at most `limit` bytes, and keeps no more than that of any.
pub(super) async fn read(headers: &HeaderMap, body: Body, limit: usize) -> Result<Read, Refusal> {
    let mut pieces = body.into_data_stream();
    if let Some(bytes) = announced(headers).filter(|bytes| *bytes > limit) {
        // Who asks before sending has not begun to.
        if !headers.contains_key(header::EXPECT) {
            discard(pieces);
        }
        return Ok(Read::TooLarge { bytes });
    }
    let collected = tokio::time::timeout(DEADLINE, collect(&mut pieces, limit)).await;
    let read = collected.unwrap_or_else(|_| Err(too_slow()));
    if !matches!(read, Ok(Read::Whole(_))) {
        discard(pieces);
    }
    read
}

/// Refuses before anything of the body was read.
pub(super) fn leave_unread(headers: &HeaderMap, body: Body) {
    if !headers.contains_key(header::EXPECT) {
        discard(body.into_data_stream());
    }
}

async fn collect(pieces: &mut BodyDataStream, limit: usize) -> Result<Read, Refusal> {
    let mut collected = BytesMut::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|problem| {
            Refusal::bad_request(
                "broken_body",
                format!("The body ended before its time: {problem}. Send the request again."),
            )
        })?;
        let bytes = collected.len() + piece.len();
        if bytes > limit {
            return Ok(Read::TooLarge { bytes });
        }
        collected.extend_from_slice(&piece);
    }
    Ok(Read::Whole(collected.freeze()))
}

fn discard(mut pieces: BodyDataStream) {
    let reading = async move {
        let mut discarded = 0;
        while let Some(Ok(piece)) = pieces.next().await {
            discarded += piece.len();
            if discarded > DISCARDED_BYTES_MAX {
                break;
            }
        }
    };
    tokio::spawn(tokio::time::timeout(DISCARDING_MAX, reading));
}

fn announced(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_slow() -> Refusal {
    Refusal::new(
        StatusCode::REQUEST_TIMEOUT,
        "body_too_slow",
        format!(
            "The body did not come in within {} seconds. Send the request again.",
            DEADLINE.as_secs()
        ),
    )
}
