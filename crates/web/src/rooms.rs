//! The local room's input side: reading, writing, changing and taking back messages, showing who types, and what is
//! remembered of the conversation.

pub(crate) mod attachments;
#[cfg(test)]
mod attachments_tests;
pub(crate) mod author;
#[cfg(test)]
mod author_tests;
pub(crate) mod change;
pub(crate) mod dry_run;
pub(crate) mod fates;
pub(crate) mod list;
mod mentions;
#[cfg(test)]
mod mentions_tests;
pub(crate) mod notes;
mod pictures;
#[cfg(test)]
mod pictures_tests;
pub(crate) mod post;
pub(crate) mod quiet;
pub(crate) mod rate;
pub(crate) mod reactions;
pub(crate) mod retry;
pub(crate) mod search;
pub(crate) mod session;
pub(crate) mod text;
pub(crate) mod typing;

use axum::http::StatusCode;
use runtime::ports::StoredMessage;
use vocabulary::{CommunityId, MessageId, PersonId, RoomId};

use crate::refusal::Refusal;
use crate::site::Shared;

/// Who a name is in a community, however it is written.
fn person_of(name: &str, community: &CommunityId) -> PersonId {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    author::person_id(&name, community)
}

/// The message of that id, if it is in that room.
async fn message_in(
    shared: &Shared,
    room: &RoomId,
    id: &MessageId,
) -> Result<Option<StoredMessage>, Refusal> {
    let found = shared
        .handle()
        .store()
        .message(shared.handle().community(), id)
        .await?;
    Ok(found.filter(|found| found.message.room == *room))
}

pub(crate) fn unknown_message(id: &MessageId) -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "unknown_message",
        format!("There is no message {id} here; it may have been taken back. Load the room again."),
    )
}
