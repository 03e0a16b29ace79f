//! What somebody in a room hears, until they take it: bounded, and what is not taken in time is lost, the oldest first.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use audio::Frame;
use runtime::ports::LineEnd;
use tokio::sync::Notify;

/// Frames that wait at most: 400 ms, beyond which nobody would want to hear them.
pub(crate) const WAITING_MAX: usize = 20;

/// One listener's ear.
#[derive(Debug, Default)]
pub(crate) struct Ear {
    heard: Mutex<Heard>,
    news: Notify,
}

#[derive(Debug, Default)]
struct Heard {
    waiting: VecDeque<Arc<Frame>>,
    end: Option<LineEnd>,
    lost: u64,
}

impl Ear {
    /// Something to hear.
    pub(crate) fn give(&self, frame: Arc<Frame>) {
        let mut heard = self.lock();
        if heard.end.is_some() {
            return;
        }
        if heard.waiting.len() == WAITING_MAX {
            heard.waiting.pop_front();
            heard.lost += 1;
        }
        heard.waiting.push_back(frame);
        drop(heard);
        self.news.notify_one();
    }

    /// Nothing more is heard, and nothing that waits; the first reason stays.
    pub(crate) fn end(&self, end: LineEnd) {
        let mut heard = self.lock();
        heard.end.get_or_insert(end);
        heard.waiting.clear();
        drop(heard);
        self.news.notify_one();
    }

    /// The next frame. Nothing is lost where this is given up.
    pub(crate) async fn hear(&self) -> Result<Arc<Frame>, LineEnd> {
        loop {
            if let Some(heard) = self.hear_now() {
                return heard;
            }
            self.news.notified().await;
        }
    }

    /// The next frame or the end, where there is one by now.
    pub(crate) fn hear_now(&self) -> Option<Result<Arc<Frame>, LineEnd>> {
        let mut heard = self.lock();
        match heard.end {
            Some(end) => Some(Err(end)),
            None => heard.waiting.pop_front().map(Ok),
        }
    }

    /// The next frame, where one waits.
    pub(crate) fn take(&self) -> Option<Arc<Frame>> {
        self.lock().waiting.pop_front()
    }

    /// Frames that were not taken in time.
    pub(crate) fn lost(&self) -> u64 {
        self.lock().lost
    }

    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
