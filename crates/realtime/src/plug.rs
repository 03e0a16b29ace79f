//! The socket of a session: what the session wants of it is done, and what happens to it is told. Whatever belongs to an
//! earlier connection carries its number.

use std::future::pending;
use std::pin::Pin;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use vocabulary::Moment;

use crate::command::Command;
use crate::event::{FaultKind, ServiceEvent, ServiceFault, Usage};
use crate::socket::{Endpoint, Socket};
use crate::wire::Reading;

/// Something that happened to a connection.
#[derive(Debug)]
pub(crate) enum Happening {
    Opened {
        generation: u64,
    },
    Told {
        generation: u64,
        reading: Reading,
    },
    Gone {
        generation: u64,
        fault: ServiceFault,
    },
    /// It is given up, because the service does not have the model: the next one asks for another.
    Replaced {
        generation: u64,
    },
    /// The time has come.
    Tick,
}

impl Happening {
    /// The same, where a connection that is given up for another is as good as one that is over.
    pub(crate) fn plain(self) -> Self {
        match self {
            Self::Replaced { generation } => Self::Gone {
                generation,
                fault: ServiceFault::new(FaultKind::SessionOver, "another model is asked instead"),
            },
            other => other,
        }
    }
}

type Opening = Pin<Box<dyn Future<Output = Result<Socket, ServiceFault>> + Send>>;

/// One connection at a time.
pub(crate) struct Plug {
    endpoint: Endpoint,
    began: Instant,
    socket: Option<(u64, Socket)>,
    opening: Option<(u64, Opening)>,
    /// Since when there is a connection, and how long earlier ones lasted, that nobody was charged for.
    connected: Option<Instant>,
    uncharged: Duration,
}

impl Plug {
    pub(crate) fn new(endpoint: Endpoint) -> Self {
        Self {
            endpoint,
            began: Instant::now(),
            socket: None,
            opening: None,
            connected: None,
            uncharged: Duration::ZERO,
        }
    }

    /// What something took, with the time of connections that nobody was charged for, where that is what is paid for.
    pub(crate) fn charged(&mut self, usage: Usage) -> Usage {
        if !self.endpoint.brief.is_paid_by_time() {
            return usage;
        }
        self.hang_up();
        self.connected = self.socket.as_ref().map(|_| Instant::now());
        let seconds = std::mem::take(&mut self.uncharged).as_secs_f64();
        Usage {
            seconds: Some(seconds),
            ..usage
        }
    }

    /// The connection lasted until now.
    fn hang_up(&mut self) {
        self.uncharged += self
            .connected
            .take()
            .map_or(Duration::ZERO, |since| since.elapsed());
    }

    /// The time as sessions have it.
    pub(crate) fn now(&self) -> Moment {
        Moment(self.began.elapsed().as_millis() as u64)
    }

    pub(crate) fn open(&mut self, generation: u64) {
        self.close();
        self.endpoint.ask_what_is_there();
        self.opening = Some((generation, Box::pin(self.endpoint.clone().open())));
    }

    pub(crate) fn close(&mut self) {
        self.hang_up();
        self.socket = None;
        self.opening = None;
    }

    /// Sends a command; that the connection is of no use any more, where it is not.
    pub(crate) fn send(&mut self, command: &Command) -> Option<Happening> {
        let (generation, socket) = self.socket.as_mut()?;
        for frame in self.endpoint.brief.write(command) {
            if !socket.send(frame) {
                let detail = format!("{} takes nothing any more", self.endpoint.choice.who);
                return Some(Happening::Gone {
                    generation: *generation,
                    fault: ServiceFault::new(FaultKind::Passing, detail),
                });
            }
        }
        None
    }

    /// What happens next. Loses nothing where it is given up while it waits.
    pub(crate) async fn next(&mut self, wakes_at: Option<Moment>) -> Happening {
        loop {
            let was_opening = self.opening.is_some();
            let happening = self.next_of_this(wakes_at).await;
            let (generation, fault) = match &happening {
                Happening::Told { generation, reading } => {
                    (*generation, reading.events.iter().find_map(ServiceEvent::fault))
                }
                Happening::Gone { generation, fault } => (*generation, Some(fault)),
                Happening::Opened { .. } | Happening::Replaced { .. } | Happening::Tick => return happening,
            };
            if !fault.is_some_and(|fault| self.has_another_model(fault)) {
                return happening;
            }
            // Nobody knows of a connection that was not let in. On any other something may have been sent already.
            if !was_opening {
                self.close();
                return Happening::Replaced { generation };
            }
            self.open(generation);
        }
    }

    /// Whether the service does not have the model, and there is another that can take its place.
    fn has_another_model(&self, fault: &ServiceFault) -> bool {
        let Endpoint { choice, brief } = &self.endpoint;
        if !brief.lacks_its_model(fault) {
            return false;
        }
        let Some(other) = choice.gone.instead_of(&brief.model, choice.usual) else {
            return false;
        };
        tracing::warn!(
            "realtime: {} does not have {}: {other} is asked instead. Name one in {}.model",
            choice.who,
            brief.model,
            choice.section
        );
        true
    }

    async fn next_of_this(&mut self, wakes_at: Option<Moment>) -> Happening {
        let wake = wakes_at.map(|at| self.began + Duration::from_millis(at.0));
        tokio::select! {
            (generation, opened) = opened(&mut self.opening) => {
                self.opening = None;
                match opened {
                    Ok(socket) => {
                        self.connected = Some(Instant::now());
                        self.socket = Some((generation, socket));
                        Happening::Opened { generation }
                    }
                    Err(fault) => Happening::Gone { generation, fault },
                }
            }
            (generation, received) = received(&mut self.socket) => match received {
                Ok(frame) => Happening::Told { generation, reading: self.endpoint.brief.read(&frame) },
                Err((code, reason)) => {
                    self.hang_up();
                    self.socket = None;
                    let fault = self.endpoint.closed(code, &reason);
                    Happening::Gone { generation, fault }
                }
            },
            () = until(wake) => Happening::Tick,
        }
    }
}

async fn opened(opening: &mut Option<(u64, Opening)>) -> (u64, Result<Socket, ServiceFault>) {
    match opening {
        Some((generation, opening)) => (*generation, opening.await),
        None => pending().await,
    }
}

async fn received(socket: &mut Option<(u64, Socket)>) -> (u64, Result<String, (Option<u16>, String)>) {
    match socket {
        Some((generation, socket)) => (*generation, socket.receive().await),
        None => pending().await,
    }
}

async fn until(wake: Option<Instant>) {
    match wake {
        Some(wake) => sleep_until(wake).await,
        None => pending().await,
    }
}
