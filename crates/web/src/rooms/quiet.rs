//! Whether somebody wants a room quiet, and until when.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use runtime::NotAccepted;
use schemars::JsonSchema;
use serde::Serialize;
use vocabulary::WallTime;

use crate::openapi::{answer, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// A mind that has not shown itself by then is held up, by its storage for one.
const LOOK_DEADLINE: Duration = Duration::from_secs(5);

/// Whether nothing is to be said in a room.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QuietAnswer {
    quiet: bool,
    /// When it may speak again; none where somebody has to end it.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<WallTime>,
}

/// Whether somebody wants a room quiet.
///
/// Then Denizen reads on there and says nothing (`/quiet`, on Discord `/denizen quiet`).
#[utoipa::path(
    get, path = "/api/rooms/{room}/quiet", tag = "rooms",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    responses(
        (status = 200, description = "How it stands now", body = ref(answer::<QuietAnswer>()),
            example = json!({"quiet": true, "until": 1763000000000_u64})),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 503, description = "`busy`", body = ref(refusal()),
            example = json!({"error": {"code": "busy", "message": "Too much is waiting to be taken in; try again in a moment."}})),
    )
)]
pub(crate) async fn quiet(
    State(shared): State<Shared>,
    InPath(room): InPath<String>,
) -> Result<Json<QuietAnswer>, Refusal> {
    let room = shared.readable(&room).await?;
    let looking = tokio::time::timeout(LOOK_DEADLINE, shared.handle().quiet_until(room));
    let until = looking.await.map_err(|_| NotAccepted::Busy)?;
    Ok(Json(QuietAnswer {
        quiet: until.is_some(),
        until: until.flatten(),
    }))
}
