//! All shards of a bot: each in a task of its own, with turns to begin sessions, one stream of events, and their health.

use secrecy::SecretString;
use thiserror::Error;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::clock::Clock;
use super::shard_task::{ShardTask, TurnWish};
use super::{
    BotPresence, GatewayCommand, IdentifyTurns, Intents, Shard, ShardHealth, ShardLogin, StartLimit, socket,
};
use crate::wire::{GatewayEvent, Snowflake};

/// Events that wait for the adapter. When there are more, sockets are not read until there is room.
const EVENTS_MAX: usize = 1_000;
const COMMANDS_MAX: usize = 100;
/// More shards than this are a server's mistake: they are enough for a million servers.
const SHARDS_MAX: u32 = 512;

/// What a bot is to connect to, and as whom.
#[derive(Clone, Debug)]
pub struct FleetConfig {
    /// Where the gateway is, as `GET /gateway/bot` tells it.
    pub url: String,
    pub token: SecretString,
    pub intents: Intents,
    /// How many shards, as `GET /gateway/bot` recommends it.
    pub shards: u32,
    pub limit: StartLimit,
    pub presence: BotPresence,
    /// Whether the server is asked to compress what it says. It makes a tenth of it, for some of its time and ours.
    pub is_compressed: bool,
    /// What chance is made from, so that many bots do not do everything at once.
    pub seed: u64,
}

/// Why a fleet was not started.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FleetFault {
    #[error(
        "the gateway's address is \"{0}\", which is no ws or wss address; GET /gateway/bot tells the right one"
    )]
    Address(String),
    #[error("the bot is to have {0} shards; there may be 1 to {SHARDS_MAX}")]
    Shards(u32),
}

/// A fleet that is under way. Dropped, it ends at once; the stream of events ends when every shard has stopped.
#[derive(Debug)]
pub struct Fleet {
    commands: Vec<mpsc::Sender<GatewayCommand>>,
    watcher: FleetWatcher,
    stop: CancellationToken,
    tasks: JoinSet<()>,
}

/// Sees how a fleet is doing, for as long as it goes on, and how it was at its end. Cheap to clone.
#[derive(Clone, Debug)]
pub struct FleetWatcher {
    health: Vec<watch::Receiver<ShardHealth>>,
    starts_left: watch::Receiver<u64>,
}

impl FleetWatcher {
    pub fn health(&self) -> FleetHealth {
        FleetHealth {
            shards: self.health.iter().map(|shard| shard.borrow().clone()).collect(),
            starts_left: *self.starts_left.borrow(),
        }
    }
}

/// How the gateway is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetHealth {
    pub shards: Vec<ShardHealth>,
    /// Sessions that may be begun today.
    pub starts_left: u64,
}

impl FleetHealth {
    pub fn live(&self) -> usize {
        self.shards.iter().filter(|shard| shard.is_live).count()
    }
}

impl Fleet {
    /// Connects all shards, and goes on until it is stopped.
    pub fn start(config: FleetConfig) -> Result<(Self, mpsc::Receiver<(u32, GatewayEvent)>), FleetFault> {
        if socket::address(&config.url, false).is_none() {
            return Err(FleetFault::Address(config.url));
        }
        if !(1..=SHARDS_MAX).contains(&config.shards) {
            return Err(FleetFault::Shards(config.shards));
        }
        let clock = Clock::from(Instant::now());
        let stop = CancellationToken::new();
        let mut tasks = JoinSet::new();
        let (events, stream) = mpsc::channel(EVENTS_MAX);
        let (wishes, wanted) = mpsc::channel(COMMANDS_MAX);
        let (mut commands, mut health, mut grants) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..config.shards {
            let login = ShardLogin {
                token: config.token.clone(),
                intents: config.intents,
                shard: (number, config.shards),
                presence: config.presence.clone(),
            };
            let (command, commanded) = mpsc::channel(COMMANDS_MAX);
            let (grant, granted) = mpsc::channel(1);
            let (told, watched) = watch::channel(ShardHealth::default());
            let seed = config.seed ^ (u64::from(number) << 32);
            let task = ShardTask {
                shard: Shard::new(login, &config.url, seed),
                clock,
                is_compressed: config.is_compressed,
                events: events.clone(),
                commands: commanded,
                wishes: wishes.clone(),
                turns: granted,
                health: told,
                stop: stop.clone(),
            };
            tasks.spawn(task.run());
            commands.push(command);
            health.push(watched);
            grants.push(grant);
        }
        let turns = IdentifyTurns::new(config.limit, clock.now());
        let (left, starts_left) = watch::channel(turns.left());
        tasks.spawn(hand_out(turns, clock, wanted, grants, left));
        let fleet = Self {
            commands,
            watcher: FleetWatcher { health, starts_left },
            stop,
            tasks,
        };
        Ok((fleet, stream))
    }

    /// Which shard tells of a server. Direct messages are told by the first.
    pub fn shard_of(&self, guild: Snowflake) -> u32 {
        shard_of(guild, self.commands.len() as u64)
    }

    /// Gives a command to the shard that it is for, a presence to all. False: a shard has stopped, or has too much to do.
    pub fn command(&self, command: &GatewayCommand) -> bool {
        let guild = match command {
            GatewayCommand::Voice { guild, .. } | GatewayCommand::Members { guild, .. } => Some(*guild),
            GatewayCommand::Presence(_) => None,
        };
        let only = guild.map(|guild| self.shard_of(guild) as usize);
        let shards = self.commands.iter().enumerate();
        let mut shards = shards.filter(|(number, _)| only.is_none_or(|only| only == *number));
        shards.all(|(_, shard)| shard.try_send(command.clone()).is_ok())
    }

    pub fn health(&self) -> FleetHealth {
        self.watcher.health()
    }

    pub fn watcher(&self) -> FleetWatcher {
        self.watcher.clone()
    }

    /// Says goodbye on every shard, so that the bot is not shown as online, and waits until it is said.
    pub async fn stop(mut self) {
        self.stop.cancel();
        while self.tasks.join_next().await.is_some() {}
    }
}

/// By the time in the id, as every server computes it.
fn shard_of(guild: Snowflake, shards: u64) -> u32 {
    // Less than the number of shards.
    ((guild.number() >> 22) % shards.max(1)) as u32
}

/// Ends when no shard is left to ask.
async fn hand_out(
    mut turns: IdentifyTurns,
    clock: Clock,
    mut wishes: mpsc::Receiver<TurnWish>,
    grants: Vec<mpsc::Sender<()>>,
    left: watch::Sender<u64>,
) {
    loop {
        for shard in turns.grant(clock.now()) {
            // A shard that has a turn already, or has stopped, needs no other.
            let _ = grants[shard as usize].try_send(());
        }
        left.send_replace(turns.left());
        tokio::select! {
            wish = wishes.recv() => match wish {
                Some(TurnWish::Ask(shard)) => turns.ask(shard),
                Some(TurnWish::Withdraw(shard)) => turns.withdraw(shard),
                None => return,
            },
            () = clock.until(turns.wake()) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_told_by_the_shard_that_its_id_says() {
        let guild = Snowflake::new(197_038_439_483_310_086).expect("an id");
        assert_eq!(shard_of(guild, 1), 0);
        assert_eq!(
            u64::from(shard_of(guild, 16)),
            (197_038_439_483_310_086_u64 >> 22) % 16
        );
    }

    #[test]
    fn what_cannot_be_right_is_not_started() {
        let config = |url: &str, shards| FleetConfig {
            url: url.to_owned(),
            token: "t".into(),
            intents: Intents::NEEDED,
            shards,
            limit: StartLimit::default(),
            presence: BotPresence::default(),
            is_compressed: false,
            seed: 1,
        };
        let fault = |url, shards| {
            Fleet::start(config(url, shards))
                .expect_err("it is wrong")
                .to_string()
        };
        assert!(fault("https://x", 1).contains("https://x"));
        assert!(fault("wss://x", 0).contains("0 shards"));
        assert!(fault("wss://x", 100_000).contains("100000 shards"));
    }
}
