//! Sessions: what a client has heard, what it can hear again, and the connection it has now.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

use crate::ids::{Id, Millis, now};

/// What a connection is told to send or do.
#[derive(Clone, Debug)]
pub enum Wire {
    Text(String),
    Binary(Vec<u8>),
    Close(u16, String),
    /// End without a word.
    Drop,
}

#[derive(Debug)]
pub struct Session {
    pub id: String,
    pub user: Id,
    pub shard: (u64, u64),
    pub intents: u64,
    pub sequence: u64,
    /// What clients are told of an event's number is so much less.
    pub offset: u64,
    /// What was sent and can be sent again, oldest first.
    pub sent: VecDeque<(u64, String)>,
    /// The connection it has, by number, and the way to it.
    pub wire: Option<(u64, UnboundedSender<Wire>)>,
    /// Hears nothing and is acknowledged nothing, though the connection stands.
    pub zombie: bool,
}

/// All sessions, and what the gateway promises of itself.
#[derive(Debug)]
pub struct Hub {
    pub sessions: BTreeMap<String, Session>,
    pub made: u64,
    pub heartbeat_interval: Millis,
    pub shards: u64,
    pub max_concurrency: u64,
    /// How long a client waits between identifying as two shards of one bucket.
    pub identify_spacing: Millis,
    pub identified: BTreeMap<(Id, u64), (Millis, u64)>,
    pub starts_left: BTreeMap<Id, u64>,
    /// How many events a session can hear again.
    pub replayable: usize,
    pub voice_endpoint: Option<String>,
}

/// What Discord allows in a day.
pub const STARTS: u64 = 1000;

impl Default for Hub {
    fn default() -> Self {
        Self {
            sessions: BTreeMap::new(),
            made: 0,
            heartbeat_interval: 41_250,
            shards: 1,
            max_concurrency: 1,
            identify_spacing: 5000,
            identified: BTreeMap::new(),
            starts_left: BTreeMap::new(),
            replayable: 5000,
            voice_endpoint: None,
        }
    }
}

impl Session {
    /// Gives an event its number, keeps it and sends it, where there is a connection that hears.
    pub fn deliver(&mut self, name: &str, data: &str, keep: usize) {
        self.sequence += 1;
        let told = self.sequence - self.offset;
        let text = format!(r#"{{"t":"{name}","s":{told},"op":0,"d":{data}}}"#);
        self.sent.push_back((self.sequence, text.clone()));
        while self.sent.len() > keep {
            self.sent.pop_front();
        }
        self.send(Wire::Text(text));
    }

    /// Sends as it is, unless nobody hears.
    pub fn send(&self, what: Wire) {
        if let Some((_, wire)) = self.wire.as_ref().filter(|_| !self.zombie) {
            // A connection that is gone resumes or not; what was kept is kept.
            let _ = wire.send(what);
        }
    }

    /// Whether this shard is told of that guild.
    pub fn has(&self, guild: Id) -> bool {
        (guild >> 22) % self.shard.1.max(1) == self.shard.0
    }
}

impl Hub {
    /// Whether this client may identify now, as far as spacing goes; counts it where it may.
    pub fn may_identify(&mut self, user: Id, shard: u64) -> bool {
        let left = self.starts_left.entry(user).or_insert(STARTS);
        if *left == 0 {
            return false;
        }
        let slot = (user, shard % self.max_concurrency.max(1));
        let (since, times) = self.identified.entry(slot).or_insert((0, 0));
        if now() >= *since + self.identify_spacing {
            (*since, *times) = (now(), 0);
        }
        *times += 1;
        if *times > 1 {
            return false;
        }
        *left -= 1;
        true
    }

    /// What is known of the sessions, for tests.
    pub fn told(&self) -> Value {
        let sessions = self.sessions.values().map(|it| {
            json!({"session_id": it.id, "user_id": it.user.to_string(), "shard": [it.shard.0, it.shard.1],
                "intents": it.intents, "sequence": it.sequence, "connected": it.wire.is_some(), "zombie": it.zombie})
        });
        sessions.collect()
    }
}
