//! One WebSocket: what comes in is read, what goes out does not wait for ever, and it is closed with a reason.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use bytes::Bytes;

use super::words::{Said, Say};

/// Whoever does not read for so long is gone.
const SAY_DEADLINE: Duration = Duration::from_secs(10);
/// How long the other side may take to close, too.
const CLOSE_DEADLINE: Duration = Duration::from_secs(2);

pub(super) struct ShareConnection(WebSocket);

/// What was heard.
pub(super) enum Heard {
    Words(Said),
    /// A picture.
    Frame(Bytes),
    /// Nothing, but somebody is there.
    SignOfLife,
    /// It cannot be understood, and why.
    Nonsense(&'static str),
    /// The connection is closed or broken.
    Gone,
}

/// Nobody can be told anything any more.
#[derive(Debug)]
pub(super) struct Broken;

/// Why a line is closed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Close {
    /// All is said.
    Done,
    /// Somebody did not keep to how one speaks here; a sentence of at most 123 bytes says what is expected.
    Nonsense(&'static str),
}

impl ShareConnection {
    pub fn new(socket: WebSocket) -> Self {
        Self(socket)
    }

    /// The next thing that is said; nothing is lost if nobody waits for it to the end.
    pub async fn hear(&mut self) -> Heard {
        match self.0.recv().await {
            Some(Ok(Message::Text(text))) => match Said::read(&text) {
                Ok(said) => Heard::Words(said),
                Err(problem) => Heard::Nonsense(problem),
            },
            Some(Ok(Message::Binary(bytes))) => Heard::Frame(bytes),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Heard::SignOfLife,
            Some(Ok(Message::Close(_))) | None => Heard::Gone,
            // A broken connection cannot be told; everybody else should know.
            Some(Err(_)) => Heard::Nonsense(
                "A message was broken, or far larger than voice.streamWatch.maxFrameBytes. Open the socket again.",
            ),
        }
    }

    pub async fn say(&mut self, say: &Say) -> Result<(), Broken> {
        let text = serde_json::to_string(say).expect("what is said has text keys only");
        self.send(Message::text(text)).await
    }

    /// Asks whether somebody is there.
    pub async fn ping(&mut self) -> Result<(), Broken> {
        self.send(Message::Ping(Bytes::new())).await
    }

    pub async fn close(mut self, why: Close) {
        let (code, reason) = match why {
            Close::Done => (close_code::NORMAL, ""),
            Close::Nonsense(problem) => (close_code::POLICY, problem),
        };
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        if self.send(Message::Close(Some(frame))).await.is_err() {
            return;
        }
        // A connection cut under somebody who is still sending would lose them the reason.
        let closing = async { while let Some(Ok(_)) = self.0.recv().await {} };
        let _ = tokio::time::timeout(CLOSE_DEADLINE, closing).await;
    }

    async fn send(&mut self, message: Message) -> Result<(), Broken> {
        match tokio::time::timeout(SAY_DEADLINE, self.0.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Broken),
        }
    }
}
