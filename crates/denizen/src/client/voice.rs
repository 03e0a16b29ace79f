//! The voice of a room of a running Denizen, by its WebSocket.

use anyhow::{Context, bail};
use reqwest::header::{AUTHORIZATION, HeaderValue};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::{Client, Way, refusal, segment};

/// The socket of one person in the voice of a room.
pub type VoiceSocket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Comes into the voice of a room as somebody, with sound as 16-bit samples.
pub async fn enter_voice(client: &Client, room: &str, author: &str) -> anyhow::Result<VoiceSocket> {
    let Way::Http { base, token, .. } = &client.way else {
        bail!("nobody runs on this folder. Start it with `denizen run`, and try again");
    };
    let Some(place) = base.strip_prefix("http://") else {
        bail!(
            "{base} is reached by TLS, which this command does not speak. Run it on the machine where Denizen runs, with --data of its folder or --url http://127.0.0.1:8787"
        );
    };
    let path = client.path_of(&format!("/api/rooms/{}/voice/socket", segment(room)));
    let address = format!("ws://{place}{path}?author={}&format=pcm16", segment(author));
    let mut request = address.into_client_request().context("no address of a socket")?;
    if let Some(token) = token {
        let token = HeaderValue::from_str(&format!("Bearer {token}")).context("the token cannot be sent")?;
        request.headers_mut().insert(AUTHORIZATION, token);
    }
    match connect_async(request).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(answer)) => {
            let body = answer.body().clone().unwrap_or_default();
            refusal(answer.status().as_u16(), &body)?;
            bail!("{base} did not open a socket for {author}")
        }
        Err(error) => Err(anyhow::Error::new(error)).with_context(|| {
            format!(
                "no Denizen answers at {base}. Start one with `denizen run`, or name its address with --url"
            )
        }),
    }
}
