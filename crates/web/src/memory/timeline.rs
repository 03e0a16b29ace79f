//! What is known of a person along time: what they said and what was learnt of it, whether it still holds or not.

use axum::Json;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use runtime::ports::Listing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use vocabulary::{CapturedTurn, Gem, PersonId, WallTime};

use super::reel::{Reel, Spot};
use crate::openapi::{answer, refusal};
use crate::parameters::{InPath, InQuery, given, limit};
use crate::refusal::Refusal;
use crate::site::Shared;

const ITEMS_USUAL: usize = 50;
const ITEMS_MAX: usize = 200;
/// Records that are read at once; the same at every call, or a spot within a page would mean another record.
const READ_AT_ONCE: usize = 100;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TimelineQuery {
    /// `next` of the page before.
    after: Option<String>,
    /// How many, 1 to 200; usually 50.
    limit: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Timeline {
    items: Vec<TimelineItem>,
    /// What to give as `after` for what is older.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A gem or a turn.
#[derive(Serialize, JsonSchema)]
struct TimelineItem {
    /// Unix milliseconds.
    at: WallTime,
    #[serde(skip_serializing_if = "Option::is_none")]
    gem: Option<Gem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<CapturedTurn>,
}

/// Where both lists go on.
#[derive(Serialize, Deserialize)]
struct Cursor {
    gems: Option<Spot>,
    turns: Option<Spot>,
}

/// Follow what is known of a person.
///
/// Newest first: what they said, and the gems about them with their life, those that do not hold any more included.
#[utoipa::path(
    get, path = "/api/memory/people/{id}/timeline", tag = "memory",
    params(("id" = String, Path, description = "The person", example = "local:alice"), TimelineQuery),
    responses(
        (status = 200, description = "Gems and turns, newest first", body = ref(answer::<Timeline>())),
        (status = 400, description = "`bad_query`", body = ref(refusal()),
            example = json!({"error": {"code": "bad_query", "message": "after=x is no place in this timeline. Give `next` of the page before, or leave it out."}})),
        (status = 503, description = "`memory_off` or `memory_unreachable`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn timeline(
    State(shared): State<Shared>,
    InPath(id): InPath<String>,
    InQuery(query): InQuery<TimelineQuery>,
) -> Result<Json<Timeline>, Refusal> {
    let records = shared.memory()?.records();
    let limit = limit(query.limit, ITEMS_USUAL, 1..=ITEMS_MAX)?;
    let cursor = cursor(given(query.after))?;
    let listing = |after| Listing {
        person: Some(PersonId::from(id.as_str())),
        community: shared.only_community(),
        after,
        limit: READ_AT_ONCE,
        ..Listing::default()
    };
    let mut gems: Reel<Gem> = Reel::at(cursor.gems);
    let mut turns: Reel<CapturedTurn> = Reel::at(cursor.turns);
    let mut items = Vec::new();
    while items.len() < limit {
        while let Some(after) = gems.wants() {
            gems.put(records.gems(&listing(after)).await?);
        }
        while let Some(after) = turns.wants() {
            turns.put(records.turns(&listing(after)).await?);
        }
        let gem_at = gems.peek().map(|gem| gem.created_at);
        let turn_at = turns.peek().map(|turn| turn.at);
        let (Some(at), gem_is_newer) = (gem_at.max(turn_at), gem_at >= turn_at) else {
            break;
        };
        items.push(TimelineItem {
            at,
            gem: gem_is_newer.then(|| gems.take()).flatten(),
            turn: (!gem_is_newer).then(|| turns.take()).flatten(),
        });
    }
    let rest = Cursor {
        gems: gems.spot(),
        turns: turns.spot(),
    };
    let next = (rest.gems.is_some() || rest.turns.is_some()).then(|| {
        let text = serde_json::to_vec(&rest).expect("a cursor has text keys only");
        URL_SAFE_NO_PAD.encode(text)
    });
    Ok(Json(Timeline { items, next }))
}

fn cursor(after: Option<String>) -> Result<Cursor, Refusal> {
    let Some(after) = after else {
        return Ok(Cursor {
            gems: Some(Spot::default()),
            turns: Some(Spot::default()),
        });
    };
    let text = URL_SAFE_NO_PAD.decode(&after).ok();
    text.and_then(|text| serde_json::from_slice(&text).ok()).ok_or_else(|| {
        let shown: String = after.chars().take(40).collect();
        Refusal::bad_request(
            "bad_query",
            format!("after={shown} is no place in this timeline. Give `next` of the page before, or leave it out."),
        )
    })
}
