//! How its own thoughts stand.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use mind::ambient::view::AmbientView;
use runtime::NotAccepted;

use crate::openapi::answer;
use crate::refusal::Refusal;
use crate::site::Shared;

/// A mind that has not shown itself by then is held up, by its storage for one.
const LOOK_DEADLINE: Duration = Duration::from_secs(5);

/// Look at its own thoughts.
///
/// What the next tick waits for, the thought that is held, what is under way, what the ticks before came to, what it all
/// costs, and what it reads. Spans are milliseconds.
#[utoipa::path(
    get, path = "/api/ambient", tag = "ambient",
    responses((status = 200, description = "The ambient cycle as it is now", body = ref(answer::<AmbientView>()), example = json!({
        "enabled": true, "attention": {"state": "ambient", "endsIn": null, "room": null}, "nextTickIn": 41000,
        "stoppedBy": {"gate": "min_gap", "words": "It looked for a thought 12 minutes ago, and initiative.text.minMinutesBetweenPosts is 360.", "opensIn": 20880000},
        "eagerness": 20, "channels": [{"room": "lounge", "eligible": true, "why": ""}],
        "thought": null, "run": null, "trial": null, "gates": [{"gate": "gap", "kind": "gap", "title": "Time between thoughts", "settings": ["initiative.text.minMinutesBetweenPosts"]}], "receipts": [],
        "budget": {"calls": {"used": 3, "limit": 40, "freesIn": 70000000}, "tokens": {"used": 9120, "limit": 250000, "freesIn": 70000000},
            "cost": {"used": 4100, "limit": 1000000, "freesIn": 70000000}, "unpricedCalls": 0, "saved": [], "costOfAThought": 1366, "tokensOfAThought": 3040},
        "postsPerDay": {"used": 1, "limit": 3, "freesIn": 70000000},
        "media": [{"kind": "image", "used": 0, "limit": 10, "freesIn": null, "whyNot": "initiative.discovery.allowImagePosts is off"}],
        "posts": [], "sources": [], "candidates": [], "interests": ["lighthouses"],
        "tools": [{"name": "web_search", "origin": "web", "offered": false, "whyNot": "tools.searchProvider is none"}]
    })))
)]
pub(crate) async fn ambient(State(shared): State<Shared>) -> Result<Json<AmbientView>, Refusal> {
    Ok(Json(look(&shared).await?))
}

/// The cycle as the mind has it now.
pub(crate) async fn look(shared: &Shared) -> Result<AmbientView, NotAccepted> {
    tokio::time::timeout(LOOK_DEADLINE, shared.handle().ambient())
        .await
        .map_err(|_| NotAccepted::Busy)?
        .ok_or(NotAccepted::Stopping)
}
