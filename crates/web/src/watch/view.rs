//! What is watched in a room, for its page.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use mind::watch::activity::Thresholds;
use mind::watch::view::{CallsView, CommentaryView, NoteTakerView, WatchView};
use runtime::NotAccepted;
use runtime::screens::Sample;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use settings::StreamWatchSettings;
use utoipa::IntoParams;
use vocabulary::{FrameId, RoomId};

use crate::openapi::{answer, refusal};
use crate::parameters::{InPath, InQuery};
use crate::refusal::Refusal;
use crate::site::Shared;

/// A mind that has not shown itself by then is held up, by its storage for one.
const LOOK_DEADLINE: Duration = Duration::from_secs(5);

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct WatchQuery {
    /// Only samples after this frame.
    #[param(example = 41)]
    after: Option<u64>,
}

/// What is watched in a room, what was noted, and what holds a comment back.
#[derive(Serialize, JsonSchema)]
pub(crate) struct WatchAnswer {
    #[serde(flatten)]
    view: WatchView,
    /// The frames of the last ten minutes, or those after the one that was asked about; oldest first.
    samples: Vec<Sample>,
}

/// Look at what is watched in a room.
///
/// Who shares, whose screen is watched, the rolling notes, what the note-taker and the commentator wait for, and how much
/// the screen changed. A room in which nobody ever shared has an empty one.
#[utoipa::path(
    get, path = "/api/rooms/{room}/watch", tag = "watch",
    params(("room" = String, Path, description = "The room", example = "lounge"), WatchQuery),
    responses(
        (status = 200, description = "The watch as it is now", body = ref(answer::<WatchAnswer>()), example = json!({
            "enabled": true,
            "shares": [{"share": "0198c0de-0000-7000-8000-000000000007", "person": "local:alice", "name": "Alice", "source": "share_page",
                "since": 1763000000000_u64, "watched": true, "frames": 212}],
            "watched": "0198c0de-0000-7000-8000-000000000007", "generation": 1,
            "newest": {"at": 1763000100000_u64, "frame": 212, "kind": "jpeg", "width": 960, "height": 540, "score": 0.004, "ema": 0.006, "sceneCut": false},
            "activity": "static", "thresholdMode": "absolute", "thresholds": {"change": 0.01, "staticFloor": 0.005},
            "notes": [{"seq": 3, "at": 1763000090000_u64, "seenAt": 1763000095000_u64, "sharedBy": "Alice",
                "text": "A failing test: expected 4, got 5.", "why": "she asked about it", "trigger": "scene_cut"}],
            "noteTaker": {"asking": null, "heldBy": "idle_interval", "dueIn": 21000, "failures": 0, "lastFailure": null},
            "commentary": {"enabled": true, "asking": null, "saying": false, "waiting": "interval", "waitingFor": 1200,
                "gates": [{"gate": "quiet_window", "shut": true, "heldFor": 1200, "opensIn": 1000}], "dueIn": null},
            "calls": {"notes": 9, "commentary": 2, "failed": 0, "costMicroDollars": 4100, "unpriced": 0, "callsPerHour": 310.0, "costPerHourMicroDollars": 131000.0},
            "marks": [{"at": 1763000090000_u64, "kind": "note_added", "frame": 198, "trigger": "scene_cut", "text": "A failing test: expected 4, got 5."}],
            "samples": [{"at": 1763000100000_u64, "frame": 212, "kind": "jpeg", "width": 960, "height": 540, "score": 0.004, "ema": 0.006, "sceneCut": false, "region": "bottom"}]
        })),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 503, description = "`stopping` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "stopping", "message": "This community is shutting down; try again when it is back."}})),
    )
)]
pub(crate) async fn watch(
    State(shared): State<Shared>,
    InPath(room): InPath<String>,
    InQuery(query): InQuery<WatchQuery>,
) -> Result<Json<WatchAnswer>, Refusal> {
    let room = shared.room(&room)?.clone();
    let samples = shared.handle().screens().samples(&room, query.after.map(FrameId));
    let view = match look(&shared, room).await? {
        Some(view) => view,
        None => nothing_watched(&shared.handle().in_force().settings.stream_watch),
    };
    Ok(Json(WatchAnswer { view, samples }))
}

/// The watch of a room; none where nothing was ever watched.
pub(super) async fn look(shared: &Shared, room: RoomId) -> Result<Option<WatchView>, NotAccepted> {
    let handle = shared.handle();
    let shown = tokio::time::timeout(LOOK_DEADLINE, handle.watch(room))
        .await
        .map_err(|_| NotAccepted::Busy)?;
    match shown {
        None if handle.is_stopping() => Err(NotAccepted::Stopping),
        shown => Ok(shown),
    }
}

fn nothing_watched(settings: &StreamWatchSettings) -> WatchView {
    WatchView {
        enabled: settings.enabled,
        shares: Vec::new(),
        watched: None,
        generation: 0,
        newest: None,
        activity: None,
        threshold_mode: settings.threshold_mode.to_string(),
        thresholds: Thresholds {
            change: settings.change_threshold,
            static_floor: settings.static_floor,
        },
        notes: Vec::new(),
        note_taker: NoteTakerView::default(),
        commentary: CommentaryView {
            enabled: settings.autonomous_commentary_enabled,
            ..CommentaryView::default()
        },
        calls: CallsView::default(),
        marks: Vec::new(),
    }
}
