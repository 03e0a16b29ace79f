//! A realtime service in front of ears and a mouth: it hears and speaks, and what it cannot is left to those behind it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use runtime::ports::{ClipListener, RealtimeFault, RealtimeService, RealtimeSound};
use tokio::sync::mpsc;
use tokio::time::Instant;
use vocabulary::{PersonId, UnheardReason};

use crate::ears::{Transcriber, Transcript};
use crate::mouths::{Sound, Voicebox};
use crate::trouble::Trouble;

/// Where somebody else can hear, the service has no longer for a clip: an answer that comes late is none.
const WORDS_WITHIN: Duration = Duration::from_secs(6);
/// Pieces of sound on their way.
const PIECES_MAX: usize = 64;

/// What the settings want of realtime services.
#[derive(Clone, Default)]
pub enum RealtimeWish {
    #[default]
    None,
    /// One hears and speaks.
    Service(Arc<dyn RealtimeService>),
    /// One is wanted and cannot be had: for a person, why.
    Lacking(String),
}

impl PartialEq for RealtimeWish {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Service(one), Self::Service(other)) => Arc::ptr_eq(one, other),
            (Self::Lacking(one), Self::Lacking(other)) => one == other,
            _ => false,
        }
    }
}

impl std::fmt::Debug for RealtimeWish {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => formatter.write_str("None"),
            Self::Service(service) => formatter
                .debug_tuple("Service")
                .field(&service.speaking_engine())
                .finish(),
            Self::Lacking(why) => formatter.debug_tuple("Lacking").field(why).finish(),
        }
    }
}

/// Ears of a realtime service, and those behind it.
pub(crate) struct RealtimeEars {
    service: Arc<dyn RealtimeService>,
    behind: Option<Arc<dyn Transcriber>>,
    /// Those behind it have heard last.
    was_behind: AtomicBool,
}

impl RealtimeEars {
    pub(crate) fn new(service: Arc<dyn RealtimeService>, behind: Option<Arc<dyn Transcriber>>) -> Self {
        Self {
            service,
            behind,
            was_behind: AtomicBool::new(false),
        }
    }
}

#[async_trait]
impl Transcriber for RealtimeEars {
    fn engine(&self) -> String {
        match &self.behind {
            Some(behind) if self.was_behind.load(Ordering::Relaxed) => behind.engine(),
            _ => self.service.hearing_engine(),
        }
    }

    // What is said so far would be a clip of its own, heard and paid for each time.
    fn is_free(&self) -> bool {
        false
    }

    fn price(&self, seconds: f64) -> Option<u64> {
        self.service.hearing_price(seconds)
    }

    async fn transcribe(&self, clip: Arc<[i16]>, deadline: Instant) -> Result<Transcript, Trouble> {
        let until = match &self.behind {
            Some(_) => deadline.min(Instant::now() + WORDS_WITHIN),
            None => deadline,
        };
        let fault = match self.service.understand(clip.clone(), until).await {
            Ok(understood) => {
                self.was_behind.store(false, Ordering::Relaxed);
                return Ok(Transcript {
                    text: understood.text,
                    no_speech: None,
                    cost_micro_dollars: understood.cost_micro_dollars,
                });
            }
            Err(fault) => fault,
        };
        let Some(behind) = &self.behind else {
            return Err(trouble(fault));
        };
        tracing::debug!("hearing: {}; the ears behind it are asked", fault.fault.detail);
        let heard = behind.transcribe(clip, deadline).await;
        self.was_behind.store(heard.is_ok(), Ordering::Relaxed);
        heard
    }
}

/// Somebody who is given one person's clips first, and the ears behind them.
pub(crate) struct ListenerEars {
    listener: Arc<dyn ClipListener>,
    person: PersonId,
    behind: Arc<dyn Transcriber>,
    was_behind: AtomicBool,
}

impl ListenerEars {
    pub(crate) fn new(
        listener: Arc<dyn ClipListener>,
        person: &PersonId,
        behind: Arc<dyn Transcriber>,
    ) -> Self {
        Self {
            listener,
            person: person.clone(),
            behind,
            was_behind: AtomicBool::new(false),
        }
    }
}

#[async_trait]
impl Transcriber for ListenerEars {
    fn engine(&self) -> String {
        match self.was_behind.load(Ordering::Relaxed) {
            true => self.behind.engine(),
            false => self.listener.engine(),
        }
    }

    fn is_free(&self) -> bool {
        false
    }

    fn price(&self, seconds: f64) -> Option<u64> {
        self.listener.price(seconds)
    }

    async fn transcribe(&self, clip: Arc<[i16]>, deadline: Instant) -> Result<Transcript, Trouble> {
        let until = deadline.min(Instant::now() + WORDS_WITHIN);
        let understood = self.listener.understand(&self.person, clip.clone(), until).await;
        self.was_behind.store(understood.is_err(), Ordering::Relaxed);
        match understood {
            Ok(understood) => Ok(Transcript {
                text: understood.text,
                no_speech: None,
                cost_micro_dollars: understood.cost_micro_dollars,
            }),
            Err(fault) => {
                tracing::debug!("hearing: {}; the ears behind it are asked", fault.fault.detail);
                self.behind.transcribe(clip, deadline).await
            }
        }
    }
}

/// The voice of a realtime service.
pub(crate) struct RealtimeVoice(pub(crate) Arc<dyn RealtimeService>);

#[async_trait]
impl Voicebox for RealtimeVoice {
    fn engine(&self) -> String {
        self.0.speaking_engine()
    }

    async fn say(&self, text: &str, _: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
        let (pieces, mut coming) = mpsc::channel::<RealtimeSound>(PIECES_MAX);
        let handing_on = async {
            while let Some(piece) = coming.recv().await {
                let piece = Sound {
                    rate: piece.rate,
                    samples: piece.samples,
                    marks: piece.marks,
                };
                if sound.send(piece).await.is_err() {
                    return;
                }
            }
        };
        let saying = self.0.say(text, pieces);
        tokio::pin!(handing_on, saying);
        let said = tokio::select! {
            said = &mut saying => {
                handing_on.await;
                said
            }
            // Nobody listens any more.
            () = &mut handing_on => return Ok(()),
        };
        said.map_err(trouble)
    }

    fn cost(&self, characters: u64, seconds: f64) -> Option<u64> {
        self.0.speaking_price(characters, seconds)
    }
}

fn trouble(fault: RealtimeFault) -> Trouble {
    Trouble {
        reason: match fault.is_late {
            true => UnheardReason::TimedOut,
            false => UnheardReason::Failed,
        },
        ..match fault.fault.retryable {
            true => Trouble::passing(fault.fault.detail),
            false => Trouble::lasting(fault.fault.detail),
        }
    }
}

#[cfg(test)]
#[path = "realtime_tests.rs"]
mod tests;
