//! Having a message answered: once more, or because no reply could be made.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mind::reasons::AgainRefusal;
use mind::{Input, OperatorWish};
use runtime::NotAccepted;
use schemars::JsonSchema;
use serde::Serialize;
use vocabulary::{MessageId, RoomId};

use super::{message_in, unknown_message};
use crate::openapi::{answer, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// A mind that has not shown itself by then is held up, by its storage for one.
const LOOK_DEADLINE: Duration = Duration::from_secs(5);

/// The wish was taken in.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Wished {
    /// The message that is going to be answered.
    message: MessageId,
}

/// Have a message answered, once more or after all.
///
/// For a reply that failed, or one that is wanted anew. It is put in line, and a reply is owed: the model may not choose
/// silence, whoever the message was meant for. What was answered before stays where it is. What comes of it is in
/// GET /api/why/{message}. A room or a person that Denizen may not answer stays unanswered.
#[utoipa::path(
    post, path = "/api/rooms/{room}/messages/{id}/retry", tag = "rooms",
    params(
        ("room" = String, Path, description = "The room", example = "lounge"),
        ("id" = String, Path, description = "The message", example = "alice-000017"),
    ),
    responses(
        (status = 202, description = "It waits for its reply", body = ref(answer::<Wished>()), example = json!({"message": "alice-000017"})),
        (status = 404, description = "`unknown_room` or `unknown_message`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_message", "message": "There is no message x here; it may have been taken back. Load the room again."}})),
        (status = 409, description = "`being_answered`, `too_long_ago` or `not_by_a_person`", body = ref(refusal()),
            example = json!({"error": {"code": "being_answered", "message": "A reply to this message is being made already. Wait for it."}})),
    )
)]
pub(crate) async fn retry(
    State(shared): State<Shared>,
    InPath((room, id)): InPath<(String, String)>,
) -> Result<(StatusCode, Json<Wished>), Refusal> {
    let room: RoomId = shared.readable(&room).await?;
    let message = MessageId::new(id);
    if message_in(&shared, &room, &message).await?.is_none() {
        return Err(unknown_message(&message));
    }
    let handle = shared.handle();
    let look = handle.again_refused(room.clone(), message.clone());
    let refused = tokio::time::timeout(LOOK_DEADLINE, look)
        .await
        .map_err(|_| NotAccepted::Busy)?
        .ok_or(NotAccepted::Stopping)?;
    if let Some(why) = refused {
        return Err(conflict(why));
    }
    let wish = OperatorWish::ReplyAgain {
        room,
        message: message.clone(),
    };
    handle.accept(Input::Operator(wish)).await?;
    Ok((StatusCode::ACCEPTED, Json(Wished { message })))
}

fn conflict(why: AgainRefusal) -> Refusal {
    let (code, words) = match why {
        AgainRefusal::Waiting | AgainRefusal::BeingAnswered => (
            "being_answered",
            "A reply to this message is being made already. Wait for it.",
        ),
        AgainRefusal::NotInConversation => (
            "too_long_ago",
            "This message is too long ago to stand in the conversation as Denizen has it. Write it again to have it answered.",
        ),
        AgainRefusal::NotByAPerson => (
            "not_by_a_person",
            "No person wrote this message, and Denizen answers people only. Choose the message it should answer.",
        ),
    };
    Refusal::new(StatusCode::CONFLICT, code, words)
}
