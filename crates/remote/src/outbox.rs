//! A shared buffer with a local one in front of it: turns are safe here first, and go on when the server answers.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex as Lock};
use std::time::Duration;

use async_trait::async_trait;
use runtime::ports::{BufferCount, MemoryFault, Outbox, TurnBuffer, WhoseTurns};
use tokio::sync::{Mutex, Notify};
use tokio::task::JoinHandle;
use vocabulary::{CapturedTurn, CommunityId, Forget, TurnKey};

const DRAIN_AT_ONCE: usize = 200;
const SHORTEST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Turns also come into the local buffer by the very write that stores their messages, of which nobody tells us.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Captures into the local buffer, drains it into the shared one, and works on the shared one.
pub struct OutboxBuffer {
    inner: Arc<Inner>,
    drain: Option<JoinHandle<()>>,
}

struct Inner {
    local: Arc<dyn Outbox>,
    shared: Arc<dyn TurnBuffer>,
    /// There is something to drain.
    pushed: Notify,
    /// What the local buffer held for this process, from when it was the only one, has been handed on.
    has_let_go: AtomicBool,
    /// Held while turns pass over, so that none is forgotten or edited in between.
    passing: Mutex<()>,
    /// Why the last try failed, if it did; then only the background task tries again by itself.
    trouble: Lock<Option<String>>,
    last_count: Lock<BufferCount>,
}

impl OutboxBuffer {
    /// Begins to drain what the local buffer still has. Called within a tokio runtime.
    pub fn new(local: Arc<dyn Outbox>, shared: Arc<dyn TurnBuffer>) -> Self {
        let inner = Arc::new(Inner {
            local,
            shared,
            pushed: Notify::new(),
            has_let_go: AtomicBool::new(false),
            passing: Mutex::default(),
            trouble: Lock::default(),
            last_count: Lock::default(),
        });
        let drain = Some(tokio::spawn(keep_draining(inner.clone())));
        Self { inner, drain }
    }

    /// Ends the draining and waits until both buffers are let go of.
    pub async fn close(mut self) {
        if let Some(drain) = self.drain.take() {
            drain.abort();
            // It ends because it was told to.
            let _ = drain.await;
        }
    }

    /// Hands on everything that is kept back; for an orderly stop.
    pub async fn flush(&self) -> Result<(), MemoryFault> {
        self.inner.drain().await
    }
}

impl Drop for OutboxBuffer {
    fn drop(&mut self) {
        if let Some(drain) = &self.drain {
            drain.abort();
        }
    }
}

impl fmt::Debug for OutboxBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OutboxBuffer")
            .field(&self.inner.shared.describe())
            .finish()
    }
}

#[async_trait]
impl TurnBuffer for OutboxBuffer {
    fn describe(&self) -> String {
        format!(
            "{}, by way of {}",
            self.inner.shared.describe(),
            self.inner.local.describe()
        )
    }

    async fn push(&self, turns: &[CapturedTurn]) -> Result<(), MemoryFault> {
        self.inner.local.push(turns).await?;
        self.inner.pushed.notify_one();
        Ok(())
    }

    async fn claim(&self, whose: &WhoseTurns, max: usize) -> Result<Vec<CapturedTurn>, MemoryFault> {
        self.inner.drain().await?;
        self.inner.shared.claim(whose, max).await
    }

    async fn held(&self, whose: &WhoseTurns) -> Result<Vec<CapturedTurn>, MemoryFault> {
        self.inner.shared.held(whose).await
    }

    async fn waiting(&self) -> Result<Vec<CommunityId>, MemoryFault> {
        self.inner.drain().await?;
        self.inner.shared.waiting().await
    }

    async fn settle(&self, turns: &[TurnKey]) -> Result<(), MemoryFault> {
        self.inner.shared.settle(turns).await
    }

    async fn forget(&self, what: &Forget) -> Result<usize, MemoryFault> {
        let _passing = self.inner.passing.lock().await;
        let here = self.inner.local.forget(what).await?;
        let there = self.inner.shared.forget(what).await?;
        Ok(here + there)
    }

    async fn edit(&self, turn: &TurnKey, text: &str) -> Result<(), MemoryFault> {
        let _passing = self.inner.passing.lock().await;
        self.inner.local.edit(turn, text).await?;
        self.inner.shared.edit(turn, text).await
    }

    /// While the server is away, `waiting` and `held` are what they were when it last answered, for whomever that was.
    async fn count(&self, whose: &WhoseTurns) -> Result<BufferCount, MemoryFault> {
        let inner = &self.inner;
        if inner.trouble().is_none() {
            // A failure shows in what is kept back.
            let _ = inner.drain().await;
        }
        let kept_back = inner.local.count(whose).await?.waiting;
        let shared = match inner.shared.count(whose).await {
            Ok(count) => count,
            Err(fault @ MemoryFault::Unreachable { .. }) => {
                inner.note(Some(fault.to_string()));
                *inner.last_count.lock().expect("nobody panics while holding it")
            }
            Err(fault) => return Err(fault),
        };
        *inner.last_count.lock().expect("nobody panics while holding it") = shared;
        Ok(BufferCount { kept_back, ..shared })
    }

    fn trouble(&self) -> Option<String> {
        self.inner.trouble()
    }
}

impl Inner {
    /// Hands on everything that is here, in order. What is handed on twice, because this ended midway, is put once.
    async fn drain(&self) -> Result<(), MemoryFault> {
        let _passing = self.passing.lock().await;
        let drained = async {
            if !self.has_let_go.load(Ordering::Acquire) {
                self.pass_on(self.local.held(&WhoseTurns::All).await?).await?;
                self.has_let_go.store(true, Ordering::Release);
            }
            loop {
                let turns = self.local.peek(DRAIN_AT_ONCE).await?;
                if turns.is_empty() {
                    return Ok(());
                }
                self.pass_on(turns).await?;
            }
        }
        .await;
        self.note(drained.as_ref().err().map(MemoryFault::to_string));
        drained
    }

    fn trouble(&self) -> Option<String> {
        self.trouble
            .lock()
            .expect("nobody panics while holding it")
            .clone()
    }

    fn note(&self, trouble: Option<String>) {
        *self.trouble.lock().expect("nobody panics while holding it") = trouble;
    }

    async fn pass_on(&self, turns: Vec<CapturedTurn>) -> Result<(), MemoryFault> {
        if turns.is_empty() {
            return Ok(());
        }
        self.shared.push(&turns).await?;
        let ids: Vec<TurnKey> = turns.into_iter().map(|turn| turn.id).collect();
        self.local.remove(&ids).await
    }
}

async fn keep_draining(inner: Arc<Inner>) {
    let mut wait = SHORTEST_WAIT;
    loop {
        match inner.drain().await {
            Ok(()) => {
                if wait > SHORTEST_WAIT {
                    tracing::info!(
                        buffer = inner.shared.describe(),
                        "turns that were kept back have been handed on"
                    );
                }
                wait = SHORTEST_WAIT;
                // It is all the same which of the two it was.
                let _ = tokio::time::timeout(LOOK_EVERY, inner.pushed.notified()).await;
            }
            Err(fault) => {
                // Once at first, and then as rarely as it is tried.
                if wait == SHORTEST_WAIT || wait == LONGEST_WAIT {
                    tracing::warn!(%fault, "captured turns are kept here until they can be handed on");
                }
                tokio::time::sleep(wait).await;
                wait = (wait * 2).min(LONGEST_WAIT);
            }
        }
    }
}
