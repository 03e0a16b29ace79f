//! OpenAI's speech, and that of every server with its language: Kokoro-FastAPI, LocalAI, Speaches.

use std::time::Duration;

use async_trait::async_trait;
use fetching::service::ServiceClients;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::voicebox::{Sound, Voicebox};
use crate::services::{Exchange, Service, SoundBody, spoken_cost};
use crate::trouble::Trouble;

const MODEL: &str = "gpt-4o-mini-tts";
const VOICE: &str = "alloy";
/// Of bare samples this is the rate that the API promises.
const RATE: u32 = 24_000;
/// Ten minutes of sound.
const BYTES_MAX: usize = 64 * 1024 * 1024;

/// Speaks by a server with OpenAI's language.
#[derive(Debug)]
pub(crate) struct OpenAiSpeech {
    pub(crate) service: Service,
    pub(crate) clients: ServiceClients,
    pub(crate) model: String,
    pub(crate) voice: String,
    pub(crate) pace: f32,
    pub(crate) timeout: Duration,
}

impl OpenAiSpeech {
    fn model(&self) -> &str {
        match self.model.as_str() {
            "" => MODEL,
            model => model,
        }
    }

    fn body(&self, text: &str, voice: &str) -> Value {
        let voice = [voice, &self.voice, VOICE]
            .into_iter()
            .find(|voice| !voice.is_empty());
        // A file says its rate; of bare samples from somebody else nobody knows it.
        let form = if self.service.is_own { "wav" } else { "pcm" };
        let mut body = json!({
            "model": self.model(),
            "input": text,
            "voice": voice,
            "response_format": form,
        });
        if (self.pace - 1.0).abs() >= 0.01 {
            body["speed"] = json!((f64::from(self.pace) * 100.0).round() / 100.0);
        }
        body
    }
}

#[async_trait]
impl Voicebox for OpenAiSpeech {
    fn engine(&self) -> String {
        self.service.engine(self.model())
    }

    async fn say(&self, text: &str, voice: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
        let address = self.service.address("/audio/speech");
        let body = self.body(text, voice).to_string();
        let request = || {
            let request = self
                .clients
                .for_address(&address)
                .post(&address)
                .header("content-type", "application/json")
                .body(body.clone());
            match self.service.key() {
                Some(key) => request.bearer_auth(key),
                None => request,
            }
        };
        let mut exchange = Exchange::within(&self.service, self.timeout);
        let mut response = exchange.ask(request).await?;
        let mut sounding = SoundBody::new(RATE);
        let mut taken = 0;
        loop {
            // Each piece has the whole time again: a long text comes slowly.
            exchange.deadline = Instant::now() + self.timeout;
            let Some(piece) = exchange.piece(&mut response).await? else {
                return Ok(());
            };
            taken += piece.len();
            if taken > BYTES_MAX {
                return Err(exchange.unexpected());
            }
            let samples = sounding.push(&piece, &self.service.who)?;
            let piece = Sound {
                rate: sounding.rate(),
                samples,
                marks: Vec::new(),
            };
            if sound.send(piece).await.is_err() {
                return Ok(());
            }
        }
    }

    fn cost(&self, characters: u64, seconds: f64) -> Option<u64> {
        spoken_cost(&self.service, self.model(), characters, seconds)
    }
}
