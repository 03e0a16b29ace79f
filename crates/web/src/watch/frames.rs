//! Frames that a program posts, one picture a request.

use std::time::Duration;

use axum::Json;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use runtime::screens::{ShareTicket, TakenFrame};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedSemaphorePermit;
use utoipa::IntoParams;
use vocabulary::{FrameId, ShareEnd};

use super::picture_body::{Read, leave_unread, read};
use super::proof::Proved;
use crate::openapi::{answer, refusal};
use crate::parameters::InQuery;
use crate::refusal::Refusal;
use crate::site::Shared;

/// How long a frame waits while too many others are in memory.
const PLACE_DEADLINE: Duration = Duration::from_secs(2);

/// What is said of a frame beside its picture.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FrameQuery {
    /// The greatest change since the frame before that its sender has seen, 0 to 1, as the score counts it.
    #[param(example = 0.43)]
    peak: Option<f64>,
}

/// A frame that was taken in.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameReceipt {
    frame: FrameId,
    width: u32,
    height: u32,
    /// How much it differs from the frame before, 0 to 1.
    score: f64,
    /// The smoothed score.
    ema: f64,
    scene_cut: bool,
}

impl From<TakenFrame> for FrameReceipt {
    fn from(taken: TakenFrame) -> Self {
        let glimpse = taken.glimpse;
        Self {
            frame: glimpse.frame,
            width: glimpse.width,
            height: glimpse.height,
            score: glimpse.change.score,
            ema: glimpse.change.ema,
            scene_cut: glimpse.change.scene_cut,
        }
    }
}

/// Bring a frame of a shared screen in.
///
/// The body is the picture. The first one begins the share. Whoever sees more of the screen than is sent says in `peak`
/// how much it has changed at most since the frame before: a flash between two frames is not missed then. A share without a frame for 60 seconds is over. Send the
/// token of the share as a bearer; the site's own token is not needed.
#[utoipa::path(
    post, path = "/api/watch/{share}/frames", tag = "watch", security(("share" = [])),
    params(
        ("share" = String, Path, description = "The share", example = "0198c0de-0000-7000-8000-000000000007"),
        FrameQuery,
    ),
    request_body(content(
        (Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"), (Vec<u8> = "image/webp")
    ), description = "The picture, of at most `voice.streamWatch.maxFrameBytes`"),
    responses(
        (status = 200, description = "It was taken in", body = ref(answer::<FrameReceipt>()), example = json!({
            "frame": 212, "width": 960, "height": 540, "score": 0.004, "ema": 0.006, "sceneCut": false
        })),
        (status = 404, description = "`session_not_found`: no such share, a wrong token, or an expired link", body = ref(refusal()),
            example = json!({"error": {"code": "session_not_found", "message": "There is no such share, or its link has expired; ask the room for a new link."}})),
        (status = 409, description = "`stream_watch_disabled`, `watch_not_active` or `target_user_mismatch`", body = ref(refusal()),
            example = json!({"error": {"code": "target_user_mismatch", "message": "Somebody else's screen is watched in this room. Choose this one to have it watched."}})),
        (status = 413, description = "`frame_too_large`", body = ref(refusal()),
            example = json!({"error": {"code": "frame_too_large", "message": "The frame has 400000 bytes; voice.streamWatch.maxFrameBytes allows 350000. Send a smaller picture or a lower quality."}})),
        (status = 415, description = "`invalid_mime_type`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_mime_type", "message": "A frame is image/jpeg, image/png or image/webp; this one says “text/plain”."}})),
        (status = 422, description = "`frame_data_required` or `frame_undecodable`", body = ref(refusal()),
            example = json!({"error": {"code": "frame_data_required", "message": "The frame is empty. Send the picture's bytes."}})),
        (status = 429, description = "`frame_rate_limited`", body = ref(refusal()),
            example = json!({"error": {"code": "frame_rate_limited", "message": "voice.streamWatch.maxFramesPerMinute allows 180 frames in a minute. Send fewer."}})),
    )
)]
pub(crate) async fn take_frame(
    State(shared): State<Shared>,
    request: Request,
) -> Result<Json<FrameReceipt>, Refusal> {
    let (mut parts, body) = request.into_parts();
    let (ticket, _place) = match admitted(&shared, &mut parts).await {
        Ok(admitted) => admitted,
        Err(refusal) => {
            leave_unread(&parts.headers, body);
            return Err(refusal);
        }
    };
    let peak = match InQuery::<FrameQuery>::from_request_parts(&mut parts, &shared).await {
        Ok(InQuery(query)) => query.peak.map(|peak| peak.clamp(0.0, 1.0)),
        Err(refusal) => {
            leave_unread(&parts.headers, body);
            return Err(refusal);
        }
    };
    let limit = shared.handle().in_force().settings.stream_watch.max_frame_bytes as usize;
    let taken = match read(&parts.headers, body, limit).await? {
        Read::Whole(bytes) => {
            let mime = content_type(&parts.headers);
            ticket.picture_after(peak, mime, bytes).await?
        }
        Read::TooLarge { bytes } => {
            return Err(ticket.unread(content_type(&parts.headers), bytes).await.into());
        }
    };
    Ok(Json(taken.into()))
}

/// Stop sharing.
///
/// The share is over, and its token worth nothing any more.
#[utoipa::path(
    delete, path = "/api/watch/{share}", tag = "watch", security(("share" = [])),
    params(("share" = String, Path, description = "The share", example = "0198c0de-0000-7000-8000-000000000007")),
    responses(
        (status = 204, description = "It is over"),
        (status = 404, description = "`session_not_found`", body = ref(refusal()),
            example = json!({"error": {"code": "session_not_found", "message": "There is no such share, or its link has expired; ask the room for a new link."}})),
    )
)]
pub(crate) async fn stop(Proved(ticket): Proved) -> StatusCode {
    ticket.end(ShareEnd::Stopped).await;
    StatusCode::NO_CONTENT
}

/// The ticket, and a place in memory for one frame.
async fn admitted(
    shared: &Shared,
    parts: &mut Parts,
) -> Result<(ShareTicket, OwnedSemaphorePermit), Refusal> {
    let Proved(ticket) = Proved::from_request_parts(parts, shared).await?;
    let place = shared.frame_bodies.clone().acquire_owned();
    match tokio::time::timeout(PLACE_DEADLINE, place).await {
        Ok(Ok(place)) => Ok((ticket, place)),
        _ => Err(Refusal::busy(
            "Several frames are coming in already. Try again in a moment.",
        )),
    }
}

fn content_type(headers: &HeaderMap) -> &str {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}
