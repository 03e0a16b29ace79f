//! Whom memory knows.

use axum::Json;
use axum::extract::State;
use runtime::memory::{self, People};

use crate::openapi::{answer, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

/// List the people that memory knows.
///
/// Whoever was heard last comes first.
#[utoipa::path(
    get, path = "/api/memory/people", tag = "memory",
    responses(
        (status = 200, description = "People, with how much is known of each", body = ref(answer::<People>()), example = json!({"people": [
            {"id": "local:alice", "name": "Alice", "gems": 12, "turns": 230, "firstAt": 1763000000000_u64, "lastAt": 1763900000000_u64}
        ], "partial": false})),
        (status = 503, description = "`memory_off` or `memory_unreachable`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn people(State(shared): State<Shared>) -> Result<Json<People>, Refusal> {
    let records = shared.memory()?.records();
    Ok(Json(memory::people(records, shared.only_community()).await?))
}
