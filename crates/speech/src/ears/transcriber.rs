//! What every engine that understands has in common.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::rest::Rest;
use crate::services::{TrialTime, Unreached};
use crate::trouble::Trouble;

/// What an engine understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Transcript {
    pub(crate) text: String,
    /// How sure the engine is that nobody spoke, where it says so: 0 to 1.
    pub(crate) no_speech: Option<f32>,
    /// Millionths of a dollar; none where the price is not known.
    pub(crate) cost_micro_dollars: Option<u64>,
}

/// An engine that understands.
#[async_trait]
pub(crate) trait Transcriber: Send + Sync {
    /// The name under which what it heard is written down.
    fn engine(&self) -> String;

    /// Asking it costs nothing but time: it may be asked while somebody still speaks.
    fn is_free(&self) -> bool;

    /// Millionths of a dollar for a clip of so many seconds; none where that is not known.
    fn price(&self, seconds: f64) -> Option<u64> {
        let _ = seconds;
        Some(0)
    }

    /// Whether it answers; what runs in this process does.
    async fn reach(&self, patience: TrialTime) -> Result<(), Unreached> {
        let _ = patience;
        Ok(())
    }

    /// Understands a clip of 16,000 samples a second.
    async fn transcribe(&self, clip: Arc<[i16]>, deadline: Instant) -> Result<Transcript, Trouble>;
}

/// An engine, and how many may ask it at once.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) transcriber: Arc<dyn Transcriber>,
    pub(crate) places: Arc<Semaphore>,
    /// How many places there are in all.
    pub(crate) places_max: usize,
    pub(crate) timeout: Duration,
    pub(crate) partials: bool,
    pub(crate) rest: Arc<Mutex<Rest>>,
}

/// What came of a clip, and when.
#[derive(Clone, Debug)]
pub(crate) struct Understood {
    pub(crate) result: Result<Transcript, Trouble>,
    pub(crate) at: Instant,
    /// It may have been paid for, also where nothing came of it.
    pub(crate) may_cost: bool,
}

impl Desk {
    /// Waits for its turn and asks, both within the time that a clip has. `asked` is told when the question goes out.
    pub(crate) async fn understand(&self, clip: Arc<[i16]>, asked: impl FnOnce() + Send) -> Understood {
        let began = Instant::now();
        let deadline = began + self.timeout;
        if let Some(refusal) = self.rest().refusal(&self.transcriber.engine(), began) {
            return Understood {
                result: Err(refusal),
                at: began,
                may_cost: false,
            };
        }
        let late = || Trouble::late(&self.transcriber.engine(), self.timeout);
        let result = timeout_at(deadline, async {
            let _place = self.places.acquire().await;
            asked();
            self.transcriber.transcribe(clip, deadline).await
        });
        let result = result.await.unwrap_or_else(|_| Err(late()));
        let at = Instant::now();
        self.rest().went(result.as_ref().err(), at);
        Understood {
            result,
            at,
            may_cost: !self.transcriber.is_free(),
        }
    }

    fn rest(&self) -> MutexGuard<'_, Rest> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody who can wait may ask now without holding up those who cannot: half of the places are theirs.
    pub(crate) fn has_time(&self) -> bool {
        let free = self.places.available_permits();
        let may = self.partials && self.transcriber.is_free() && free > self.places_max / 2;
        may && self.rest().is_over(Instant::now())
    }
}
