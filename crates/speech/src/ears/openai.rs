//! OpenAI's transcription, and that of every server with its language: faster-whisper, Speaches, LocalAI, whisper.cpp.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use fetching::service::ServiceClients;
use reqwest::RequestBuilder;
use serde_json::Value;
use tokio::time::Instant;

use super::transcriber::{Transcriber, Transcript};
use crate::services::{
    Api, Exchange, Multipart, Service, TrialTime, Unreached, Usual, answers, heard_cost, model_ids, unreached,
};
use crate::trouble::Trouble;

/// What OpenAI is asked for, where no model is named: the newest, then those it has announced the end of.
const MODELS: [&str; 4] = [
    "gpt-transcribe",
    "gpt-4o-mini-transcribe",
    "gpt-4o-transcribe",
    "whisper-1",
];
/// What a server of one's own is asked for: many take any name, and know this one.
const OWN_MODELS: [&str; 1] = ["whisper-1"];
/// What the names of models that understand speech have in them.
const SIGNS: [&str; 6] = ["transcribe", "whisper", "parakeet", "voxtral", "moonshine", "asr"];
/// A transcript of a clip is small; one with the times of its parts is larger.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Of hints no more is sent: models take a few hundred words, and forget the beginning.
const HINT_CHARACTERS_MAX: usize = 400;

/// Understands by a server with OpenAI's language.
#[derive(Debug)]
pub(crate) struct OpenAiEars {
    pub(crate) service: Service,
    pub(crate) clients: ServiceClients,
    pub(crate) model: Usual,
    pub(crate) language: String,
    pub(crate) hints: Vec<String>,
    pub(crate) time: Duration,
    /// It has refused the long form of an answer.
    pub(crate) short_only: AtomicBool,
}

/// The model that a service is asked for.
pub(crate) fn model(named: &str, service: &Service) -> Usual {
    match service.is_makers {
        true => Usual::new(named, &MODELS, &SIGNS),
        false => Usual::new(named, &OWN_MODELS, &SIGNS),
    }
}

impl OpenAiEars {
    /// How sure a model of the Whisper family is comes only in the long form; newer ones refuse it, and some servers.
    fn is_asked_for_long(&self, model: &str) -> bool {
        let may_know = match self.service.is_makers {
            true => model.contains("whisper"),
            false => !model.contains("gpt-"),
        };
        may_know && !self.short_only.load(Ordering::Relaxed)
    }

    fn address(&self) -> String {
        match self.service.api {
            // The address is that of the question itself.
            Api::WhisperCpp => self.service.address(""),
            _ => self.service.address("/audio/transcriptions"),
        }
    }

    fn form(&self, file: &[u8], model: &str) -> (String, Bytes) {
        let mut form = Multipart::around(file).file("file", "clip.wav", "audio/wav", file);
        if self.service.api != Api::WhisperCpp {
            form = form.field("model", model);
        }
        let form_of_answer = match self.is_asked_for_long(model) {
            true => "verbose_json",
            false => "json",
        };
        form = form
            .field("response_format", form_of_answer)
            .field("temperature", "0");
        if !self.language.is_empty() {
            // They take the language without its country.
            let language = self.language.split(['-', '_']).next().unwrap_or_default();
            form = form.field("language", &language.to_lowercase());
        }
        let hint = vocabulary::text::plain_line(&self.hints.join(", "), HINT_CHARACTERS_MAX);
        if !hint.is_empty() {
            form = form.field("prompt", &hint);
        }
        form.finish()
    }

    fn request(&self, address: &str, mime: &str, body: &Bytes) -> RequestBuilder {
        let request = self.clients.for_address(address).post(address);
        self.service
            .with_key(request.header("content-type", mime).body(body.clone()))
    }

    async fn model(&self, exchange: &Exchange<'_>) -> String {
        if self.service.api == Api::WhisperCpp {
            return String::new();
        }
        self.model.find(exchange, || self.list(), model_ids).await
    }

    /// The question for its models.
    fn list(&self) -> RequestBuilder {
        let address = self.service.address("/models");
        self.service
            .with_key(self.clients.for_address(&address).get(&address))
    }

    async fn ask(&self, clip: &[i16], model: &str, exchange: &Exchange<'_>) -> Result<Transcript, Trouble> {
        let seconds = clip.len() as f64 / f64::from(audio::EAR_RATE);
        let (mime, body) = self.form(&audio::wav::write(clip, audio::EAR_RATE), model);
        let address = self.address();
        let answer = exchange
            .json(|| self.request(&address, &mime, &body), ANSWER_BYTES_MAX)
            .await?;
        let text = answer["text"].as_str().ok_or_else(|| exchange.unexpected())?;
        Ok(Transcript {
            text: text.to_owned(),
            no_speech: no_speech(&answer),
            cost_micro_dollars: heard_cost(&self.service, model, seconds, &answer),
        })
    }
}

#[async_trait]
impl Transcriber for OpenAiEars {
    fn engine(&self) -> String {
        match self.service.api {
            Api::WhisperCpp => self.service.engine(""),
            _ => self.service.engine(&self.model.name()),
        }
    }

    fn is_free(&self) -> bool {
        self.service.is_free
    }

    fn price(&self, seconds: f64) -> Option<u64> {
        heard_cost(&self.service, &self.model.name(), seconds, &Value::Null)
    }

    /// What costs nothing is asked to understand a moment of sound; anybody else, for the list of models.
    async fn reach(&self, patience: TrialTime) -> Result<(), Unreached> {
        let tried = match self.service.is_free {
            true => {
                let understood = self.transcribe(a_moment_of_sound(), patience.deadline);
                understood.await.map(drop)
            }
            false => answers(&patience.exchange(&self.service), || self.list()).await,
        };
        tried.map_err(|trouble| unreached(&self.service, trouble))
    }

    async fn transcribe(&self, clip: Arc<[i16]>, deadline: Instant) -> Result<Transcript, Trouble> {
        let exchange = Exchange::until(&self.service, deadline, self.time);
        let mut model = self.model(&exchange).await;
        loop {
            match self.ask(&clip, &model, &exchange).await {
                Err(trouble) if trouble.lacks && self.model.refused(&model) => model = self.model.name(),
                Err(trouble)
                    if trouble.detail.contains("response_format")
                        && !self.short_only.swap(true, Ordering::Relaxed) => {}
                understood => return understood,
            }
        }
    }
}

/// Half a second that is not silent: some servers decline what has nothing in it.
fn a_moment_of_sound() -> Arc<[i16]> {
    let samples = audio::EAR_RATE / 2;
    (0..samples)
        .map(|at| if at / 40 % 2 == 0 { 900 } else { -900 })
        .collect()
}

/// The least doubt of all parts: one with words is enough.
fn no_speech(answer: &Value) -> Option<f32> {
    let parts = answer["segments"].as_array()?;
    let doubts = parts.iter().filter_map(|part| part["no_speech_prob"].as_f64());
    doubts.reduce(f64::min).map(|doubt| doubt as f32)
}
