//! A small client: REST with a socket a request, and the gateway.

use std::time::Duration;

use discord_double::{Double, DoubleOptions};
use flate2::{Decompress, FlushDecompress};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Far longer than anything takes; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(30);
pub const EVERYTHING: u64 = ((1 << 22) - 1) | (1 << 24) | (1 << 25);

pub async fn start() -> Double {
    start_with(DoubleOptions::default()).await
}

/// A double on which nobody waits between two sessions.
pub async fn start_with(options: DoubleOptions) -> Double {
    let double = Double::start(options).await.expect("a free port");
    double
        .control("gateway", json!({"identify_spacing": 0}))
        .expect("settings");
    double
}

/// What came of a request.
#[derive(Debug)]
pub struct Got {
    pub status: u16,
    pub head: String,
    pub text: String,
}

impl Got {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .into_iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

pub async fn ask(double: &Double, token: &str, route: &str, body: Option<Value>) -> Got {
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    send(double, token, route, "application/json", &body).await
}

/// Sends a request, `route` being `GET /users/@me`.
pub async fn send(double: &Double, token: &str, route: &str, kind: &str, body: &str) -> Got {
    let (method, path) = route.split_once(' ').expect("a method and a path");
    let path = if path.starts_with("/control") || path.starts_with("/attachments") {
        path.to_owned()
    } else {
        format!("/api/v10{path}")
    };
    let mut stream = TcpStream::connect(double.address()).await.expect("the double");
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: double\r\nConnection: close\r\nAuthorization: Bot {token}\r\n\
         Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    stream.write_all(body.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    // A connection that is cut is a result as well.
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer))
        .await
        .expect("an answer");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, text) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|it| it.parse().ok())
        .expect("a status");
    Got {
        status,
        head: head.to_owned(),
        text: text.to_owned(),
    }
}

/// A connection to the gateway.
pub struct Gateway {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    inflate: Option<Decompress>,
    pub sequence: u64,
    pub session: String,
}

impl Gateway {
    pub async fn connect(double: &Double, query: &str) -> Self {
        let address = format!("ws://{}/?v=10&encoding=json{query}", double.address());
        let (socket, _) = tokio_tungstenite::connect_async(address).await.expect("a socket");
        let inflate = query.contains("zlib-stream").then(|| Decompress::new(true));
        let mut gateway = Self {
            socket,
            inflate,
            sequence: 0,
            session: String::new(),
        };
        assert_eq!(gateway.payload().await["op"], 10);
        gateway
    }

    /// Connects, identifies and waits for READY.
    pub async fn login(double: &Double, token: &str, intents: u64) -> Self {
        let mut gateway = Self::connect(double, "").await;
        gateway.identify(token, intents).await;
        let first = gateway.payload().await;
        assert_eq!(first["t"], "READY", "nothing comes before it");
        let ready = &first["d"];
        gateway.session = ready["session_id"].as_str().expect("an id").to_owned();
        gateway
    }

    pub async fn identify(&mut self, token: &str, intents: u64) {
        let told = json!({"token": token, "intents": intents, "properties": {"os": "linux", "browser": "t", "device": "t"}});
        self.send(json!({"op": 2, "d": told})).await;
    }

    /// Connects anew and resumes what this one had.
    pub async fn resume(&self, double: &Double, token: &str) -> Self {
        let mut gateway = Self::connect(double, "").await;
        (gateway.session, gateway.sequence) = (self.session.clone(), self.sequence);
        let told = json!({"token": token, "session_id": self.session, "seq": self.sequence});
        gateway.send(json!({"op": 6, "d": told})).await;
        gateway
    }

    pub async fn send(&mut self, payload: Value) {
        self.socket
            .send(Message::text(payload.to_string()))
            .await
            .expect("sent");
    }

    /// The next message, whatever it is; `None` when the connection ended without a word.
    pub async fn next(&mut self) -> Option<Message> {
        let next = tokio::time::timeout(PATIENCE, self.socket.next())
            .await
            .expect("something");
        next.and_then(Result::ok)
    }

    /// The next payload.
    pub async fn payload(&mut self) -> Value {
        let text = match self.next().await {
            Some(Message::Text(text)) => text.to_string(),
            Some(Message::Binary(bytes)) => self.inflated(&bytes),
            other => panic!("no payload: {other:?}"),
        };
        let payload: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        if let Some(sequence) = payload["s"].as_u64() {
            assert_eq!(sequence, self.sequence + 1, "a sequence without gaps: {payload}");
            self.sequence = sequence;
        }
        payload
    }

    fn inflated(&mut self, bytes: &[u8]) -> String {
        assert!(bytes.ends_with(&[0, 0, 0xff, 0xff]), "each payload is flushed");
        let inflate = self.inflate.as_mut().expect("a compressed connection");
        let mut out = Vec::with_capacity(1 << 20);
        inflate
            .decompress_vec(bytes, &mut out, FlushDecompress::Sync)
            .expect("deflated");
        String::from_utf8(out).expect("text")
    }

    /// What the next event of that name says; others are passed over.
    pub async fn event(&mut self, name: &str) -> Value {
        loop {
            let mut payload = self.payload().await;
            if payload["t"] == name {
                return payload["d"].take();
            }
        }
    }

    /// The code that the connection is closed with.
    pub async fn closed(&mut self) -> u16 {
        loop {
            match self.next().await {
                Some(Message::Close(Some(frame))) => return frame.code.into(),
                Some(_) => {}
                None => panic!("ended without a code"),
            }
        }
    }
}

/// The id of the only guild's channel `general`.
pub fn general(double: &Double) -> String {
    let state = double.control("state", json!({})).expect("the state");
    state["guilds"][0]["channels"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned()
}

pub fn post(double: &Double, who: &str, content: &str) -> Value {
    double
        .control(
            "post",
            json!({"as": who, "channel": "general", "content": content}),
        )
        .expect("posted")
}
