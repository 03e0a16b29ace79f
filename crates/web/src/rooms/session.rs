//! A room's session: looking at what is remembered of it, and ending it.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mind::context::compaction::SessionView;
use mind::context::compaction::{BATCH_SIZE, RECENT_WINDOW, SUMMARY_CHARS_MAX};
use mind::{Input, RoomEvent};
use runtime::NotAccepted;

use crate::openapi::{answer, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// A mind that has not shown itself by then is held up, by its storage for one.
const LOOK_DEADLINE: Duration = Duration::from_secs(5);

/// Look at a room's session.
///
/// The running summary of what was said longer ago, what is kept word for word, and every fold that was made lately.
/// A room in which nothing was said yet has an empty one.
#[utoipa::path(
    get, path = "/api/rooms/{room}/session", tag = "rooms",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    responses(
        (status = 200, description = "The session as it is now", body = ref(answer::<SessionView>()), example = json!({
            "enabled": true, "summary": "Alice and Bob planned tea for four; Bob brings biscuits.", "summarisedAt": 1763000000000_u64,
            "cursor": 10, "turns": 62,
            "verbatim": [{"seq": 10, "speaker": "Alice", "at": 1763000000000_u64, "modality": "typed", "text": "who brings milk?", "message": "alice-000017"}],
            "pendingNotes": [{"seq": 0, "at": 1763000000000_u64, "sharedBy": "Bob", "text": "a picture of a kettle"}],
            "run": {"ask": 9, "cursor": 10, "turns": 10, "notes": 1, "condensing": false},
            "finished": [{"at": 1763000000000_u64, "took": 2400, "oldCursor": 0, "newCursor": 10, "ask": 7, "summariser": "ollama qwen3",
                "turns": ["Alice: tea at four?", "Bob: I bring biscuits"], "notes": [],
                "summary": "Alice and Bob planned tea for four; Bob brings biscuits."}],
            "recentWindow": 50, "batchSize": 10, "summaryCharsMax": 1200
        })),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 503, description = "`stopping` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "stopping", "message": "This community is shutting down; try again when it is back."}})),
    )
)]
pub(crate) async fn session(
    State(shared): State<Shared>,
    InPath(room): InPath<String>,
) -> Result<Json<SessionView>, Refusal> {
    let room = shared.readable(&room).await?;
    let handle = shared.handle();
    let shown = tokio::time::timeout(LOOK_DEADLINE, handle.session(room))
        .await
        .map_err(|_| NotAccepted::Busy)?;
    match shown {
        Some(view) => Ok(Json(view)),
        None if handle.is_stopping() => Err(NotAccepted::Stopping.into()),
        None => Ok(Json(nothing_said(
            handle.in_force().settings.compaction.text_channels,
        ))),
    }
}

/// End a room's session.
///
/// Its summary is offered to memory, and a new one begins: nothing said so far is part of it. A fold under way may
/// finish first, which is why this is accepted and not done. Messages stay in the room.
#[utoipa::path(
    post, path = "/api/rooms/{room}/session/end", tag = "rooms",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    responses(
        (status = 202, description = "The session ends"),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
    )
)]
pub(crate) async fn end_session(
    State(shared): State<Shared>,
    InPath(room): InPath<String>,
) -> Result<StatusCode, Refusal> {
    let room = shared.readable(&room).await?;
    shared
        .handle()
        .accept(Input::Room(room, RoomEvent::SessionEnded))
        .await?;
    Ok(StatusCode::ACCEPTED)
}

fn nothing_said(enabled: bool) -> SessionView {
    SessionView {
        enabled,
        summary: String::new(),
        summarised_at: None,
        cursor: 0,
        turns: 0,
        verbatim: Vec::new(),
        pending_notes: Vec::new(),
        run: None,
        finished: Vec::new(),
        recent_window: RECENT_WINDOW,
        batch_size: BATCH_SIZE,
        summary_chars_max: SUMMARY_CHARS_MAX,
    }
}
