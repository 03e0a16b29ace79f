//! Turns wait in a Redis list that several processes and programs may write to and take from.
//!
//! Beside the list `KEY` stand `KEY:seen` (ids that were put before), `KEY:held:CONSUMER` (what a process works on),
//! `KEY:alive:CONSUMER` (that it lives, for one lease), `KEY:consumers`, and `KEY:unreadable` (entries nobody can read,
//! set aside for a person to look at). Redis 6.2 or newer, or Valkey.

mod adoption;
mod foreign;
mod link;
mod scripts;
mod turns;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use runtime::ports::MemoryFault;
use tokio::task::AbortHandle;
use vocabulary::{CapturedTurn, CommunityId, Place, RoomId, TurnKey};

use link::Link;
use scripts::Scripts;

/// Without a sign of life for so long, what a process holds is given to others.
const LEASE: Duration = Duration::from_secs(60);
const SIGNS_PER_LEASE: u32 = 3;

/// Which list of which Redis, and who takes from it.
#[derive(Clone)]
pub struct RedisSettings {
    /// `redis://` or, with TLS, `rediss://`; may hold a password.
    pub url: String,
    pub key: String,
    /// The same across restarts of one data folder, and no other's.
    pub consumer: String,
    /// Where turns of other programs belong that do not say so themselves.
    pub adopt_into: Place,
    pub lease: Duration,
}

impl RedisSettings {
    pub fn new(url: impl Into<String>, key: impl Into<String>, consumer: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            key: key.into(),
            consumer: consumer.into(),
            adopt_into: Place {
                community: CommunityId::new("shared"),
                room: RoomId::new("shared"),
                private: false,
            },
            lease: LEASE,
        }
    }
}

impl fmt::Debug for RedisSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The address may hold a password.
        f.debug_struct("RedisSettings")
            .field("key", &self.key)
            .field("consumer", &self.consumer)
            .finish_non_exhaustive()
    }
}

/// The shared buffer.
pub struct RedisBuffer {
    shared: Arc<Shared>,
    signs_of_life: AbortHandle,
}

struct Shared {
    link: Link,
    scripts: Scripts,
    settings: RedisSettings,
    /// What the caller was told it holds.
    given: Mutex<BTreeSet<TurnKey>>,
    claiming: tokio::sync::Mutex<()>,
    /// A claim may have been carried out without its answer having arrived.
    unsure: AtomicBool,
}

impl RedisBuffer {
    /// Takes the address in; Redis need not answer yet. Called within a tokio runtime.
    pub fn new(settings: RedisSettings) -> Result<Self, MemoryFault> {
        let shared = Arc::new(Shared {
            link: Link::new(&settings.url)?,
            scripts: Scripts::new(),
            settings,
            given: Mutex::default(),
            claiming: tokio::sync::Mutex::default(),
            unsure: AtomicBool::new(false),
        });
        let signs_of_life = tokio::spawn(give_signs_of_life(shared.clone())).abort_handle();
        Ok(Self {
            shared,
            signs_of_life,
        })
    }

    /// Asks Redis whether it is there; what a person should know about how it keeps things, where there is something.
    pub async fn check(&self) -> Result<Option<String>, MemoryFault> {
        let shared = &self.shared;
        let () = shared.sign_of_life().await?;
        let mut command = redis::cmd("INFO");
        command.arg("persistence");
        let info: String = shared
            .link
            .ask("asking Redis how it keeps things", &command)
            .await?;
        let keeps = info.lines().any(|line| line.trim() == "aof_enabled:1");
        Ok((!keeps).then(|| {
            format!(
                "Redis at {} writes to disk only now and then: turns that wait in it are lost when it crashes. Set `appendonly yes` in its configuration",
                shared.link.place()
            )
        }))
    }
}

impl Drop for RedisBuffer {
    fn drop(&mut self) {
        // What it holds stays its own for the rest of the lease, so that a restart finds it.
        self.signs_of_life.abort();
    }
}

impl fmt::Debug for RedisBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RedisBuffer").field(&self.shared.settings).finish()
    }
}

impl Shared {
    fn lease_ms(&self) -> u64 {
        u64::try_from(self.settings.lease.as_millis()).unwrap_or(u64::MAX)
    }

    async fn sign_of_life(&self) -> Result<(), MemoryFault> {
        let mut script = self.scripts.alive.key(&self.settings.key);
        script.arg(&self.settings.consumer).arg(self.lease_ms());
        self.link.run("telling Redis of this process", &script).await
    }

    fn given(&self) -> MutexGuard<'_, BTreeSet<TurnKey>> {
        self.given.lock().expect("nobody panics while holding it")
    }

    fn remember_given(&self, turns: &[CapturedTurn]) {
        self.given().extend(turns.iter().map(|turn| turn.id.clone()));
    }

    fn is_unsure(&self) -> bool {
        self.unsure.load(Ordering::Acquire)
    }

    fn set_unsure(&self, unsure: bool) {
        self.unsure.store(unsure, Ordering::Release);
    }
}

async fn give_signs_of_life(shared: Arc<Shared>) {
    let mut every = tokio::time::interval(shared.settings.lease / SIGNS_PER_LEASE);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        every.tick().await;
        if let Err(fault) = shared.sign_of_life().await {
            tracing::debug!(%fault, "no sign of life could be given");
        }
    }
}
