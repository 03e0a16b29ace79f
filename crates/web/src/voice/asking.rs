//! Asking Denizen into the voice of a room, or out of it.

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use mind::{Input, RoomEvent};

use super::doors;
use crate::access::Caller;
use crate::openapi::refusal;
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::rooms::rate::refuse_too_fast;
use crate::site::Shared;

/// Ask Denizen into the voice of a room.
///
/// The same as `/join` written there. Nothing happens where it is in already.
#[utoipa::path(
    post, path = "/api/rooms/{room}/voice/join", tag = "voice",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    responses(
        (status = 202, description = "It was asked; the live events tell when it is there"),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 409, description = "`voice_disabled`", body = ref(refusal()),
            example = json!({"error": {"code": "voice_disabled", "message": "Voice is switched off: voice.enabled is false. Whoever runs this Denizen can switch it on."}})),
        (status = 429, description = "`too_fast`; Retry-After says when", body = ref(refusal()),
            example = json!({"error": {"code": "too_fast", "message": "You write faster than is taken in here: 30 messages, changes and reactions at once, then 2 a second. Try again in 1 s."}})),
    )
)]
pub(crate) async fn join(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(room): InPath<String>,
) -> Result<StatusCode, Refusal> {
    ask(&shared, &caller, &room, true).await
}

/// Ask Denizen out of the voice of a room.
///
/// The same as `/leave` written there. It falls silent at once.
#[utoipa::path(
    post, path = "/api/rooms/{room}/voice/leave", tag = "voice",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    responses(
        (status = 202, description = "It was asked; the live events tell when it is gone"),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 409, description = "`voice_disabled`", body = ref(refusal()),
            example = json!({"error": {"code": "voice_disabled", "message": "Voice is switched off: voice.enabled is false. Whoever runs this Denizen can switch it on."}})),
        (status = 429, description = "`too_fast`; Retry-After says when", body = ref(refusal()),
            example = json!({"error": {"code": "too_fast", "message": "You write faster than is taken in here: 30 messages, changes and reactions at once, then 2 a second. Try again in 1 s."}})),
    )
)]
pub(crate) async fn leave(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(room): InPath<String>,
) -> Result<StatusCode, Refusal> {
    ask(&shared, &caller, &room, false).await
}

async fn ask(shared: &Shared, caller: &Caller, room: &str, come: bool) -> Result<StatusCode, Refusal> {
    refuse_too_fast(shared, caller)?;
    let room = shared.room(room)?.clone();
    // Out of a voice that was switched off it can be asked all the same.
    if come {
        doors(shared)?;
    }
    let people = shared.community.doors.iter();
    let mut people = people.flat_map(|doors| doors.presence(&room).people);
    let person = people
        .find(|present| shared.site.access.owns(caller, &present.author.id))
        .map(|present| present.author.id);
    let asked = RoomEvent::VoiceAsked { person, come };
    shared.handle().accept(Input::Room(room, asked)).await?;
    Ok(StatusCode::ACCEPTED)
}
