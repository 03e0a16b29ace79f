//! Reactions under a message: put there and taken back, each person and emoji once.

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use mind::{Input, RoomEvent};
use runtime::ports::{Reaction, StoredMessage};
use schemars::JsonSchema;
use serde::Deserialize;
use vocabulary::{MessageId, PersonId};

use super::rate::refuse_too_fast;
use super::{message_in, unknown_message};
use crate::access::{Caller, refuse_taken};
use crate::body::SmallJson;
use crate::openapi::{question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// Longest emoji: families and flags are made of several characters.
const EMOJI_CHARS_MAX: usize = 32;
/// Different emojis under one message.
const EMOJIS_MAX: usize = 20;
/// Reactions under one message, everybody's together.
const REACTIONS_MAX: usize = 1_000;

/// A reaction to be put under a message, or to be taken back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewReaction {
    /// Who reacts.
    #[schemars(length(min = 1, max = 40), example = &"Alice")]
    author: String,
    /// No spaces and no control characters.
    #[schemars(length(min = 1, max = 32), example = &"👍")]
    emoji: String,
}

/// Put a reaction under a message.
///
/// Everybody has each emoji once: the same again changes nothing.
#[utoipa::path(
    put, path = "/api/rooms/{room}/messages/{id}/reactions", tag = "rooms",
    params(
        ("room" = String, Path, description = "The room", example = "lounge"),
        ("id" = String, Path, description = "The message", example = "alice-000017"),
    ),
    request_body(content = ref(question::<NewReaction>()), example = json!({"author": "Alice", "emoji": "👍"})),
    responses(
        (status = 204, description = "It is there, and durable"),
        (status = 404, description = "`unknown_room` or `unknown_message`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_message", "message": "There is no message x here; it may have been taken back. Load the room again."}})),
        (status = 409, description = "`too_many_reactions`, or `name_taken`: the name is somebody else's", body = ref(refusal()),
            example = json!({"error": {"code": "too_many_reactions", "message": "This message has 20 different reactions already, the most it may have. Join one of them."}})),
        (status = 422, description = "`invalid_author`, `invalid_emoji`, `unknown_field` or `invalid_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_emoji", "message": "A reaction must have 1 to 32 characters, without spaces and control characters. Choose an emoji."}})),
        (status = 429, description = "`too_fast`: more at once than is taken in from one credential; Retry-After says when", body = ref(refusal()),
            example = json!({"error": {"code": "too_fast", "message": "You write faster than is taken in here: 30 messages, changes and reactions at once, then 2 a second. Try again in 1 s."}})),
    )
)]
pub(crate) async fn react(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath((room, id)): InPath<(String, String)>,
    SmallJson(body): SmallJson<NewReaction>,
) -> Result<StatusCode, Refusal> {
    change(&shared, &caller, (&room, &id), body, true).await
}

/// Take a reaction back.
///
/// One that is not there is as good as taken back.
#[utoipa::path(
    delete, path = "/api/rooms/{room}/messages/{id}/reactions", tag = "rooms",
    params(
        ("room" = String, Path, description = "The room", example = "lounge"),
        ("id" = String, Path, description = "The message", example = "alice-000017"),
    ),
    request_body(content = ref(question::<NewReaction>()), example = json!({"author": "Alice", "emoji": "👍"})),
    responses(
        (status = 204, description = "It is not there any more"),
        (status = 404, description = "`unknown_room` or `unknown_message`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_message", "message": "There is no message x here; it may have been taken back. Load the room again."}})),
        (status = 422, description = "`invalid_author`, `invalid_emoji`, `unknown_field` or `invalid_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_emoji", "message": "A reaction must have 1 to 32 characters, without spaces and control characters. Choose an emoji."}})),
        (status = 429, description = "`too_fast`: more at once than is taken in from one credential; Retry-After says when", body = ref(refusal()),
            example = json!({"error": {"code": "too_fast", "message": "You write faster than is taken in here: 30 messages, changes and reactions at once, then 2 a second. Try again in 1 s."}})),
    )
)]
pub(crate) async fn take_back_reaction(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath((room, id)): InPath<(String, String)>,
    SmallJson(body): SmallJson<NewReaction>,
) -> Result<StatusCode, Refusal> {
    change(&shared, &caller, (&room, &id), body, false).await
}

async fn change(
    shared: &Shared,
    caller: &Caller,
    (room, id): (&str, &str),
    body: NewReaction,
    added: bool,
) -> Result<StatusCode, Refusal> {
    refuse_too_fast(shared, caller)?;
    let room = shared.room(room)?;
    let id = MessageId::from(id);
    let handle = shared.handle();
    let author = shared.author(&body.author)?;
    refuse_taken(shared, caller, &author).await?;
    let person = author.id;
    check_emoji(&body.emoji)?;
    // From the look to the change nobody else comes between: the same reaction twice at once is one, and no two make
    // one too many.
    let _alone = shared.reacting.lock().await;
    let stored = message_in(shared, room, &id)
        .await?
        .ok_or_else(|| unknown_message(&id))?;
    if is_there(&stored, &person, &body.emoji) == added {
        return Ok(StatusCode::NO_CONTENT);
    }
    if added {
        check_room_for(&stored.reactions, &body.emoji)?;
    }
    handle
        .accept(Input::Room(
            room.clone(),
            RoomEvent::ReactionChanged {
                message: id,
                person,
                emoji: body.emoji,
                added,
            },
        ))
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

fn check_emoji(emoji: &str) -> Result<(), Refusal> {
    let is_short = (1..=EMOJI_CHARS_MAX).contains(&emoji.chars().count());
    if is_short
        && !emoji
            .chars()
            .any(|letter| letter.is_whitespace() || letter.is_control())
    {
        return Ok(());
    }
    Err(Refusal::unprocessable(
        "invalid_emoji",
        format!(
            "A reaction must have 1 to {EMOJI_CHARS_MAX} characters, without spaces and control characters. Choose an emoji."
        ),
    ))
}

fn is_there(stored: &StoredMessage, person: &PersonId, emoji: &str) -> bool {
    let mut reactions = stored.reactions.iter();
    reactions.any(|reaction| reaction.emoji == emoji && reaction.people.contains(person))
}

fn check_room_for(reactions: &[Reaction], emoji: &str) -> Result<(), Refusal> {
    let refuse = |message| Err(Refusal::new(StatusCode::CONFLICT, "too_many_reactions", message));
    let is_known = reactions.iter().any(|reaction| reaction.emoji == emoji);
    if !is_known && reactions.len() >= EMOJIS_MAX {
        return refuse(format!(
            "This message has {EMOJIS_MAX} different reactions already, the most it may have. Join one of them."
        ));
    }
    let all: usize = reactions.iter().map(|reaction| reaction.people.len()).sum();
    if all >= REACTIONS_MAX {
        return refuse(format!(
            "This message has {REACTIONS_MAX} reactions already, the most it may have. Answer it instead."
        ));
    }
    Ok(())
}
