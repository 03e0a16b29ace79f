//! What was written while Denizen was away: asked for channel by channel, from the newest message that is stored, and told
//! before anything that happens now.

use discord::rest::{MessagePage, PageOf, RestFault};
use discord::wire::{Channel, PostedMessage, Snowflake};
use mind::RoomEvent;
use runtime::ports::{MessageQuery, Store, StoreError};
use runtime::{Handle, wall};
use tokio::time::{Duration, Instant, timeout};
use vocabulary::{AuthorKind, CommunityId, RoomId, WallTime};

use crate::comparing::{ChannelPage, unseen_changes};
use crate::names;
use crate::queue::{CommunityQueue, UNREAD_AGAIN};

/// Whoever waited longer does not wait any more.
const MISSED_MS: i64 = 6 * 60 * 60 * 1_000;
/// What was written just now is not missed: most of it comes by the gateway as well.
const FRESH_MS: i64 = 15_000;
/// Messages of a channel that are asked for, the newest.
const MISSED_MAX: u32 = 20;
/// Among so many of the newest stored ones somebody else's is looked for.
const STORED_LOOKED_AT: usize = 50;
/// Channels where nothing new stands are compared with what is stored of them one after another, while little else is asked.
const COMPARED_EVERY: Duration = Duration::from_secs(2);
const WAITING_MAX: usize = 10;
/// Whatever takes longer is tried again later.
const COMPARED_WITHIN: Duration = Duration::from_secs(3);

/// Where a channel is read on.
struct Watermark {
    after: Snowflake,
    /// Something was taken in lately, so that somebody may still wait for the room to have caught up.
    is_recent: bool,
}

impl CommunityQueue {
    /// Describes the rooms and tells what was missed in each.
    pub(crate) async fn catch_up(&mut self) {
        self.read_back.clear();
        if self.guild.is_some() {
            self.describe_changes().await;
        }
        for (channel, last) in self.channels().await {
            if let Some(mark) = self.watermark(channel).await {
                let nothing_new = last.is_some_and(|last| last <= mark.after);
                if nothing_new && mark.is_recent {
                    self.uncompared.insert(channel);
                }
                self.read_on(channel, &mark, nothing_new).await;
            }
        }
    }

    /// Channels that could not be read before.
    pub(crate) async fn read_unread(&mut self) {
        for (channel, after) in std::mem::take(&mut self.unread) {
            let mark = Watermark {
                after,
                is_recent: true,
            };
            self.read_on(channel, &mark, false).await;
        }
    }

    /// Looks whether what was said lately in a channel still stands there.
    pub(crate) async fn compare_next(&mut self) {
        self.compared_again = Instant::now() + COMPARED_EVERY;
        let Some(rest) = self
            .inside
            .rest
            .clone()
            .filter(|rest| rest.load().0 < WAITING_MAX)
        else {
            return;
        };
        let Some(channel) = self.uncompared.pop_first() else {
            return;
        };
        // What happens now waits behind this.
        let page = rest.page(channel, PageOf::Latest, MISSED_MAX);
        match timeout(COMPARED_WITHIN, page).await {
            Ok(Ok(page)) => self.follow_changes(channel, &page).await,
            Ok(Err(failure)) if !failure.is_retryable() => {
                tracing::debug!(%failure, "whether something was taken back in a channel cannot be read")
            }
            Ok(Err(_)) | Err(_) => {
                self.uncompared.insert(channel);
                self.compared_again = Instant::now() + UNREAD_AGAIN;
            }
        }
    }

    /// Tells what was taken back or changed meanwhile, as far as a page shows.
    async fn follow_changes(&mut self, channel: Snowflake, page: &MessagePage) {
        let Some(handle) = self.handle().await else { return };
        let page = ChannelPage {
            messages: &page.messages,
            is_full: page.messages.len() + page.unreadable >= MISSED_MAX as usize,
            has_gaps: page.unreadable > 0,
        };
        for event in unseen_changes(&self.inside, &handle, self.guild, channel, &page).await {
            self.tell(names::room(channel), event).await;
        }
    }

    /// Every channel that the bot may read back in, each with its last message where the server says so.
    async fn channels(&mut self) -> Vec<(Snowflake, Option<Snowflake>)> {
        let now = wall();
        if let Some(guild) = self.guild {
            return self.inside.read(self.guild, |reading| {
                let channels = reading.world.channels(guild);
                let readable = channels.filter(|channel| reading.sees_history(channel, now));
                readable
                    .map(|channel: &Channel| (channel.id, channel.last_message))
                    .collect()
            });
        }
        // Nobody lists direct conversations: those that are stored are known.
        let direct = names::community_of(None);
        let rooms = match self.is_settled() {
            true => self.inside.store.resume(&direct).await.map(|resume| resume.rooms),
            false => Ok(Vec::new()),
        };
        let rooms = rooms.unwrap_or_else(|error| {
            tracing::warn!(%error, "what was missed in direct messages is not known");
            Vec::new()
        });
        let channels = rooms.iter().filter_map(names::channel_of);
        channels.map(|channel| (channel, None)).collect()
    }

    async fn watermark(&mut self, channel: Snowflake) -> Option<Watermark> {
        let handle = self.handle().await?;
        let since = WallTime(wall().0.saturating_sub(MISSED_MS));
        let came = self.inside.own().and_then(|own| {
            let world = self.inside.world();
            world.member(self.guild?, own).and_then(|member| member.joined_at)
        });
        let emptied = self.inside.emptied(self.guild);
        let begun = [came, emptied].into_iter().flatten().fold(since, WallTime::max);
        let oldest = Snowflake::at(begun);
        let newest =
            newest_of_others(handle.store().as_ref(), handle.community(), names::room(channel)).await;
        Some(Watermark {
            after: newest.map_or(oldest, |newest| newest.max(oldest)),
            is_recent: newest.is_some_and(|newest| newest.time() >= since),
        })
    }

    async fn read_on(&mut self, channel: Snowflake, mark: &Watermark, nothing_new: bool) {
        let Some(handle) = self.handle().await else { return };
        let mut is_told = mark.is_recent;
        let mut fresh = Vec::new();
        if !nothing_new {
            let Some(rest) = self.inside.rest.clone() else {
                return;
            };
            let missed = match rest.page(channel, PageOf::Latest, MISSED_MAX).await {
                Ok(missed) => missed,
                Err(failure) => {
                    if failure.is_retryable() {
                        self.unread.insert(channel, mark.after);
                        self.unread_again = Instant::now() + UNREAD_AGAIN;
                        tracing::warn!(%failure, "what was missed in a channel is not known yet");
                    } else if failure.fault != RestFault::MissingAccess {
                        tracing::debug!(%failure, "what was missed in a channel cannot be read");
                    }
                    return;
                }
            };
            self.follow_changes(channel, &missed).await;
            let after_mark = |posted: &PostedMessage| posted.id > mark.after;
            for posted in missed.messages.into_iter().filter(after_mark) {
                match was_taken_in(&handle, posted.id).await {
                    Ok(false) => {}
                    Ok(true) => continue,
                    Err(error) => {
                        // It may be one that was forgotten.
                        self.unread.insert(channel, mark.after);
                        self.unread_again = Instant::now() + UNREAD_AGAIN;
                        tracing::warn!(%error, "what was missed in a channel is not known yet");
                        return;
                    }
                }
                let Some(message) = self.read(&posted).await else {
                    continue;
                };
                self.know(&posted, &message).await;
                self.read_back.insert(posted.id);
                let age = wall().0.saturating_sub(message.at.0);
                if age < FRESH_MS && message.author.kind == AuthorKind::Person {
                    fresh.push(message);
                    continue;
                }
                is_told = true;
                if !self
                    .tell(names::room(channel), RoomEvent::MessageMissed(message))
                    .await
                {
                    return;
                }
            }
        }
        if is_told {
            self.tell(names::room(channel), RoomEvent::CaughtUp).await;
        }
        for message in fresh {
            self.tell(names::room(channel), RoomEvent::MessageArrived(message))
                .await;
        }
    }
}

/// What was forgotten since is not taken in again, though it still stands there.
async fn was_taken_in(handle: &Handle, id: Snowflake) -> Result<bool, StoreError> {
    let (store, community) = (handle.store(), handle.community());
    store.has_had_message(community, &names::message(id)).await
}

/// The newest message of somebody else's. Denizen's own do not count: one of them may have been stored while what others
/// wrote before it was still on its way.
async fn newest_of_others(store: &dyn Store, community: &CommunityId, room: RoomId) -> Option<Snowflake> {
    let query = MessageQuery {
        room,
        before: None,
        after: None,
        limit: STORED_LOOKED_AT,
    };
    let page = store.messages(community, query).await.ok()?;
    let others = page
        .messages
        .iter()
        .filter(|stored| stored.message.author.kind != AuthorKind::Denizen);
    let newest = others
        .filter_map(|stored| names::message_of(&stored.message.id))
        .max();
    let all = page
        .messages
        .iter()
        .filter_map(|stored| names::message_of(&stored.message.id));
    newest.or_else(|| all.min())
}
