//! What was spent on models today, and what each gate saved.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use mind::spending::view::SpendingView;
use runtime::NotAccepted;

use crate::openapi::answer;
use crate::refusal::Refusal;
use crate::site::Shared;

/// A mind that has not shown itself by then is held up, by its storage for one.
const LOOK_DEADLINE: Duration = Duration::from_secs(5);

/// See what was spent today.
///
/// By purpose: calls, tokens and dollars, of how much, what was refused, and what happens at the limit; and what each gate
/// kept from being asked. A day is one of UTC. Spans are milliseconds.
#[utoipa::path(
    get, path = "/api/spending", tag = "inspector",
    responses((status = 200, description = "What was spent today", body = ref(answer::<SpendingView>()), example = json!({
        "beginsAnewIn": 40000000,
        "all": {"calls": 12, "inputTokens": 40100, "cachedTokens": 12000, "outputTokens": 900, "costMicroDollars": 21000, "unpricedCalls": 0,
            "freeCalls": 0, "freeTokens": 0, "callsLimit": 5000, "tokensLimit": 10000000, "costLimitMicroDollars": 10000000},
        "background": {"calls": 2, "inputTokens": 7100, "cachedTokens": 0, "outputTokens": 300, "costMicroDollars": 3000, "unpricedCalls": 0,
            "freeCalls": 0, "freeTokens": 0, "callsLimit": 3000, "tokensLimit": 6000000, "costLimitMicroDollars": 6000000},
        "purposes": [{"purpose": "memory", "calls": 2, "inputTokens": 7100, "cachedTokens": 0, "outputTokens": 300, "costMicroDollars": 3000,
            "unpricedCalls": 0, "freeCalls": 0, "freeTokens": 0, "callsLimit": 500, "tokensLimit": 1000000, "costLimitMicroDollars": 1000000,
            "refused": 0, "underWay": 0, "atTheLimit": "gems are made by patterns, or wait for tomorrow where memory.extractor is model"}],
        "saved": [{"gate": "not_admitted", "times": 41}],
        "resting": []
    })))
)]
pub(crate) async fn spending(State(shared): State<Shared>) -> Result<Json<SpendingView>, Refusal> {
    let looked = tokio::time::timeout(LOOK_DEADLINE, shared.handle().spending()).await;
    let view = looked
        .map_err(|_| NotAccepted::Busy)?
        .ok_or(NotAccepted::Stopping)?;
    Ok(Json(view))
}
