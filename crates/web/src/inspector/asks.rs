//! What models were asked, byte for byte, and what they answered.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use explain::PromptAccount;
use runtime::ports::{AskEnding, AskFilter, AskRecord, AskSummary, AskTotals};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use vocabulary::{AskId, RoomId, TurnId};

use crate::openapi::{answer, refusal};
use crate::parameters::{InPath, InQuery, limit};
use crate::refusal::Refusal;
use crate::site::Shared;

const ASKS_USUAL: usize = 50;
const ASKS_MAX: usize = 200;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AsksQuery {
    /// Only those for this room.
    room: Option<String>,
    /// Only those of this turn.
    turn: Option<u64>,
    /// Only those of this purpose: `text_reply`, `gem_extraction`…
    purpose: Option<String>,
    /// Only those that ended so: `answered`, `failed` or `under_way`.
    state: Option<String>,
    /// Only those before this one.
    before: Option<u64>,
    /// How many, 1 to 200; usually 50.
    limit: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Asks {
    asks: Vec<AskSummary>,
    /// What all that fit come to, by purpose, and not those of this list alone.
    totals: Vec<AskTotals>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct AskAnswer {
    ask: AskRecord,
    /// What its prompt is made of, in tokens, and of how much.
    account: PromptAccount,
    /// The call before it for the same room and purpose.
    previous: Option<AskRecord>,
}

/// List model calls, newest first.
#[utoipa::path(
    get, path = "/api/asks", tag = "inspector",
    params(AsksQuery),
    responses((status = 200, description = "Model calls", body = ref(answer::<Asks>()), example = json!({"asks": [{
        "ask": 41, "room": "lounge", "turn": 12, "startedAt": 1763000000000_u64, "purpose": "text_reply", "provider": "anthropic",
        "model": "claude-haiku", "state": "answered", "tookMs": 1840, "inputTokens": 1210, "outputTokens": 44, "costMicroDollars": 1430
    }], "totals": [{
        "purpose": "text_reply", "calls": 41, "failed": 2, "underWay": 0, "inputTokens": 48210, "outputTokens": 1930, "costMicroDollars": 58020, "unpriced": 0
    }]})),
    (status = 400, description = "`bad_query`", body = ref(refusal()),
        example = json!({"error": {"code": "bad_query", "message": "state=lost is none. Give answered, failed or under_way."}})))
)]
pub(crate) async fn asks(
    State(shared): State<Shared>,
    InQuery(query): InQuery<AsksQuery>,
) -> Result<Json<Asks>, Refusal> {
    let handle = shared.handle();
    let filter = AskFilter {
        room: query.room.filter(|room| !room.is_empty()).map(RoomId::new),
        turn: query.turn.map(TurnId),
        purpose: query.purpose.filter(|purpose| !purpose.is_empty()),
        ending: query.state.as_deref().map_or(Ok(None), ending)?,
        before: query.before.map(AskId),
        limit: limit(query.limit, ASKS_USUAL, 1..=ASKS_MAX)?,
    };
    Ok(Json(Asks {
        totals: handle
            .store()
            .ask_totals(handle.community(), filter.clone())
            .await?,
        asks: handle.store().asks(handle.community(), filter).await?,
    }))
}

fn ending(state: &str) -> Result<Option<AskEnding>, Refusal> {
    match state {
        "" => Ok(None),
        "answered" => Ok(Some(AskEnding::Answered)),
        "failed" => Ok(Some(AskEnding::Failed)),
        "under_way" => Ok(Some(AskEnding::UnderWay)),
        _ => Err(Refusal::bad_request(
            "bad_query",
            format!("state={state} is none. Give answered, failed or under_way."),
        )),
    }
}

/// See what one model call was given and what it gave.
///
/// With the call before it for the same room and purpose, so that the two can be compared.
#[utoipa::path(
    get, path = "/api/asks/{id}", tag = "inspector",
    params(("id" = u64, Path, description = "The number of the model call", example = 41)),
    responses(
        (status = 200, description = "The whole call", body = ref(answer::<AskAnswer>())),
        (status = 404, description = "`unknown_ask`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_ask", "message": "There is no model call 41; it may be older than storage.keepAsksDays. GET /api/asks lists those that are kept."}})),
    )
)]
pub(crate) async fn ask(
    State(shared): State<Shared>,
    InPath(id): InPath<u64>,
) -> Result<Json<AskAnswer>, Refusal> {
    let handle = shared.handle();
    let found = handle.store().ask(handle.community(), AskId(id)).await?;
    let ask = found.ok_or_else(|| {
        Refusal::new(
            StatusCode::NOT_FOUND,
            "unknown_ask",
            format!("There is no model call {id}; it may be older than storage.keepAsksDays. GET /api/asks lists those that are kept."),
        )
    })?;
    let previous = match ask.previous {
        Some(previous) => handle.store().ask(handle.community(), previous).await?,
        None => None,
    };
    let window_tokens = handle.in_force().settings.llm.context_tokens;
    let account = PromptAccount::of(&ask.request, window_tokens);
    Ok(Json(AskAnswer {
        ask,
        account,
        previous,
    }))
}
