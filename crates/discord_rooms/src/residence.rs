//! Denizen on Discord as a whole: the bot's way to the server, what is known of it, and the quarters of its communities.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Instant;

use discord::rest::RestClient;
use discord::wire::Snowflake;
use discord::world::GuildCache;
use runtime::ports::{Store, VoiceQuarters};
use runtime::{DenizenName, Quarters, wall};
use tokio::sync::mpsc;
use vocabulary::{Author, AuthorKind, CommunityId, WallTime};

use crate::calls::{Calls, DiscordVoice, TakeSeat};
use crate::folder::{BotFolder, BotToken, KeptBot};
use crate::names;
use crate::pictures::PictureFetcher;
use crate::reading::{Reading, shown};
use crate::rooms::DiscordRooms;
use crate::sent::SentLately;
use crate::standing::ConnectionWatch;
use crate::typing::TypingShown;

/// What it takes to live on Discord.
#[allow(missing_debug_implementations, reason = "holds the store")]
pub struct DiscordOptions {
    pub data: PathBuf,
    /// Where REST is: Discord's own address, or that of a server that speaks its protocol.
    pub api: String,
    /// None: communities are there, and nobody is reached.
    pub token: Option<BotToken>,
    pub store: Arc<dyn Store>,
    /// How a seat in a call is taken.
    pub take_seat: TakeSeat,
}

/// Denizen's place on Discord. Cheap to clone.
#[derive(Clone)]
pub struct Discord(pub(crate) Arc<Inside>);

/// What Denizen goes by in a community, for as long as that is there.
type WeakName = Weak<dyn Fn() -> String + Send + Sync>;

pub(crate) struct Inside {
    /// None without a token that could be one.
    pub rest: Option<RestClient>,
    pub token: Option<BotToken>,
    pub store: Arc<dyn Store>,
    pub pictures: PictureFetcher,
    pub sent: SentLately,
    pub typing: TypingShown,
    pub calls: Calls,
    pub watch: ConnectionWatch,
    pub started: Instant,
    public: OnceLock<String>,
    folder: BotFolder,
    world: Mutex<GuildCache>,
    kept: Mutex<KeptBot>,
    /// What Denizen goes by, by community.
    called: Mutex<BTreeMap<CommunityId, WeakName>>,
}

impl fmt::Debug for Discord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Discord")
            .field("rest", &self.0.rest)
            .finish_non_exhaustive()
    }
}

impl Discord {
    /// Makes it ready; nothing is connected before it begins. A token that cannot be one is told in the log.
    pub fn open(options: DiscordOptions) -> Self {
        let rest = options
            .token
            .as_ref()
            .map(|token| RestClient::new(&options.api, &token.secret));
        let rest = match rest.transpose() {
            Ok(rest) => rest,
            Err(failure) => {
                tracing::error!(%failure, "Denizen is not on Discord");
                None
            }
        };
        let folder = BotFolder::of(&options.data);
        Self(Arc::new(Inside {
            rest,
            token: options.token,
            store: options.store,
            pictures: PictureFetcher::new(&options.api),
            sent: SentLately::default(),
            typing: TypingShown::default(),
            calls: Calls::new(options.take_seat),
            watch: ConnectionWatch::default(),
            started: Instant::now(),
            public: OnceLock::new(),
            kept: Mutex::new(folder.kept()),
            folder,
            world: Mutex::default(),
            called: Mutex::default(),
        }))
    }

    /// People can open Denizen's pages at this address, from everywhere and by TLS.
    pub fn opens_at(&self, public: String) {
        // A process has one address all its life.
        let _ = self.0.public.set(public);
    }

    /// Where a token comes from, where there is one.
    pub fn origin(&self) -> Option<&str> {
        self.0.token.as_ref().map(|token| token.origin.as_str())
    }

    /// The rooms of a community that lives on Discord; none of another.
    pub fn quarters(&self, community: &CommunityId, name: DenizenName) -> Option<Quarters> {
        if names::is_on_discord(community) {
            let name = Arc::downgrade(&name);
            self.0.called().insert(community.clone(), name);
        }
        names::is_on_discord(community).then(|| Quarters {
            denizen: names::bot(self.0.own()),
            // Nobody sits in them by way of this process.
            rooms: Vec::new(),
            adapter: Arc::new(DiscordRooms::new(self.0.clone(), community.clone(), name)),
            voice: names::guild_of(community).map(|guild| VoiceQuarters {
                voice: Arc::new(DiscordVoice {
                    inside: self.0.clone(),
                    guild,
                }),
                // Who comes and goes is told with everything else that happens there, in its order.
                coming: mpsc::channel(1).1,
                doors: None,
            }),
        })
    }
}

impl Inside {
    /// Where people can open Denizen's pages; none where nobody can from outside.
    pub fn public(&self) -> Option<&str> {
        self.public.get().map(String::as_str)
    }

    /// The bot's user, as far as it is known.
    pub fn own(&self) -> Option<Snowflake> {
        self.kept().user()
    }

    /// The bot is this user; kept for the next start.
    pub fn is_user(&self, user: Snowflake) {
        if self.change_kept(|kept| kept.is_user(user)) {
            tracing::warn!(
                "another bot's token is used with this data folder. What is kept of the former bot's servers stays, and goes on \
                 with that bot's token. Give each bot a data folder of its own (`--data`); what is not wanted any more goes by \
                 `denizen community remove discord-SERVER --yes`"
            );
        }
    }

    /// The bot is in a server (again).
    pub fn is_in(&self, guild: Snowflake) {
        self.change_kept(|kept| kept.is_in(guild));
    }

    /// The bot is not in a server any more.
    pub fn left(&self, guild: Snowflake) {
        if self.change_kept(|kept| kept.is_out_of(guild, wall())) {
            tracing::info!(community = %names::community_of(Some(guild)), "the bot has left a server; what is kept of it goes in a day");
        }
    }

    /// Nothing is kept of a server any more.
    pub fn is_without(&self, guild: Snowflake) {
        self.change_kept(|kept| kept.is_without(guild));
    }

    /// What was kept of a community was removed, and the bot is still there.
    pub fn is_emptied(&self, guild: Option<Snowflake>) {
        self.change_kept(|kept| kept.is_emptied(&names::community_of(guild), wall()));
    }

    /// When a community was removed last; what was written before is not read again.
    pub fn emptied(&self, guild: Option<Snowflake>) -> Option<WallTime> {
        self.kept().emptied(&names::community_of(guild))
    }

    /// Servers that were left before this.
    pub fn left_before(&self, time: WallTime) -> Vec<Snowflake> {
        let kept = self.kept();
        let left = kept.left.iter().filter(|(_, at)| **at <= time.0);
        left.filter_map(|(guild, _)| Snowflake::parse(guild)).collect()
    }

    fn change_kept<T>(&self, change: impl FnOnce(&mut KeptBot) -> T) -> T {
        let mut kept = self.kept();
        let before = kept.clone();
        let changed = change(&mut kept);
        if *kept != before {
            self.folder.keep(&kept);
        }
        changed
    }

    fn kept(&self) -> MutexGuard<'_, KeptBot> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn called(&self) -> MutexGuard<'_, BTreeMap<CommunityId, WeakName>> {
        self.called.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of servers. Not to be held while something is waited for.
    pub fn world(&self) -> MutexGuard<'_, GuildCache> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody in a voice channel, by Discord's number.
    pub fn caller(&self, guild: Snowflake, user: u64) -> Author {
        let Some(user) = Snowflake::new(user) else {
            return Author {
                id: names::bot(None),
                name: shown(""),
                kind: AuthorKind::OtherBot,
            };
        };
        self.read(Some(guild), |reading| reading.present(user))
    }

    /// Looks at something with what is known of a server.
    pub fn read<T>(&self, guild: Option<Snowflake>, look: impl FnOnce(Reading<'_>) -> T) -> T {
        let own = self.own();
        let called = self.called().get(&names::community_of(guild)).cloned();
        let called = called.and_then(|called| called.upgrade()).map(|called| called());
        let called = called.filter(|called| !called.is_empty());
        let world = self.world();
        look(Reading {
            world: &world,
            guild,
            own,
            called: called.as_deref(),
        })
    }
}
