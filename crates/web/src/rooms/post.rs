//! Writing a message: durable when it is answered, and the same message when it is sent again.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mind::Input;
use runtime::ports::{StoreError, StoredMessage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use vocabulary::{Author, AuthorKind, CommunityId, Message, MessageId, PersonId, RoomId};

use super::mentions::{Known, mentions};
use super::pictures::{self, NewPicture, Picture};
use super::rate::refuse_too_fast;
use super::{message_in, text};
use crate::access::{Caller, refuse_taken};
use crate::body::LargeJson;
use crate::openapi::{answer, question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// How far back somebody must have written to be mentioned by name.
const MENTIONABLE_MESSAGES: usize = 200;

/// A message to be written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewMessage {
    /// 1 to 40 characters, and not Denizen's own name.
    #[schemars(length(min = 1, max = 40), example = &"Alice")]
    author: String,
    /// `@Name` mentions somebody who wrote here lately, or Denizen.
    #[serde(default)]
    #[schemars(length(max = 8000))]
    text: String,
    /// The message this one answers; it must be in the same room.
    reply_to: Option<String>,
    /// Pictures.
    #[serde(default)]
    #[schemars(length(max = 4))]
    attachments: Vec<NewPicture>,
    /// An id of one's own makes the request repeatable.
    #[schemars(length(min = 8, max = 64), regex(pattern = "^[A-Za-z0-9_-]{8,64}$"))]
    id: Option<String>,
}

/// A message that was written or changed.
#[derive(Serialize, JsonSchema)]
pub(crate) struct MessageAnswer {
    pub(super) message: WrittenMessage,
}

/// A message as it is kept now.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum WrittenMessage {
    Kept(StoredMessage),
    /// It is durable, and its place could not be read yet.
    Unplaced(Message),
}

/// Write a message.
///
/// It is on disk when 201 is answered. With an `id` of one's own the request can be repeated: the same message again
/// is answered with 200 and written once.
#[utoipa::path(
    post, path = "/api/rooms/{room}/messages", tag = "rooms",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    request_body(content = ref(question::<NewMessage>()), example = json!({"author": "Alice", "text": "@Denizen what did we decide?", "id": "alice-000017"})),
    responses(
        (status = 201, description = "Written, and durable", body = ref(answer::<MessageAnswer>()), example = json!({"message": {
            "seq": 13, "id": "alice-000017", "room": "lounge", "author": {"id": "local:alice", "name": "Alice", "kind": "person"},
            "text": "@Denizen what did we decide?", "at": 1763000000000_u64, "mentions": ["denizen"]
        }})),
        (status = 200, description = "This message was written before", body = ref(answer::<MessageAnswer>())),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 409, description = "`id_in_use`: another message has this id. `name_taken`: the name is somebody else's", body = ref(refusal()),
            example = json!({"error": {"code": "id_in_use", "message": "Another message has, or had, the id alice-000017. Choose a fresh one."}})),
        (status = 413, description = "`text_too_long`, `attachment_too_large` or `body_too_large`", body = ref(refusal()),
            example = json!({"error": {"code": "text_too_long", "message": "A message has at most 8000 characters; this one has 9000. Send it in parts."}})),
        (status = 422, description = "`invalid_author`, `empty_message`, `invalid_text`, `invalid_id`, `invalid_attachment`, `unknown_reply_target`, `unknown_field` or `invalid_field`",
            body = ref(refusal()), example = json!({"error": {"code": "empty_message", "message": "A message needs words or a picture. Write something, or add one."}})),
        (status = 429, description = "`too_fast`: more at once than is taken in from one credential; Retry-After says when", body = ref(refusal()),
            example = json!({"error": {"code": "too_fast", "message": "You write faster than is taken in here: 30 messages, changes and reactions at once, then 2 a second. Try again in 1 s."}})),
    )
)]
pub(crate) async fn post_message(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(room): InPath<String>,
    body: LargeJson<NewMessage>,
) -> Result<Response, Refusal> {
    refuse_too_fast(&shared, &caller)?;
    let room = shared.room(&room)?;
    let message = read(&shared, room, &body.value)?;
    refuse_taken(&shared, &caller, &message.author).await?;
    let pictures = pictures::check(&message.id, body.value.attachments)?;
    let message = Message {
        attachments: pictures
            .iter()
            .map(|picture| picture.attachment.clone())
            .collect(),
        ..message
    };
    // An id that was made here is nobody else's.
    if body.value.id.is_some()
        && let Some(stored) = stored(&shared, &message.id).await?
    {
        return repeated(&stored, &message);
    }
    if message.text.trim().is_empty() && message.attachments.is_empty() {
        return Err(text::empty_message());
    }
    let message = Message {
        mentions: mentioned(&shared, &message).await?,
        ..message
    };
    let message = Message {
        reply_to_author: author_replied_to(&shared, &message).await?,
        ..message
    };
    for Picture { attachment, bytes } in pictures {
        shared
            .handle()
            .store()
            .put_attachment(
                shared.handle().community(),
                &attachment.id,
                &attachment.mime,
                bytes,
            )
            .await?;
    }
    accept(&shared, message).await
}

async fn stored(shared: &Shared, id: &MessageId) -> Result<Option<StoredMessage>, StoreError> {
    let handle = shared.handle();
    handle.store().message(handle.community(), id).await
}

/// Brings the message in, and answers with what is on disk.
async fn accept(shared: &Shared, message: Message) -> Result<Response, Refusal> {
    shared
        .handle()
        .accept(Input::message_arrived(message.clone()))
        .await?;
    let stored = match shared.handle().live().message_lately(&message.id) {
        Some(published) => Ok(Some(published)),
        None => stored(shared, &message.id).await,
    };
    match stored {
        Ok(Some(stored)) if is_same(&stored, &message) => {
            Ok(written(StatusCode::CREATED, WrittenMessage::Kept(stored)))
        }
        // Two requests with one id at the same time: the other one was first.
        Ok(Some(_)) => Err(id_in_use(&message.id)),
        // What was accepted can be read, unless its id belonged to a message that was taken back.
        Ok(None) => Err(id_in_use(&message.id)),
        // It is durable all the same; only its place is not known here.
        Err(_) => Ok(written(StatusCode::CREATED, WrittenMessage::Unplaced(message))),
    }
}

/// All of a message but its pictures, as far as it can be judged by itself.
fn read(shared: &Shared, room: &RoomId, given: &NewMessage) -> Result<Message, Refusal> {
    let handle = shared.handle();
    let author = shared.author(&given.author)?;
    text::check(&given.text)?;
    let id = match &given.id {
        Some(id) => checked_id(id, handle.community())?,
        None => MessageId::new(Uuid::now_v7().to_string()),
    };
    Ok(Message {
        id,
        room: room.clone(),
        author,
        text: given.text.clone(),
        at: runtime::wall(),
        reply_to: given.reply_to.as_deref().map(MessageId::from),
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    })
}

fn checked_id(id: &str, community: &CommunityId) -> Result<MessageId, Refusal> {
    let plain = |letter: u8| letter.is_ascii_alphanumeric() || b"_-".contains(&letter);
    if !(8..=64).contains(&id.len()) || !id.bytes().all(plain) {
        return Err(Refusal::unprocessable(
            "invalid_id",
            "The id of a message must have 8 to 64 of the characters A-Z a-z 0-9 _ and -. Choose such a one, or leave it out.",
        ));
    }
    if is_denizens(id, community) {
        return Err(Refusal::unprocessable(
            "invalid_id",
            format!(
                "{id} is an id of the kind Denizen gives its own messages. Choose another one, or leave it out."
            ),
        ));
    }
    Ok(MessageId::from(id))
}

/// Whether Denizen might give this id to a reply, which would then be taken for one that was sent already; or whether
/// pictures of such a message would be taken for those that it has made.
fn is_denizens(id: &str, community: &CommunityId) -> bool {
    let Some(rest) = id.strip_prefix(community.as_str()) else {
        return false;
    };
    let is_reply = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_digit());
    rest.strip_prefix("-t").is_some_and(is_reply) || rest.starts_with("-media")
}

pub(super) async fn mentioned(shared: &Shared, message: &Message) -> Result<Vec<PersonId>, Refusal> {
    if !message.text.contains('@') {
        return Ok(Vec::new());
    }
    let handle = shared.handle();
    let identity = handle.in_force().settings.identity.clone();
    let mut known: Vec<Known> = std::iter::once(identity.name)
        .chain(identity.aliases)
        .map(|name| Known {
            name,
            person: handle.denizen().clone(),
        })
        .collect();
    let store = handle.store();
    let writers = store.writers_lately(handle.community(), &message.room, MENTIONABLE_MESSAGES);
    for Author { id, name, kind } in writers.await? {
        // Denizen's names of old are nobody's now; its present ones are known already.
        let heard = Known { name, person: id };
        if kind != AuthorKind::Denizen && !known.contains(&heard) {
            known.push(heard);
        }
    }
    Ok(mentions(&message.text, &known))
}

/// Whose message this one replies to; a refusal where there is no such message.
async fn author_replied_to(shared: &Shared, message: &Message) -> Result<Option<PersonId>, Refusal> {
    let Some(target) = &message.reply_to else {
        return Ok(None);
    };
    match message_in(shared, &message.room, target).await? {
        Some(answered) => Ok(Some(answered.message.author.id)),
        None => Err(Refusal::unprocessable(
            "unknown_reply_target",
            format!(
                "There is no message {target} in this room to reply to; it may have been taken back. Send it without replyTo."
            ),
        )),
    }
}

fn repeated(stored: &StoredMessage, message: &Message) -> Result<Response, Refusal> {
    if is_same(stored, message) {
        Ok(written(StatusCode::OK, WrittenMessage::Kept(stored.clone())))
    } else {
        Err(id_in_use(&message.id))
    }
}

/// Whether a stored message is the one that was sent; one edited since may have other words.
fn is_same(stored: &StoredMessage, sent: &Message) -> bool {
    let kept = &stored.message;
    kept.room == sent.room
        && kept.author.id == sent.author.id
        && (kept.text == sent.text || stored.edited_at.is_some())
        && kept.reply_to == sent.reply_to
        && kept.attachments == sent.attachments
}

fn id_in_use(id: &MessageId) -> Refusal {
    Refusal::new(
        StatusCode::CONFLICT,
        "id_in_use",
        format!("Another message has, or had, the id {id}. Choose a fresh one."),
    )
}

fn written(status: StatusCode, message: WrittenMessage) -> Response {
    (status, Json(MessageAnswer { message })).into_response()
}
