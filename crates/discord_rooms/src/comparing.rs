//! What stands in a channel now, beside what is stored of it: what somebody took back or wrote anew while nobody told
//! Denizen is followed all the same.

use std::collections::BTreeMap;

use discord::wire::{PostedMessage, Snowflake};
use mind::RoomEvent;
use runtime::Handle;
use runtime::ports::{MessageQuery, StoredMessage};
use vocabulary::AuthorKind;

use crate::names;
use crate::residence::Inside;

/// Among so many of the newest stored messages.
const STORED_LOOKED_AT: usize = 50;

/// The newest messages of a channel, oldest first.
#[derive(Debug)]
pub(crate) struct ChannelPage<'a> {
    pub messages: &'a [PostedMessage],
    /// As many as were asked for: there are older ones, of which nothing is known.
    pub is_full: bool,
    /// Messages stand there that could not be read, so that one which is missing may be one of them.
    pub has_gaps: bool,
}

/// What has happened to stored messages, as far as a page shows. One without messages shows nothing: whoever may not read
/// back is given such a page, too.
pub(crate) async fn unseen_changes(
    inside: &Inside,
    handle: &Handle,
    guild: Option<Snowflake>,
    channel: Snowflake,
    page: &ChannelPage<'_>,
) -> Vec<RoomEvent> {
    let (Some(oldest), Some(newest)) = (page.messages.first(), page.messages.last()) else {
        return Vec::new();
    };
    let query = MessageQuery {
        room: names::room(channel),
        before: None,
        after: None,
        limit: STORED_LOOKED_AT,
    };
    let stored = handle.store().messages(handle.community(), query).await;
    let stored = stored.map(|page| page.messages).unwrap_or_default();
    let there: BTreeMap<Snowflake, &PostedMessage> =
        page.messages.iter().map(|posted| (posted.id, posted)).collect();
    let changed = stored.iter().filter_map(|stored| {
        // What was said aloud or asked by a command never stood there.
        let id = names::message_of(&stored.message.id)?;
        match there.get(&id) {
            Some(posted) => rewritten(inside, guild, stored, posted),
            None => {
                let is_shown = !page.has_gaps && (!page.is_full || id > oldest.id);
                // What Denizen sent since the channel was read is not on the page.
                let is_since = stored.message.author.kind == AuthorKind::Denizen && id > newest.id;
                let is_gone = is_shown && !is_since;
                let id = stored.message.id.clone();
                is_gone.then_some(RoomEvent::MessageDeleted { id })
            }
        }
    });
    changed.collect()
}

/// Only what its author changed, and since it was taken in.
fn rewritten(
    inside: &Inside,
    guild: Option<Snowflake>,
    stored: &StoredMessage,
    posted: &PostedMessage,
) -> Option<RoomEvent> {
    let edited_at = posted.edited_at?;
    let is_known = stored.edited_at.is_some_and(|known| known >= edited_at);
    if is_known || Some(posted.author.id) == inside.own() {
        return None;
    }
    let text = inside.read(guild, |reading| reading.text(posted));
    // What could not be loaded stands in brackets behind the words.
    let rest = stored.message.text.strip_prefix(&text);
    let is_same = rest.is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with("[picture: "));
    let id = stored.message.id.clone();
    (!is_same).then_some(RoomEvent::MessageEdited { id, text })
}
