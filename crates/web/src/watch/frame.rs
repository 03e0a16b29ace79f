//! The newest picture of the screen that is watched, served inertly.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::guard::INERT;
use crate::openapi::refusal;
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// Look at the newest frame of the screen that is watched.
#[utoipa::path(
    get, path = "/api/rooms/{room}/watch/frame", tag = "watch",
    params(
        ("room" = String, Path, description = "The room", example = "lounge"),
        ("If-None-Match" = Option<String>, Header, description = "The ETag of the frame that is known already"),
    ),
    responses(
        (status = 200, description = "The picture, under its own type; its ETag is the number of the frame", content_type = "image/jpeg", body = Vec<u8>),
        (status = 304, description = "There is no newer one"),
        (status = 404, description = "`unknown_room` or `no_frame`", body = ref(refusal()),
            example = json!({"error": {"code": "no_frame", "message": "No frame of a watched screen is at hand in lounge. Share a screen, or wait for its first frame."}})),
    )
)]
pub(crate) async fn newest_frame(
    State(shared): State<Shared>,
    InPath(room): InPath<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let room = shared.room(&room)?;
    let Some(picture) = shared.handle().screens().newest(room) else {
        return Err(Refusal::new(
            StatusCode::NOT_FOUND,
            "no_frame",
            format!(
                "No frame of a watched screen is at hand in {room}. Share a screen, or wait for its first frame."
            ),
        ));
    };
    let etag = format!("\"{}\"", picture.frame);
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|tags| tags.split(',').any(|tag| tag.trim() == etag));
    let about = [
        (header::ETAG, etag),
        // What was on somebody's screen stays in no cache.
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::CONTENT_SECURITY_POLICY, INERT.to_owned()),
    ];
    if known {
        return Ok((StatusCode::NOT_MODIFIED, about).into_response());
    }
    let kind = [
        (header::CONTENT_TYPE, picture.kind.mime()),
        (header::CONTENT_DISPOSITION, "inline"),
    ];
    Ok((about, kind, picture.bytes).into_response())
}
