//! A local Discord for tests: the gateway, REST v10, interactions and voice as clients know them, with a control API that makes
//! people talk and things go wrong. A dev-dependency, never shipped. README.md has the control API.
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! use discord_double::{Double, DoubleOptions};
//! let double = Double::start(DoubleOptions::default()).await?;
//! // A client logs in at double.api() as `bot:denizen`; a person writes to it:
//! let said = double.control("post", serde_json::json!({"as": "alice", "channel": "general", "content": "hi"}));
//! # Ok(()) }
//! ```

mod control;
mod faults;
mod gateway;
mod ids;
mod limits;
mod log;
mod rest;
mod serve;
mod variants;
mod voice;
mod world;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::net::{TcpListener, UdpSocket};
use tokio::task::JoinHandle;

pub use control::malformed::KINDS as MALFORMED_KINDS;
use gateway::hub::Wire;
pub use ids::run_ahead;
use world::World;

/// How a double begins.
#[derive(Clone, Debug)]
pub struct DoubleOptions {
    /// 0 takes any that is free.
    pub port: u16,
    /// Guilds that are there from the beginning, open to every account, each with a channel `general`.
    pub guilds: usize,
    /// How often clients are told to send a heartbeat, in milliseconds.
    pub heartbeat_interval: u64,
    /// How many shards clients are told to use.
    pub shards: u64,
}

impl Default for DoubleOptions {
    fn default() -> Self {
        Self {
            port: 0,
            guilds: 1,
            heartbeat_interval: 41_250,
            shards: 1,
        }
    }
}

/// What the server and its connections share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    world: Mutex<World>,
}

impl Shared {
    fn world(&self) -> MutexGuard<'_, World> {
        // A panic in one request is that request's own.
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A double that runs; it is gone when this is.
#[derive(Debug)]
pub struct Double {
    address: SocketAddr,
    shared: Arc<Shared>,
    servers: Vec<JoinHandle<()>>,
}

impl Double {
    /// Starts one on loopback.
    pub async fn start(options: DoubleOptions) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", options.port)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let mut servers = Vec::new();
        // Two, so that a region can change.
        for _ in 0..2 {
            let voice = TcpListener::bind(("127.0.0.1", 0)).await?;
            shared
                .world()
                .calls
                .endpoints
                .push(voice.local_addr()?.to_string());
            servers.push(tokio::spawn(voice::socket::serve(voice, Arc::clone(&shared))));
        }
        let udp = UdpSocket::bind(("127.0.0.1", 0)).await?;
        {
            let mut world = shared.world();
            world.address = address.to_string();
            world.calls.udp = Some(udp.local_addr()?);
            world.hub.voice_endpoint = world.calls.endpoints.first().cloned();
            world.hub.heartbeat_interval = options.heartbeat_interval;
            world.hub.shards = options.shards;
            let owner = world.account("owner", false);
            for number in 1..=options.guilds {
                let guild = world.found(&format!("Guild {number}"), owner);
                if let Some(guild) = world.guilds.get_mut(&guild) {
                    guild.open = true;
                }
            }
        }
        servers.push(tokio::spawn(voice::relay::run(udp, Arc::clone(&shared))));
        servers.push(tokio::spawn(serve::run(listener, Arc::clone(&shared))));
        Ok(Self {
            address,
            shared,
            servers,
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The base of REST, to be given to a client in place of Discord's.
    pub fn api(&self) -> String {
        format!("http://{}/api/v10", self.address)
    }

    /// Does what `POST /control/{verb}` does.
    pub fn control(&self, verb: &str, wish: Value) -> Result<Value, String> {
        control::control(&mut self.shared.world(), verb, &wish)
    }
}

impl Drop for Double {
    fn drop(&mut self) {
        self.servers.iter().for_each(JoinHandle::abort);
        for session in self.shared.world().hub.sessions.values_mut() {
            if let Some((_, wire)) = session.wire.take() {
                let _ = wire.send(Wire::Drop);
            }
        }
        for talker in self.shared.world().calls.talkers.values() {
            talker.send(Wire::Drop);
        }
    }
}
