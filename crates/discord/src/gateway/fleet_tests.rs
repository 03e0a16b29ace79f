//! A fleet against the double: over real sockets, with what goes wrong there.

use discord_double::{Double, DoubleOptions};
use serde_json::{Value, json};
use tokio::sync::mpsc::Receiver;

use super::{
    BotPresence, Fleet, FleetConfig, GatewayCommand, GatewayRefusal, Intents, ShardHealth, StartLimit,
};
use crate::wire::{GatewayEvent, Snowflake};

struct Stage {
    double: Double,
    fleet: Fleet,
    events: Receiver<(u32, GatewayEvent)>,
}

impl Stage {
    async fn with(options: DoubleOptions, change: impl FnOnce(&Double, &mut FleetConfig)) -> Self {
        let double = Double::start(options).await.expect("a free port");
        double
            .control("gateway", json!({"identify_spacing": 0}))
            .expect("no waiting");
        let mut config = FleetConfig {
            url: format!("ws://{}", double.address()),
            token: "bot:denizen".into(),
            intents: Intents::NEEDED | Intents::MEMBERS,
            shards: 1,
            limit: StartLimit {
                at_once: 16,
                ..StartLimit::default()
            },
            presence: BotPresence::default(),
            is_compressed: false,
            seed: 3,
        };
        change(&double, &mut config);
        let (fleet, events) = Fleet::start(config).expect("a fleet");
        Self {
            double,
            fleet,
            events,
        }
    }

    async fn new() -> Self {
        Self::with(DoubleOptions::default(), |_, _| {}).await
    }

    fn post(&self, content: &str) {
        let said = json!({"as": "alice", "channel": "general", "content": content});
        self.double.control("post", said).expect("it is said");
    }

    fn fault(&self, fault: Value) {
        self.double.control("fault", fault).expect("a fault");
    }

    /// The first thing of a kind; what comes before is left out.
    async fn until<T>(&mut self, wanted: impl Fn(GatewayEvent) -> Option<T>) -> T {
        loop {
            let (_, event) = self.events.recv().await.expect("the fleet goes on");
            if let Some(found) = wanted(event) {
                return found;
            }
        }
    }

    async fn ready(&mut self) {
        self.until(|event| matches!(event, GatewayEvent::GuildCreated(_)).then_some(()))
            .await;
    }

    async fn resumed(&mut self) {
        self.until(|event| matches!(event, GatewayEvent::Resumed).then_some(()))
            .await;
    }

    async fn message(&mut self) -> String {
        self.until(|event| match event {
            GatewayEvent::MessageCreated(message) => Some(message.content.clone()),
            _ => None,
        })
        .await
    }

    fn health(&self) -> ShardHealth {
        self.fleet.health().shards[0].clone()
    }
}

#[tokio::test]
async fn it_connects_and_hears_what_is_said() {
    let mut stage = Stage::new().await;
    stage.ready().await;
    stage.post("hello");
    assert_eq!(stage.message().await, "hello");
    let health = stage.fleet.health();
    assert_eq!((health.live(), health.starts_left), (1, 999));
    stage.fleet.stop().await;
    while stage.events.recv().await.is_some() {}
}

#[tokio::test]
async fn a_compressed_stream_says_the_same() {
    let mut stage = Stage::with(DoubleOptions::default(), |_, config| config.is_compressed = true).await;
    stage.ready().await;
    stage.post(&"hello".repeat(200));
    assert_eq!(stage.message().await.len(), 1_000);
}

#[tokio::test]
async fn dropped_and_given_up_connections_go_on_where_they_were() {
    let mut stage = Stage::new().await;
    stage.ready().await;
    for (number, kind) in ["drop", "reconnect"].into_iter().enumerate() {
        stage.fault(json!({"kind": kind}));
        stage.post(kind);
        assert_eq!(stage.message().await, kind);
        stage.resumed().await;
        assert_eq!(stage.health().resumes, number as u64 + 1);
    }
    assert_eq!(stage.health().sessions, 1);
}

#[tokio::test]
async fn a_dead_connection_is_found_and_nothing_is_lost() {
    let options = DoubleOptions {
        heartbeat_interval: 1_000,
        ..DoubleOptions::default()
    };
    let mut stage = Stage::with(options, |_, _| {}).await;
    stage.ready().await;
    stage.fault(json!({"kind": "zombie"}));
    stage.post("anybody there?");
    assert_eq!(stage.message().await, "anybody there?");
    stage.resumed().await;
    assert_eq!(stage.health().zombies, 1);
}

#[tokio::test]
async fn malformed_events_stop_nothing() {
    let mut stage = Stage::new().await;
    stage.ready().await;
    for which in discord_double::MALFORMED_KINDS {
        stage.fault(json!({"kind": "malformed", "which": which}));
        stage.post(which);
        while stage.message().await != which {}
    }
    let health = stage.health();
    assert!(health.is_live && health.reconnects == 0, "{health:?}");
    assert!(
        health.skipped["MESSAGE_CREATE"] >= 3 && health.skipped["UNREADABLE"] >= 1,
        "{health:?}"
    );
}

#[tokio::test]
async fn a_server_that_writes_everything_differently_is_understood() {
    let mut stage = Stage::with(DoubleOptions::default(), |double, _| {
        double
            .control("variants", json!({"independent": true}))
            .expect("variants");
    })
    .await;
    stage.ready().await;
    stage.post("hello");
    assert_eq!(stage.message().await, "hello");
    // It never lets a session go on: a new one begins.
    stage.fault(json!({"kind": "drop"}));
    stage.ready().await;
    stage.post("again");
    assert_eq!(stage.message().await, "again");
    let health = stage.health();
    assert_eq!((health.sessions, health.resumes), (2, 0));
    assert!(health.skipped.is_empty(), "{health:?}");
}

#[tokio::test]
async fn a_token_that_is_not_good_ends_it_with_what_to_do() {
    let mut stage = Stage::with(DoubleOptions::default(), |_, config| {
        config.token = "nobody".into()
    })
    .await;
    assert!(stage.events.recv().await.is_none(), "the stream ends");
    assert_eq!(stage.health().refusal, Some(GatewayRefusal::Token));
}

#[tokio::test]
async fn several_shards_have_their_servers_each() {
    let options = DoubleOptions {
        guilds: 6,
        shards: 2,
        ..DoubleOptions::default()
    };
    let mut stage = Stage::with(options, |_, config| config.shards = 2).await;
    for _ in 0..6 {
        let (shard, guild) = loop {
            if let (shard, GatewayEvent::GuildCreated(guild)) = stage.events.recv().await.expect("a server") {
                break (shard, guild.id);
            }
        };
        assert_eq!(stage.fleet.shard_of(guild), shard);
    }
}

#[tokio::test]
async fn commands_reach_the_server() {
    let mut stage = Stage::new().await;
    let guild = stage
        .until(|event| match event {
            GatewayEvent::GuildCreated(guild) => Some(guild.id),
            _ => None,
        })
        .await;
    let made = stage
        .double
        .control("channel", json!({"name": "lounge", "type": 2}))
        .expect("a channel");
    let channel = Snowflake::read(&made["id"]);
    assert!(stage.fleet.command(&GatewayCommand::Voice {
        guild,
        channel,
        is_muted: false,
        is_deafened: false,
    }));
    let state = stage
        .until(|event| match event {
            GatewayEvent::VoiceStateChanged(state) => Some(state),
            _ => None,
        })
        .await;
    assert_eq!((state.guild, state.channel), (Some(guild), channel));
}

#[tokio::test]
async fn whoever_reads_late_misses_nothing() {
    let mut stage = Stage::new().await;
    stage.ready().await;
    // More than wait for the adapter, before it reads anything.
    for number in 0..3_000 {
        stage.post(&number.to_string());
    }
    for number in 0..3_000 {
        assert_eq!(stage.message().await, number.to_string());
    }
}
