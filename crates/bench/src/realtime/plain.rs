//! A plain client: frames are written and read one after the other, and nothing is kept, watched over or taken up again.

use std::time::Instant;

use anyhow::{Context, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::Upgraded;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use url::Url;

use super::{Gate, Times};

const LARGEST: usize = 16 * 1024 * 1024;
/// A piece of 200 ms at 24,000 samples a second.
const PIECE: usize = 4_800;

struct Client(WebSocketStream<Upgraded>);

impl Client {
    async fn send(&mut self, frame: &Value) -> anyhow::Result<()> {
        self.0.send(Frame::Text(frame.to_string().into())).await?;
        Ok(())
    }

    async fn next(&mut self) -> anyhow::Result<Value> {
        loop {
            match self.0.next().await.context("it hung up")?? {
                Frame::Text(text) => return Ok(serde_json::from_str(text.as_str())?),
                Frame::Close(_) => bail!("it hung up"),
                _ => {}
            }
        }
    }

    async fn until(&mut self, kind: &str) -> anyhow::Result<Value> {
        loop {
            let frame = self.next().await?;
            if frame["type"] == kind {
                return Ok(frame);
            }
        }
    }
}

/// As many turns as the other, and one before them that does not count.
pub async fn talk(
    url: &str,
    clip: &[i16],
    number: usize,
    turns: usize,
    gate: &Gate,
) -> anyhow::Result<Times> {
    let url = Url::parse(&format!("{url}/realtime?model=gpt-realtime-1.5"))?;
    let socket = fetching::service::websocket::open_with(url, HeaderMap::new(), LARGEST).await?;
    let mut client = Client(socket);
    client.until("session.created").await?;
    let input = json!({"turn_detection": null, "transcription": {"model": "gpt-transcribe"}});
    let session = json!({"type": "realtime", "audio": {"input": input}});
    client
        .send(&json!({"type": "session.update", "session": session}))
        .await?;
    client.until("session.updated").await?;
    let mut times = Times::default();
    for turn in 0..=turns {
        times.sent.push(gate.opens().await?);
        hear(&mut client, clip, number).await?;
        if turn > 0 {
            answer(&mut client, &mut times).await?;
        }
    }
    Ok(times)
}

async fn hear(client: &mut Client, clip: &[i16], number: usize) -> anyhow::Result<()> {
    let text = json!({"type": "input_text", "text": format!("Person {number} says:")});
    let item = json!({"type": "message", "role": "user", "content": [text]});
    client
        .send(&json!({"type": "conversation.item.create", "item": item}))
        .await?;
    // Every other sample twice: as many as at 24,000 a second.
    let samples: Vec<i16> = clip
        .chunks(2)
        .flat_map(|pair| [pair[0], pair[0], pair[pair.len() - 1]])
        .collect();
    for piece in samples.chunks(PIECE) {
        let bytes: Vec<u8> = piece.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        let audio = STANDARD.encode(bytes);
        client
            .send(&json!({"type": "input_audio_buffer.append", "audio": audio}))
            .await?;
    }
    client.send(&json!({"type": "input_audio_buffer.commit"})).await?;
    client
        .until("conversation.item.input_audio_transcription.completed")
        .await?;
    Ok(())
}

async fn answer(client: &mut Client, times: &mut Times) -> anyhow::Result<()> {
    client.send(&json!({"type": "response.create"})).await?;
    let mut samples = 0;
    loop {
        let frame = client.next().await?;
        match frame["type"].as_str() {
            Some("response.output_audio.delta") => {
                samples += STANDARD
                    .decode(frame["delta"].as_str().unwrap_or_default())?
                    .len()
                    / 2;
                times.heard.push(Instant::now());
            }
            Some("response.done") => {
                times.turns += usize::from(samples > 0);
                return Ok(());
            }
            _ => {}
        }
    }
}
