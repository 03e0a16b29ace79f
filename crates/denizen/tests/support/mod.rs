//! What the tests of the whole program share: a data folder, the running program, and a model server to its liking.

mod feed;
mod home;
mod live;
mod memory;
mod model;
mod process;
mod room;
mod screen;
mod services;
mod vendors;

pub use feed::FeedServer;
pub use home::{Finished, Home, path, quick};
pub use live::Live;
pub use memory::{Rememberer, holds};
pub use model::{Answer, Asked, Gate, ModelServer, envelope};
pub use process::{Process, knowing};
pub use screen::{Sharer, jpeg, png_bomb};
pub use services::{Painter, meanings};
pub use vendors::Vendors;

use std::time::{Duration, Instant};

/// Far longer than anything takes, even on a busy machine; reaching it is a failure.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// What administrators of the rooms under test show.
pub const TOKEN: &str = "a-token-for-the-tests-only-77b2";

/// Looks again and again until there is something to see.
pub async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(
            started.elapsed() < PATIENCE,
            "waited {PATIENCE:?} in vain until {what}"
        );
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
}
