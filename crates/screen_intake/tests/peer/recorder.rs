//! A share that remembers what a stream gave it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use screen_intake::whip::{Exposure, Outlet, OutletRefused};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use vocabulary::{ShareEnd, ShareId};

pub struct Recorder {
    share: String,
    pub watched: AtomicBool,
    pub refuses_to_begin: AtomicBool,
    pub begun: AtomicUsize,
    frames: Mutex<Vec<Exposure>>,
    end: Mutex<Option<ShareEnd>>,
    changed: Notify,
    over: CancellationToken,
}

impl Recorder {
    pub fn new(share: &str) -> Self {
        Self {
            share: share.to_owned(),
            watched: AtomicBool::new(true),
            refuses_to_begin: AtomicBool::new(false),
            begun: AtomicUsize::new(0),
            frames: Mutex::default(),
            end: Mutex::default(),
            changed: Notify::new(),
            over: CancellationToken::new(),
        }
    }

    /// The frames that have come so far.
    pub fn frames(&self) -> Vec<Exposure> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Exposure>> {
        self.frames.lock().expect("no test panics while it holds it")
    }

    /// Waits until something holds of the frames that have come.
    pub async fn until(&self, holds: impl Fn(&[Exposure]) -> bool) {
        loop {
            let changed = self.changed.notified();
            if holds(&self.lock()) {
                return;
            }
            changed.await;
        }
    }

    /// Waits until the stream has ended the share.
    pub async fn until_end(&self) -> ShareEnd {
        self.over.cancelled().await;
        self.end.lock().expect("as above").expect("it says why")
    }

    /// Somebody else ends the share.
    pub fn stop(&self) {
        self.over.cancel();
    }
}

#[async_trait]
impl Outlet for Recorder {
    fn share(&self) -> ShareId {
        ShareId::new(self.share.clone())
    }

    fn is_watched(&self) -> bool {
        self.watched.load(Ordering::Relaxed)
    }

    async fn begin(&self) -> Result<(), OutletRefused> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        match self.refuses_to_begin.load(Ordering::Relaxed) {
            true => Err(OutletRefused("not here".to_owned())),
            false => Ok(()),
        }
    }

    async fn frame(&self, exposure: Exposure) -> Result<(), OutletRefused> {
        self.lock().push(exposure);
        self.changed.notify_waiters();
        Ok(())
    }

    fn touch(&self) {}

    async fn end(&self, reason: ShareEnd) {
        *self.end.lock().expect("as above") = Some(reason);
        self.over.cancel();
    }

    async fn ended(&self) {
        self.over.cancelled().await;
    }
}
