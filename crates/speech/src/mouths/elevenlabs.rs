//! ElevenLabs' speech, which tells when it says which character.

use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fetching::service::ServiceClients;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::voicebox::{Sound, Voicebox};
use crate::choice::knobs;
use crate::services::{
    Exchange, Service, SoundBody, TrialTime, Unreached, Usual, answers, spoken_cost, unreached,
};
use crate::trouble::Trouble;

/// What it is asked for, where no model is named.
pub(crate) const MODELS: [&str; 3] = ["eleven_flash_v2_5", "eleven_turbo_v2_5", "eleven_multilingual_v2"];
/// Voices that accounts have had from the beginning. They end one by one: the account's own list goes before them.
pub(crate) const VOICES: [&str; 2] = ["JBFqnCBsd6RMkjVDRZzb", "EXAVITQu4vr4xnSDxMaL"];
/// Every voice of the account will do.
pub(crate) const ANY: [&str; 1] = [""];
const RATE: u32 = 24_000;
/// Ten minutes of sound, in base 64 and with times.
const BYTES_MAX: usize = 256 * 1024 * 1024;
/// The longest line: a few seconds of sound.
const LINE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Times of one line and the next may overlap by so much and still be of one clock.
const SAME_CLOCK_SECONDS: f64 = 0.05;

/// Speaks by ElevenLabs.
#[derive(Debug)]
pub(crate) struct ElevenLabsSpeech {
    pub(crate) service: Service,
    pub(crate) clients: ServiceClients,
    pub(crate) model: Usual,
    pub(crate) voice: Usual,
    pub(crate) pace: f32,
    pub(crate) timeout: Duration,
}

/// One line of the answer.
#[derive(Debug, Deserialize)]
struct Line {
    #[serde(default)]
    audio_base64: String,
    #[serde(default)]
    alignment: Option<Alignment>,
}

#[derive(Debug, Deserialize)]
struct Alignment {
    characters: Vec<String>,
    character_start_times_seconds: Vec<f64>,
    character_end_times_seconds: Vec<f64>,
}

impl ElevenLabsSpeech {
    /// The voice that is asked for, else the one that the operator named, else one of the account's.
    async fn voice(&self, asked: &str, exchange: &Exchange<'_>) -> String {
        if !asked.is_empty() {
            return asked.to_owned();
        }
        let address = self.service.address("/v2/voices?page_size=50");
        let list = || {
            self.service
                .with_key(self.clients.for_address(&address).get(&address))
        };
        self.voice.find(exchange, list, voice_ids).await
    }

    fn body(&self, text: &str) -> String {
        let mut body = json!({"text": text, "model_id": self.model.name()});
        if (self.pace - 1.0).abs() >= 0.01 {
            // They take no more and no less.
            body["voice_settings"] = json!({"speed": f64::from(self.pace.clamp(0.7, 1.2))});
        }
        body.to_string()
    }

    fn address(&self, voice: &str) -> Result<String, Trouble> {
        // It becomes a part of the address.
        if !voice.chars().all(|character| character.is_ascii_alphanumeric()) {
            return Err(Trouble::lasting(format!(
                "{} is {voice:?}, and ElevenLabs wants the id of a voice, such as {}. The ids of your voices are on its page",
                knobs::MOUTH_VOICE,
                VOICES[0]
            )));
        }
        let path = format!("/v1/text-to-speech/{voice}/stream/with-timestamps?output_format=pcm_24000");
        Ok(self.service.address(&path))
    }
}

#[async_trait]
impl Voicebox for ElevenLabsSpeech {
    fn engine(&self) -> String {
        self.service.engine(&self.model.name())
    }

    async fn say(&self, text: &str, voice: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
        let mut exchange = Exchange::within(&self.service, self.timeout);
        let mut response = loop {
            let chosen = self.voice(voice, &exchange).await;
            let (model, address) = (self.model.name(), self.address(&chosen)?);
            let body = self.body(text);
            let request = || {
                let request = self.clients.for_address(&address).post(&address);
                let request = request.header("content-type", "application/json");
                self.service.with_key(request.body(body.clone()))
            };
            match exchange.ask(request).await {
                Err(trouble)
                    if trouble.lacks
                        && match trouble.detail.contains("model") {
                            true => self.model.refused(&model),
                            false => voice.is_empty() && self.voice.refused(&chosen),
                        } => {}
                answer => break answer?,
            }
        };
        let mut reading = Reading::new(&self.service.who);
        let mut taken = 0;
        loop {
            let piece = exchange.piece(&mut response).await?;
            let is_last = piece.is_none();
            let piece = piece.unwrap_or_default();
            taken += piece.len();
            let sounds = reading.push(&piece, is_last)?;
            let Some(sounds) = sounds.filter(|_| taken <= BYTES_MAX) else {
                return Err(exchange.unexpected());
            };
            if sounds.iter().any(|piece| !piece.samples.is_empty()) {
                exchange.deadline = Instant::now() + self.timeout;
            }
            for piece in sounds {
                if sound.send(piece).await.is_err() {
                    return Ok(());
                }
            }
            if is_last {
                return Ok(());
            }
        }
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

    fn cost(&self, characters: u64, seconds: f64) -> Option<u64> {
        spoken_cost(&self.service, &self.model.name(), characters, seconds)
    }
}

/// The ids in a list of voices.
fn voice_ids(answer: &Value) -> Vec<String> {
    let voices = answer["voices"].as_array().into_iter().flatten();
    voices
        .filter_map(|voice| voice["voice_id"].as_str().map(str::to_owned))
        .collect()
}

/// Lines of an answer on their way to sound.
struct Reading<'a> {
    who: &'a str,
    waiting: Vec<u8>,
    body: SoundBody,
    samples: u64,
    characters: usize,
    /// When the last character was over.
    until: f64,
}

impl<'a> Reading<'a> {
    fn new(who: &'a str) -> Self {
        Self {
            who,
            waiting: Vec::new(),
            body: SoundBody::new(RATE),
            samples: 0,
            characters: 0,
            until: 0.0,
        }
    }

    /// The sound of the lines that are whole by now; none where they are no such lines.
    fn push(&mut self, piece: &[u8], is_last: bool) -> Result<Option<Vec<Sound>>, Trouble> {
        self.waiting.extend_from_slice(piece);
        let mut sounds = Vec::new();
        loop {
            let end = match self.waiting.iter().position(|byte| *byte == b'\n') {
                Some(end) => end + 1,
                None if is_last && !self.waiting.is_empty() => self.waiting.len(),
                None => break,
            };
            let line: Vec<u8> = self.waiting.drain(..end).collect();
            let line = line.trim_ascii();
            let line = line.strip_prefix(b"data:").unwrap_or(line).trim_ascii();
            if line.is_empty() || line == b"[DONE]" || line.starts_with(b"event:") {
                continue;
            }
            let Ok(line) = serde_json::from_slice::<Line>(line) else {
                return Ok(None);
            };
            let Some(sound) = self.sound(&line)? else {
                return Ok(None);
            };
            sounds.push(sound);
        }
        Ok((self.waiting.len() <= LINE_BYTES_MAX).then_some(sounds))
    }

    fn sound(&mut self, line: &Line) -> Result<Option<Sound>, Trouble> {
        let Ok(bytes) = STANDARD.decode(line.audio_base64.trim()) else {
            return Ok(None);
        };
        let began = self.samples as f64 / f64::from(RATE);
        let samples = self.body.push(&bytes, self.who)?;
        self.samples += samples.len() as u64;
        let marks = line
            .alignment
            .as_ref()
            .map(|alignment| self.marks(alignment, began));
        Ok(Some(Sound {
            rate: self.body.rate(),
            samples,
            marks: marks.unwrap_or_default(),
        }))
    }

    /// Times since the beginning of the sentence, also where a line counts from its own.
    fn marks(&mut self, alignment: &Alignment, began: f64) -> Vec<(f64, usize)> {
        let first = alignment
            .character_start_times_seconds
            .first()
            .copied()
            .unwrap_or(0.0);
        let offset = if first + SAME_CLOCK_SECONDS < self.until {
            began
        } else {
            0.0
        };
        let mut marks = Vec::new();
        for (character, end) in alignment
            .characters
            .iter()
            .zip(&alignment.character_end_times_seconds)
        {
            self.characters += character.chars().count();
            self.until = offset + end;
            marks.push((self.until, self.characters));
        }
        marks
    }
}

#[cfg(test)]
#[path = "elevenlabs_tests.rs"]
mod tests;
