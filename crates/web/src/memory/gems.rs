//! Gems, one by one and in lists.

use axum::Json;
use axum::extract::State;
use runtime::memory::{GemStory, story};
use runtime::ports::{Listing, Page};
use serde::Deserialize;
use utoipa::IntoParams;
use vocabulary::{Gem, GemId, PersonId, RoomId, SessionId};

use super::access::unknown_gem;
use crate::openapi::{answer, refusal};
use crate::parameters::{InPath, InQuery, given, limit};
use crate::refusal::Refusal;
use crate::site::Shared;

const GEMS_USUAL: usize = 50;
const GEMS_MAX: usize = 200;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct GemsQuery {
    /// Only what is about this person.
    #[param(example = "local:alice")]
    person: Option<String>,
    /// Only what was learnt in this room.
    room: Option<String>,
    /// Only rooms of this community.
    community: Option<String>,
    /// Only what was learnt in this conversation.
    session: Option<String>,
    /// Leave out what does not hold any more; usually true.
    current: Option<bool>,
    /// `next` of the page before.
    after: Option<String>,
    /// How many, 1 to 200; usually 50.
    limit: Option<usize>,
}

/// List gems, newest first.
///
/// In pages; `next` leads to the one that follows.
#[utoipa::path(
    get, path = "/api/memory/gems", tag = "memory", params(GemsQuery),
    responses(
        (status = 200, description = "Gems, newest first", body = ref(answer::<Page<Gem>>())),
        (status = 400, description = "`bad_query`", body = ref(refusal()),
            example = json!({"error": {"code": "bad_query", "message": "limit=0 is out of range. Give a number from 1 to 200."}})),
        (status = 503, description = "`memory_off` or `memory_unreachable`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn gems(
    State(shared): State<Shared>,
    InQuery(query): InQuery<GemsQuery>,
) -> Result<Json<Page<Gem>>, Refusal> {
    let listing = Listing {
        community: shared.listed_community(given(query.community)),
        room: given(query.room).map(RoomId::new),
        person: given(query.person).map(PersonId::new),
        session: given(query.session).map(SessionId::new),
        current_only: query.current.unwrap_or(true),
        ageless_only: false,
        after: given(query.after),
        limit: limit(query.limit, GEMS_USUAL, 1..=GEMS_MAX)?,
    };
    Ok(Json(shared.memory()?.records().gems(&listing).await?))
}

/// Look at a gem.
///
/// With the very turns it came from, what it replaced, and what replaced it.
#[utoipa::path(
    get, path = "/api/memory/gems/{id}", tag = "memory",
    params(("id" = String, Path, description = "The gem", example = "7f3c")),
    responses(
        (status = 200, description = "The gem and where it comes from", body = ref(answer::<GemStory>())),
        (status = 404, description = "`unknown_gem`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_gem", "message": "There is no gem 7f3c; it may have been forgotten. Search for it again."}})),
        (status = 503, description = "`memory_off` or `memory_unreachable`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn gem(
    State(shared): State<Shared>,
    InPath(id): InPath<String>,
) -> Result<Json<GemStory>, Refusal> {
    let story = story(shared.memory()?.records(), &GemId::from(id.as_str())).await?;
    let shown = story.filter(|story| shared.shows(&story.gem.place.community));
    shown.map(Json).ok_or_else(|| unknown_gem(&id))
}

/// The gem, where it is there and shown here.
pub(super) async fn existing(shared: &Shared, id: &str) -> Result<Gem, Refusal> {
    let found = shared.memory()?.records().gem(&GemId::from(id)).await?;
    let shown = found.filter(|gem| shared.shows(&gem.place.community));
    shown.ok_or_else(|| unknown_gem(id))
}
