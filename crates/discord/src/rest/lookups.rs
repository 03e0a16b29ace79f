//! What is only looked up: where the gateway is, who the bot is, channels, messages, members.

use serde_json::{Value, json};

use super::client::{Call, RestClient};
use super::failure::{RestFailure, RestFault};
use super::route::Route;
use crate::wire::{Channel, Fields, Member, PostedMessage, Snowflake, User};
use vocabulary::Span;

/// The most that Discord gives at once.
const PAGE_MAX: u32 = 100;
/// Discord gives so many servers at once.
const GUILDS_IN_PAGE: usize = 200;
const GUILD_PAGES_MAX: usize = 15;

/// Where the gateway is, and how the bot may go there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatewayOffer {
    pub url: String,
    /// How many shards Discord recommends.
    pub shards: u32,
    /// How many sessions may still be begun, until `reset_after`.
    pub starts_left: u32,
    pub starts_in_all: u32,
    pub reset_after: Span,
    /// How many shards may identify at once.
    pub max_concurrency: u32,
}

/// The application that the bot belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnApplication {
    pub id: Snowflake,
    pub name: String,
    /// Everybody who has the link may invite the bot.
    pub is_public: bool,
    /// It may be told of all members, and of what they write.
    pub hears_members: bool,
    pub hears_content: bool,
    pub hears_presences: bool,
}

/// A server that the bot is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnGuild {
    pub id: Snowflake,
    pub name: String,
    /// What the bot may do there, channels aside; none where the server does not say.
    pub permissions: Option<u64>,
}

/// Which messages of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageOf {
    Latest,
    Before(Snowflake),
    After(Snowflake),
}

/// Messages of a channel, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessagePage {
    pub messages: Vec<PostedMessage>,
    /// So many more stand there that cannot be read.
    pub unreadable: usize,
}

const FLAGS_PRESENCES: u64 = 1 << 12 | 1 << 13;
const FLAGS_MEMBERS: u64 = 1 << 14 | 1 << 15;
const FLAGS_CONTENT: u64 = 1 << 18 | 1 << 19;

impl RestClient {
    pub async fn gateway(&self) -> Result<GatewayOffer, RestFailure> {
        let deed = "asking for the gateway";
        let value = self
            .ask(Call::repeatable(deed, Route::new("GET /gateway/bot", &[])))
            .await?;
        typed(deed, Fields::of(&value).and_then(GatewayOffer::read))
    }

    pub async fn own_user(&self) -> Result<User, RestFailure> {
        let deed = "asking who the bot is";
        let value = self
            .ask(Call::repeatable(deed, Route::new("GET /users/@me", &[])))
            .await?;
        typed(deed, Fields::of(&value).and_then(User::read))
    }

    pub async fn own_application(&self) -> Result<OwnApplication, RestFailure> {
        let deed = "asking for the bot's application";
        let route = Route::new("GET /applications/@me", &[]);
        let value = self.ask(Call::repeatable(deed, route)).await?;
        typed(deed, Fields::of(&value).and_then(OwnApplication::read))
    }

    /// The servers that the bot is in, the oldest first; three thousand at most.
    pub async fn own_guilds(&self) -> Result<Vec<OwnGuild>, RestFailure> {
        let deed = "asking for the bot's servers";
        let read = |fields: Fields<'_>| {
            Some(OwnGuild {
                id: fields.id("id")?,
                name: fields.text("name").unwrap_or_default().to_owned(),
                permissions: fields.number("permissions"),
            })
        };
        let mut guilds: Vec<OwnGuild> = Vec::new();
        for _ in 0..GUILD_PAGES_MAX {
            let newest = guilds.iter().map(|guild| guild.id).max();
            let after = newest.map(|id| id.to_string());
            let route = Route::new("GET /users/@me/guilds", &[]).query(&[("after", after)]);
            let value = match self.ask(Call::repeatable(deed, route)).await {
                // What is known by then says enough.
                Err(failure) if failure.fault == RestFault::Limited && !guilds.is_empty() => break,
                answer => answer?,
            };
            let mut page = typed(deed, list(&value, read))?;
            // A server that knows no pages gives all of them each time.
            page.retain(|guild| newest.is_none_or(|newest| guild.id > newest));
            let is_last = page.len() < GUILDS_IN_PAGE;
            guilds.extend(page);
            if is_last {
                break;
            }
        }
        Ok(guilds)
    }

    /// Without its threads.
    pub async fn guild_channels(&self, guild: Snowflake) -> Result<Vec<Channel>, RestFailure> {
        let deed = "reading a server's channels";
        let route = Route::new("GET /guilds/{}/channels", &[&guild.to_string()]);
        let value = self.ask(Call::repeatable(deed, route)).await?;
        typed(deed, list(&value, Channel::read))
    }

    /// Threads that are not archived, as far as the bot may see them.
    pub async fn active_threads(&self, guild: Snowflake) -> Result<Vec<Channel>, RestFailure> {
        let deed = "reading a server's threads";
        let route = Route::new("GET /guilds/{}/threads/active", &[&guild.to_string()]);
        let value = self.ask(Call::repeatable(deed, route)).await?;
        typed(deed, list(&value["threads"], Channel::read))
    }

    /// At most a hundred, oldest first.
    pub async fn messages(
        &self,
        channel: Snowflake,
        page: PageOf,
        limit: u32,
    ) -> Result<Vec<PostedMessage>, RestFailure> {
        self.page(channel, page, limit).await.map(|page| page.messages)
    }

    /// The same, with how many of them could not be read.
    pub async fn page(
        &self,
        channel: Snowflake,
        page: PageOf,
        limit: u32,
    ) -> Result<MessagePage, RestFailure> {
        let deed = "reading messages";
        let (before, after) = match page {
            PageOf::Latest => (None, None),
            PageOf::Before(id) => (Some(id.to_string()), None),
            PageOf::After(id) => (None, Some(id.to_string())),
        };
        let limit = Some(limit.clamp(1, PAGE_MAX).to_string());
        let route = Route::new("GET /channels/{}/messages", &[&channel.to_string()]);
        let route = route.query(&[("limit", limit), ("before", before), ("after", after)]);
        let value = self.ask(Call::repeatable(deed, route)).await?;
        let mut messages = typed(deed, list(&value, PostedMessage::read))?;
        messages.sort_by_key(|message| message.id);
        let told = value.as_array().map_or(0, Vec::len);
        Ok(MessagePage {
            unreadable: told.saturating_sub(messages.len()),
            messages,
        })
    }

    pub async fn message(
        &self,
        channel: Snowflake,
        message: Snowflake,
    ) -> Result<PostedMessage, RestFailure> {
        let deed = "reading a message";
        let parts = [channel.to_string(), message.to_string()];
        let route = Route::new("GET /channels/{}/messages/{}", &[&parts[0], &parts[1]]);
        let value = self.ask(Call::repeatable(deed, route)).await?;
        typed(deed, Fields::of(&value).and_then(PostedMessage::read))
    }

    pub async fn member(&self, guild: Snowflake, user: Snowflake) -> Result<Member, RestFailure> {
        let deed = "looking up a member";
        let parts = [guild.to_string(), user.to_string()];
        let route = Route::new("GET /guilds/{}/members/{}", &[&parts[0], &parts[1]]);
        let value = self.ask(Call::repeatable(deed, route)).await?;
        typed(deed, Fields::of(&value).map(Member::read))
    }

    /// The channel of direct messages with somebody; there is one each, however often it is opened.
    pub async fn open_direct(&self, user: Snowflake) -> Result<Snowflake, RestFailure> {
        let deed = "opening a direct conversation";
        let call = Call::repeatable(deed, Route::new("POST /users/@me/channels", &[]));
        let value = self
            .ask(call.body(json!({"recipient_id": user.to_string()})))
            .await?;
        typed(deed, Fields::of(&value).and_then(|fields| fields.id("id")))
    }
}

impl GatewayOffer {
    fn read(fields: Fields<'_>) -> Option<Self> {
        let starts = fields.inner("session_start_limit");
        let number = |name: &str, otherwise: u32| {
            let number = starts.and_then(|starts| starts.number(name));
            number.map_or(otherwise, |number| u32::try_from(number).unwrap_or(u32::MAX))
        };
        let starts_in_all = number("total", 1_000);
        Some(Self {
            url: fields.words("url")?.to_owned(),
            shards: fields.number("shards").unwrap_or(1).clamp(1, 16_384) as u32,
            starts_left: number("remaining", starts_in_all),
            starts_in_all,
            reset_after: Span(
                starts
                    .and_then(|starts| starts.number("reset_after"))
                    .unwrap_or_default(),
            ),
            max_concurrency: number("max_concurrency", 1).max(1),
        })
    }
}

impl OwnApplication {
    fn read(fields: Fields<'_>) -> Option<Self> {
        let flags = fields.number("flags");
        // A server without such switches has them on.
        let has = |wanted: u64| flags.is_none_or(|flags| flags & wanted != 0);
        Some(Self {
            id: fields.id("id")?,
            name: fields.text("name").unwrap_or_default().to_owned(),
            is_public: fields.value("bot_public").is_none() || fields.flag("bot_public"),
            hears_members: has(FLAGS_MEMBERS),
            hears_content: has(FLAGS_CONTENT),
            hears_presences: has(FLAGS_PRESENCES),
        })
    }
}

/// Everything in a list that can be read; what is no list is none.
pub(super) fn list<T>(value: &Value, read: impl Fn(Fields<'_>) -> Option<T>) -> Option<Vec<T>> {
    let items = value.as_array()?.iter();
    Some(items.filter_map(|item| read(Fields::of(item)?)).collect())
}

pub(super) fn typed<T>(deed: &str, read: Option<T>) -> Result<T, RestFailure> {
    let why = "the server answered something else than was asked for";
    read.ok_or_else(|| RestFailure::new(RestFault::Unreadable, deed, why))
}
