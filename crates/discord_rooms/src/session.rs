//! The bot's life on Discord: it connects, hands what it hears to the queues of its communities, and connects again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use discord::gateway::{
    BotPresence, Fleet, FleetConfig, GatewayCommand, GatewayRefusal, Intents, StartLimit,
};
use discord::rest::{RestClient, RestFailure, RestFault};
use discord::wire::{GatewayEvent, Interaction, Snowflake};
use runtime::{Town, TownError, wall};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use vocabulary::WallTime;

use crate::commands::{attend, specs};
use crate::names;
use crate::queue::{CommunityQueue, QueueDoor};
use crate::residence::{Discord, Inside};

const WAIT_FIRST: Duration = Duration::from_secs(2);
const WAIT_MAX: Duration = Duration::from_secs(120);
/// Somebody may switch an intent on meanwhile.
const REFUSED_AGAIN: Duration = Duration::from_secs(300);
/// Commands that are answered at once.
const COMMANDS_MAX: usize = 64;
/// By then it is known which servers the bot is in.
const SWEPT_FIRST: Duration = Duration::from_secs(15);
const SWEPT_EVERY: Duration = Duration::from_secs(600);
/// What is kept of a server that the bot was made to leave goes after this, unless it is invited again.
const LEFT_KEPT_MS: i64 = 24 * 60 * 60 * 1_000;

/// The bot while it lives on Discord; it ends when this is left or dropped.
#[derive(Debug)]
pub struct Residence {
    stop: CancellationToken,
    life: AbortOnDropHandle<()>,
}

impl Residence {
    /// Says goodbye, so that the bot is not shown as online. To be done before the communities are stopped.
    pub async fn leave(self) {
        self.stop.cancel();
        let _ = self.life.await;
    }
}

impl Discord {
    /// Connects, and goes on until it is left; nothing happens without a token.
    pub fn begin(&self, town: Town) -> Option<Residence> {
        let rest = self.0.rest.clone()?;
        let stop = CancellationToken::new();
        let life = Life {
            inside: self.0.clone(),
            rest,
            town,
            shards: 1,
            ready: BTreeSet::new(),
            doors: BTreeMap::new(),
            queues: JoinSet::new(),
            commands: JoinSet::new(),
            has_offered: false,
            wishes: self.0.calls.wishes(),
        };
        let task = tokio::spawn(live(life, stop.clone()));
        Some(Residence {
            stop,
            life: AbortOnDropHandle::new(task),
        })
    }
}

/// Why a connection came to its end.
enum Ended {
    Stopped,
    /// Nothing helps until somebody does something.
    Refused(GatewayRefusal),
    NotReached(RestFailure),
    Broken(String),
}

struct Life {
    inside: Arc<Inside>,
    rest: RestClient,
    town: Town,
    shards: u32,
    /// Shards that have said which servers the bot is in.
    ready: BTreeSet<u32>,
    doors: BTreeMap<Option<Snowflake>, QueueDoor>,
    queues: JoinSet<()>,
    commands: JoinSet<()>,
    has_offered: bool,
    /// What the bot's calls want of the gateway.
    wishes: Option<mpsc::Receiver<GatewayCommand>>,
}

async fn live(mut life: Life, stop: CancellationToken) {
    let mut wait = WAIT_FIRST;
    loop {
        let began = Instant::now();
        let ended = life.connect(&stop).await;
        if began.elapsed() > WAIT_MAX {
            wait = WAIT_FIRST;
        }
        let watch = &life.inside.watch;
        let pause = match ended {
            Ended::Stopped => break,
            Ended::Refused(GatewayRefusal::Token) => {
                watch.is_refused(GatewayRefusal::Token);
                tracing::error!("Denizen is not on Discord: {}", GatewayRefusal::Token);
                break;
            }
            Ended::NotReached(failure) if failure.fault == RestFault::TokenRefused => {
                watch.is_shut_out(failure.to_string());
                tracing::error!("Denizen is not on Discord: {failure}");
                break;
            }
            Ended::Refused(refusal) => {
                watch.is_refused(refusal);
                tracing::error!("Denizen is not on Discord: {refusal}. It is tried again every five minutes");
                REFUSED_AGAIN
            }
            Ended::NotReached(failure) => {
                watch.fell_into(format!("Discord cannot be reached; it is tried again: {failure}"));
                tracing::warn!("Discord cannot be reached; it is tried again: {failure}");
                wait
            }
            Ended::Broken(why) => {
                watch.fell_into(format!("the gateway cannot be used; it is tried again: {why}"));
                tracing::error!("the gateway of Discord cannot be used; it is tried again: {why}");
                wait
            }
        };
        wait = (wait * 2).min(WAIT_MAX);
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(pause) => {}
        }
    }
    life.commands.shutdown().await;
    life.queues.shutdown().await;
}

impl Life {
    /// One connection, to its end.
    async fn connect(&mut self, stop: &CancellationToken) -> Ended {
        let config = tokio::select! {
            () = stop.cancelled() => return Ended::Stopped,
            config = self.config() => match config {
                Ok(config) => config,
                Err(failure) => return Ended::NotReached(failure),
            },
        };
        self.shards = config.shards;
        self.ready.clear();
        let (fleet, events) = match Fleet::start(config) {
            Ok(started) => started,
            Err(fault) => return Ended::Broken(fault.to_string()),
        };
        self.inside.watch.begins(fleet.watcher());
        let is_over = tokio::select! {
            () = stop.cancelled() => false,
            () = self.listen(events, &fleet) => true,
        };
        let refusal = fleet.health().shards.iter().find_map(|shard| shard.refusal);
        fleet.stop().await;
        match (is_over, refusal) {
            (false, _) => Ended::Stopped,
            (true, Some(refusal)) => Ended::Refused(refusal),
            (true, None) => Ended::Broken("every shard has stopped".to_owned()),
        }
    }

    /// Who the bot is, and where it may connect.
    async fn config(&self) -> Result<FleetConfig, RestFailure> {
        let own = self.rest.own_user().await?;
        let offer = self.rest.gateway().await?;
        self.inside.is_user(own.id);
        tracing::info!(bot = own.shown(), shards = offer.shards, "connecting to Discord");
        let token = self.inside.token.as_ref().map(|token| token.secret.clone());
        Ok(FleetConfig {
            url: offer.url,
            token: token.unwrap_or_default(),
            intents: Intents::NEEDED,
            shards: offer.shards,
            limit: StartLimit {
                total: u64::from(offer.starts_in_all),
                remaining: u64::from(offer.starts_left),
                resets_in: offer.reset_after,
                at_once: offer.max_concurrency,
            },
            presence: BotPresence::default(),
            is_compressed: true,
            seed: u64::try_from(wall().0).unwrap_or_default(),
        })
    }

    /// Hands on what is heard, until every shard has stopped.
    async fn listen(&mut self, mut events: mpsc::Receiver<(u32, GatewayEvent)>, fleet: &Fleet) {
        let mut sweep = tokio::time::interval_at(Instant::now() + SWEPT_FIRST, SWEPT_EVERY);
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Some((shard, event)) => self.heard(shard, event),
                    None => return,
                },
                Some(wish) = wished(&mut self.wishes) => {
                    if !fleet.command(&wish) {
                        tracing::warn!("the gateway of Discord takes nothing at the moment; a call is not entered or left");
                    }
                }
                _ = sweep.tick() => self.sweep().await,
            }
        }
    }

    fn heard(&mut self, shard: u32, event: GatewayEvent) {
        let of = {
            let mut world = self.inside.world();
            let of = belongs_to(&event, |channel| world.guild_of(channel));
            world.apply(&event);
            of
        };
        self.inside.calls.heard(self.inside.own(), &event);
        match &event {
            GatewayEvent::Ready(ready) => {
                self.inside.is_user(ready.user.id);
                let calls = &self.inside.calls;
                calls.begins_anew(|guild| self.told_by(guild) == shard);
                self.find_left(shard, &ready.guilds);
                let application = ready.application.unwrap_or(ready.user.id);
                self.inside.watch.is_let_in(application);
                self.offer_commands(application);
                tracing::info!(
                    bot = ready.user.shown(),
                    servers = ready.guilds.len(),
                    "on Discord"
                );
            }
            GatewayEvent::InteractionCreated(interaction) => self.used((**interaction).clone()),
            GatewayEvent::GuildCreated(guild) => self.inside.is_in(guild.id),
            GatewayEvent::GuildGone {
                guild,
                is_outage: false,
            } => self.inside.left(*guild),
            _ => {}
        }
        if let Some(guild) = of {
            self.door(guild).bring(event);
        }
    }

    /// Tells Discord which commands there are.
    fn offer_commands(&mut self, application: Snowflake) {
        if std::mem::replace(&mut self.has_offered, true) {
            return;
        }
        let rest = self.rest.clone();
        self.commands.spawn(async move {
            if let Err(failure) = rest.overwrite_commands(application, None, &specs()).await {
                tracing::warn!(%failure, "the commands of the bot are not known on Discord");
            }
        });
    }

    /// Somebody used a command: it is answered beside what happens, for Discord does not wait.
    fn used(&mut self, interaction: Interaction) {
        while self.commands.try_join_next().is_some() {}
        if self.commands.len() < COMMANDS_MAX {
            let (inside, town) = (self.inside.clone(), self.town.clone());
            self.commands
                .spawn(attend(inside, town, self.rest.clone(), interaction));
        }
    }

    /// Servers that the bot was made to leave while it was away, or invited to again: a shard names all that it tells of.
    fn find_left(&mut self, shard: u32, there: &[Snowflake]) {
        self.ready.insert(shard);
        let known = self.town.list().into_iter();
        let known = known.filter_map(|hosted| names::guild_of(hosted.id()));
        for guild in known.filter(|guild| self.told_by(*guild) == shard) {
            match there.contains(&guild) {
                true => self.inside.is_in(guild),
                false => self.inside.left(guild),
            }
        }
    }

    /// The shard that tells of a server.
    fn told_by(&self, guild: Snowflake) -> u32 {
        // Less than the number of shards.
        ((guild.number() >> 22) % u64::from(self.shards.max(1))) as u32
    }

    fn door(&mut self, guild: Option<Snowflake>) -> &QueueDoor {
        let (inside, town, queues) = (&self.inside, &self.town, &mut self.queues);
        self.doors.entry(guild).or_insert_with(|| {
            let (door, work) = CommunityQueue::begin(inside.clone(), town.clone(), guild);
            queues.spawn(work);
            door
        })
    }

    /// Removes what is kept of servers that were left a day ago.
    async fn sweep(&mut self) {
        let before = WallTime(wall().0.saturating_sub(LEFT_KEPT_MS));
        let left = self.inside.left_before(before);
        let is_known = |guild: &Snowflake| self.ready.contains(&self.told_by(*guild));
        for guild in left.into_iter().filter(is_known).collect::<Vec<_>>() {
            self.doors.remove(&Some(guild));
            let community = names::community_of(Some(guild));
            match self.town.remove(&community).await {
                Ok(_) | Err(TownError::Unknown { .. }) => {
                    tracing::info!(%community, "what was kept of a server that the bot has left is gone");
                    self.inside.is_without(guild);
                }
                Err(error) => {
                    tracing::error!(%community, %error, "what is kept of a server that the bot has left is still there; it is tried again");
                }
            }
        }
    }
}

async fn wished(wishes: &mut Option<mpsc::Receiver<GatewayCommand>>) -> Option<GatewayCommand> {
    wishes.as_mut()?.recv().await
}

/// Whose event it is: a server's, or that of direct messages; none where it is nobody's in particular.
fn belongs_to(
    event: &GatewayEvent,
    home: impl Fn(Snowflake) -> Option<Snowflake>,
) -> Option<Option<Snowflake>> {
    let at = |guild: Option<Snowflake>, channel: Snowflake| Some(guild.or_else(|| home(channel)));
    match event {
        GatewayEvent::Ready(_) => Some(None),
        GatewayEvent::GuildCreated(guild) | GatewayEvent::GuildUpdated(guild) => Some(Some(guild.id)),
        GatewayEvent::ChannelCreated(channel)
        | GatewayEvent::ChannelUpdated(channel)
        | GatewayEvent::ChannelDeleted(channel)
        | GatewayEvent::ThreadCreated(channel)
        | GatewayEvent::ThreadUpdated(channel) => at(channel.guild, channel.id),
        GatewayEvent::ThreadDeleted { guild, thread }
        | GatewayEvent::ThreadPeopleChanged { guild, thread, .. } => at(*guild, *thread),
        GatewayEvent::ThreadsListed(list) => Some(Some(list.guild)),
        GatewayEvent::MessageCreated(message) => at(message.guild, message.channel),
        GatewayEvent::MessageChanged(changed) => at(changed.guild, changed.channel),
        GatewayEvent::MessagesDeleted { guild, channel, .. }
        | GatewayEvent::ReactionsCleared { guild, channel, .. }
        | GatewayEvent::TypingStarted { guild, channel, .. } => at(*guild, *channel),
        GatewayEvent::ReactionAdded(reaction) | GatewayEvent::ReactionRemoved(reaction) => {
            at(reaction.guild, reaction.channel)
        }
        GatewayEvent::RoleSet { guild, .. }
        | GatewayEvent::RoleDeleted { guild, .. }
        | GatewayEvent::MemberUpdated { guild, .. } => Some(Some(*guild)),
        GatewayEvent::VoiceStateChanged(state) => state.guild.map(Some),
        GatewayEvent::InteractionCreated(interaction) => Some(interaction.guild),
        GatewayEvent::Resumed
        | GatewayEvent::GuildGone { .. }
        | GatewayEvent::EmojiSet { .. }
        | GatewayEvent::MemberJoined { .. }
        | GatewayEvent::MemberLeft { .. }
        | GatewayEvent::MembersListed { .. }
        | GatewayEvent::VoiceServerChanged(_)
        | GatewayEvent::Unknown { .. } => None,
    }
}
