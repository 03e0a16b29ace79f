//! Browsers in the voice of a room: coming in by WebRTC, being muted, leaving.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use runtime::ports::{VoiceDoors, VoiceSession};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use vocabulary::{PersonId, RoomId};

use super::{choose_listening, doors, mute_told, seated, until_shown_out};
use crate::access::{Caller, refuse_taken};
use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::rooms::rate::refuse_too_fast;
use crate::site::Shared;

/// Somebody comes into the voice of a room.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewVoiceSession {
    /// 1 to 40 characters, and not Denizen's own name.
    #[schemars(length(min = 1, max = 40), example = &"Alice")]
    author: String,
    /// The offer, as `RTCPeerConnection.createOffer` makes it: one audio, both ways.
    sdp: String,
    /// Whether the microphone is off at first.
    #[serde(default)]
    muted: bool,
}

/// Somebody is in.
#[derive(Serialize, JsonSchema)]
pub(crate) struct VoiceSessionAnswer {
    /// What names their stay; keep it to oneself.
    session: String,
    /// The answer to the offer. All candidates are in it.
    sdp: String,
}

/// What is different from now on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VoiceSessionChange {
    /// The microphone is off, or on again.
    muted: Option<bool>,
    /// False: what they say is not listened to, nor written down. The people in the room hear it all the same.
    listen: Option<bool>,
}

/// Come into the voice of a room, by WebRTC.
///
/// One Opus voice goes up, and the voices of all others come back as one. The sound goes by UDP, to the address that the
/// answer names. A second session of the same person takes the place of the first, as when a page is loaded anew; so does one under
/// another name by the same credential, unless that is an administrator's.
#[utoipa::path(
    post, path = "/api/rooms/{room}/voice/sessions", tag = "voice",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    request_body(content = ref(question::<NewVoiceSession>()), example = json!({"author": "Alice", "sdp": "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n", "muted": false})),
    responses(
        (status = 201, description = "The answer; sound may flow", body = ref(answer::<VoiceSessionAnswer>()),
            headers(("Location" = String, description = "Where to change or end the session")),
            example = json!({"session": "5f0c9e6a41d24f0d9a7c7f0b6d1f2a33", "sdp": "v=0\r\no=- 2 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"})),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 409, description = "`voice_disabled`, or `name_taken`: the name is somebody else's", body = ref(refusal()),
            example = json!({"error": {"code": "voice_disabled", "message": "Voice is switched off: voice.enabled is false. Whoever runs this Denizen can switch it on."}})),
        (status = 422, description = "`bad_offer`, `invalid_author`, `unknown_field` or `invalid_field`", body = ref(refusal()),
            example = json!({"error": {"code": "bad_offer", "message": "The offer cannot be answered: it has no audio in Opus, which every browser can offer. Offer one audio track, as RTCPeerConnection.createOffer makes it."}})),
        (status = 429, description = "`too_fast`; Retry-After says when", body = ref(refusal()),
            example = json!({"error": {"code": "too_fast", "message": "You write faster than is taken in here: 30 messages, changes and reactions at once, then 2 a second. Try again in 1 s."}})),
        (status = 503, description = "`voice_full` or `voice_unavailable`", body = ref(refusal()),
            example = json!({"error": {"code": "voice_full", "message": "25 people are in the voice of this room already. Try again when one has left."}})),
    )
)]
pub(crate) async fn come(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(room): InPath<String>,
    SmallJson(body): SmallJson<NewVoiceSession>,
) -> Result<Response, Refusal> {
    refuse_too_fast(&shared, &caller)?;
    let room = shared.room(&room)?.clone();
    let doors = doors(&shared)?;
    let author = shared.author(&body.author)?;
    refuse_taken(&shared, &caller, &author).await?;
    let answered = doors.offer(&room, author.clone(), &body.sdp, body.muted).await?;
    seated(&shared, &caller, &doors, &room, &answered.session);
    let over = until_shown_out(&shared, &caller, &author);
    tokio::spawn(show_out(
        shared.stopping.clone(),
        over,
        doors,
        room.clone(),
        answered.session.clone(),
    ));
    let location = format!(
        "{}/rooms/{room}/voice/sessions/{}",
        shared.root(),
        answered.session
    );
    let answer = VoiceSessionAnswer {
        session: answered.session.to_string(),
        sdp: answered.sdp,
    };
    let about = [(header::LOCATION, location)];
    Ok((StatusCode::CREATED, about, Json(answer)).into_response())
}

/// Ends a stay when whoever began it may not be there any more.
async fn show_out(
    stopping: CancellationToken,
    over: impl Future<Output = &'static str> + Send,
    doors: Arc<dyn VoiceDoors>,
    room: RoomId,
    session: VoiceSession,
) {
    let over = stopping.run_until_cancelled(over);
    let mut changes = doors.changes();
    let left = async { while doors.whose(&room, &session).is_some() && changes.changed().await.is_ok() {} };
    tokio::select! {
        _ = over => doors.close(&room, &session),
        () = left => {}
    }
}

/// Change one's stay in the voice of a room.
///
/// Turns the microphone off or on for everybody, or says whether Denizen may listen.
#[utoipa::path(
    patch, path = "/api/rooms/{room}/voice/sessions/{session}", tag = "voice",
    params(("room" = String, Path, description = "The room", example = "lounge"),
        ("session" = String, Path, description = "The stay, as it was named when it began", example = "5f0c9e6a41d24f0d9a7c7f0b6d1f2a33")),
    request_body(content = ref(question::<VoiceSessionChange>()), example = json!({"muted": true})),
    responses(
        (status = 204, description = "So it is"),
        (status = 404, description = "`unknown_room` or `unknown_session`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_session", "message": "There is no such stay in the voice of this room, or it is over. Come in anew."}})),
        (status = 422, description = "`unknown_field` or `invalid_field`", body = ref(refusal())),
        (status = 429, description = "`too_fast`; Retry-After says when", body = ref(refusal()),
            example = json!({"error": {"code": "too_fast", "message": "You write faster than is taken in here: 30 messages, changes and reactions at once, then 2 a second. Try again in 1 s."}})),
    )
)]
pub(crate) async fn change(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath((room, session)): InPath<(String, String)>,
    SmallJson(change): SmallJson<VoiceSessionChange>,
) -> Result<StatusCode, Refusal> {
    // Nobody has to wait for a microphone to be off.
    if change.muted != Some(true) || change.listen.is_some() {
        refuse_too_fast(&shared, &caller)?;
    }
    let (doors, room, session, person) = stay(&shared, &room, session)?;
    if change.muted == Some(true) {
        doors.mute(&room, &session, true);
    }
    // Before a microphone is on: whoever is not to be listened to is not for a moment.
    if let Some(listen) = change.listen {
        choose_listening(&shared, &room, person, listen).await?;
    }
    if let Some(muted) = change.muted {
        doors.mute(&room, &session, muted);
        mute_told(&shared, &room).await;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Leave the voice of a room.
#[utoipa::path(
    delete, path = "/api/rooms/{room}/voice/sessions/{session}", tag = "voice",
    params(("room" = String, Path, description = "The room", example = "lounge"),
        ("session" = String, Path, description = "The stay, as it was named when it began", example = "5f0c9e6a41d24f0d9a7c7f0b6d1f2a33")),
    responses(
        (status = 204, description = "Left"),
        (status = 404, description = "`unknown_room` or `unknown_session`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_session", "message": "There is no such stay in the voice of this room, or it is over. Come in anew."}})),
    )
)]
pub(crate) async fn leave(
    State(shared): State<Shared>,
    InPath((room, session)): InPath<(String, String)>,
) -> Result<StatusCode, Refusal> {
    let (doors, room, session, _) = stay(&shared, &room, session)?;
    doors.close(&room, &session);
    Ok(StatusCode::NO_CONTENT)
}

/// A stay that lasts, and whose it is. Whoever can name it is the one who began it.
fn stay(
    shared: &Shared,
    room: &str,
    session: String,
) -> Result<(Arc<dyn VoiceDoors>, RoomId, VoiceSession, PersonId), Refusal> {
    let room = shared.room(room)?.clone();
    let session = VoiceSession::new(session);
    let unknown = || {
        Refusal::new(
            StatusCode::NOT_FOUND,
            "unknown_session",
            "There is no such stay in the voice of this room, or it is over. Come in anew.",
        )
    };
    let doors = shared.community.doors.clone().ok_or_else(unknown)?;
    let person = doors.whose(&room, &session).ok_or_else(unknown)?;
    Ok((doors, room, session, person))
}
