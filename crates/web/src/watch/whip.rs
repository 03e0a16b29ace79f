//! Video streams over WebRTC, as WHIP (RFC 9725) has them: one offer, one answer.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use runtime::ports::Streams;
use runtime::screens::ShareRefusal;
use vocabulary::ShareEnd;

use super::picture_body::{Read, leave_unread, read};
use super::proof::Proved;
use crate::openapi::refusal;
use crate::refusal::Refusal;
use crate::site::Shared;

const SDP: &str = "application/sdp";
const OFFER_BYTES_MAX: usize = 64 * 1024;

/// Stream a screen, from OBS or any other WHIP client.
///
/// The body is the offer (SDP), the answer is in the answer. All candidates are in it, so there is nothing to trickle. An
/// offer while a stream of the same share runs takes its place: that is how a client comes back after a broken
/// connection. Send the token of the share as a bearer; the site's own token is not needed.
#[utoipa::path(
    post, path = "/api/watch/{share}/whip", tag = "watch", security(("share" = [])),
    params(("share" = String, Path, description = "The share", example = "0198c0de-0000-7000-8000-000000000007")),
    request_body(content = String, content_type = "application/sdp", description = "The offer", example = "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"),
    responses(
        (status = 201, description = "The answer; the stream may begin", content_type = "application/sdp", body = String,
            headers(("Location" = String, description = "Where to end the stream with DELETE")),
            example = "v=0\r\no=- 2 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"),
        (status = 404, description = "`session_not_found`", body = ref(refusal()),
            example = json!({"error": {"code": "session_not_found", "message": "There is no such share, or its link has expired; ask the room for a new link."}})),
        (status = 409, description = "`stream_watch_disabled`", body = ref(refusal()),
            example = json!({"error": {"code": "stream_watch_disabled", "message": "Watching screens is switched off: voice.streamWatch.enabled is false."}})),
        (status = 413, description = "`body_too_large`", body = ref(refusal()),
            example = json!({"error": {"code": "body_too_large", "message": "An offer has at most 64 kB; this one has more. Offer fewer codecs."}})),
        (status = 415, description = "`wrong_content_type`", body = ref(refusal()),
            example = json!({"error": {"code": "wrong_content_type", "message": "An offer is SDP. Send it with the header Content-Type: application/sdp."}})),
        (status = 422, description = "`bad_offer` or `no_usable_video`", body = ref(refusal()),
            example = json!({"error": {"code": "no_usable_video", "message": "The offer holds no video in H.264 or VP8. Choose one of them in the client."}})),
        (status = 503, description = "`streams_unavailable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "streams_unavailable", "message": "Streams cannot come in here. Share on the share page, or post frames."}})),
    )
)]
pub(crate) async fn offer(State(shared): State<Shared>, request: Request) -> Result<Response, Refusal> {
    let (mut parts, body) = request.into_parts();
    let proved = Proved::from_request_parts(&mut parts, &shared).await;
    let (ticket, streams) =
        match proved.and_then(|Proved(ticket)| Ok((ticket, ready(&shared, &parts.headers)?))) {
            Ok(ready) => ready,
            Err(refusal) => {
                leave_unread(&parts.headers, body);
                return Err(refusal);
            }
        };
    let offer = match read(&parts.headers, body, OFFER_BYTES_MAX).await? {
        Read::Whole(bytes) => String::from_utf8(bytes.to_vec()).map_err(|_| not_text())?,
        Read::TooLarge { .. } => return Err(too_large()),
    };
    let location = format!("{}/watch/{}/whip", shared.root(), ticket.share());
    let answer = streams.offer(ticket.clone(), &offer).await?;
    // Only now: whoever offers nothing usable has not begun to share.
    ticket.begin().await?;
    let about = [
        (header::CONTENT_TYPE, SDP.to_owned()),
        (header::LOCATION, location),
    ];
    Ok((StatusCode::CREATED, about, answer).into_response())
}

/// End a stream.
///
/// The share is over with it, and its token worth nothing any more.
#[utoipa::path(
    delete, path = "/api/watch/{share}/whip", tag = "watch", security(("share" = [])),
    params(("share" = String, Path, description = "The share", example = "0198c0de-0000-7000-8000-000000000007")),
    responses(
        (status = 200, description = "It is over"),
        (status = 404, description = "`session_not_found`", body = ref(refusal()),
            example = json!({"error": {"code": "session_not_found", "message": "There is no such share, or its link has expired; ask the room for a new link."}})),
    )
)]
pub(crate) async fn end_stream(Proved(ticket): Proved) -> StatusCode {
    ticket.end(ShareEnd::Stopped).await;
    StatusCode::OK
}

/// Trickle a candidate: not taken.
///
/// The answer to the offer holds every candidate there is, and whoever streams is found by what they send.
#[utoipa::path(
    patch, path = "/api/watch/{share}/whip", tag = "watch", security(("share" = [])),
    params(("share" = String, Path, description = "The share", example = "0198c0de-0000-7000-8000-000000000007")),
    responses(
        (status = 405, description = "`method_not_allowed`", body = ref(refusal()),
            example = json!({"error": {"code": "method_not_allowed", "message": "Candidates are not trickled here: the answer to the offer holds all of them. Go on without."}})),
    )
)]
pub(crate) async fn trickle() -> Refusal {
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "Candidates are not trickled here: the answer to the offer holds all of them. Go on without.",
    )
    .with_header(header::ALLOW, HeaderValue::from_static("POST, DELETE"))
}

/// Who takes the stream, if it can be taken at all.
fn ready(shared: &Shared, headers: &HeaderMap) -> Result<Arc<dyn Streams>, Refusal> {
    if !shared.handle().in_force().settings.stream_watch.enabled {
        return Err(ShareRefusal::Disabled.into());
    }
    let is_sdp = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|mime| mime.trim().eq_ignore_ascii_case(SDP));
    if !is_sdp {
        return Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "wrong_content_type",
            "An offer is SDP. Send it with the header Content-Type: application/sdp.",
        )
        .with_header(ACCEPT_POST, HeaderValue::from_static(SDP)));
    }
    shared.site.streams.clone().ok_or_else(|| {
        Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "streams_unavailable",
            "Streams cannot come in here. Share on the share page, or post frames.",
        )
    })
}

const ACCEPT_POST: HeaderName = HeaderName::from_static("accept-post");

fn not_text() -> Refusal {
    Refusal::unprocessable(
        "bad_offer",
        "The offer is not text, so it cannot be SDP. Send the offer as the client made it.",
    )
}

fn too_large() -> Refusal {
    Refusal::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "body_too_large",
        format!(
            "An offer has at most {} kB; this one has more. Offer fewer codecs.",
            OFFER_BYTES_MAX / 1024
        ),
    )
}
