//! Forgetting, as other agents ask for it: a gem, a turn, a conversation, a person.

use axum::Json;
use axum::extract::{Extension, State};
use runtime::memory::name_of;
use serde::Deserialize;
use utoipa::IntoParams;
use vocabulary::{CommunityId, Forget, GemId, TurnKey};

use super::check;
use super::scope::{COMMUNITY, NAME_CHARS_MAX, community, person_id, session_id};
use crate::access::{Caller, Role};
use crate::memory::access::unknown_gem;
use crate::memory::forget::{RemovedAnswer, forgotten, forgotten_in_memory};
use crate::openapi::{answer, refusal};
use crate::parameters::{InPath, InQuery, given};
use crate::refusal::Refusal;
use crate::site::Shared;

/// Stands for every community.
const EVERYWHERE: &str = "*";
/// What was said in rooms stays.
const KEEP: &str = "keep";

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct WhereQuery {
    /// The community; `agents` without it.
    community: Option<String>,
    /// `keep`: what was said in rooms stays. An agent's token cannot have it otherwise.
    messages: Option<String>,
}

/// Whether what was said in rooms goes too.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MessagesQuery {
    /// `keep`: what was said in rooms stays. An agent's token cannot have it otherwise.
    messages: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct WhoseQuery {
    /// The community; `agents` without it, `*` for every one.
    community: Option<String>,
    /// The name that others know them by: what others' memories say of them goes too. Looked up without it.
    name: Option<String>,
    /// `keep`: what was said in rooms stays. An agent's token cannot have it otherwise.
    messages: Option<String>,
}

/// Forgets as far as the caller may: what is remembered, and for an administrator what was said in rooms too.
async fn forgotten_by(
    shared: &Shared,
    caller: &Caller,
    messages: Option<String>,
    what: Forget,
) -> Result<Json<RemovedAnswer>, Refusal> {
    let keep = match given(messages).as_deref() {
        None => false,
        Some(KEEP) => true,
        Some(other) => {
            return Err(check::refuse(
                "messages",
                &format!("is {other}"),
                "Give keep, or leave it out.",
            ));
        }
    };
    match keep || caller.role != Role::Administrator {
        true => forgotten_in_memory(shared, what).await,
        false => forgotten(shared, what).await,
    }
}

/// Forget a gem.
///
/// For good, with the turns it came from.
#[utoipa::path(
    delete, path = "/v1/gems/{id}", tag = "agents",
    params(("id" = String, Path, description = "The gem", example = "7f3c"), MessagesQuery),
    responses(
        (status = 200, description = "What went", body = ref(answer::<RemovedAnswer>()), example = json!({"removed": {"gems": ["7f3c"], "turns": []}})),
        (status = 404, description = "`unknown_gem`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_gem", "message": "There is no gem 7f3c; it may have been forgotten. Search for it again."}})),
        (status = 503, description = "`memory_off`, `memory_unreachable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn forget_gem(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(id): InPath<String>,
    InQuery(query): InQuery<MessagesQuery>,
) -> Result<Json<RemovedAnswer>, Refusal> {
    let id = GemId::new(id);
    if shared.memory()?.records().gem(&id).await?.is_none() {
        return Err(unknown_gem(id.as_str()));
    }
    forgotten_by(&shared, &caller, query.messages, Forget::Gems(vec![id])).await
}

/// Forget a turn.
///
/// With the gems that came from nothing else. One that still waits goes too.
#[utoipa::path(
    delete, path = "/v1/turns/{id}", tag = "agents",
    params(("id" = String, Path, description = "The turn, as POST /v1/turns gave it; its slashes written as %2F", example = "agent:agents/my-agent/42:17"), MessagesQuery),
    responses(
        (status = 200, description = "What went; nothing, where nothing was", body = ref(answer::<RemovedAnswer>()), example = json!({"removed": {"gems": [], "turns": ["agent:agents/my-agent/42:17"]}})),
        (status = 503, description = "`memory_off`, `memory_unreachable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn forget_turn(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(id): InPath<String>,
    InQuery(query): InQuery<MessagesQuery>,
) -> Result<Json<RemovedAnswer>, Refusal> {
    let what = Forget::Turns(vec![TurnKey::new(id)]);
    forgotten_by(&shared, &caller, query.messages, what).await
}

/// Forget a conversation.
///
/// All of its turns, and the gems made of them.
#[utoipa::path(
    delete, path = "/v1/sessions/{id}", tag = "agents",
    params(("id" = String, Path, description = "The session, as it was given or as it was told; its slashes written as %2F", example = "my-agent/42"), WhereQuery),
    responses(
        (status = 200, description = "What went; nothing, where nothing was", body = ref(answer::<RemovedAnswer>()), example = json!({"removed": {"gems": ["7f3c"], "turns": ["agent:agents/my-agent/42:17"]}})),
        (status = 503, description = "`memory_off`, `memory_unreachable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn forget_session(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(id): InPath<String>,
    InQuery(query): InQuery<WhereQuery>,
) -> Result<Json<RemovedAnswer>, Refusal> {
    let community = community(given(query.community).as_deref(), &CommunityId::from(COMMUNITY))?;
    let what = Forget::Session(session_id(&id, &community));
    forgotten_by(&shared, &caller, query.messages, what).await
}

/// Forget a person.
///
/// Everything they said and everything known about them, in one community or in every one. An agent's token forgets what is
/// remembered; what they said in rooms stays there, and the answer says so.
#[utoipa::path(
    delete, path = "/v1/people/{id}", tag = "agents",
    params(("id" = String, Path, description = "The person: an id, or the name they have in the community", example = "Alice"), WhoseQuery),
    responses(
        (status = 200, description = "What went; nothing, where nothing was known", body = ref(answer::<RemovedAnswer>()), example = json!({"removed": {"gems": ["7f3c"], "turns": []}})),
        (status = 503, description = "`memory_off`, `memory_unreachable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn forget_person(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(id): InPath<String>,
    InQuery(query): InQuery<WhoseQuery>,
) -> Result<Json<RemovedAnswer>, Refusal> {
    check::person("the person", &id, NAME_CHARS_MAX)?;
    let asked = given(query.community);
    let everywhere = asked.as_deref() == Some(EVERYWHERE);
    let named = asked.as_deref().filter(|_| !everywhere);
    let community = community(named, &CommunityId::from(COMMUNITY))?;
    let person = person_id(&id, &community);
    let name = match given(query.name) {
        Some(name) => name,
        None => name_of(shared.memory()?.records(), &person).await?,
    };
    let community = (!everywhere).then_some(community);
    let what = Forget::Person {
        person,
        name,
        community,
    };
    forgotten_by(&shared, &caller, query.messages, what).await
}
