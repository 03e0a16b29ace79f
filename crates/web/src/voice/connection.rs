//! One WebSocket of a program: what comes in is counted, what goes out does not wait for ever, and it ends with a reason.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use bytes::Bytes;
use serde::Serialize;
use tokio::time::Instant;

/// Whoever does not read for so long is gone.
const SAY_DEADLINE: Duration = Duration::from_secs(10);
/// How long the other side may take to close, too.
const CLOSE_DEADLINE: Duration = Duration::from_secs(2);
/// Messages that may come at once, and then in a second: 20 ms of sound each, and some words.
const BURST: f64 = 200.0;
const A_SECOND: f64 = 75.0;

pub(super) struct VoiceConnection {
    socket: WebSocket,
    /// Messages that may still come at once.
    left: f64,
    counted: Instant,
}

/// What was heard.
pub(super) enum Heard {
    Text(String),
    Sound(Bytes),
    /// Nothing, but somebody is there.
    SignOfLife,
    /// More came than is taken in.
    TooMuch,
    /// A message is broken or far too large.
    Broken,
    /// The connection is closed.
    Gone,
}

/// Nobody can be told anything any more.
#[derive(Debug)]
pub(super) struct Deaf;

impl VoiceConnection {
    pub(super) fn new(socket: WebSocket) -> Self {
        Self {
            socket,
            left: BURST,
            counted: Instant::now(),
        }
    }

    /// The next thing that is said; nothing is lost if nobody waits for it to the end.
    pub(super) async fn hear(&mut self) -> Heard {
        let received = self.socket.recv().await;
        let now = Instant::now();
        let since = now.duration_since(self.counted).as_secs_f64();
        self.counted = now;
        self.left = (self.left + since * A_SECOND).min(BURST) - 1.0;
        match received {
            Some(Ok(Message::Close(_))) | None => Heard::Gone,
            Some(Err(_)) => Heard::Broken,
            Some(Ok(_)) if self.left < 0.0 => Heard::TooMuch,
            Some(Ok(Message::Text(text))) => Heard::Text(text.to_string()),
            Some(Ok(Message::Binary(bytes))) => Heard::Sound(bytes),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Heard::SignOfLife,
        }
    }

    pub(super) async fn say(&mut self, say: &impl Serialize) -> Result<(), Deaf> {
        let text = serde_json::to_string(say).expect("what is said has text keys only");
        self.send(Message::text(text)).await
    }

    pub(super) async fn play(&mut self, sound: Bytes) -> Result<(), Deaf> {
        self.send(Message::Binary(sound)).await
    }

    /// Asks whether somebody is there.
    pub(super) async fn ping(&mut self) -> Result<(), Deaf> {
        self.send(Message::Ping(Bytes::new())).await
    }

    /// Closes with a sentence of at most 123 bytes where something was wrong.
    pub(super) async fn close(mut self, problem: Option<&'static str>) {
        let code = problem.map_or(close_code::NORMAL, |_| close_code::POLICY);
        let reason = problem.unwrap_or_default().into();
        let close = Message::Close(Some(CloseFrame { code, reason }));
        if self.send(close).await.is_err() {
            return;
        }
        // A connection cut under somebody who is still sending would lose them the reason.
        let closing = async { while let Some(Ok(_)) = self.socket.recv().await {} };
        let _ = tokio::time::timeout(CLOSE_DEADLINE, closing).await;
    }

    async fn send(&mut self, message: Message) -> Result<(), Deaf> {
        match tokio::time::timeout(SAY_DEADLINE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Deaf),
        }
    }
}
