//! The voice of a room of a running Denizen, by its WebSocket.

use anyhow::{Context, bail};
use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, CONNECTION, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::{Client, Way, refusal, segment, unreachable};

/// The socket of one person in the voice of a room.
pub type VoiceSocket = WebSocketStream<reqwest::Upgraded>;

/// Comes into the voice of a room as somebody, with sound as 16-bit samples.
pub async fn enter_voice(client: &Client, room: &str, author: &str) -> anyhow::Result<VoiceSocket> {
    let Way::Http { base, token, .. } = &client.way else {
        bail!("nobody runs on this folder. Start it with `denizen run`, and try again");
    };
    // The same client as for everything else, so that TLS is as there; but a connection cannot become a socket in HTTP/2,
    // nor may what is said there take only so long.
    let http = reqwest::Client::builder().no_proxy().http1_only().build();
    let http = http.context("the HTTP client could not be made")?;
    let path = client.path_of(&format!("/api/rooms/{}/voice/socket", segment(room)));
    let mut request = http
        .get(format!("{base}{path}?author={}&format=pcm16", segment(author)))
        .header(CONNECTION, "upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_VERSION, "13")
        .header(SEC_WEBSOCKET_KEY, generate_key());
    if let Some(token) = token {
        request = request.header(AUTHORIZATION, format!("Bearer {token}"));
    }
    let answer = request.send().await.map_err(|error| unreachable(base, error))?;
    let status = answer.status();
    if status == StatusCode::UPGRADE_REQUIRED {
        bail!(
            "{base} does not pass on sockets: a proxy stands before Denizen that has to be told to (the guide of the voice room has a configuration)"
        );
    }
    if status != StatusCode::SWITCHING_PROTOCOLS {
        refusal(status.as_u16(), &answer.bytes().await.unwrap_or_default())?;
        bail!("{base} did not open a socket for {author}");
    }
    let socket = answer.upgrade().await.context("the socket did not open")?;
    Ok(WebSocketStream::from_raw_socket(socket, Role::Client, None).await)
}
