//! Changing and taking back a message: only its author may.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use mind::{Input, RoomEvent};
use runtime::ports::StoredMessage;
use schemars::JsonSchema;
use serde::Deserialize;
use utoipa::IntoParams;
use vocabulary::MessageId;

use super::post::{MessageAnswer, WrittenMessage};
use super::rate::refuse_too_fast;
use super::{message_in, person_of, text, unknown_message};
use crate::access::{Caller, refuse_taken};
use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::parameters::{InPath, InQuery};
use crate::refusal::Refusal;
use crate::site::Shared;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MessageEdit {
    /// Who wrote it.
    author: String,
    #[schemars(length(max = 8000))]
    text: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeleteQuery {
    /// Who wrote it.
    #[param(example = "Alice")]
    author: String,
}

/// Change a message of one's own.
#[utoipa::path(
    patch, path = "/api/rooms/{room}/messages/{id}", tag = "rooms",
    params(
        ("room" = String, Path, description = "The room", example = "lounge"),
        ("id" = String, Path, description = "The message", example = "alice-000017"),
    ),
    request_body(content = ref(question::<MessageEdit>()), example = json!({"author": "Alice", "text": "What did we decide yesterday?"})),
    responses(
        (status = 200, description = "Changed, and durable", body = ref(answer::<MessageAnswer>())),
        (status = 403, description = "`not_yours`: somebody else wrote it", body = ref(refusal()),
            example = json!({"error": {"code": "not_yours", "message": "Alice wrote this message, and only they can change it or take it back."}})),
        (status = 404, description = "`unknown_room` or `unknown_message`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_message", "message": "There is no message x here; it may have been taken back. Load the room again."}})),
        (status = 409, description = "`name_taken`: its author's name is somebody else's", body = ref(refusal()),
            example = json!({"error": {"code": "name_taken", "message": "The name “Alice” belongs to somebody else here. Choose another one."}})),
        (status = 413, description = "`text_too_long`", body = ref(refusal())),
        (status = 422, description = "`empty_message`, `invalid_text`, `unknown_field` or `invalid_field`", body = ref(refusal())),
        (status = 429, description = "`too_fast`: more at once than is taken in from one credential; Retry-After says when", body = ref(refusal()),
            example = json!({"error": {"code": "too_fast", "message": "You write faster than is taken in here: 30 messages, changes and reactions at once, then 2 a second. Try again in 1 s."}})),
    )
)]
pub(crate) async fn edit_message(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath((room, id)): InPath<(String, String)>,
    SmallJson(edit): SmallJson<MessageEdit>,
) -> Result<Json<MessageAnswer>, Refusal> {
    let stored = own_message(&shared, &caller, (&room, &id), &edit.author).await?;
    text::check(&edit.text)?;
    if edit.text.trim().is_empty() && stored.message.attachments.is_empty() {
        return Err(text::empty_message());
    }
    let (room, id) = (stored.message.room.clone(), stored.message.id.clone());
    shared
        .handle()
        .accept(Input::Room(
            room,
            RoomEvent::MessageEdited {
                id: id.clone(),
                text: edit.text.clone(),
            },
        ))
        .await?;
    let mut changed = shared
        .handle()
        .store()
        .message(shared.handle().community(), &id)
        .await
        .ok()
        .flatten()
        .unwrap_or(stored);
    // The change is durable by now, whatever was read.
    changed.message.text = edit.text;
    Ok(Json(MessageAnswer {
        message: WrittenMessage::Kept(changed),
    }))
}

/// Take back a message of one's own.
#[utoipa::path(
    delete, path = "/api/rooms/{room}/messages/{id}", tag = "rooms",
    params(
        ("room" = String, Path, description = "The room", example = "lounge"),
        ("id" = String, Path, description = "The message", example = "alice-000017"),
        DeleteQuery,
    ),
    responses(
        (status = 204, description = "Taken back"),
        (status = 403, description = "`not_yours`: somebody else wrote it", body = ref(refusal()),
            example = json!({"error": {"code": "not_yours", "message": "Alice wrote this message, and only they can change it or take it back."}})),
        (status = 404, description = "`unknown_room` or `unknown_message`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_message", "message": "There is no message x here; it may have been taken back. Load the room again."}})),
        (status = 409, description = "`name_taken`: its author's name is somebody else's", body = ref(refusal()),
            example = json!({"error": {"code": "name_taken", "message": "The name “Alice” belongs to somebody else here. Choose another one."}})),
        (status = 429, description = "`too_fast`: more at once than is taken in from one credential; Retry-After says when", body = ref(refusal()),
            example = json!({"error": {"code": "too_fast", "message": "You write faster than is taken in here: 30 messages, changes and reactions at once, then 2 a second. Try again in 1 s."}})),
    )
)]
pub(crate) async fn delete_message(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath((room, id)): InPath<(String, String)>,
    InQuery(query): InQuery<DeleteQuery>,
) -> Result<StatusCode, Refusal> {
    let stored = own_message(&shared, &caller, (&room, &id), &query.author).await?;
    let (room, id) = (stored.message.room, stored.message.id);
    shared
        .handle()
        .accept(Input::Room(room, RoomEvent::MessageDeleted { id }))
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn own_message(
    shared: &Shared,
    caller: &Caller,
    (room, id): (&str, &str),
    author: &str,
) -> Result<StoredMessage, Refusal> {
    refuse_too_fast(shared, caller)?;
    let id = MessageId::from(id);
    let stored = message_in(shared, shared.room(room)?, &id)
        .await?
        .ok_or_else(|| unknown_message(&id))?;
    if stored.message.author.id == person_of(author, shared.handle().community()) {
        refuse_taken(shared, caller, &stored.message.author).await?;
        return Ok(stored);
    }
    Err(Refusal::new(
        StatusCode::FORBIDDEN,
        "not_yours",
        format!(
            "{} wrote this message, and only they can change it or take it back.",
            stored.message.author.name
        ),
    ))
}
