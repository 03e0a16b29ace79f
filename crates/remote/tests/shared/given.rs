//! Turns, buffers and patience.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use redis::aio::MultiplexedConnection;
use remote::{RedisBuffer, RedisSettings};
use runtime::ports::{BufferCount, MemoryFault, Outbox, TurnBuffer, WhoseTurns};
use stand_ins::RedisServer;
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, Forget, PersonId, Place, RoomId, SessionId, TurnKey,
    TurnKind, WallTime,
};

pub const KEY: &str = "neuralstream:buffer";

pub fn turn(n: u64) -> CapturedTurn {
    said_by("alice", n)
}

pub fn said_by(person: &str, n: u64) -> CapturedTurn {
    CapturedTurn {
        id: TurnKey::new(format!("m{n}")),
        place: Place {
            community: CommunityId::new("local"),
            room: RoomId::new("lounge"),
            private: false,
        },
        session: SessionId::new("local/lounge"),
        number: n,
        speaker: Author {
            id: PersonId::new(format!("local:{person}")),
            name: person.to_owned(),
            kind: AuthorKind::Person,
        },
        kind: TurnKind::Typed,
        text: format!("turn {n} of {person}: it's \"quoted\", naïve and 🦀"),
        at: WallTime(1_771_860_360_000 + n as i64),
    }
}

pub fn turns(range: std::ops::Range<u64>) -> Vec<CapturedTurn> {
    range.map(turn).collect()
}

pub fn ids(turns: &[CapturedTurn]) -> Vec<TurnKey> {
    turns.iter().map(|turn| turn.id.clone()).collect()
}

pub fn buffer(server: &RedisServer, consumer: &str) -> RedisBuffer {
    leased(server, consumer, Duration::from_secs(60))
}

pub fn leased(server: &RedisServer, consumer: &str, lease: Duration) -> RedisBuffer {
    let mut settings = RedisSettings::new(server.url(), KEY, consumer);
    settings.lease = lease;
    RedisBuffer::new(settings).expect("the address is one")
}

/// A connection of some other program.
pub async fn other_program(server: &RedisServer) -> MultiplexedConnection {
    let client = redis::Client::open(server.url()).expect("the address is one");
    client
        .get_multiplexed_async_connection()
        .await
        .expect("Redis answers")
}

/// Everything that is in Redis, as one text.
pub async fn everything(server: &RedisServer) -> String {
    let mut redis = other_program(server).await;
    let keys: Vec<String> = redis::cmd("KEYS")
        .arg("*")
        .query_async(&mut redis)
        .await
        .expect("KEYS");
    let mut all = String::new();
    for key in keys {
        all += &format!("{key}\n");
        let kind: String = redis::cmd("TYPE")
            .arg(&key)
            .query_async(&mut redis)
            .await
            .expect("TYPE");
        let mut command = match kind.as_str() {
            "list" => redis::cmd("LRANGE"),
            "zset" => redis::cmd("ZRANGE"),
            "set" => redis::cmd("SMEMBERS"),
            _ => redis::cmd("GET"),
        };
        command.arg(&key);
        if matches!(kind.as_str(), "list" | "zset") {
            command.arg(0).arg(-1);
        }
        let value: redis::Value = command.query_async(&mut redis).await.expect("a value");
        all += &format!("{value:?}\n");
    }
    all
}

/// Asks again and again until the answer is yes; a test that waits in vain says what for.
pub async fn until(what: &str, mut asked: impl AsyncFnMut() -> bool) {
    for _ in 0..600 {
        if asked().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it never came about that {what}");
}

/// A local buffer in memory; what it stands for, a database on disk, is tested where it lives.
#[derive(Default)]
pub struct Drawer {
    pub waiting: Mutex<VecDeque<CapturedTurn>>,
    pub held: Mutex<Vec<CapturedTurn>>,
}

#[async_trait]
impl TurnBuffer for Drawer {
    fn describe(&self) -> String {
        "a drawer".to_owned()
    }

    async fn push(&self, turns: &[CapturedTurn]) -> Result<(), MemoryFault> {
        self.waiting.lock().unwrap().extend(turns.iter().cloned());
        Ok(())
    }

    async fn claim(&self, _whose: &WhoseTurns, _max: usize) -> Result<Vec<CapturedTurn>, MemoryFault> {
        panic!("nobody claims from the local buffer while there is a shared one");
    }

    async fn held(&self, _whose: &WhoseTurns) -> Result<Vec<CapturedTurn>, MemoryFault> {
        Ok(self.held.lock().unwrap().clone())
    }

    async fn settle(&self, turns: &[TurnKey]) -> Result<(), MemoryFault> {
        self.remove(turns).await
    }

    async fn forget(&self, what: &Forget) -> Result<usize, MemoryFault> {
        let Forget::Turns(turns) = what else {
            return Ok(0);
        };
        let before = self.waiting.lock().unwrap().len();
        self.remove(turns).await?;
        Ok(before - self.waiting.lock().unwrap().len())
    }

    async fn edit(&self, turn: &TurnKey, text: &str) -> Result<(), MemoryFault> {
        for kept in self
            .waiting
            .lock()
            .unwrap()
            .iter_mut()
            .filter(|kept| kept.id == *turn)
        {
            kept.text = text.to_owned();
        }
        Ok(())
    }

    async fn waiting(&self) -> Result<Vec<vocabulary::CommunityId>, MemoryFault> {
        panic!("nobody asks the local buffer while there is a shared one");
    }

    async fn count(&self, _whose: &WhoseTurns) -> Result<BufferCount, MemoryFault> {
        Ok(BufferCount {
            waiting: self.waiting.lock().unwrap().len(),
            ..BufferCount::default()
        })
    }
}

#[async_trait]
impl Outbox for Drawer {
    async fn peek(&self, max: usize) -> Result<Vec<CapturedTurn>, MemoryFault> {
        Ok(self.waiting.lock().unwrap().iter().take(max).cloned().collect())
    }

    async fn remove(&self, turns: &[TurnKey]) -> Result<(), MemoryFault> {
        self.waiting
            .lock()
            .unwrap()
            .retain(|turn| !turns.contains(&turn.id));
        self.held.lock().unwrap().retain(|turn| !turns.contains(&turn.id));
        Ok(())
    }
}
