//! The connections themselves: a WebSocket over the house's HTTP client, and a line of UDP.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use fetching::service::is_loopback_url;
use fetching::service::websocket::{self, WebSocketFault};
use futures_util::{SinkExt, StreamExt};
use reqwest::Upgraded;
use thiserror::Error;
use tokio::net::UdpSocket;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::protocol::frame::CloseFrame;
use url::Url;

/// A welcome into a large call has some hundred kilobytes.
const LARGEST: usize = 4 * 1024 * 1024;
const SEND_PATIENCE: Duration = Duration::from_secs(5);
const CLOSE_PATIENCE: Duration = Duration::from_secs(2);

/// Why there is no connection.
#[derive(Debug, Error)]
pub(crate) enum CallSocketFault {
    #[error("the address of the voice server is none")]
    Address,
    #[error("{0}")]
    Connection(#[from] WebSocketFault),
}

/// What came over a connection.
pub(crate) enum FromServer {
    Text(String),
    Binary(Vec<u8>),
    Closed(Option<u16>),
}

#[derive(Debug)]
pub(crate) struct CallSocket(WebSocketStream<Upgraded>);

/// A voice server's address for the HTTP client. On loopback there is no TLS.
pub(crate) fn address(endpoint: &str) -> Option<Url> {
    let bare = endpoint.trim();
    let bare = bare
        .strip_prefix("wss://")
        .or(bare.strip_prefix("ws://"))
        .unwrap_or(bare);
    if bare.contains(['/', '?', '#', '@']) {
        return None;
    }
    let parse = |scheme: &str| {
        Url::parse(&format!("{scheme}://{bare}/?v=8"))
            .ok()
            .filter(Url::has_host)
    };
    parse("http").filter(is_loopback_url).or_else(|| parse("https"))
}

impl CallSocket {
    pub async fn open(endpoint: String) -> Result<Self, CallSocketFault> {
        let url = address(&endpoint).ok_or(CallSocketFault::Address)?;
        Ok(Self(websocket::open(url, LARGEST).await?))
    }

    /// Loses nothing where it is given up while it waits.
    pub async fn receive(&mut self) -> FromServer {
        loop {
            match self.0.next().await {
                None | Some(Err(_)) => return FromServer::Closed(None),
                Some(Ok(Frame::Text(text))) => return FromServer::Text(text.as_str().to_owned()),
                Some(Ok(Frame::Binary(bytes))) => return FromServer::Binary(bytes.to_vec()),
                Some(Ok(Frame::Close(frame))) => {
                    return FromServer::Closed(frame.map(|frame| frame.code.into()));
                }
                // Pings are answered by the library.
                Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Frame(_))) => {}
            }
        }
    }

    /// Whether it went out. A line that takes nothing for five seconds is broken.
    pub async fn send(&mut self, text: String) -> bool {
        self.send_frame(Frame::Text(text.into())).await
    }

    pub async fn send_binary(&mut self, bytes: Vec<u8>) -> bool {
        self.send_frame(Frame::Binary(bytes.into())).await
    }

    async fn send_frame(&mut self, frame: Frame) -> bool {
        matches!(timeout(SEND_PATIENCE, self.0.send(frame)).await, Ok(Ok(())))
    }

    pub async fn close(mut self, code: u16) {
        let frame = CloseFrame {
            code: code.into(),
            reason: "".into(),
        };
        // Whether the other side hears it does not matter any more.
        let _ = timeout(CLOSE_PATIENCE, self.0.close(Some(frame))).await;
    }
}

/// A line of sound to a voice server and nobody else.
pub(crate) async fn open_line(server: SocketAddr) -> std::io::Result<UdpSocket> {
    let own: SocketAddr = match server {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let line = UdpSocket::bind(own).await?;
    line.connect(server).await?;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voice_servers_are_spoken_to_with_tls_unless_they_are_on_this_machine() {
        let text = |endpoint: &str| address(endpoint).map(String::from);
        assert_eq!(
            text("frankfurt1.discord.media:443").as_deref(),
            Some("https://frankfurt1.discord.media/?v=8")
        );
        assert_eq!(
            text("wss://frankfurt1.discord.media:2053").as_deref(),
            Some("https://frankfurt1.discord.media:2053/?v=8")
        );
        assert_eq!(
            text("ws://127.0.0.1:4000").as_deref(),
            Some("http://127.0.0.1:4000/?v=8")
        );
        for wrong in ["", "a b", "host/path", "user@host", "host:99999"] {
            assert_eq!(text(wrong), None, "{wrong}");
        }
    }
}
