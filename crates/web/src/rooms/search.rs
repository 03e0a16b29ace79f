//! Looking for something that was said in a room.

use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use vocabulary::Message;

use crate::openapi::{answer, refusal};
use crate::parameters::{InPath, InQuery, limit};
use crate::refusal::Refusal;
use crate::site::Shared;

const FOUND_USUAL: usize = 30;
const FOUND_MAX: usize = 100;
const WORDS_CHARS_MAX: usize = 400;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FindQuery {
    /// Words that the messages hold, 1 to 400 characters.
    #[param(example = "kettle thursday")]
    q: String,
    /// How many, 1 to 100; usually 30.
    limit: Option<usize>,
}

/// Messages that fit, the best first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct FoundMessages {
    messages: Vec<Message>,
}

/// Look for messages of a room.
///
/// By their words, whatever their age: those that share the rarest words with the question come first. Words that are in
/// everything find nothing by themselves.
#[utoipa::path(
    get, path = "/api/rooms/{room}/search", tag = "rooms",
    params(("room" = String, Path, description = "The room", example = "lounge"), FindQuery),
    responses(
        (status = 200, description = "What was found, the best first", body = ref(answer::<FoundMessages>()), example = json!({"messages": [{
            "id": "0198c0de-0000-7000-8000-000000000001", "room": "lounge", "author": {"id": "local:alice", "name": "Alice", "kind": "person"},
            "text": "the kettle ships on Thursday", "at": 1763000000000_u64
        }]})),
        (status = 400, description = "`bad_query`", body = ref(refusal()),
            example = json!({"error": {"code": "bad_query", "message": "q is empty. Give a word to look for."}})),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
    )
)]
pub(crate) async fn find(
    State(shared): State<Shared>,
    InPath(room): InPath<String>,
    InQuery(query): InQuery<FindQuery>,
) -> Result<Json<FoundMessages>, Refusal> {
    let room = shared.readable(&room).await?;
    let limit = limit(query.limit, FOUND_USUAL, 1..=FOUND_MAX)?;
    let words = query.q.trim();
    if words.is_empty() {
        return Err(Refusal::bad_request(
            "bad_query",
            "q is empty. Give a word to look for.",
        ));
    }
    let length = words.chars().count();
    if length > WORDS_CHARS_MAX {
        return Err(Refusal::bad_request(
            "bad_query",
            format!("q has {length} characters, and {WORDS_CHARS_MAX} are the most. Give fewer words."),
        ));
    }
    let handle = shared.handle();
    let messages = handle
        .store()
        .search(handle.community(), &room, words, &[], limit)
        .await?;
    Ok(Json(FoundMessages { messages }))
}
