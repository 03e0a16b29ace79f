//! One group of texts goes to a server and comes back as vectors: tries, pauses, and shortening what is too long.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fetching::service::ServiceClients;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use runtime::ports::MemoryFault;
use secrecy::{ExposeSecret, SecretString};
use tokio::time::{Instant, sleep, timeout_at};

use super::batch::clipped;
use super::refusal::{Party, Trouble};
use super::wire::{Unreadable, Wire};
use crate::attempt::{authorised, bounded};
use crate::catalogue::Provider;
use crate::retry_after;
use crate::trouble::{self, innermost, scrubbed};

const TRIES_MAX: u32 = 4;
const PAUSE_MAX: Duration = Duration::from_secs(8);
/// Vectors of 4,096 numbers for 128 texts, written out in full, are 12 MB.
const ANSWER_BYTES_MAX: usize = 32 << 20;
const ERROR_BYTES_MAX: usize = 64 << 10;
/// More of a text than this is not sent; it is about what OpenAI's models take, whatever the language.
const TEXT_CHARS_MAX: usize = 8_000;
/// A model that takes less than this is of no use.
const TEXT_CHARS_MIN: usize = 200;

/// A server and how it is asked.
pub(super) struct Exchange {
    pub(super) clients: ServiceClients,
    pub(super) wire: Wire,
    pub(super) url: String,
    pub(super) place: String,
    pub(super) model: String,
    pub(super) is_home: bool,
    /// What the server is asked for; none takes the model's own.
    pub(super) dimensions: Option<usize>,
    pub(super) key: Option<SecretString>,
    pub(super) key_advice: String,
    pub(super) first_pause: Duration,
    /// Learnt from refusals, so that each is met once.
    pub(super) text_chars_max: AtomicUsize,
}

impl Exchange {
    pub(super) fn usual_text_chars() -> AtomicUsize {
        AtomicUsize::new(TEXT_CHARS_MAX)
    }

    pub(super) fn text_chars_max(&self) -> usize {
        self.text_chars_max.load(Ordering::Relaxed)
    }

    pub(super) fn party(&self) -> Party<'_> {
        Party {
            wire: self.wire,
            model: &self.model,
            place: &self.place,
            is_home: self.is_home,
            key_advice: &self.key_advice,
            key: self.key.as_ref().map(ExposeSecret::expose_secret),
        }
    }

    /// One vector per text, as the server sent it.
    pub(super) async fn run(
        &self,
        prefix: &str,
        texts: &[&str],
        patience: Duration,
    ) -> Result<Vec<Vec<f32>>, MemoryFault> {
        let deadline = Instant::now() + patience;
        match timeout_at(deadline, self.tries(prefix, texts, deadline)).await {
            Ok(vectors) => vectors,
            Err(_) => Err(self
                .party()
                .unreachable(format!("no answer within {} s", patience.as_secs_f64()))),
        }
    }

    async fn tries(
        &self,
        prefix: &str,
        texts: &[&str],
        deadline: Instant,
    ) -> Result<Vec<Vec<f32>>, MemoryFault> {
        let mut pause = self.first_pause;
        let mut tries = 0;
        loop {
            let chars_max = self.text_chars_max();
            let input: Vec<String> = texts
                .iter()
                .map(|text| format!("{prefix}{}", clipped(text.trim(), chars_max)))
                .collect();
            let trouble = match self.attempt(&input).await {
                Ok(vectors) => return Ok(vectors),
                Err(trouble) => trouble,
            };
            match trouble {
                Trouble::Lasting(fault) => return Err(fault),
                Trouble::TooLong { detail } => self.shorten(texts, chars_max, detail)?,
                Trouble::Passing { detail, wait } => {
                    tries += 1;
                    tracing::debug!(place = self.place, tries, "an embeddings server could not answer");
                    // Whoever asks for no wait at all is given the usual one.
                    let wait = wait.map_or(pause, |span| Duration::from_millis(span.0).max(pause));
                    let in_time = Instant::now()
                        .checked_add(wait)
                        .is_some_and(|next| next < deadline);
                    if tries >= TRIES_MAX || !in_time {
                        return Err(self.party().unreachable(detail));
                    }
                    sleep(wait).await;
                    pause = (pause * 2).min(PAUSE_MAX);
                }
            }
        }
    }

    /// From now on less of each text is sent.
    fn shorten(&self, texts: &[&str], chars_max: usize, detail: String) -> Result<(), MemoryFault> {
        let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let shorter = longest.min(chars_max) / 2;
        if shorter < TEXT_CHARS_MIN {
            let sentence =
                format!("{detail}. Name a model that takes longer texts in memory.embedding.model");
            return Err(MemoryFault::Refused(sentence));
        }
        // Another call may have learnt the same meanwhile.
        self.text_chars_max.fetch_min(shorter, Ordering::Relaxed);
        tracing::info!(
            place = self.place,
            characters = shorter,
            "the embedding model takes only so much of a text"
        );
        Ok(())
    }

    async fn attempt(&self, input: &[String]) -> Result<Vec<Vec<f32>>, Trouble> {
        let party = self.party();
        let passing = |detail: String| Trouble::Passing { detail, wait: None };
        let request = self
            .clients
            .for_address(&self.url)
            .post(&self.url)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json")
            .body(self.wire.body(&self.model, input, self.dimensions));
        let addressee = trouble::Party {
            provider: Provider::OpenAi,
            model: &self.model,
            url: &self.url,
            key: party.key,
            keys: settings::ModelKeys::default(),
        };
        let response = authorised(request, addressee)
            .send()
            .await
            .map_err(|error| passing(scrubbed(&innermost(error), party.key)))?;
        let status = response.status();
        if !status.is_success() {
            let wait = retry_after::from_headers(status.as_u16(), response.headers(), jiff::Timestamp::now());
            let body = bounded(response, ERROR_BYTES_MAX).await;
            return Err(party.judge(status.as_u16(), &body, wait, input));
        }
        let body = bounded(response, ANSWER_BYTES_MAX).await;
        self.wire
            .read(&body, input.len())
            .map_err(|unreadable| match unreadable {
                Unreadable::CutShort => passing("its answer broke off".to_owned()),
                Unreadable::Wrong(detail) => Trouble::Lasting(party.malformed(&detail)),
            })
    }
}
