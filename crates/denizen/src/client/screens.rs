//! Sharing a screen with a running Denizen, and looking at what it makes of it.

use anyhow::Context;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::{Client, segment};

/// A share that was granted. The token never leaves the process but to Denizen.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    pub share: String,
    token: String,
    frames_url: String,
}

/// What Denizen saw of a frame that it took.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct TakenFrame {
    pub frame: u64,
    pub score: f64,
}

impl Client {
    /// Asks for the right to share a screen in a room.
    pub async fn share_screen(&self, room: &str, name: &str, source: &str) -> anyhow::Result<Link> {
        let path = format!("/api/rooms/{}/shares", segment(room));
        self.post(&path, &json!({"name": name, "source": source})).await
    }

    /// Brings a picture in.
    pub async fn bring_frame(&self, link: &Link, jpeg: Vec<u8>, peak: f64) -> anyhow::Result<TakenFrame> {
        let body = Some(("image/jpeg", jpeg));
        let address = format!("{}?peak={peak:.5}", link.frames_url);
        let answer = self.send_as(Some(&link.token), "POST", &address, body).await?;
        let bytes = answer.bytes().await.context("the answer broke off")?;
        serde_json::from_slice(&bytes)
            .context("the answer to a frame is not what was expected. Is it a Denizen of another version?")
    }

    /// Ends a share of one's own.
    pub async fn end_share(&self, link: &Link) -> anyhow::Result<()> {
        let path = format!("/api/watch/{}", segment(&link.share));
        self.send_as(Some(&link.token), "DELETE", &path, None).await?;
        Ok(())
    }

    /// A room's watch as it is now.
    pub async fn watch<T: DeserializeOwned>(&self, room: &str) -> anyhow::Result<T> {
        self.get(&format!("/api/rooms/{}/watch", segment(room))).await
    }
}
