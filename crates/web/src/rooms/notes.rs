//! Notes: what was seen beside the conversation, to be folded into the summary of the session.

use axum::extract::State;
use axum::http::StatusCode;
use mind::{Input, RoomEvent};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::body::SmallJson;
use crate::openapi::{question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

const NOTE_CHARS_MAX: usize = 400;
const NAME_CHARS_MAX: usize = 40;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewNote {
    /// Who shared what was seen; left out where nobody did.
    #[schemars(length(max = 40), example = &"Bob")]
    shared_by: Option<String>,
    #[schemars(length(min = 1, max = 400))]
    text: String,
}

/// Note something that was seen beside the conversation.
///
/// It waits to be folded into the room's summary, and is not a message: nobody sees it in the room.
#[utoipa::path(
    post, path = "/api/rooms/{room}/notes", tag = "rooms",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    request_body(content = ref(question::<NewNote>()), example = json!({"sharedBy": "Bob", "text": "a picture of a kettle"})),
    responses(
        (status = 204, description = "It waits to be folded"),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 409, description = "`compaction_off`: there is no summary to fold it into", body = ref(refusal()),
            example = json!({"error": {"code": "compaction_off", "message": "No summary is kept here, so a note would be lost. Switch context.compaction.textChannels on first."}})),
        (status = 422, description = "`invalid_note`, `invalid_author`, `unknown_field` or `invalid_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_note", "message": "A note has at most 400 characters; this one has 512. Say it in fewer words."}})),
    )
)]
pub(crate) async fn take_note(
    State(shared): State<Shared>,
    InPath(room): InPath<String>,
    SmallJson(note): SmallJson<NewNote>,
) -> Result<StatusCode, Refusal> {
    let room = shared.room(&room)?.clone();
    let text = checked_text(&note.text)?;
    let shared_by = checked_name(note.shared_by.as_deref().unwrap_or_default())?;
    let handle = shared.handle();
    let keeps_summary = handle.in_force().settings.compaction.text_channels
        || (handle.session(room.clone()).await).is_some_and(|session| session.enabled);
    if !keeps_summary {
        return Err(Refusal::new(
            StatusCode::CONFLICT,
            "compaction_off",
            "No summary is kept here, so a note would be lost. Switch context.compaction.textChannels on first.",
        ));
    }
    let input = Input::Room(room, RoomEvent::NoteTaken { shared_by, text });
    handle.accept(input).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn checked_text(text: &str) -> Result<String, Refusal> {
    let text = text.trim();
    let length = text.chars().count();
    let problem = if length == 0 {
        "A note needs words. Say what was seen.".to_owned()
    } else if length > NOTE_CHARS_MAX {
        format!(
            "A note has at most {NOTE_CHARS_MAX} characters; this one has {length}. Say it in fewer words."
        )
    } else if text.contains('\0') {
        "The note holds a NUL character, which no text can. Remove it and send again.".to_owned()
    } else {
        return Ok(text.to_owned());
    };
    Err(Refusal::unprocessable("invalid_note", problem))
}

/// Whoever shared it need not be somebody of the room; Denizen itself may have.
fn checked_name(name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    if name.chars().count() > NAME_CHARS_MAX || name.chars().any(char::is_control) {
        return Err(Refusal::unprocessable(
            "invalid_author",
            format!(
                "sharedBy has at most {NAME_CHARS_MAX} characters, and none that control something. Give such a name, or leave it out."
            ),
        ));
    }
    Ok(name.to_owned())
}
