//! From sound to words and back: hearing, speech, and models that do both at once.

use async_trait::async_trait;
use thiserror::Error;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use vocabulary::{PersonId, Span};

use super::voice::SoundFrame;

/// Why words could not be made of sound, or sound of words. For a person: what failed and what to do.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{detail}")]
pub struct SpeechFault {
    pub detail: String,
    pub retryable: bool,
}

/// What is heard on one track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeardSpeech {
    /// Somebody began to speak. Told before any word is understood, so that Denizen can fall silent.
    Started,
    /// What was understood so far; it may still change.
    Partial(String),
    /// What was said, for good, and how long the speaker was silent before it was taken as whole.
    Utterance { text: String, silence: Span },
    /// Whoever spoke has stopped.
    Stopped,
}

/// Understands what people say.
#[async_trait]
pub trait Hearing: Send + Sync {
    /// Listens to a person's track until it ends or is cancelled.
    async fn listen(
        &self,
        person: &PersonId,
        frames: mpsc::Receiver<SoundFrame>,
        heard: mpsc::Sender<HeardSpeech>,
        cancel: CancellationToken,
    ) -> Result<(), SpeechFault>;
}

/// Says words aloud.
#[async_trait]
pub trait Speech: Send + Sync {
    /// Speaks sentences as they come; the sound of the first is there before the last is written.
    async fn speak(
        &self,
        voice: &str,
        sentences: mpsc::Receiver<String>,
        frames: mpsc::Sender<SoundFrame>,
        cancel: CancellationToken,
    ) -> Result<(), SpeechFault>;
}

/// What a conversation with a model that hears and speaks is to be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealtimeBrief {
    /// What the model is told before anybody speaks.
    pub instructions: String,
    pub voice: String,
}

/// What is told to such a model while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealtimeTold {
    /// Its instructions are others from now on.
    Instructions(String),
    /// Somebody spoke over it: so much of what it said was heard.
    Interrupted { heard: Span },
}

/// What such a model does.
#[derive(Clone, Debug, PartialEq)]
pub enum RealtimeDid {
    Heard(HeardSpeech),
    Spoke(SoundFrame),
    /// What it has said, in words.
    Said(String),
}

/// A model that hears and speaks by itself.
#[async_trait]
pub trait Realtime: Send + Sync {
    /// Converses until the sound ends or it is cancelled.
    async fn converse(
        &self,
        brief: RealtimeBrief,
        frames: mpsc::Receiver<SoundFrame>,
        told: mpsc::Receiver<RealtimeTold>,
        did: mpsc::Sender<RealtimeDid>,
        cancel: CancellationToken,
    ) -> Result<(), SpeechFault>;
}
