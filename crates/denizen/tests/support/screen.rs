//! Somebody who shares a screen by posting pictures, and the pictures.

use media::Picture;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use super::Process;

/// Whoever holds a link.
pub struct Sharer {
    pub share: String,
    pub token: String,
    frames: String,
}

impl Sharer {
    /// Asks the room for a link.
    pub async fn of(process: &Process, name: &str) -> Self {
        let body = json!({"name": name, "source": "frame_api"});
        let (status, link) = process
            .call(Method::POST, "/api/rooms/lounge/shares", &body)
            .await;
        assert_eq!(status, StatusCode::CREATED, "{link}");
        let text = |field: &str| link[field].as_str().expect("text").to_owned();
        Self {
            share: text("share"),
            token: text("token"),
            frames: text("framesUrl"),
        }
    }

    /// Posts a picture; the status, and what is said of it.
    pub async fn post(
        &self,
        process: &Process,
        mime: &str,
        picture: impl Into<reqwest::Body>,
    ) -> (StatusCode, Value) {
        let request = process.client.post(format!("{}{}", process.url, self.frames));
        answered(
            request
                .bearer_auth(&self.token)
                .header("content-type", mime)
                .body(picture),
        )
        .await
    }

    /// Posts a picture that is taken.
    pub async fn shows(&self, process: &Process, picture: &[u8]) -> Value {
        let (status, taken) = self.post(process, "image/jpeg", picture.to_vec()).await;
        assert_eq!(status, StatusCode::OK, "{taken}");
        taken
    }

    /// Ends the share.
    pub async fn stops(&self, process: &Process) -> (StatusCode, Value) {
        let request = process
            .client
            .delete(format!("{}/api/watch/{}", process.url, self.share));
        answered(request.bearer_auth(&self.token)).await
    }
}

async fn answered(request: RequestBuilder) -> (StatusCode, Value) {
    let response = request.send().await.expect("the process answers");
    let status = response.status();
    let text = response.text().await.expect("the answer is whole");
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

/// A JPEG of about that brightness, with a grain of its own so that no other file holds the same bytes.
pub fn jpeg(brightness: u8, seed: u32) -> Vec<u8> {
    let (width, height) = (320, 180);
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut grain = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state % 16) as u8
    };
    let y = (0..width * height).map(|_| brightness.saturating_add(grain()));
    let colours = width / 2 * height / 2;
    let picture = Picture {
        width,
        height,
        y: y.collect(),
        u: vec![128; colours],
        v: vec![128; colours],
    };
    media::jpeg::encode(&picture, 80).expect("a whole picture")
}

/// A PNG of a few bytes that says it has 900 million pixels.
pub fn png_bomb() -> Vec<u8> {
    let mut header = Vec::new();
    header.extend(30_000_u32.to_be_bytes());
    header.extend(30_000_u32.to_be_bytes());
    // Eight bits of grey, nothing special.
    header.extend([8, 0, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [
        (b"IHDR", header.as_slice()),
        (b"IDAT", &[0x78, 0x9c, 0x63, 0, 0, 0, 1, 0, 1]),
        (b"IEND", &[]),
    ] {
        png.extend((data.len() as u32).to_be_bytes());
        let checked = [kind.as_slice(), data].concat();
        png.extend(&checked);
        png.extend(checksum(&checked).to_be_bytes());
    }
    png
}

/// The CRC that PNG uses.
fn checksum(bytes: &[u8]) -> u32 {
    let mut rest = u32::MAX;
    for byte in bytes {
        rest ^= u32::from(*byte);
        for _ in 0..8 {
            rest = (rest >> 1) ^ (0xedb8_8320 * (rest & 1));
        }
    }
    !rest
}
