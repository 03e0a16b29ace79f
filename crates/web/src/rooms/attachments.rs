//! Pictures and clips of messages, served back inertly: whole, or a part where a player wants one.

use std::ops::Range;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use vocabulary::AttachmentId;

use super::pictures::MIMES;
use crate::guard::INERT;
use crate::openapi::refusal;
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// What Denizen may have made besides pictures.
const CLIP: &str = "video/mp4";

/// Look at a picture or a clip.
///
/// A part of it is served where one is asked for by a Range header, as players do.
#[utoipa::path(
    get, path = "/api/attachments/{id}", tag = "rooms",
    params(
        ("id" = String, Path, description = "The id of the attachment, as its message names it", example = "0198c0de-0000-7000-8000-000000000001-1"),
        ("Range" = Option<String>, Header, description = "One range of bytes", example = "bytes=0-1023"),
    ),
    responses(
        (status = 200, description = "The bytes, under their own type", content_type = "image/png", body = Vec<u8>),
        (status = 206, description = "The part that was asked for", content_type = "video/mp4", body = Vec<u8>),
        (status = 404, description = "`unknown_attachment`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_attachment", "message": "There is no attachment x here; its message may be gone. Load the room again."}})),
        (status = 416, description = "`no_such_range`", body = ref(refusal()),
            example = json!({"error": {"code": "no_such_range", "message": "The attachment has 1000 bytes, and the range begins after them. Ask for an earlier one."}})),
    )
)]
pub(crate) async fn attachment(
    State(shared): State<Shared>,
    InPath(id): InPath<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let found = shared
        .handle()
        .store()
        .attachment(shared.handle().community(), &AttachmentId::new(id.as_str()))
        .await?;
    let Some((mime, bytes)) = found else {
        return Err(Refusal::new(
            StatusCode::NOT_FOUND,
            "unknown_attachment",
            format!("There is no attachment {id} here; its message may be gone. Load the room again."),
        ));
    };
    // Anything else could be a page, and is only bytes here.
    let mime = if MIMES.contains(&mime.as_str()) || mime == CLIP {
        mime
    } else {
        "application/octet-stream".to_owned()
    };
    let about = [
        (header::CONTENT_TYPE, mime),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::CONTENT_SECURITY_POLICY, INERT.to_owned()),
        (header::CONTENT_DISPOSITION, "inline".to_owned()),
        (header::ACCEPT_RANGES, "bytes".to_owned()),
        (
            header::CACHE_CONTROL,
            "private, max-age=86400, immutable".to_owned(),
        ),
    ];
    match wanted(&headers, bytes.len()) {
        Wanted::Whole => Ok((about, bytes).into_response()),
        Wanted::Part(part) => Ok((StatusCode::PARTIAL_CONTENT, about, piece(&bytes, part)).into_response()),
        Wanted::Nothing => Err(no_such_range(bytes.len())),
    }
}

/// How much of an attachment is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Whole,
    Part(Range<usize>),
    /// A part that it does not have.
    Nothing,
}

/// One range is served; what is no single range of bytes asks for the whole, as HTTP has it.
pub(super) fn wanted(headers: &HeaderMap, length: usize) -> Wanted {
    let range = headers.get(header::RANGE).and_then(|range| range.to_str().ok());
    let Some((from, to)) = range
        .and_then(|range| range.trim().strip_prefix("bytes="))
        .and_then(|range| range.split_once('-'))
    else {
        return Wanted::Whole;
    };
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let part = match (from.trim(), to.trim()) {
        ("", last) => match number(last) {
            Some(0) => return Wanted::Nothing,
            Some(last) => length.saturating_sub(last)..length,
            None => return Wanted::Whole,
        },
        (from, "") => match number(from) {
            Some(from) => from..length,
            None => return Wanted::Whole,
        },
        (from, to) => match (number(from), number(to)) {
            (Some(from), Some(to)) if from <= to => from..to.saturating_add(1).min(length),
            _ => return Wanted::Whole,
        },
    };
    if part.start < length {
        Wanted::Part(part)
    } else {
        Wanted::Nothing
    }
}

fn piece(bytes: &Bytes, part: Range<usize>) -> impl IntoResponse + use<> {
    let place = format!("bytes {}-{}/{}", part.start, part.end - 1, bytes.len());
    ([(header::CONTENT_RANGE, place)], bytes.slice(part))
}

fn no_such_range(length: usize) -> Refusal {
    let place = HeaderValue::from_str(&format!("bytes */{length}")).expect("digits make a header value");
    Refusal::new(
        StatusCode::RANGE_NOT_SATISFIABLE,
        "no_such_range",
        format!(
            "The attachment has {length} bytes, and the range begins after them. Ask for an earlier one."
        ),
    )
    .with_header(header::CONTENT_RANGE, place)
}
