//! Searching memory as an operator: everything, with every score; or what a room would see.

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use runtime::memory::Question;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use vocabulary::{CommunityId, Found, Kinds, PersonId, Reach, RoomId, Viewpoint};

use crate::agents::check;
use crate::agents::scope::{QUERY_CHARS_MAX, kinds, reach_in};
use crate::openapi::{answer, refusal};
use crate::parameters::{InQuery, given, limit};
use crate::refusal::Refusal;
use crate::site::Shared;

const FOUND_USUAL: usize = 20;
const FOUND_MAX: usize = 100;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// A question or plain words.
    #[param(example = "what can Alice not eat?")]
    q: String,
    /// Only what is about or by this person.
    #[param(example = "local:alice")]
    person: Option<String>,
    /// See what this room would see; without it everything is seen.
    room: Option<String>,
    /// The community of that room; Denizen's own without it.
    community: Option<String>,
    /// `gems`, `turns` or `both`.
    kinds: Option<String>,
    /// Also what does not hold any more; usually true.
    superseded: Option<bool>,
    /// How many, 1 to 100; usually 20.
    limit: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchAnswer {
    found: Vec<Found>,
    took_ms: u64,
    /// What is less sure is not brought up in a room.
    threshold: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<String>,
}

/// Search memory.
///
/// Best first, with how each score came about. What is less sure than `threshold` is shown here, and not brought up in a room.
#[utoipa::path(
    get, path = "/api/memory/search", tag = "memory", params(SearchQuery),
    responses(
        (status = 200, description = "What fits, best first", body = ref(answer::<SearchAnswer>())),
        (status = 400, description = "`bad_query`", body = ref(refusal()),
            example = json!({"error": {"code": "bad_query", "message": "limit=0 is out of range. Give a number from 1 to 100."}})),
        (status = 422, description = "`invalid_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_field", "message": "kinds is “songs”. Give gems, turns or both."}})),
        (status = 503, description = "`memory_off` or `memory_unreachable`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn search(
    State(shared): State<Shared>,
    InQuery(query): InQuery<SearchQuery>,
) -> Result<Json<SearchAnswer>, Refusal> {
    let settings = shared.handle().in_force().settings;
    check::text("q", &query.q, QUERY_CHARS_MAX)?;
    let limit = limit(query.limit, FOUND_USUAL, 1..=FOUND_MAX)?;
    let alone = shared.only_community().is_none();
    let question = Question {
        words: query.q,
        view: viewpoint(
            &shared,
            given(query.community),
            given(query.room),
            reach_in(&settings),
        ),
        person: given(query.person).map(PersonId::new),
        kinds: given(query.kinds).map_or(Ok(Kinds::Both), |name| kinds(&name))?,
        exclude: Vec::new(),
        superseded: query.superseded.unwrap_or(true),
        // What other communities have is found as well, and left out afterwards.
        limit: if alone { limit } else { FOUND_MAX },
    };
    let started = Instant::now();
    let mut recalled = shared.memory()?.records().recall(&question).await?;
    recalled
        .found
        .retain(|found| shared.shows(&found.record.place().community));
    recalled.found.truncate(limit);
    Ok(Json(SearchAnswer {
        found: recalled.found,
        took_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        threshold: settings.memory.min_confidence,
        remark: recalled
            .by_words_only
            .map(|why| format!("Searched by words alone: {why}")),
    }))
}

fn viewpoint(shared: &Shared, community: Option<String>, room: Option<String>, reach: Reach) -> Viewpoint {
    match room {
        None => Viewpoint::Operator,
        Some(room) => Viewpoint::Room {
            community: community
                .map(CommunityId::new)
                .filter(|given| shared.shows(given))
                .unwrap_or_else(|| shared.handle().community().clone()),
            room: RoomId::new(room),
            reach,
            people: Vec::new(),
        },
    }
}
