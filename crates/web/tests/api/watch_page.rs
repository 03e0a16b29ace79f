//! A share page as the server sees it: a WebSocket client that says what the page says.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::watching::{Link, Watching};

const PATIENCE: Duration = Duration::from_secs(30);

pub struct Page(WebSocketStream<MaybeTlsStream<TcpStream>>);

/// How a page heard that it is over.
#[derive(Debug, PartialEq)]
pub enum Closed {
    With { code: u16, reason: String },
    Cut,
}

impl Page {
    /// Opens the socket; more headers may be given. An error holds the status and the body.
    pub async fn open(house: &Watching, headers: &[(&'static str, String)]) -> Result<Self, (u16, String)> {
        let mut request = format!("ws://{}/api/watch/socket", house.address)
            .into_client_request()
            .unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        match connect_async(request).await {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(Error::Http(response)) => {
                let body = response.body().clone().unwrap_or_default();
                Err((response.status().as_u16(), String::from_utf8(body).unwrap()))
            }
            Err(other) => panic!("{other}"),
        }
    }

    /// Opens the socket and says hello; what it is welcomed with.
    pub async fn share(house: &Watching, link: &Link) -> (Self, Value) {
        let mut page = Self::open(house, &[]).await.unwrap();
        page.say(json!({"type": "hello", "token": link.token})).await;
        let welcome = page.hear().await;
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        (page, welcome)
    }

    pub async fn say(&mut self, words: Value) {
        self.send(Message::text(words.to_string())).await;
    }

    pub async fn send(&mut self, message: Message) {
        self.0.send(message).await.unwrap();
    }

    /// Sends a picture without waiting for what comes of it.
    pub async fn picture(&mut self, first: u8) {
        self.send(Message::binary(vec![first; 100])).await;
    }

    /// The next thing that is said.
    pub async fn hear(&mut self) -> Value {
        loop {
            match self.next().await {
                Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).unwrap(),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => panic!("nothing is said: {other:?}"),
            }
        }
    }

    /// The next thing of that type that is said.
    pub async fn hear_of(&mut self, kind: &str) -> Value {
        loop {
            let said = self.hear().await;
            if said["type"] == kind {
                return said;
            }
        }
    }

    /// Waits until the other side has closed.
    pub async fn closed(&mut self) -> Closed {
        loop {
            match self.next().await {
                Some(Ok(Message::Close(Some(CloseFrame { code, reason })))) => {
                    return Closed::With {
                        code: code.into(),
                        reason: reason.to_string(),
                    };
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(None)) | Err(_)) | None => return Closed::Cut,
                Some(Ok(other)) => panic!("instead of closing: {other:?}"),
            }
        }
    }

    async fn next(&mut self) -> Option<Result<Message, Error>> {
        let next = tokio::time::timeout(PATIENCE, self.0.next()).await;
        next.expect("something is said")
    }
}

/// What is said when all is said.
pub fn done() -> Closed {
    Closed::With {
        code: 1000,
        reason: String::new(),
    }
}
