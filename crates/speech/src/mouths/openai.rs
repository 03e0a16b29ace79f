//! OpenAI's speech, and that of every server with its language: Kokoro-FastAPI, LocalAI, Speaches.

use std::time::Duration;

use async_trait::async_trait;
use fetching::service::ServiceClients;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use super::voicebox::{Sound, Voicebox};
use crate::services::{
    Exchange, Service, SoundBody, TrialTime, Unreached, Usual, answers, model_ids, spoken_cost, unreached,
};
use crate::trouble::Trouble;

/// What OpenAI is asked for, where no model is named.
const MODELS: [&str; 3] = ["gpt-4o-mini-tts", "tts-1", "tts-1-hd"];
/// What a server of one's own is asked for.
const OWN_MODELS: [&str; 2] = ["tts-1", "kokoro"];
/// What the names of models that speak have in them.
const SIGNS: [&str; 4] = ["tts", "kokoro", "piper", "speech"];
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
    pub(crate) model: Usual,
    pub(crate) voice: String,
    pub(crate) pace: f32,
    pub(crate) timeout: Duration,
}

/// The model that a service is asked for.
pub(crate) fn model(named: &str, service: &Service) -> Usual {
    match service.is_makers {
        true => Usual::new(named, &MODELS, &SIGNS),
        false => Usual::new(named, &OWN_MODELS, &SIGNS),
    }
}

impl OpenAiSpeech {
    /// The question for its models.
    fn list(&self) -> RequestBuilder {
        let address = self.service.address("/models");
        self.service
            .with_key(self.clients.for_address(&address).get(&address))
    }

    fn body(&self, text: &str, voice: &str, model: &str) -> Value {
        let voice = [voice, &self.voice, VOICE]
            .into_iter()
            .find(|voice| !voice.is_empty());
        // A file says its rate; of bare samples from somebody else nobody knows it.
        let form = if self.service.is_makers { "pcm" } else { "wav" };
        let mut body = json!({
            "model": model,
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
        self.service.engine(&self.model.name())
    }

    async fn say(&self, text: &str, voice: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
        let mut exchange = Exchange::within(&self.service, self.timeout);
        let mut model = self.model.find(&exchange, || self.list(), model_ids).await;
        let address = self.service.address("/audio/speech");
        let mut response = loop {
            let body = self.body(text, voice, &model).to_string();
            let request = || {
                let request = self.clients.for_address(&address).post(&address);
                let request = request.header("content-type", "application/json");
                self.service.with_key(request.body(body.clone()))
            };
            match exchange.ask(request).await {
                Err(trouble) if trouble.lacks && self.model.refused(&model) => model = self.model.name(),
                answer => break answer?,
            }
        };
        // Of bare samples only their maker knows the rate.
        let mut sounding = match self.service.is_makers {
            true => SoundBody::new(RATE),
            false => SoundBody::of_files(),
        };
        sounding.expect(content_type(&response), &self.service.who)?;
        let mut taken = 0;
        loop {
            let Some(piece) = exchange.piece(&mut response).await? else {
                return Ok(());
            };
            taken += piece.len();
            if taken > BYTES_MAX {
                return Err(exchange.unexpected());
            }
            let samples = sounding.push(&piece, &self.service.who)?;
            // Whatever sounds has the whole time again, for a long text comes slowly; what does not sound has not.
            if !samples.is_empty() {
                exchange.deadline = Instant::now() + self.timeout;
            }
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

    /// What costs nothing is asked to say a word; anybody else, for the list of models.
    async fn reach(&self, patience: TrialTime) -> Result<(), Unreached> {
        let tried = match self.service.is_free {
            true => {
                let (sound, mut heard) = mpsc::channel(1);
                let saying = self.say("Hello.", "", &sound);
                let late = || Trouble::late(&self.service.who, patience.time);
                tokio::select! {
                    said = timeout_at(patience.deadline, saying) => said.unwrap_or_else(|_| Err(late())),
                    // Its first sound is enough.
                    Some(_) = heard.recv() => Ok(()),
                }
            }
            false => answers(&patience.exchange(&self.service), || self.list()).await,
        };
        tried.map_err(|trouble| unreached(&self.service, trouble))
    }

    fn cost(&self, characters: u64, seconds: f64) -> Option<u64> {
        spoken_cost(&self.service, &self.model.name(), characters, seconds)
    }
}

/// What a service says that its answer is.
fn content_type(response: &reqwest::Response) -> &str {
    let named = response.headers().get(reqwest::header::CONTENT_TYPE);
    named.and_then(|value| value.to_str().ok()).unwrap_or_default()
}
