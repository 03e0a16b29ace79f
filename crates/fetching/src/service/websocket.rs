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

/// Why there is no connection.
#[derive(Debug, Error)]
pub enum WebSocketFault {
    #[error("the server cannot be reached ({0})")]
    Unreachable(String),
    #[error("the server did not answer in {} s", PATIENCE.as_secs())]
    Slow,
    #[error("the server answered {0} instead of opening a WebSocket")]
    Answered(StatusCode),
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
        return Err(WebSocketFault::Answered(response.status()));
    }
    let upgraded = response.upgrade().await.map_err(|error| unreachable(&error))?;
    let limits = WebSocketConfig::default()
        .max_message_size(Some(largest))
        .max_frame_size(Some(largest));
    Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(limits)).await)
}

/// Of its own for each connection: it is one of HTTP/1 and lives for days.
fn client(url: &Url) -> Client {
    super::client_builder(super::is_loopback_url(url))
        .http1_only()
        .build()
        .expect("the TLS provider is installed")
}
