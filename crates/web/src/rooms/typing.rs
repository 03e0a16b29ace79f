//! Showing that somebody is typing.

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use mind::{Input, RoomEvent};
use runtime::live::LiveEvent;
use schemars::JsonSchema;
use serde::Deserialize;

use super::rate::refuse_typing_too_fast;
use crate::access::{Caller, refuse_taken};
use crate::body::SmallJson;
use crate::openapi::{question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Typing {
    author: String,
    typing: bool,
}

/// Say that somebody is typing, or stopped.
///
/// Denizen waits for those who are still typing.
#[utoipa::path(
    post, path = "/api/rooms/{room}/typing", tag = "rooms",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    request_body(content = ref(question::<Typing>()), example = json!({"author": "Alice", "typing": true})),
    responses(
        (status = 204, description = "Everybody was told"),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 409, description = "`name_taken`: the name is somebody else's", body = ref(refusal()),
            example = json!({"error": {"code": "name_taken", "message": "The name “Alice” belongs to somebody else here. Choose another one."}})),
        (status = 422, description = "`invalid_author`, `unknown_field` or `invalid_field`", body = ref(refusal())),
        (status = 429, description = "`too_fast`: more often than is passed on from one credential; Retry-After says when", body = ref(refusal()),
            example = json!({"error": {"code": "too_fast", "message": "You say that you type more often than is passed on here: 20 times at once, then 2 a second. Try again in 1 s."}})),
    )
)]
pub(crate) async fn typing(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(room): InPath<String>,
    SmallJson(body): SmallJson<Typing>,
) -> Result<StatusCode, Refusal> {
    refuse_typing_too_fast(&shared, &caller)?;
    let room = shared.room(&room)?.clone();
    let handle = shared.handle();
    let author = shared.author(&body.author)?;
    refuse_taken(&shared, &caller, &author).await?;
    let (person, typing) = (author.id, body.typing);
    handle
        .accept(Input::Room(
            room.clone(),
            RoomEvent::TypingChanged {
                person: person.clone(),
                typing,
            },
        ))
        .await?;
    handle.live().publish(LiveEvent::Typing {
        room,
        person,
        name: author.name,
        typing,
    });
    Ok(StatusCode::NO_CONTENT)
}
