//! The recording as a file: what came in, what was decided, and all that is needed to step through it again.

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::openapi::refusal;
use crate::refusal::Refusal;
use crate::site::Shared;

/// Download the recording.
///
/// Newline-delimited JSON; `denizen replay FILE` steps through it again. It holds everything that was said.
#[utoipa::path(
    get, path = "/api/recording", tag = "inspector",
    responses(
        (status = 200, description = "The newest recording, as a file", content_type = "application/x-ndjson", body = String),
        (status = 404, description = "`no_recording`", body = ref(refusal()),
            example = json!({"error": {"code": "no_recording", "message": "Nothing was recorded yet. Write something in a room first."}})),
    )
)]
pub(crate) async fn recording(State(shared): State<Shared>) -> Result<Response, Refusal> {
    let handle = shared.handle();
    let found = handle.store().recording(handle.community(), None).await?;
    let recording = found.ok_or_else(|| {
        Refusal::new(
            StatusCode::NOT_FOUND,
            "no_recording",
            "Nothing was recorded yet. Write something in a room first.",
        )
    })?;
    let name = file_name(handle.community().as_str(), recording.segment.started_at.0);
    let export = shared.site.export.clone();
    // Hours of inputs take a while to write out: not on a thread that serves others.
    let written = tokio::task::spawn_blocking(move || export(&recording))
        .await
        .map_err(|_| {
            Refusal::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "The recording could not be written out; this is a defect. Please report it.",
            )
        })?;
    let about = [
        (header::CONTENT_TYPE, "application/x-ndjson".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((about, Body::from(written)).into_response())
}

fn file_name(community: &str, started_at: i64) -> String {
    let plain: String = community
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .collect();
    format!("denizen-{plain}-{started_at}.ndjson")
}
