//! Forgetting by hand: a gem with its turns, a conversation, a room, or a person with everything.

use axum::Json;
use axum::extract::State;
use runtime::ForgetRefused;
use runtime::memory::name_of;
use runtime::ports::{Listing, Removed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use vocabulary::{CommunityId, Forget, GemId, PersonId, RoomId, SessionId};

use super::gems::existing;
use crate::openapi::{answer, refusal};
use crate::parameters::{InPath, InQuery, given};
use crate::refusal::Refusal;
use crate::site::Shared;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PersonQuery {
    /// The name that others know them by: what others' memories say of them goes too. Looked up without it.
    #[param(example = "Alice")]
    name: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RoomQuery {
    /// The room's community; Denizen's own without it.
    community: Option<String>,
}

/// What went.
#[derive(Serialize, JsonSchema)]
pub(crate) struct RemovedAnswer {
    removed: Removed,
    /// `kept`: some of it was said in rooms, and still stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    messages: Option<&'static str>,
    /// What to do to have it gone from there too.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<&'static str>,
}

impl RemovedAnswer {
    fn of(removed: Removed) -> Self {
        Self {
            removed,
            messages: None,
            remedy: None,
        }
    }
}

/// What is said where messages stay.
const MESSAGES_STAY: &str = "What was said in rooms still stands there. An administrator can forget the person, the conversation or the room at /api/memory or with `denizen memory forget`; people can write /forget me.";

/// Forget a gem.
///
/// For good, with the turns it came from: record, vector and words.
#[utoipa::path(
    delete, path = "/api/memory/gems/{id}", tag = "memory",
    params(("id" = String, Path, description = "The gem", example = "7f3c")),
    responses(
        (status = 200, description = "What went", body = ref(answer::<RemovedAnswer>()), example = json!({"removed": {"gems": ["7f3c"], "turns": ["alice-000017"]}})),
        (status = 404, description = "`unknown_gem`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_gem", "message": "There is no gem 7f3c; it may have been forgotten. Search for it again."}})),
        (status = 503, description = "`memory_off`, `memory_unreachable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn forget_gem(
    State(shared): State<Shared>,
    InPath(id): InPath<String>,
) -> Result<Json<RemovedAnswer>, Refusal> {
    existing(&shared, &id).await?;
    forgotten(&shared, Forget::Gems(vec![GemId::new(id)])).await
}

/// Forget a person.
///
/// “Forget me”: everything they said and everything known about them, in every community, messages and summaries included.
#[utoipa::path(
    delete, path = "/api/memory/people/{id}", tag = "memory",
    params(("id" = String, Path, description = "The person", example = "local:alice"), PersonQuery),
    responses(
        (status = 200, description = "What went; nothing, where nothing was known", body = ref(answer::<RemovedAnswer>()),
            example = json!({"removed": {"gems": ["7f3c"], "turns": ["alice-000017"]}})),
        (status = 503, description = "`memory_off`, `memory_unreachable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn forget_person(
    State(shared): State<Shared>,
    InPath(id): InPath<String>,
    InQuery(query): InQuery<PersonQuery>,
) -> Result<Json<RemovedAnswer>, Refusal> {
    let person = PersonId::new(id);
    let name = match given(query.name) {
        Some(name) => name,
        None => name_of(shared.memory()?.records(), &person).await?,
    };
    forgotten(
        &shared,
        Forget::Person {
            person,
            name,
            community: shared.only_community(),
        },
    )
    .await
}

/// Forget a conversation.
///
/// All of its turns, and the gems made of them.
#[utoipa::path(
    delete, path = "/api/memory/sessions/{id}", tag = "memory",
    params(("id" = String, Path, description = "The session, as a gem's source names it; its slashes written as %2F", example = "local/lounge/2026-02-23")),
    responses(
        (status = 200, description = "What went; nothing, where nothing was", body = ref(answer::<RemovedAnswer>()),
            example = json!({"removed": {"gems": ["7f3c"], "turns": ["alice-000017"]}})),
        (status = 503, description = "`memory_off`, `memory_unreachable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn forget_session(
    State(shared): State<Shared>,
    InPath(id): InPath<String>,
) -> Result<Json<RemovedAnswer>, Refusal> {
    let session = SessionId::new(id);
    let newest = Listing {
        session: Some(session.clone()),
        limit: 1,
        ..Listing::default()
    };
    let turns = shared.memory()?.records().turns(&newest).await?.items;
    if turns.iter().any(|turn| !shared.shows(&turn.place.community)) {
        return Ok(Json(RemovedAnswer::of(Removed::default())));
    }
    forgotten(&shared, Forget::Session(session)).await
}

/// Forget a room.
///
/// Everything that was said in it and everything learnt there.
#[utoipa::path(
    delete, path = "/api/memory/rooms/{id}", tag = "memory",
    params(("id" = String, Path, description = "The room", example = "lounge"), RoomQuery),
    responses(
        (status = 200, description = "What went; nothing, where nothing was", body = ref(answer::<RemovedAnswer>()),
            example = json!({"removed": {"gems": ["7f3c"], "turns": ["alice-000017"]}})),
        (status = 503, description = "`memory_off`, `memory_unreachable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn forget_room(
    State(shared): State<Shared>,
    InPath(id): InPath<String>,
    InQuery(query): InQuery<RoomQuery>,
) -> Result<Json<RemovedAnswer>, Refusal> {
    let given = given(query.community).map(CommunityId::new);
    let community = given
        .filter(|given| shared.shows(given))
        .unwrap_or_else(|| shared.handle().community().clone());
    let room = RoomId::new(id);
    forgotten(&shared, Forget::Room { community, room }).await
}

/// Forgets everywhere, and says what went.
pub(crate) async fn forgotten(shared: &Shared, what: Forget) -> Result<Json<RemovedAnswer>, Refusal> {
    shared.memory()?;
    let town = shared.site.town.clone();
    let removed = to_its_end(async move { town.forget(&what).await }).await?;
    Ok(Json(RemovedAnswer::of(removed)))
}

/// Forgets what is remembered, and says what went and whether something still stands in rooms.
pub(crate) async fn forgotten_in_memory(
    shared: &Shared,
    what: Forget,
) -> Result<Json<RemovedAnswer>, Refusal> {
    shared.memory()?;
    let town = shared.site.town.clone();
    let went = to_its_end(async move { town.forget_remembered(&what).await }).await?;
    Ok(Json(RemovedAnswer {
        removed: went.removed,
        messages: went.messages_stay.then_some("kept"),
        remedy: went.messages_stay.then_some(MESSAGES_STAY),
    }))
}

/// In a task of its own: a caller who hangs up halfway must not leave half of it.
async fn to_its_end<T: Send + 'static>(
    forgetting: impl Future<Output = Result<T, ForgetRefused>> + Send + 'static,
) -> Result<T, Refusal> {
    let ended = tokio::spawn(forgetting).await.map_err(|_| {
        Refusal::new(
            axum::http::StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Forgetting was cut off. Ask for it again: what is gone already stays gone.",
        )
    })?;
    Ok(ended?)
}
