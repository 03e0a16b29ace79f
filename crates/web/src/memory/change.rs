//! What an operator changes by hand: a gem added, corrected, pinned, or replaced by what holds now.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use runtime::memory::{GEM_CHARS_MAX, GemEdit, OPERATOR};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vocabulary::{Gem, GemId};

use super::gems::existing;
use crate::agents::remember::{Author, GemOnly, NewGem};
use crate::agents::{check, scope};
use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

const TOPICS_MAX: usize = 12;

/// Exactly one of the two.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Supersede {
    /// The gem that holds now.
    by: Option<String>,
    /// What holds now, in words.
    #[schemars(length(max = 2000))]
    content: Option<String>,
}

/// One gem in the place of another.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Superseded {
    /// What holds now.
    gem: Gem,
    /// What held.
    superseded: Gem,
}

/// Add a gem by hand.
///
/// As `POST /v1/gems`; without a scope it belongs to the community's first room.
#[utoipa::path(
    post, path = "/api/memory/gems", tag = "memory",
    request_body(content = ref(question::<NewGem>()), example = json!({"content": "Alice is allergic to walnuts.", "person": "local:alice", "tags": ["fact"], "importance": 0.9})),
    responses(
        (status = 201, description = "Remembered, and durable", body = ref(answer::<GemOnly>())),
        (status = 422, description = "`invalid_field`, `unknown_field` or `memory_refused`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_field", "message": "importance is 7, and it must be from 0 to 1. Give a number in that range."}})),
        (status = 503, description = "`memory_off` or `memory_unreachable`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_off", "message": "Memory is switched off, so nothing is captured and nothing is recalled. Set memory.enabled to true."}})),
    )
)]
pub(crate) async fn add_gem(
    State(shared): State<Shared>,
    SmallJson(new): SmallJson<NewGem>,
) -> Result<(StatusCode, Json<GemOnly>), Refusal> {
    let service = shared.memory_in_use()?;
    let here = scope::Defaults {
        community: shared.handle().community().clone(),
        room: shared.community.rooms.first().cloned(),
        private_rooms: shared
            .handle()
            .in_force()
            .settings
            .memory
            .private_room_ids
            .clone(),
    };
    let new = new.read(&here, Author::Operator)?;
    if !shared.shows(&new.place.community) {
        return Err(check::refuse(
            "scope.community",
            &format!("is {}, another community", new.place.community),
            "Add it there, or leave the community out.",
        ));
    }
    let gem = service.records().remember(new).await?;
    Ok((StatusCode::CREATED, Json(GemOnly { gem })))
}

/// Correct a gem.
///
/// What is not given stays; its id and source stay in any case.
#[utoipa::path(
    patch, path = "/api/memory/gems/{id}", tag = "memory",
    params(("id" = String, Path, description = "The gem", example = "7f3c")),
    request_body(content = ref(question::<GemEdit>()), example = json!({"content": "Alice is allergic to walnuts and pecans.", "pinned": true})),
    responses(
        (status = 200, description = "Corrected, and durable", body = ref(answer::<GemOnly>())),
        (status = 404, description = "`unknown_gem`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_gem", "message": "There is no gem 7f3c; it may have been forgotten. Search for it again."}})),
        (status = 422, description = "`invalid_field`, `unknown_field` or `memory_refused`", body = ref(refusal())),
    )
)]
pub(crate) async fn edit_gem(
    State(shared): State<Shared>,
    InPath(id): InPath<String>,
    SmallJson(edit): SmallJson<GemEdit>,
) -> Result<Json<GemOnly>, Refusal> {
    let service = shared.memory()?;
    existing(&shared, &id).await?;
    if let Some(content) = &edit.content {
        check::text("content", content, GEM_CHARS_MAX)?;
    }
    if let Some(importance) = edit.importance {
        check::share("importance", importance)?;
    }
    if let Some(topics) = &edit.topics {
        check::count("topics", topics.len(), TOPICS_MAX)?;
    }
    let gem = service.records().edit(&GemId::from(id.as_str()), edit).await?;
    Ok(Json(GemOnly { gem }))
}

/// Say what holds instead of a gem.
///
/// Either another gem (`by`), or what holds now in words (`content`). Both gems are kept, the older one with its end.
#[utoipa::path(
    post, path = "/api/memory/gems/{id}/supersede", tag = "memory",
    params(("id" = String, Path, description = "The gem that does not hold any more", example = "7f3c")),
    request_body(content = ref(question::<Supersede>()), example = json!({"content": "Alice eats walnuts again."})),
    responses(
        (status = 200, description = "The gem that holds now, and the one that held", body = ref(answer::<Superseded>())),
        (status = 404, description = "`unknown_gem`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_gem", "message": "There is no gem 7f3c; it may have been forgotten. Search for it again."}})),
        (status = 422, description = "`invalid_field`, `unknown_field` or `memory_refused`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_field", "message": "Give either by, the id of another gem, or content, what holds now."}})),
    )
)]
pub(crate) async fn supersede_gem(
    State(shared): State<Shared>,
    InPath(id): InPath<String>,
    SmallJson(replacement): SmallJson<Supersede>,
) -> Result<Json<Superseded>, Refusal> {
    let service = shared.memory()?;
    existing(&shared, &id).await?;
    let old = GemId::from(id.as_str());
    let (gem, superseded) = match (replacement.by, replacement.content) {
        (Some(by), None) => {
            let by = GemId::new(by);
            if by == old {
                return Err(check::refuse(
                    "by",
                    "is the gem itself",
                    "Name the one that holds instead.",
                ));
            }
            existing(&shared, by.as_str()).await?;
            service.records().supersede(&old, &by).await?
        }
        (None, Some(content)) => {
            check::text("content", &content, GEM_CHARS_MAX)?;
            service.records().supersede_with(&old, &content, OPERATOR).await?
        }
        _ => {
            return Err(Refusal::unprocessable(
                "invalid_field",
                "Give either by, the id of another gem, or content, what holds now.",
            ));
        }
    };
    Ok(Json(Superseded { gem, superseded }))
}
