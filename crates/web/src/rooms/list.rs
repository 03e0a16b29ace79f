//! The rooms, and what was said in them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use runtime::ports::{MessagePage, MessageQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use vocabulary::{RoomFacts, RoomId, RoomKind};

use super::fates::{MessageFate, fates_of};
use crate::openapi::{answer, refusal};
use crate::parameters::{InPath, InQuery, limit};
use crate::refusal::Refusal;
use crate::site::Shared;

const MESSAGES_USUAL: usize = 50;
const MESSAGES_MAX: usize = 200;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Rooms {
    rooms: Vec<Room>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Room {
    #[schemars(example = &"lounge")]
    id: RoomId,
    /// What people call it.
    name: String,
    kind: RoomKind,
    /// Not everybody in the community may read it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    private: bool,
    /// Denizen can read here and not write.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    read_only: bool,
    /// The channel that a thread belongs to, as people call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<String>,
    /// Where its people are, if that is not here: it is read here, and written in there.
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'static str>,
}

/// Messages in order, oldest first, and what became of each.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RoomPage {
    #[serde(flatten)]
    page: MessagePage,
    fates: Vec<MessageFate>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MessagesQuery {
    /// Only messages before this place (`seq`).
    before: Option<u64>,
    /// Only messages after this place (`seq`).
    after: Option<u64>,
    /// How many, 1 to 200; usually 50.
    limit: Option<usize>,
}

/// List the rooms.
///
/// Those of a community on Discord are for administrators, by name; they are read here, and written in there.
#[utoipa::path(
    get, path = "/api/rooms", tag = "rooms",
    responses((status = 200, description = "The rooms people can sit in", body = ref(answer::<Rooms>()),
        example = json!({"rooms": [{"id": "lounge", "name": "lounge", "kind": "text"}]})))
)]
pub(crate) async fn rooms(State(shared): State<Shared>) -> Result<Json<Rooms>, Refusal> {
    let rooms = listed(shared.rooms().await?, shared.community.platform());
    Ok(Json(Rooms { rooms }))
}

/// Rooms as a page lists them: each thread behind the channel that it belongs to, all else by name.
pub(crate) fn listed(facts: Vec<RoomFacts>, platform: Option<&'static str>) -> Vec<Room> {
    let names: BTreeMap<RoomId, String> = facts
        .iter()
        .map(|room| (room.id.clone(), room.name.clone()))
        .collect();
    let rooms = facts.into_iter().map(|room| Room {
        private: room.is_private(),
        within: room.parent.and_then(|parent| names.get(&parent).cloned()),
        kind: room.kind,
        read_only: room.read_only,
        id: room.id,
        name: room.name,
        platform,
    });
    let mut rooms: Vec<Room> = rooms.collect();
    // Rooms of this process stand in the order that it was given.
    if platform.is_some() {
        rooms.sort_by_cached_key(|room| {
            let channel = room.within.as_ref().unwrap_or(&room.name).to_lowercase();
            (
                channel,
                room.within.is_some(),
                room.name.to_lowercase(),
                room.id.clone(),
            )
        });
    }
    rooms
}

/// Read messages of a room.
///
/// Oldest first. Without `before` or `after`, the newest ones.
#[utoipa::path(
    get, path = "/api/rooms/{room}/messages", tag = "rooms",
    params(("room" = String, Path, description = "The room", example = "lounge"), MessagesQuery),
    responses(
        (status = 200, description = "Messages in order", body = ref(answer::<RoomPage>()), example = json!({"messages": [{
            "seq": 12, "id": "0198c0de-0000-7000-8000-000000000001", "room": "lounge",
            "author": {"id": "local:alice", "name": "Alice", "kind": "person"}, "text": "@Denizen hello",
            "at": 1763000000000_u64, "mentions": ["denizen"]
        }], "hasMore": true, "fates": [{"message": "0198c0de-0000-7000-8000-000000000001", "outcome": "answered"}]})),
        (status = 400, description = "`bad_query`", body = ref(refusal()),
            example = json!({"error": {"code": "bad_query", "message": "limit=0 is out of range. Give a number from 1 to 200."}})),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
    )
)]
pub(crate) async fn messages(
    State(shared): State<Shared>,
    InPath(room): InPath<String>,
    InQuery(query): InQuery<MessagesQuery>,
) -> Result<Json<RoomPage>, Refusal> {
    let room = shared.readable(&room).await?;
    if query.before.is_some() && query.after.is_some() {
        return Err(Refusal::bad_request(
            "bad_query",
            "before and after cannot be given together. Give one of them.",
        ));
    }
    let limit = limit(query.limit, MESSAGES_USUAL, 1..=MESSAGES_MAX)?;
    let query = MessageQuery {
        room,
        before: query.before,
        after: query.after,
        limit,
    };
    let handle = shared.handle();
    let page = handle.store().messages(handle.community(), query).await?;
    let ids = page.messages.iter().map(|stored| stored.message.id.clone());
    let fates = fates_of(&shared, ids.collect::<Vec<_>>()).await?;
    Ok(Json(RoomPage { page, fates }))
}
