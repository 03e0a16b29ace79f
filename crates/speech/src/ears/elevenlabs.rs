//! ElevenLabs' transcription.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use fetching::service::ServiceClients;
use tokio::time::Instant;

use super::transcriber::{Transcriber, Transcript};
use crate::services::{
    Exchange, Multipart, Service, TrialTime, Unreached, Usual, answers, heard_cost, unreached,
};
use crate::trouble::Trouble;

/// What it is asked for, where no model is named.
pub(crate) const MODELS: [&str; 2] = ["scribe_v2", "scribe_v1"];
/// With the times of each word.
const ANSWER_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Understands by ElevenLabs.
#[derive(Debug)]
pub(crate) struct ElevenLabsEars {
    pub(crate) service: Service,
    pub(crate) clients: ServiceClients,
    pub(crate) model: Usual,
    pub(crate) language: String,
    pub(crate) time: Duration,
}

impl ElevenLabsEars {
    async fn ask(&self, clip: &[i16], model: &str, exchange: &Exchange<'_>) -> Result<Transcript, Trouble> {
        let seconds = clip.len() as f64 / f64::from(audio::EAR_RATE);
        let file = audio::wav::write(clip, audio::EAR_RATE);
        let mut form = Multipart::around(&file)
            .file("file", "clip.wav", "audio/wav", &file)
            .field("model_id", model)
            .field("tag_audio_events", "false")
            .field("timestamps_granularity", "none");
        if !self.language.is_empty() {
            let language = self.language.split(['-', '_']).next().unwrap_or_default();
            form = form.field("language_code", &language.to_lowercase());
        }
        let (mime, body) = form.finish();
        let address = self.service.address("/v1/speech-to-text");
        let request = || {
            let request = self
                .clients
                .for_address(&address)
                .post(&address)
                .header("content-type", &mime)
                .body(body.clone());
            self.service.with_key(request)
        };
        let answer = exchange.json(request, ANSWER_BYTES_MAX).await?;
        let text = answer["text"].as_str().ok_or_else(|| exchange.unexpected())?;
        Ok(Transcript {
            text: text.to_owned(),
            no_speech: None,
            cost_micro_dollars: heard_cost(&self.service, model, seconds, &answer),
        })
    }
}

#[async_trait]
impl Transcriber for ElevenLabsEars {
    fn engine(&self) -> String {
        self.service.engine(&self.model.name())
    }

    fn is_free(&self) -> bool {
        self.service.is_free
    }

    fn price(&self, seconds: f64) -> Option<u64> {
        heard_cost(
            &self.service,
            &self.model.name(),
            seconds,
            &serde_json::Value::Null,
        )
    }

    async fn reach(&self, patience: TrialTime) -> Result<(), Unreached> {
        let address = self.service.address("/v1/models");
        let list = || {
            self.service
                .with_key(self.clients.for_address(&address).get(&address))
        };
        let tried = answers(&patience.exchange(&self.service), list).await;
        tried.map_err(|trouble| unreached(&self.service, trouble))
    }

    async fn transcribe(&self, clip: Arc<[i16]>, deadline: Instant) -> Result<Transcript, Trouble> {
        let exchange = Exchange::until(&self.service, deadline, self.time);
        loop {
            let model = self.model.name();
            match self.ask(&clip, &model, &exchange).await {
                Err(trouble) if trouble.lacks && self.model.refused(&model) => {}
                understood => return understood,
            }
        }
    }
}
