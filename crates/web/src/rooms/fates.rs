//! What became of messages: the verdict of the mind's own journal, for a page that shows a mark beside each.

use axum::Json;
use axum::extract::State;
use explain::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use vocabulary::MessageId;

use crate::openapi::{answer, refusal};
use crate::parameters::{InPath, InQuery};
use crate::refusal::Refusal;
use crate::site::Shared;

/// Messages that are asked about at once.
const MESSAGES_MAX: usize = 200;

/// What became of one message.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MessageFate {
    message: MessageId,
    outcome: Outcome,
}

/// What became of some messages.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Fates {
    fates: Vec<MessageFate>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FatesQuery {
    /// The messages, with commas between them; at most 200.
    #[param(example = "alice-000017,bob-000003")]
    messages: String,
}

/// Ask what became of messages.
///
/// Each is judged as GET /api/why/{message} judges it. One that the journal says nothing about is waiting.
#[utoipa::path(
    get, path = "/api/rooms/{room}/fates", tag = "rooms",
    params(("room" = String, Path, description = "The room", example = "lounge"), FatesQuery),
    responses(
        (status = 200, description = "One fate a message, in the order they were asked about", body = ref(answer::<Fates>()),
            example = json!({"fates": [{"message": "alice-000017", "outcome": "answered"}]})),
        (status = 400, description = "`bad_query`", body = ref(refusal()),
            example = json!({"error": {"code": "bad_query", "message": "These are 300 messages, and at most 200 can be asked about at once. Ask about fewer."}})),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
    )
)]
pub(crate) async fn fates(
    State(shared): State<Shared>,
    InPath(room): InPath<String>,
    InQuery(query): InQuery<FatesQuery>,
) -> Result<Json<Fates>, Refusal> {
    shared.readable(&room).await?;
    let asked: Vec<MessageId> = query
        .messages
        .split(',')
        .filter(|id| !id.is_empty())
        .map(MessageId::from)
        .collect();
    if asked.len() > MESSAGES_MAX {
        return Err(Refusal::bad_request(
            "bad_query",
            format!(
                "These are {} messages, and at most {MESSAGES_MAX} can be asked about at once. Ask about fewer.",
                asked.len()
            ),
        ));
    }
    Ok(Json(Fates {
        fates: fates_of(&shared, asked).await?,
    }))
}

/// What became of each message.
pub(super) async fn fates_of(
    shared: &Shared,
    messages: impl IntoIterator<Item = MessageId>,
) -> Result<Vec<MessageFate>, Refusal> {
    let handle = shared.handle();
    let mut fates = Vec::new();
    for message in messages {
        let chain = handle.store().why(handle.community(), &message).await?;
        let outcome = explain::verdict(&chain, &message).outcome;
        fates.push(MessageFate { message, outcome });
    }
    Ok(fates)
}
