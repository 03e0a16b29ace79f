//! A WebSocket over the one HTTP client there is, so that its TLS, roots and proxies are those that everything else uses.

use std::time::Duration;

use reqwest::header::{
    CONNECTION, HeaderMap, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use reqwest::{Client, StatusCode, Upgraded};
use thiserror::Error;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use url::Url;

const PATIENCE: Duration = Duration::from_secs(20);
/// What a server says about a refusal is waited for so long, and so many bytes of it are read.
const BODY_PATIENCE: Duration = Duration::from_secs(2);
const BODY_MAX: usize = 4_096;

/// Why there is no connection.
#[derive(Debug, Error)]
pub enum WebSocketFault {
    #[error("the server cannot be reached ({0})")]
    Unreachable(String),
    #[error("the server did not answer in {} s", PATIENCE.as_secs())]
    Slow,
    #[error("the server answered {status} instead of opening a WebSocket")]
    Answered {
        status: StatusCode,
        /// The beginning of what it says about that.
        body: String,
    },
}

/// Opens one at an `http` or `https` address; messages over `largest` bytes end it.
pub async fn open(url: Url, largest: usize) -> Result<WebSocketStream<Upgraded>, WebSocketFault> {
    open_with(url, HeaderMap::new(), largest).await
}

/// The same, with headers of one's own, such as that of a key.
pub async fn open_with(
    url: Url,
    headers: HeaderMap,
    largest: usize,
) -> Result<WebSocketStream<Upgraded>, WebSocketFault> {
    let opening = timeout(PATIENCE, shake_hands(url, headers, largest));
    opening.await.map_err(|_| WebSocketFault::Slow)?
}

async fn shake_hands(
    url: Url,
    headers: HeaderMap,
    largest: usize,
) -> Result<WebSocketStream<Upgraded>, WebSocketFault> {
    let unreachable = |error: &reqwest::Error| WebSocketFault::Unreachable(super::innermost(error));
    let key = generate_key();
    let response = client(&url)
        .get(url)
        .headers(headers)
        .header(CONNECTION, "Upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_VERSION, "13")
        .header(SEC_WEBSOCKET_KEY, &key)
        .send()
        .await
        .map_err(|error| unreachable(&error))?;
    let accepted = response.headers().get(SEC_WEBSOCKET_ACCEPT);
    let is_ours =
        accepted.is_some_and(|accepted| accepted.as_bytes() == derive_accept_key(key.as_bytes()).as_bytes());
    if response.status() != StatusCode::SWITCHING_PROTOCOLS || !is_ours {
        let status = response.status();
        let body = timeout(BODY_PATIENCE, beginning(response))
            .await
            .unwrap_or_default();
        return Err(WebSocketFault::Answered { status, body });
    }
    let upgraded = response.upgrade().await.map_err(|error| unreachable(&error))?;
    let limits = WebSocketConfig::default()
        .max_message_size(Some(largest))
        .max_frame_size(Some(largest));
    Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(limits)).await)
}

async fn beginning(mut response: reqwest::Response) -> String {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() >= BODY_MAX {
            break;
        }
    }
    body.truncate(BODY_MAX);
    String::from_utf8_lossy(&body).into_owned()
}

/// Of its own for each connection: it is one of HTTP/1 and lives for days.
fn client(url: &Url) -> Client {
    super::client_that(super::Speaks::Http1, super::is_loopback_url(url))
        .build()
        .expect("the TLS provider is installed")
}
