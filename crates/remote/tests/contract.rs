//! Redis, Redis behind a local buffer, and Qdrant, held to the contract of every buffer and every gem store.

use std::sync::Arc;

use async_trait::async_trait;
use remote::{OutboxBuffer, QdrantGems, QdrantSettings, RedisBuffer, RedisSettings};
use runtime::ports::{GemStore, TurnBuffer};
use stand_ins::contract::{BufferHome, GemHome};
use stand_ins::{QdrantServer, RedisServer};
use storage::{Sqlite, SqliteBuffer};
use tempfile::TempDir;

const OPEN: &str = "it is open between two calls";

struct InRedis {
    buffer: Option<RedisBuffer>,
    server: RedisServer,
}

fn redis(server: &RedisServer, consumer: &str) -> RedisBuffer {
    RedisBuffer::new(RedisSettings::new(server.url(), "neuralstream:buffer", consumer)).unwrap()
}

#[async_trait]
impl BufferHome for InRedis {
    fn buffer(&self) -> &dyn TurnBuffer {
        self.buffer.as_ref().expect(OPEN)
    }

    async fn reopen(&mut self) {
        self.buffer = None;
        self.buffer = Some(redis(&self.server, "ours"));
    }

    async fn rival(&self) -> Option<Box<dyn TurnBuffer>> {
        Some(Box::new(redis(&self.server, "rival")))
    }
}

async fn fresh_redis() -> impl BufferHome {
    let server = RedisServer::start();
    InRedis {
        buffer: Some(redis(&server, "ours")),
        server,
    }
}

/// The database in the folder stands before Redis. Others see what is captured a moment later, so rivals are tried on
/// Redis itself.
struct BehindSqlite {
    buffer: Option<OutboxBuffer>,
    folder: TempDir,
    server: RedisServer,
}

fn behind_sqlite(folder: &TempDir, server: &RedisServer, consumer: &str) -> OutboxBuffer {
    let local = SqliteBuffer::new(Arc::new(Sqlite::open(folder.path()).unwrap()));
    OutboxBuffer::new(Arc::new(local), Arc::new(redis(server, consumer)))
}

#[async_trait]
impl BufferHome for BehindSqlite {
    fn buffer(&self) -> &dyn TurnBuffer {
        self.buffer.as_ref().expect(OPEN)
    }

    async fn reopen(&mut self) {
        // What is under way in the background must have let go of the database before it is opened again.
        if let Some(buffer) = self.buffer.take() {
            buffer.close().await;
        }
        self.buffer = Some(behind_sqlite(&self.folder, &self.server, "ours"));
    }
}

async fn fresh_outbox() -> impl BufferHome {
    let server = RedisServer::start();
    let folder = TempDir::new().unwrap();
    BehindSqlite {
        buffer: Some(behind_sqlite(&folder, &server, "ours")),
        folder,
        server,
    }
}

struct InQdrant {
    store: QdrantGems,
    server: QdrantServer,
}

fn qdrant(server: &QdrantServer) -> QdrantGems {
    QdrantGems::new(QdrantSettings {
        url: server.url(),
        collection: "neuralstream".to_owned(),
        api_key: None,
    })
    .unwrap()
}

#[async_trait]
impl GemHome for InQdrant {
    fn store(&self) -> &dyn GemStore {
        &self.store
    }

    async fn reopen(&mut self) {
        self.store = qdrant(&self.server);
    }
}

async fn fresh_qdrant() -> impl GemHome {
    let server = QdrantServer::start();
    InQdrant {
        store: qdrant(&server),
        server,
    }
}

stand_ins::turn_buffer_contract!(redis_buffer, fresh_redis);
stand_ins::turn_buffer_contract!(redis_behind_sqlite, fresh_outbox);
stand_ins::gem_store_contract!(qdrant_gems, fresh_qdrant);
