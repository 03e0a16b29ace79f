//! The connection itself: a WebSocket over the one HTTP client there is. What is sent waits in a queue of its own, so that
//! whoever takes nothing holds up nobody who listens.

use std::time::Duration;

use fetching::service::websocket::{self, WebSocketFault};
use fetching::service::without_key;
use futures_util::stream::SplitStream;
use futures_util::{SinkExt, StreamExt};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{StatusCode, Upgraded};
use secrecy::ExposeSecret;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use url::Url;

use crate::choice::ServiceChoice;
use crate::event::{FaultKind, ServiceFault};
use crate::wire::{SessionBrief, kind_of, refusal};

/// A few seconds of sound in base 64, and what stands around it.
const LARGEST: usize = 16 * 1024 * 1024;
/// Frames that wait to be sent: some minutes of sound.
const WAITING_MAX: usize = 4_096;
/// A line that takes nothing for so long is broken.
const SEND_PATIENCE: Duration = Duration::from_secs(10);
/// Longest piece of a service's own words.
const WORDS_CHARACTERS_MAX: usize = 300;

/// Where a session is opened.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) choice: ServiceChoice,
    pub(crate) brief: SessionBrief,
}

/// An open connection.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: SplitStream<WebSocketStream<Upgraded>>,
    frames: mpsc::Sender<String>,
}

impl Endpoint {
    pub(crate) async fn open(self) -> Result<Socket, ServiceFault> {
        let who = &self.choice.who;
        let refused = |detail: String| ServiceFault::new(FaultKind::Refused, detail);
        let address = format!("{}{}", self.choice.base, self.brief.path());
        let url =
            Url::parse(&address).map_err(|_| refused(format!("{who} has no address that can be used")))?;
        let mut headers = HeaderMap::new();
        if let Some(key) = &self.choice.key {
            let (name, before) = self.brief.key_header();
            let value = HeaderValue::from_str(&format!("{before}{}", key.expose_secret()));
            let mut value = value.map_err(|_| {
                let variable = self.choice.variable;
                ServiceFault::new(
                    FaultKind::Key,
                    format!("{variable} has characters that no key has"),
                )
            })?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        let stream = websocket::open_with(url, headers, LARGEST).await;
        let (mut sink, stream) = stream.map_err(|fault| self.fault(&fault))?.split();
        let (frames, mut waiting) = mpsc::channel::<String>(WAITING_MAX);
        // It ends with whoever holds the connection, after what was sent.
        tokio::spawn(async move {
            while let Some(frame) = waiting.recv().await {
                let sending = timeout(SEND_PATIENCE, sink.send(Frame::Text(frame.into())));
                if !matches!(sending.await, Ok(Ok(()))) {
                    return;
                }
            }
            // Whether the other side hears it does not matter any more.
            let _ = timeout(SEND_PATIENCE, sink.close()).await;
        });
        Ok(Socket { stream, frames })
    }

    fn fault(&self, fault: &WebSocketFault) -> ServiceFault {
        let who = &self.choice.who;
        match fault {
            WebSocketFault::Answered { status, body } => {
                // What it names is worth more than a number.
                let told = refusal(body);
                let named = told.as_ref().map_or(FaultKind::Passing, |told| told.kind);
                let kind = match (named, *status) {
                    (
                        FaultKind::Passing | FaultKind::Moot,
                        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN,
                    ) => FaultKind::Key,
                    (FaultKind::Passing | FaultKind::Moot, StatusCode::PAYMENT_REQUIRED) => FaultKind::Quota,
                    (FaultKind::Passing | FaultKind::Moot, StatusCode::TOO_MANY_REQUESTS) => FaultKind::Busy,
                    (FaultKind::Passing | FaultKind::Moot, status) if status.is_client_error() => {
                        FaultKind::Refused
                    }
                    (FaultKind::Moot, _) => FaultKind::Passing,
                    (named, _) => named,
                };
                let key = self.choice.key.as_ref().map(|key| key.expose_secret().to_owned());
                let words = told.map(|told| told.detail).filter(|words| !words.is_empty());
                let words = words.map(|words| format!(" ({})", without_key(&words, key.as_deref())));
                let remedy = match kind {
                    FaultKind::Key => format!(". Check the key in {}", self.choice.variable),
                    FaultKind::Refused | FaultKind::Model => ". Check the model and the address".to_owned(),
                    _ => String::new(),
                };
                let words = words.unwrap_or_default();
                ServiceFault::new(kind, format!("{who} answered {status}{words}{remedy}"))
            }
            other => ServiceFault::new(FaultKind::Passing, format!("{who}: {other}")),
        }
    }

    /// What is told of a connection that was closed.
    pub(crate) fn closed(&self, code: Option<u16>, reason: &str) -> ServiceFault {
        let key = self.choice.key.as_ref().map(|key| key.expose_secret().to_owned());
        let words = vocabulary::text::plain_line(reason, WORDS_CHARACTERS_MAX);
        let words = without_key(&words, key.as_deref());
        let kind = match (kind_of(&words), code) {
            (FaultKind::Passing, Some(1_003 | 1_007 | 1_008)) => FaultKind::Refused,
            (kind, _) => kind,
        };
        let who = &self.choice.who;
        let detail = match (words.as_str(), code) {
            ("", None) => format!("the connection to {who} was lost"),
            ("", Some(code)) => format!("{who} closed the connection ({code})"),
            (words, _) => format!("{who} closed the connection: {words}"),
        };
        ServiceFault::new(kind, detail)
    }
}

impl Socket {
    /// Loses nothing where it is given up while it waits. How it ended, where it did: a code and a reason.
    pub(crate) async fn receive(&mut self) -> Result<String, (Option<u16>, String)> {
        loop {
            match self.stream.next().await {
                None | Some(Err(_)) => return Err((None, String::new())),
                Some(Ok(Frame::Text(text))) => return Ok(text.as_str().to_owned()),
                // Google sends text as bytes.
                Some(Ok(Frame::Binary(bytes))) => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
                Some(Ok(Frame::Close(frame))) => {
                    let told = frame.map(|frame| (Some(frame.code.into()), frame.reason.as_str().to_owned()));
                    return Err(told.unwrap_or_default());
                }
                // Pings are answered by the library.
                Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Frame(_))) => {}
            }
        }
    }

    /// Whether it can still take something.
    pub(crate) fn send(&self, frame: String) -> bool {
        self.frames.try_send(frame).is_ok()
    }
}
