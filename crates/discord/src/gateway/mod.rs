//! The gateway: a shard is a state machine without a socket and without a clock ([`Shard`]), which a thin task feeds;
//! a [`Fleet`] has them all.

mod clock;
mod closing;
mod commands;
mod fleet;
mod health;
mod heart;
mod inflating;
mod intents;
mod pace;
mod session;
mod shard;
mod shard_io;
mod shard_task;
mod socket;
mod turns;

pub use closing::GatewayRefusal;
pub use commands::{BotPresence, GatewayCommand, MembersAsked, Outgoing};
pub use fleet::{Fleet, FleetConfig, FleetFault, FleetHealth, FleetWatcher};
pub use health::ShardHealth;
pub use intents::Intents;
pub use shard::Shard;
pub use shard_io::{ShardInput, ShardLogin, ShardOutput};
pub use turns::IdentifyTurns;

use vocabulary::Span;

/// How many sessions a bot may begin, as `GET /gateway/bot` tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartLimit {
    /// In a day.
    pub total: u64,
    /// Of these are left.
    pub remaining: u64,
    /// And after this they are all there again.
    pub resets_in: Span,
    /// Shards that may begin in the same five seconds.
    pub at_once: u32,
}

impl StartLimit {
    pub(crate) const DAY: Span = Span::hours(24);
}

impl Default for StartLimit {
    /// What every bot has, where a server does not say.
    fn default() -> Self {
        Self {
            total: 1_000,
            remaining: 1_000,
            resets_in: Self::DAY,
            at_once: 1,
        }
    }
}

#[cfg(test)]
#[path = "fleet_tests.rs"]
mod fleet_tests;
#[cfg(test)]
#[path = "shard_tests.rs"]
mod shard_tests;
#[cfg(test)]
mod week_server;
#[cfg(test)]
#[path = "week_tests.rs"]
mod week_tests;
