//! Programs in the voice of a room, by WebSocket: who comes in, and in which coding.

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Extension, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use runtime::ports::LineCoding;
use serde::Deserialize;
use utoipa::IntoParams;

use super::talking::{Talking, Who};
use super::{doors, seated};
use crate::access::{Caller, refuse_taken};
use crate::openapi::refusal;
use crate::parameters::{InPath, InQuery, given};
use crate::refusal::Refusal;
use crate::rooms::rate::refuse_too_fast;
use crate::site::Shared;

/// No message of a program's is longer: a frame of sound has less than 4 kB, and words 8,000 characters.
const MESSAGE_BYTES_MAX: usize = 40 * 1024;
const WRITE_BUFFER_BYTES: usize = 64 * 1024;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct VoiceSocketQuery {
    /// 1 to 40 characters, and not Denizen's own name.
    #[param(example = "Alice")]
    author: Option<String>,
    /// `pcm16` or `opus`; `pcm16` where nothing is said.
    #[param(example = "pcm16")]
    format: Option<String>,
    /// Whether the microphone is off at first.
    muted: Option<bool>,
    #[param(ignore)]
    #[serde(rename = "token")]
    _token: Option<String>,
}

/// Talk in a room, as a program.
///
/// Binary frames are 20 ms of sound, both ways: 48,000 samples a second of one channel. With `format=pcm16` each has 1,920
/// bytes, 16-bit samples with the lower byte first; with `format=opus` each is one packet. What comes back is what all
/// others say, Denizen's voice included; nothing comes while they are silent. Send a frame every 20 ms while there is
/// something to hear; silence need not be sent.
///
/// Text frames are JSON. To the program: `hello` (the first), `people` when somebody comes, goes or mutes, `speaking`,
/// `transcript`, `decision` (why Denizen answers or not, a line of the journal), `saying`, `stopped` and `error`, which
/// says what was wrong. From it: `{"type": "mute", "muted": true}`, `{"type": "listen", "listen": false}` so that Denizen
/// does not listen, and `{"type": "say_typed", "text": …}`, words that stand in for sound. A second socket or page of the
/// same person takes the place of the first, and so does one under another name by the same credential, unless that is an
/// administrator's.
#[utoipa::path(
    get, path = "/api/rooms/{room}/voice/socket", tag = "voice",
    params(("room" = String, Path, description = "The room", example = "lounge"), VoiceSocketQuery),
    responses(
        (status = 101, description = "From here on it is a WebSocket"),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 409, description = "`voice_disabled`, or `name_taken`: the name is somebody else's", body = ref(refusal()),
            example = json!({"error": {"code": "voice_disabled", "message": "Voice is switched off: voice.enabled is false. Whoever runs this Denizen can switch it on."}})),
        (status = 422, description = "`invalid_author` or `invalid_format`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_format", "message": "“mp3” is no format of sound here. Use format=pcm16 or format=opus."}})),
        (status = 426, description = "`upgrade_required`: this is no WebSocket", body = ref(refusal()),
            example = json!({"error": {"code": "upgrade_required", "message": "This address speaks WebSocket only. Open it with a WebSocket client."}})),
        (status = 429, description = "`too_fast`; Retry-After says when", body = ref(refusal()),
            example = json!({"error": {"code": "too_fast", "message": "You write faster than is taken in here: 30 messages, changes and reactions at once, then 2 a second. Try again in 1 s."}})),
        (status = 503, description = "`voice_full` or `voice_unavailable`", body = ref(refusal()),
            example = json!({"error": {"code": "voice_full", "message": "25 people are in the voice of this room already. Try again when one has left."}})),
    )
)]
pub(crate) async fn socket(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(room): InPath<String>,
    InQuery(query): InQuery<VoiceSocketQuery>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|_| upgrade_required())?;
    refuse_too_fast(&shared, &caller)?;
    let room = shared.room(&room)?.clone();
    let doors = doors(&shared)?;
    let coding = coding(given(query.format))?;
    let author = shared.author(&query.author.unwrap_or_default())?;
    refuse_taken(&shared, &caller, &author).await?;
    // Before the upgrade, so that whoever cannot come in is told by a status and not by a socket that closes.
    let muted = query.muted.unwrap_or(false);
    let line = doors.enter(&room, author.clone(), coding, muted)?;
    seated(&shared, &caller, &doors, &room, line.session());
    let who = Who {
        caller,
        author,
        room,
        coding,
    };
    let upgrade = upgrade
        .max_message_size(MESSAGE_BYTES_MAX)
        .max_frame_size(MESSAGE_BYTES_MAX)
        .write_buffer_size(0)
        .max_write_buffer_size(WRITE_BUFFER_BYTES);
    Ok(upgrade.on_upgrade(move |socket| Talking::new(shared, doors, line, who, socket).run()))
}

fn coding(format: Option<String>) -> Result<LineCoding, Refusal> {
    match format.as_deref() {
        None | Some("pcm16") => Ok(LineCoding::Pcm16),
        Some("opus") => Ok(LineCoding::Opus),
        Some(other) => {
            let shown: String = other.chars().take(20).collect();
            Err(Refusal::unprocessable(
                "invalid_format",
                format!("“{shown}” is no format of sound here. Use format=pcm16 or format=opus."),
            ))
        }
    }
}

fn upgrade_required() -> Refusal {
    Refusal::new(
        StatusCode::UPGRADE_REQUIRED,
        "upgrade_required",
        "This address speaks WebSocket only. Open it with a WebSocket client.",
    )
    .with_header(header::UPGRADE, HeaderValue::from_static("websocket"))
}
