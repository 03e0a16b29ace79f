//! Everything that is remembered, as a file.

use std::collections::VecDeque;

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use runtime::memory::archive::Writing;
use runtime::ports::MemoryFault;

use crate::openapi::refusal;
use crate::refusal::Refusal;
use crate::site::Shared;

/// Download everything that is remembered.
///
/// Newline-delimited JSON: a header, then one gem or turn a line; `denizen memory import FILE` takes it in elsewhere.
#[utoipa::path(
    get, path = "/api/memory/export", tag = "memory",
    responses(
        (status = 200, description = "Gems and turns, as a file", content_type = "application/x-ndjson", body = String),
        (status = 503, description = "`memory_off` or `memory_unreachable`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn export(State(shared): State<Shared>) -> Result<Response, Refusal> {
    let records = shared.memory()?.records().clone();
    let mut writing = Writing::of(records).only(shared.only_community());
    // What is wrong at the start is said properly; later only the broken connection can tell.
    let mut ahead = VecDeque::new();
    for _ in 0..2 {
        ahead.extend(writing.next().await?.map(|(lines, _)| lines));
    }
    let rest = stream::try_unfold((ahead, writing), |(mut ahead, mut writing)| async move {
        if let Some(lines) = ahead.pop_front() {
            return Ok(Some((lines, (ahead, writing))));
        }
        let next = writing.next().await?;
        Ok::<_, MemoryFault>(next.map(|(lines, _)| (lines, (ahead, writing))))
    });
    let about = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"denizen-memory.ndjson\"",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((about, Body::from_stream(rest)).into_response())
}
