//! OpenAI's transcription, and that of every server with its language: faster-whisper, Speaches, LocalAI, whisper.cpp.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use fetching::service::ServiceClients;
use reqwest::RequestBuilder;
use serde_json::Value;
use tokio::time::Instant;

use super::transcriber::{Transcriber, Transcript};
use crate::services::{Api, Exchange, Multipart, Service, heard_cost};
use crate::trouble::Trouble;

const MODEL: &str = "gpt-4o-mini-transcribe";
/// What a server of one's own is asked for, where no model is named: many take any name, and know this one.
const OWN_MODEL: &str = "whisper-1";
/// A transcript of a clip is small; one with the times of its parts is larger.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Of hints no more is sent: models take a few hundred words, and forget the beginning.
const HINT_CHARACTERS_MAX: usize = 400;

/// Understands by a server with OpenAI's language.
#[derive(Debug)]
pub(crate) struct OpenAiEars {
    pub(crate) service: Service,
    pub(crate) clients: ServiceClients,
    pub(crate) model: String,
    pub(crate) language: String,
    pub(crate) hints: Vec<String>,
    pub(crate) time: Duration,
}

impl OpenAiEars {
    fn model(&self) -> &str {
        match (self.model.as_str(), self.service.is_own) {
            ("", false) => MODEL,
            ("", true) => OWN_MODEL,
            (model, _) => model,
        }
    }

    fn address(&self) -> String {
        match self.service.api {
            // The address is that of the question itself.
            Api::WhisperCpp => self.service.address(""),
            _ => self.service.address("/audio/transcriptions"),
        }
    }

    fn form(&self, file: &[u8]) -> (String, Bytes) {
        let mut form = Multipart::around(file).file("file", "clip.wav", "audio/wav", file);
        if self.service.api != Api::WhisperCpp {
            form = form.field("model", self.model());
        }
        // How sure a model of the Whisper family is comes only in the long form; newer ones refuse it.
        let form_of_answer = match self.model().contains("gpt-4o") {
            true => "json",
            false => "verbose_json",
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
        let request = self
            .clients
            .for_address(address)
            .post(address)
            .header("content-type", mime)
            .body(body.clone());
        match self.service.key() {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }
}

#[async_trait]
impl Transcriber for OpenAiEars {
    fn engine(&self) -> String {
        match self.service.api {
            Api::WhisperCpp => self.service.engine(""),
            _ => self.service.engine(self.model()),
        }
    }

    fn is_free(&self) -> bool {
        self.service.is_own
    }

    async fn transcribe(&self, clip: Arc<[i16]>, deadline: Instant) -> Result<Transcript, Trouble> {
        let seconds = clip.len() as f64 / f64::from(audio::EAR_RATE);
        let (mime, body) = self.form(&audio::wav::write(&clip, audio::EAR_RATE));
        let address = self.address();
        let exchange = Exchange {
            service: &self.service,
            deadline,
            time: self.time,
        };
        let answer = exchange
            .json(|| self.request(&address, &mime, &body), ANSWER_BYTES_MAX)
            .await?;
        let text = answer["text"].as_str().ok_or_else(|| exchange.unexpected())?;
        Ok(Transcript {
            text: text.to_owned(),
            no_speech: no_speech(&answer),
            cost_micro_dollars: heard_cost(&self.service, self.model(), seconds, &answer),
        })
    }
}

/// The least doubt of all parts: one with words is enough.
fn no_speech(answer: &Value) -> Option<f32> {
    let parts = answer["segments"].as_array()?;
    let doubts = parts.iter().filter_map(|part| part["no_speech_prob"].as_f64());
    doubts.reduce(f64::min).map(|doubt| doubt as f32)
}
