//! Realtime services as ears and mouth: words for a clip, sound for a text, over connections that are kept.
//!
//! Whoever has ears and mouths asks for one by the settings, and has its own way of hearing and speaking where none can
//! be had. What a service did, and with which of its events, is told under the names that the service has for it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use settings::Settings;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::native::NativeConversation;
use super::speech::SpeechFault;

/// How a realtime service stands, as those who are in the room are told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RealtimeStanding {
    /// Whose service: `openai:gpt-realtime-1.5`.
    pub service: String,
    /// What it calls the event by which it is asked to say something: `response.create`.
    pub event: String,
    /// It hears and speaks; where it does not, somebody else does until it can again.
    pub works: bool,
    /// For a person: why it does not.
    pub detail: String,
}

/// Tells how a realtime service stands, and when that changes.
pub type RealtimeNews = watch::Receiver<RealtimeStanding>;

/// What a service understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RealtimeTranscript {
    pub text: String,
    /// Millionths of a dollar; none where the price is not known.
    pub cost_micro_dollars: Option<u64>,
}

/// A piece of what a service says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RealtimeSound {
    /// Samples a second; the same for all of a text.
    pub rate: u32,
    pub samples: Vec<i16>,
    /// Where the service tells it: by this time, in seconds since the text began, so many characters are said.
    pub marks: Vec<(f64, usize)>,
}

/// Why nothing came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealtimeFault {
    pub fault: SpeechFault,
    /// It only took too long.
    pub is_late: bool,
}

/// What was found when a service was tried that does not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealtimeUnreached {
    /// For a person: what came of it.
    pub detail: String,
    /// What they can do.
    pub remedy: String,
    /// It is there, and was not quick enough to tell more.
    pub is_slow: bool,
}

/// A service that hears and speaks.
#[async_trait]
pub trait RealtimeService: Send + Sync {
    /// Whose ears: `openai:gpt-transcribe`.
    fn hearing_engine(&self) -> String;
    /// Whose voice: `openai:gpt-realtime-1.5`.
    fn speaking_engine(&self) -> String;
    /// How it is asked, for the page and the doctor.
    fn description(&self) -> String;
    /// Millionths of a dollar for hearing so many seconds; none where that is not known.
    fn hearing_price(&self, seconds: f64) -> Option<u64>;
    /// Millionths of a dollar for saying so many characters, which take so many seconds.
    fn speaking_price(&self, characters: u64, seconds: f64) -> Option<u64>;
    fn news(&self) -> RealtimeNews;
    /// Connects, so that the first words need not wait for it.
    fn warm_up(&self);
    /// The words of a clip of 16,000 samples a second. Whoever waits no more is not told, and it is given up.
    async fn understand(
        &self,
        clip: Arc<[i16]>,
        deadline: Instant,
    ) -> Result<RealtimeTranscript, RealtimeFault>;
    /// Says a text, word for word. Whoever waits no more stops it.
    async fn say(&self, text: &str, sound: mpsc::Sender<RealtimeSound>) -> Result<(), RealtimeFault>;
    /// Connects, sets a session up and waits for what the service tells first. It costs nothing.
    async fn try_out(&self, _within: Duration) -> Result<(), RealtimeUnreached> {
        Ok(())
    }
    /// A conversation of its own, in which it thinks and speaks for itself; none where it cannot. It connects when it is
    /// first told something.
    fn converse(&self) -> Option<Arc<dyn NativeConversation>> {
        None
    }
}

/// Whoever reaches realtime services.
pub trait RealtimeServices: Send + Sync {
    /// The one that settings choose, the same for the same settings; for a person, why it cannot be used.
    fn chosen(&self, settings: &Settings) -> Result<Arc<dyn RealtimeService>, String>;
}

/// For whoever reaches none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRealtime;

impl RealtimeServices for NoRealtime {
    fn chosen(&self, _: &Settings) -> Result<Arc<dyn RealtimeService>, String> {
        Err("this process reaches no realtime services".to_owned())
    }
}
