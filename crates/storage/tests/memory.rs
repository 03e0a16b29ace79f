//! The embedded buffer and gem store, held to the contract.

use std::sync::Arc;

use async_trait::async_trait;
use runtime::ports::{GemStore, TurnBuffer};
use stand_ins::contract::{BufferHome, GemHome};
use storage::{Sqlite, SqliteBuffer, SqliteGems};
use tempfile::TempDir;

struct Home<T> {
    /// None only while it is opened again.
    open: Option<T>,
    folder: TempDir,
}

impl<T> Home<T> {
    fn open(&self) -> &T {
        self.open.as_ref().expect("it is open between two calls")
    }
}

fn sqlite(folder: &TempDir) -> Arc<Sqlite> {
    Arc::new(Sqlite::open(folder.path()).unwrap())
}

#[async_trait]
impl BufferHome for Home<SqliteBuffer> {
    fn buffer(&self) -> &dyn TurnBuffer {
        self.open()
    }

    async fn reopen(&mut self) {
        self.open = None;
        self.open = Some(SqliteBuffer::new(sqlite(&self.folder)));
    }
}

#[async_trait]
impl GemHome for Home<SqliteGems> {
    fn store(&self) -> &dyn GemStore {
        self.open()
    }

    async fn reopen(&mut self) {
        self.open = None;
        self.open = Some(SqliteGems::open(sqlite(&self.folder)).await.unwrap());
    }
}

async fn fresh_buffer() -> impl BufferHome {
    let folder = TempDir::new().unwrap();
    Home {
        open: Some(SqliteBuffer::new(sqlite(&folder))),
        folder,
    }
}

async fn fresh_gems() -> impl GemHome {
    let folder = TempDir::new().unwrap();
    Home {
        open: Some(SqliteGems::open(sqlite(&folder)).await.unwrap()),
        folder,
    }
}

stand_ins::turn_buffer_contract!(embedded_buffer, fresh_buffer);
stand_ins::gem_store_contract!(embedded_gems, fresh_gems);
