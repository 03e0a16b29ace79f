//! The connection itself: a WebSocket over the one HTTP client there is, so TLS, proxies and timeouts are those of the house.

use std::time::Duration;

use fetching::service::websocket::{self, WebSocketFault};
use futures_util::{SinkExt, StreamExt};
use reqwest::Upgraded;
use thiserror::Error;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::protocol::frame::CloseFrame;
use url::Url;

use super::inflating::Inflating;

/// A server of many thousands, told at once, has some megabytes.
const LARGEST: usize = 32 * 1024 * 1024;
const SEND_PATIENCE: Duration = Duration::from_secs(10);
const CLOSE_PATIENCE: Duration = Duration::from_secs(2);

/// Why there is no connection.
#[derive(Debug, Error)]
pub(super) enum SocketFault {
    #[error("the address of the gateway is no ws or wss address")]
    Address,
    #[error("{0}")]
    Connection(#[from] WebSocketFault),
}

/// What came over a connection.
pub(super) enum Received {
    Text(String),
    Closed(Option<u16>),
}

#[derive(Debug)]
pub(super) struct Socket {
    stream: WebSocketStream<Upgraded>,
    inflating: Option<Inflating>,
}

/// The address with what is wanted of it, for the HTTP client.
pub(super) fn address(url: &str, is_compressed: bool) -> Option<Url> {
    let url = url.trim();
    let plain = url
        .strip_prefix("ws")
        .filter(|rest| rest.starts_with(':') || rest.starts_with("s:"))?;
    let mut url = Url::parse(&format!("http{plain}")).ok().filter(Url::has_host)?;
    url.set_query(None);
    url.query_pairs_mut()
        .append_pair("v", "10")
        .append_pair("encoding", "json");
    if is_compressed {
        url.query_pairs_mut().append_pair("compress", "zlib-stream");
    }
    Some(url)
}

impl Socket {
    pub async fn open(url: String, is_compressed: bool) -> Result<Self, SocketFault> {
        let url = address(&url, is_compressed).ok_or(SocketFault::Address)?;
        Ok(Self {
            stream: websocket::open(url, LARGEST).await?,
            inflating: is_compressed.then(|| Inflating::new(LARGEST)),
        })
    }

    /// Loses nothing where it is given up while it waits.
    pub async fn receive(&mut self) -> Received {
        loop {
            let bytes = match self.stream.next().await {
                None | Some(Err(_)) => return Received::Closed(None),
                Some(Ok(Frame::Text(text))) => return Received::Text(text.as_str().to_owned()),
                Some(Ok(Frame::Close(frame))) => {
                    return Received::Closed(frame.map(|frame| frame.code.into()));
                }
                Some(Ok(Frame::Binary(bytes))) => bytes,
                // Pings are answered by the library.
                Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Frame(_))) => continue,
            };
            match self.inflating.as_mut().map(|inflating| inflating.push(&bytes)) {
                Some(Ok(Some(text))) => return Received::Text(text),
                // It goes on; or nobody asked for bytes.
                Some(Ok(None)) | None => {}
                Some(Err(_)) => return Received::Closed(None),
            }
        }
    }

    /// Whether it went out. A line that takes nothing for ten seconds is broken.
    pub async fn send(&mut self, text: String) -> bool {
        let sending = timeout(SEND_PATIENCE, self.stream.send(Frame::Text(text.into())));
        matches!(sending.await, Ok(Ok(())))
    }

    pub async fn close(mut self, code: u16) {
        let frame = CloseFrame {
            code: code.into(),
            reason: "".into(),
        };
        // Whether the other side hears it does not matter any more.
        let _ = timeout(CLOSE_PATIENCE, self.stream.close(Some(frame))).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_sockets() {
        let text = |url: &str, compressed| address(url, compressed).map(String::from);
        let plain = text("wss://gateway.discord.gg", false);
        assert_eq!(
            plain.as_deref(),
            Some("https://gateway.discord.gg/?v=10&encoding=json")
        );
        let local = text("ws://127.0.0.1:80/gateway?v=9", true);
        assert_eq!(
            local.as_deref(),
            Some("http://127.0.0.1/gateway?v=10&encoding=json&compress=zlib-stream")
        );
        for wrong in ["https://x", "wsx://x", "ws", "ws:", "", "gateway.discord.gg"] {
            assert_eq!(text(wrong, false), None, "{wrong}");
        }
    }
}
