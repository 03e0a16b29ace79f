//! One connection to the gateway.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use flate2::{Compress, Compression, FlushCompress};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;

use super::hub::{Session, Wire};
use super::ops;
use super::start::{self, Begun};
use crate::Shared;
use crate::ids::now;

/// The most a client may send at once, and in a minute.
const PAYLOAD_MAX: usize = 4096;
const PAYLOADS_A_MINUTE: usize = 120;

type Closing = (u16, &'static str);

/// What a client asked of the connection in its address.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    pub zlib_stream: bool,
}

struct Connection {
    shared: Arc<Shared>,
    number: u64,
    compressed: bool,
    to: UnboundedSender<Wire>,
    session: Option<String>,
    /// When the last payloads came, for the limit on them.
    came: Vec<Instant>,
    heard: Instant,
}

/// Compresses all that a connection sends as one stream, flushed after each payload.
struct Deflater(Compress);

impl Deflater {
    fn squeeze(&mut self, text: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() / 2 + 64);
        let started = self.0.total_in();
        loop {
            let done = usize::try_from(self.0.total_in() - started).unwrap_or(usize::MAX);
            let rest = text.as_bytes().get(done..).unwrap_or_default();
            // Without an error as long as there is room, which there is.
            let _ = self.0.compress_vec(rest, &mut out, FlushCompress::Sync);
            if out.len() < out.capacity() && self.0.total_in() - started == text.len() as u64 {
                return out;
            }
            out.reserve(text.len() / 2 + 64);
        }
    }
}

/// Speaks with one client until either side has had enough.
pub async fn run(mut socket: WebSocket, shared: Arc<Shared>, manner: Manner) {
    let (to, mut from) = unbounded_channel();
    let (number, interval) = {
        let mut world = shared.world();
        world.hub.made += 1;
        (world.hub.made, world.hub.heartbeat_interval)
    };
    let mut connection = Connection {
        shared,
        number,
        compressed: manner.zlib_stream,
        to,
        session: None,
        came: Vec::new(),
        heard: Instant::now(),
    };
    let hello =
        json!({"op": 10, "s": null, "t": null, "d": {"heartbeat_interval": interval, "_trace": ["double"]}});
    connection.say(&hello);
    let patience = Duration::from_millis(interval * 2);
    let deflater = manner
        .zlib_stream
        .then(|| Deflater(Compress::new(Compression::fast(), true)));
    speak(&mut socket, &mut connection, &mut from, deflater, patience).await;
    connection.let_go();
}

async fn speak(
    socket: &mut WebSocket,
    connection: &mut Connection,
    from: &mut UnboundedReceiver<Wire>,
    mut deflater: Option<Deflater>,
    patience: Duration,
) {
    loop {
        let deadline = connection.heard + patience;
        let came = tokio::select! {
            biased;
            wire = from.recv() => {
                let sent = match wire {
                    Some(Wire::Text(text)) => match &mut deflater {
                        Some(deflater) => socket.send(Message::Binary(deflater.squeeze(&text).into())).await,
                        None => socket.send(Message::Text(text.into())).await,
                    },
                    Some(Wire::Binary(bytes)) => socket.send(Message::Binary(bytes.into())).await,
                    Some(Wire::Close(code, reason)) => {
                        close(socket, code, &reason).await;
                        return;
                    }
                    Some(Wire::Drop) | None => return,
                };
                if sent.is_err() {
                    return;
                }
                continue;
            }
            () = tokio::time::sleep_until(deadline) => Err((4009, "Session timed out.")),
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => connection.take(text.as_bytes()),
                Some(Ok(Message::Binary(bytes))) => connection.take(&bytes),
                Some(Ok(Message::Close(frame))) => {
                    connection.end(frame.map_or(1005, |frame| frame.code));
                    return;
                }
                Some(Ok(_)) => Ok(()),
                _ => return,
            },
        };
        if let Err((code, reason)) = came {
            close(socket, code, reason).await;
            return;
        }
    }
}

async fn close(socket: &mut WebSocket, code: u16, reason: &str) {
    let frame = CloseFrame {
        code,
        reason: reason.into(),
    };
    // The other side may be gone already.
    let _ = socket.send(Message::Close(Some(frame))).await;
    let _ = tokio::time::timeout(Duration::from_secs(1), socket.recv()).await;
}

impl Connection {
    fn say(&self, payload: &Value) {
        let _ = self.to.send(Wire::Text(payload.to_string()));
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), Closing> {
        let here = Instant::now();
        self.came
            .retain(|at| here.duration_since(*at) < Duration::from_secs(60));
        self.came.push(here);
        if self.came.len() > PAYLOADS_A_MINUTE {
            return Err((4008, "Rate limited."));
        }
        let payload: Value = serde_json::from_slice(bytes).map_err(|_| (4002, "Decode error."))?;
        if bytes.len() > PAYLOAD_MAX {
            return Err((4002, "Decode error."));
        }
        let op = payload["op"].as_u64().ok_or((4001, "Unknown opcode."))?;
        self.note(op, &payload["d"]);
        match op {
            1 => self.beat(),
            2 | 6 => self.begin(op, &payload["d"])?,
            _ => {
                let session = self.session.clone().ok_or((4003, "Not authenticated."))?;
                ops::take(&mut self.shared.world(), &session, op, &payload["d"])?;
            }
        }
        Ok(())
    }

    fn note(&self, op: u64, data: &Value) {
        let mut world = self.shared.world();
        let told = json!({"op": op, "d": data, "session_id": self.session, "connection": self.number, "compressed": self.compressed, "at": now()});
        world.log.gateway(told);
    }

    fn beat(&mut self) {
        let zombie = self.session.as_ref().is_some_and(|id| {
            let world = self.shared.world();
            world.hub.sessions.get(id).is_some_and(|session| session.zombie)
        });
        self.heard = Instant::now();
        if !zombie {
            self.say(&json!({"op": 11, "d": null, "s": null, "t": null}));
        }
    }

    fn begin(&mut self, op: u64, data: &Value) -> Result<(), Closing> {
        let there = |id: &String| self.shared.world().hub.sessions.contains_key(id);
        if self.session.as_ref().is_some_and(there) {
            return Err((4005, "Already authenticated."));
        }
        let wire = (self.number, self.to.clone());
        let begun = {
            let mut world = self.shared.world();
            let begin = if op == 2 { start::identify } else { start::resume };
            begin(&mut world, data, wire)
        };
        match begun {
            Begun::Session(id) => self.session = Some(id),
            Begun::Invalid => self.say(&json!({"op": 9, "d": false, "s": null, "t": null})),
            Begun::Close(code, reason) => return Err((code, reason)),
        }
        Ok(())
    }

    /// The client has closed: 1000 and 1001 end the session, anything else leaves it to be resumed.
    fn end(&mut self, code: u16) {
        let Some(id) = self.session.clone().filter(|_| matches!(code, 1000 | 1001)) else {
            return;
        };
        let mut world = self.shared.world();
        let ours = |session: &Session| session.wire.as_ref().is_some_and(|(it, _)| *it == self.number);
        if world.hub.sessions.get(&id).is_some_and(ours)
            && let Some(session) = world.hub.sessions.remove(&id)
        {
            start::gone(&mut world, session.user);
        }
    }

    /// The connection is over; the session waits for another.
    fn let_go(&self) {
        let Some(id) = &self.session else {
            return;
        };
        let mut world = self.shared.world();
        let session = world.hub.sessions.get_mut(id);
        let left = session.and_then(|session| {
            let ours = session.wire.take_if(|(number, _)| *number == self.number);
            ours.map(|_| session.user)
        });
        if let Some(user) = left {
            start::gone(&mut world, user);
        }
    }
}
