//! Choosing whose screen is watched, where several people share.

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use vocabulary::ShareId;

use super::shares::refuse_anothers;
use crate::access::Caller;
use crate::body::SmallJson;
use crate::openapi::{question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// Whose screen is watched.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchChoice {
    // Named, so that it must be said: nothing must not pass for “nobody's”.
    /// The share to watch; null: nobody's.
    #[serde(deserialize_with = "Option::deserialize")]
    share: Option<String>,
}

/// Choose whose screen is watched.
///
/// One share of the room at a time; `null` watches nobody's. While somebody's is watched, only they or an administrator
/// may change that.
#[utoipa::path(
    put, path = "/api/rooms/{room}/watch", tag = "watch",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    request_body(content = ref(question::<WatchChoice>()), example = json!({"share": "0198c0de-0000-7000-8000-000000000007"})),
    responses(
        (status = 204, description = "That one is watched"),
        (status = 403, description = "`not_yours`: somebody else's screen is watched", body = ref(refusal()),
            example = json!({"error": {"code": "not_yours", "message": "Alice shares this screen, and only they or an administrator can end it or have it watched no longer."}})),
        (status = 404, description = "`unknown_room` or `session_not_found`", body = ref(refusal()),
            example = json!({"error": {"code": "session_not_found", "message": "There is no such share, or its link has expired; ask the room for a new link."}})),
        (status = 409, description = "`stream_watch_disabled`", body = ref(refusal()),
            example = json!({"error": {"code": "stream_watch_disabled", "message": "Watching screens is switched off: voice.streamWatch.enabled is false."}})),
        (status = 422, description = "`unknown_field` or `invalid_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_field", "message": "The body does not fit: missing field `share`. GET /api/openapi.json describes it."}})),
    )
)]
pub(crate) async fn choose(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(room): InPath<String>,
    SmallJson(choice): SmallJson<WatchChoice>,
) -> Result<StatusCode, Refusal> {
    let room = shared.room(&room)?.clone();
    let share = choice.share.map(ShareId::new);
    let screens = shared.handle().screens();
    let watched = screens.watched(&room);
    if let Some(watched) = watched.filter(|watched| Some(&watched.share) != share.as_ref()) {
        refuse_anothers(&shared, &caller, &watched)?;
    }
    screens.choose(&room, share).await?;
    Ok(StatusCode::NO_CONTENT)
}
