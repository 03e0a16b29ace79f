//! One connection to the voice gateway.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::Shared;
use crate::gateway::hub::Wire;
use crate::ids::{Id, id_of, now};
use crate::world::World;

const HEARTBEAT: u64 = 13_750;

type Closing = (u16, &'static str);

pub async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let server = listener.local_addr().map_or(0, |address| address.port());
    let router = Router::new().route("/", get(open)).with_state((server, shared));
    // Ends only when the listener does.
    let _ = axum::serve(listener, router).await;
}

async fn open(State((server, shared)): State<(u16, Arc<Shared>)>, upgrade: WebSocketUpgrade) -> Response {
    if shared.world().faults.is_down() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    upgrade.on_upgrade(move |socket| run(socket, server, shared))
}

struct Connection {
    shared: Arc<Shared>,
    /// Which of the voice servers, by its port.
    server: u16,
    number: u64,
    to: UnboundedSender<Wire>,
    ssrc: Option<u32>,
}

async fn run(mut socket: WebSocket, server: u16, shared: Arc<Shared>) {
    let (to, mut from) = unbounded_channel();
    let number = {
        let mut world = shared.world();
        world.calls.connections += 1;
        world.calls.connections
    };
    let mut connection = Connection {
        shared,
        server,
        number,
        to,
        ssrc: None,
    };
    connection.say(&json!({"op": 8, "d": {"v": 8, "heartbeat_interval": HEARTBEAT}}));
    loop {
        let came = tokio::select! {
            biased;
            wire = from.recv() => {
                let sent = match wire {
                    Some(Wire::Text(text)) => socket.send(Message::Text(text.into())).await,
                    Some(Wire::Binary(bytes)) => socket.send(Message::Binary(bytes.into())).await,
                    Some(Wire::Close(code, reason)) => {
                        close(&mut socket, code, &reason).await;
                        break;
                    }
                    Some(Wire::Drop) | None => break,
                };
                if sent.is_err() {
                    break;
                }
                continue;
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => connection.take(&text),
                Some(Ok(Message::Binary(bytes))) => connection.take_binary(&bytes),
                Some(Ok(Message::Close(frame))) => {
                    connection.end(frame.map_or(1005, |frame| frame.code));
                    break;
                }
                Some(Ok(_)) => Ok(()),
                _ => break,
            },
        };
        if let Err((code, reason)) = came {
            close(&mut socket, code, reason).await;
            break;
        }
    }
    connection.let_go();
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

/// Who may join where: the token is the main gateway's, and so is the session.
fn admit(world: &World, data: &Value) -> Result<(Id, Id, Id), Closing> {
    const FAILED: Closing = (4004, "Authentication failed.");
    let guild = id_of(&data["server_id"]).ok_or((4011, "Server not found."))?;
    let user = id_of(&data["user_id"]).ok_or(FAILED)?;
    if data["token"].as_str() != Some(&format!("voice-{guild}-{user}")) {
        return Err(FAILED);
    }
    let found = world.guilds.get(&guild).ok_or((4011, "Server not found."))?;
    let state = found
        .voice
        .get(&user)
        .ok_or((4006, "Session is no longer valid."))?;
    if data["session_id"].as_str() != Some(&state.session) {
        return Err((4006, "Session is no longer valid."));
    }
    if data["max_dave_protocol_version"].as_u64().unwrap_or(0) == 0 {
        return Err((4017, "E2EE/DAVE protocol required."));
    }
    Ok((guild, state.channel, user))
}

impl Connection {
    fn say(&self, payload: &Value) {
        let _ = self.to.send(Wire::Text(payload.to_string()));
    }

    fn take(&mut self, text: &str) -> Result<(), Closing> {
        let payload: Value = serde_json::from_str(text).map_err(|_| (4002, "Decode error."))?;
        let op = payload["op"].as_u64().ok_or((4001, "Unknown opcode."))?;
        let data = &payload["d"];
        self.note(op, data);
        let shared = Arc::clone(&self.shared);
        let mut world = shared.world();
        let wire = (self.number, self.to.clone());
        match (op, self.ssrc) {
            (3, _) => self.say(&json!({"op": 6, "d": {"t": data["t"]}})),
            (0 | 7, Some(_)) => return Err((4005, "Already authenticated.")),
            (0, None) => {
                let who = admit(&world, data)?;
                let session = data["session_id"].as_str().unwrap_or_default();
                self.ssrc = Some(world.calls.identify(self.server, who, session, wire));
            }
            (7, None) => {
                let guild = id_of(&data["server_id"]).ok_or((4011, "Server not found."))?;
                let resumed = world.calls.resume(self.server, data, guild, wire);
                self.ssrc = Some(resumed.ok_or((4006, "Session is no longer valid."))?);
            }
            (_, None) => return Err((4003, "Not authenticated.")),
            (1, Some(ssrc)) => world.calls.select(ssrc, data)?,
            (_, Some(ssrc)) => world.calls.take(ssrc, op, data),
        }
        Ok(())
    }

    fn take_binary(&self, bytes: &[u8]) -> Result<(), Closing> {
        let ssrc = self.ssrc.ok_or((4003, "Not authenticated."))?;
        let op = bytes.first().copied().ok_or((4002, "Decode error."))?;
        self.note(u64::from(op), &json!({"bytes": bytes.len() - 1}));
        self.shared.world().calls.take_binary(ssrc, bytes);
        Ok(())
    }

    fn note(&self, op: u64, data: &Value) {
        let told = json!({"op": op, "d": data, "voice": true, "ssrc": self.ssrc, "connection": self.number, "at": now()});
        self.shared.world().log.gateway(told);
    }

    /// The client has closed: 1000 ends its session, anything else leaves it to be resumed.
    fn end(&self, code: u16) {
        let mut world = self.shared.world();
        let talker = self.ssrc.and_then(|ssrc| world.calls.talkers.get(&ssrc));
        let ours = talker.filter(|it| it.wire.as_ref().is_some_and(|(number, _)| *number == self.number));
        if let Some((guild, user)) = ours.map(|it| (it.guild, it.user))
            && matches!(code, 1000 | 1001 | 1005 | 4014)
        {
            world.calls.left(guild, user, None);
        }
    }

    /// The connection is over; the session waits for another.
    fn let_go(&self) {
        let mut world = self.shared.world();
        let talker = self.ssrc.and_then(|ssrc| world.calls.talkers.get_mut(&ssrc));
        if let Some(talker) = talker {
            talker.let_go(self.number);
        }
    }
}
