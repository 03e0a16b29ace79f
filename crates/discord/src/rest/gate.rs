//! The limiter with a clock: whoever has something to send waits here for their turn.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;
use vocabulary::{Moment, Span};

use super::bucket::BucketHeaders;
use super::limiter::{Landing, LimiterInput, RequestLimiter, RequestRefusal, RequestVerdict, Ticket};
use super::route::RouteKey;

type Turn = Result<(), RequestRefusal>;

/// See the module. Made inside a runtime of tokio, in which a task of its own minds the time.
pub(super) struct Gate {
    inside: Mutex<Inside>,
    /// The time to wake at has changed, or the gate is gone.
    changed: Arc<Notify>,
    began: Instant,
}

struct Inside {
    limiter: RequestLimiter,
    last: u64,
    heard: BTreeMap<Ticket, mpsc::UnboundedSender<Turn>>,
    wake: Option<Moment>,
}

impl Gate {
    pub(super) fn new(limiter: RequestLimiter) -> Arc<Self> {
        let changed = Arc::new(Notify::new());
        let gate = Arc::new(Self {
            inside: Mutex::new(Inside {
                limiter,
                last: 0,
                heard: BTreeMap::new(),
                wake: None,
            }),
            changed: Arc::clone(&changed),
            began: Instant::now(),
        });
        tokio::spawn(mind_the_time(Arc::downgrade(&gate), changed));
        gate
    }

    /// Queues up. Nothing goes after the patience is over.
    pub(super) fn ask(self: &Arc<Self>, route: RouteKey, patience: Span) -> Pass {
        let (told, heard) = mpsc::unbounded_channel();
        let mut inside = self.lock();
        inside.last += 1;
        let ticket = Ticket(inside.last);
        inside.heard.insert(ticket, told);
        let asked = LimiterInput::Asked {
            ticket,
            route,
            deadline: self.now() + patience,
        };
        self.step(inside, asked);
        Pass {
            gate: Arc::clone(self),
            ticket,
            heard,
        }
    }

    /// How many wait, and how many are under way.
    pub(super) fn load(&self) -> (usize, usize) {
        self.lock().limiter.load()
    }

    fn step(&self, mut inside: MutexGuard<'_, Inside>, input: LimiterInput) {
        let (verdicts, wake) = inside.limiter.step(self.now(), input);
        for verdict in verdicts {
            let (ticket, turn) = match verdict {
                RequestVerdict::Go(ticket) => (ticket, Ok(())),
                RequestVerdict::No(ticket, refusal) => (ticket, Err(refusal)),
            };
            if let Some(told) = inside.heard.get(&ticket) {
                // Whoever hears nothing any more says so when it is dropped.
                let _ = told.send(turn);
            }
        }
        if inside.wake != wake {
            inside.wake = wake;
            self.changed.notify_one();
        }
    }

    fn now(&self) -> Moment {
        Moment(u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.changed.notify_one();
    }
}

async fn mind_the_time(gate: Weak<Gate>, changed: Arc<Notify>) {
    loop {
        let Some(wake) = gate.upgrade().map(|gate| (gate.lock().wake, gate.began)) else {
            return;
        };
        match wake {
            (None, _) => {
                changed.notified().await;
                continue;
            }
            (Some(at), began) => tokio::select! {
                () = tokio::time::sleep_until(began + Duration::from_millis(at.0)) => {}
                () = changed.notified() => continue,
            },
        }
        if let Some(gate) = gate.upgrade() {
            gate.step(gate.lock(), LimiterInput::Tick);
        }
    }
}

/// A place in the queue, and what was sent from it. Dropping it gives both up.
pub(super) struct Pass {
    gate: Arc<Gate>,
    ticket: Ticket,
    heard: mpsc::UnboundedReceiver<Turn>,
}

impl Pass {
    /// Waits until it may go, for the first time or once more.
    pub(super) async fn turn(&mut self) -> Turn {
        // The sender is the gate's until this is dropped.
        self.heard
            .recv()
            .await
            .unwrap_or(Err(RequestRefusal::TriedEnough))
    }

    /// It came back. Where it is to go once more, the next turn is waited for.
    pub(super) fn landed(&self, headers: Option<BucketHeaders>, landing: Landing) {
        let landed = LimiterInput::Landed {
            ticket: self.ticket,
            headers,
            landing,
        };
        self.gate.step(self.gate.lock(), landed);
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut inside = self.gate.lock();
        inside.heard.remove(&self.ticket);
        self.gate.step(inside, LimiterInput::Dropped(self.ticket));
    }
}
