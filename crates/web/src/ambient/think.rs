//! A trial of what it would think now, and dropping the thought that is held.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mind::ambient::view::{AmbientView, RunView};
use mind::{Input, OperatorWish};
use schemars::JsonSchema;
use serde::Serialize;

use super::look::look;
use crate::openapi::{answer, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

/// An empty object.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Nothing {}

/// Have it think now, to see what it would say.
///
/// Nothing is posted and nothing is held. How far it is, and what came of it, is `trial` in GET /api/ambient.
#[utoipa::path(
    post, path = "/api/ambient/think", tag = "ambient",
    responses(
        (status = 202, description = "It thinks", body = ref(answer::<Nothing>()), example = json!({})),
        (status = 409, description = "`thinking_already`", body = ref(refusal()),
            example = json!({"error": {"code": "thinking_already", "message": "It is thinking already. Wait until it is done; GET /api/ambient shows how far it is."}})),
    )
)]
pub(crate) async fn think(State(shared): State<Shared>) -> Result<(StatusCode, Json<Nothing>), Refusal> {
    // Two that come at once must not both find it idle.
    let _alone = shared.thinking.lock().await;
    if is_thinking(&look(&shared).await?) {
        return Err(Refusal::new(
            StatusCode::CONFLICT,
            "thinking_already",
            "It is thinking already. Wait until it is done; GET /api/ambient shows how far it is.",
        ));
    }
    shared
        .handle()
        .accept(Input::Operator(OperatorWish::ThinkNow))
        .await?;
    Ok((StatusCode::ACCEPTED, Json(Nothing {})))
}

/// Drop the thought that is held.
#[utoipa::path(
    delete, path = "/api/ambient/thought", tag = "ambient",
    responses(
        (status = 204, description = "It is gone"),
        (status = 404, description = "`no_thought`", body = ref(refusal()),
            example = json!({"error": {"code": "no_thought", "message": "No thought is held now; it may have been posted or dropped meanwhile. GET /api/ambient shows what became of it."}})),
    )
)]
pub(crate) async fn drop_thought(State(shared): State<Shared>) -> Result<StatusCode, Refusal> {
    if look(&shared).await?.thought.is_none() {
        return Err(Refusal::new(
            StatusCode::NOT_FOUND,
            "no_thought",
            "No thought is held now; it may have been posted or dropped meanwhile. GET /api/ambient shows what became of it.",
        ));
    }
    shared
        .handle()
        .accept(Input::Operator(OperatorWish::ThoughtDropped))
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

fn is_thinking(view: &AmbientView) -> bool {
    let is_under_way = |run: &RunView| run.ended_at.is_none();
    view.run.is_some() || view.trial.as_ref().is_some_and(is_under_way)
}
