//! The connection itself: a WebSocket over the one HTTP client there is. What is sent waits in a queue and goes out while
//! somebody listens, so that whoever takes nothing holds up nobody.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use fetching::service::websocket::{self, WebSocketFault};
use fetching::service::without_key;
use futures_util::{Sink, SinkExt, Stream};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{StatusCode, Upgraded};
use secrecy::ExposeSecret;
use tokio::runtime::Handle;
use tokio::time::{Sleep, sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message as Frame};
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
    /// None: it was let go of.
    stream: Option<WebSocketStream<Upgraded>>,
    waiting: VecDeque<String>,
    /// Something was given to the connection and is not on its way yet.
    is_unflushed: bool,
    /// Since it takes nothing: until when it may.
    patience: Option<Pin<Box<Sleep>>>,
    is_broken: bool,
}

impl Endpoint {
    /// Another model takes the place of one that the service is known not to have any more.
    pub(crate) fn ask_what_is_there(&mut self) {
        let Self { choice, brief } = self;
        for model in [&mut brief.model, &mut brief.transcription_model] {
            *model = choice.asked(model).to_owned();
        }
    }

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
        Ok(Socket {
            stream: Some(stream.map_err(|fault| self.fault(&fault))?),
            waiting: VecDeque::new(),
            is_unflushed: false,
            patience: None,
            is_broken: false,
        })
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
    /// What comes next; what waits is sent meanwhile. Loses nothing where it is given up while it waits. How it ended,
    /// where it did: a code and a reason.
    pub(crate) async fn receive(&mut self) -> Result<String, (Option<u16>, String)> {
        poll_fn(|context| self.poll(context)).await
    }

    /// Whether it can still take something.
    pub(crate) fn send(&mut self, frame: String) -> bool {
        let takes = !self.is_broken && self.waiting.len() < WAITING_MAX;
        if takes {
            self.waiting.push_back(frame);
        }
        takes
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<String, (Option<u16>, String)>> {
        if !self.is_broken && self.is_late_with(context) {
            // Whoever sends next is told; what is still told by the other side is heard.
            self.is_broken = true;
            self.waiting.clear();
        }
        loop {
            let Some(stream) = &mut self.stream else {
                return Poll::Ready(Err((None, String::new())));
            };
            let told = match ready!(Pin::new(stream).poll_next(context)) {
                None | Some(Err(_)) => Err((None, String::new())),
                Some(Ok(Frame::Text(text))) => Ok(text.as_str().to_owned()),
                // Google sends text as bytes.
                Some(Ok(Frame::Binary(bytes))) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
                Some(Ok(Frame::Close(frame))) => {
                    let told = frame.map(|frame| (Some(frame.code.into()), frame.reason.as_str().to_owned()));
                    Err(told.unwrap_or_default())
                }
                // Pings are answered by the library.
                Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Frame(_))) => continue,
            };
            return Poll::Ready(told);
        }
    }

    /// Sends what can be sent; whether it has taken nothing for too long, or never will again.
    fn is_late_with(&mut self, context: &mut Context<'_>) -> bool {
        let before = self.waiting.len();
        match self.poll_send(context) {
            Poll::Ready(sent) => {
                self.patience = None;
                sent.is_err()
            }
            Poll::Pending => {
                if self.waiting.len() < before {
                    self.patience = None;
                }
                let patience = self
                    .patience
                    .get_or_insert_with(|| Box::pin(sleep(SEND_PATIENCE)));
                patience.as_mut().poll(context).is_ready()
            }
        }
    }

    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<Result<(), SocketError>> {
        let Some(stream) = &mut self.stream else {
            return Poll::Ready(Ok(()));
        };
        let mut stream = Pin::new(stream);
        while !self.waiting.is_empty() {
            ready!(stream.as_mut().poll_ready(context))?;
            if let Some(frame) = self.waiting.pop_front() {
                self.is_unflushed = true;
                stream.as_mut().start_send(Frame::Text(frame.into()))?;
            }
        }
        if self.is_unflushed {
            ready!(stream.poll_flush(context))?;
            self.is_unflushed = false;
        }
        Poll::Ready(Ok(()))
    }
}

impl Drop for Socket {
    /// What was given to it still goes out, and the other side is told that it is over.
    fn drop(&mut self) {
        let (Some(mut stream), Ok(handle)) = (self.stream.take(), Handle::try_current()) else {
            return;
        };
        let waiting = std::mem::take(&mut self.waiting);
        handle.spawn(timeout(SEND_PATIENCE, async move {
            for frame in waiting {
                stream.feed(Frame::Text(frame.into())).await?;
            }
            // Whether the other side hears it does not matter any more.
            stream.close(None).await
        }));
    }
}
