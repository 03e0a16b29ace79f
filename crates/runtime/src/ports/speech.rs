//! From sound to words and back: hearing and speech.

use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use settings::Settings;
use thiserror::Error;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use vocabulary::{PersonId, Span, UnheardReason};

use super::realtime::{RealtimeFault, RealtimeNews, RealtimeService, RealtimeSound, RealtimeTranscript};
use super::voice::SoundFrame;

/// Why words could not be made of sound, or sound of words. For a person: what failed and what to do.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{detail}")]
pub struct SpeechFault {
    pub detail: String,
    pub retryable: bool,
}

/// What is heard on one track. Between `Started` and `Stopped` there is one speech; what became of it is told as an
/// `Utterance` or as `Missed`, of a long one in several parts, and may come after its `Stopped`. All of that comes in the
/// order in which it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeardSpeech {
    /// Somebody began to speak. Told before any word is understood, so that Denizen can fall silent.
    Started,
    /// Told every [`CONTINUES_EVERY`] while the speech goes on: how much voice it has by now, without its pauses. Two nods are
    /// as long as two nods, however far apart.
    Continues { spoken: Span },
    /// What was understood so far; it may still change.
    Partial(String),
    /// What was said, for good.
    Utterance(Utterance),
    /// Something was there to be heard, and no words came of it.
    Missed {
        reason: UnheardReason,
        /// For a person: what went wrong and what to do about it.
        detail: String,
        spoken: Span,
        /// As in [`Utterance`]: what is thrown away was paid for all the same.
        cost_micro_dollars: Option<u64>,
    },
    /// Whoever spoke has stopped; or what goes on is no speech, for no words come of it.
    Stopped,
}

/// How often a speech that goes on is told of.
pub const CONTINUES_EVERY: Span = Span(100);

/// What a person said in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utterance {
    pub text: String,
    /// How long the speech was.
    pub spoken: Span,
    /// How long the speaker was silent before it was taken as whole.
    pub silence: Span,
    /// How long the ears took, from the end of that silence to the words.
    pub took: Span,
    /// Whose ears: `moonshine-tiny`, `openai:whisper-1`, `compatible:whisper-1` for a server with its language.
    pub engine: String,
    /// Millionths of a dollar; none where the price is not known, nought where there is none to pay.
    pub cost_micro_dollars: Option<u64>,
}

/// What came of listening to a track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listened {
    /// How long each speech was that was heard and, because the listening was cancelled, neither understood nor told as missed.
    pub given_up: Vec<Span>,
    /// Millionths of a dollar for what was asked of somebody else's ears and not waited for any more: it is paid all the
    /// same. None where the price is not known.
    pub given_up_micro_dollars: Option<u64>,
}

impl Default for Listened {
    fn default() -> Self {
        Self {
            given_up: Vec::new(),
            given_up_micro_dollars: Some(0),
        }
    }
}

/// Whoever is given each clip that ears have cut, and knows whose it is.
#[async_trait]
pub trait ClipListener: Send + Sync {
    /// Whose ears: `openai:gpt-realtime-1.5`.
    fn engine(&self) -> String;
    /// Millionths of a dollar for a clip of so many seconds; none where that is not known.
    fn price(&self, seconds: f64) -> Option<u64>;
    /// The words of a clip of 16,000 samples a second.
    async fn understand(
        &self,
        person: &PersonId,
        clip: Arc<[i16]>,
        deadline: Instant,
    ) -> Result<RealtimeTranscript, RealtimeFault>;
}

/// Understands what people say.
#[async_trait]
pub trait Hearing: Send + Sync {
    /// The same ears, which give each clip to somebody else first, and understand themselves what they cannot. None
    /// where they cut no clips.
    fn through(&self, _listener: Arc<dyn ClipListener>) -> Option<Arc<dyn Hearing>> {
        None
    }
    /// Listens to a person's track until it ends or is cancelled. A speech that cannot be understood is no fault of the
    /// whole: it is told as [`HeardSpeech::Missed`], and the listening goes on.
    async fn listen(
        &self,
        person: &PersonId,
        frames: mpsc::Receiver<SoundFrame>,
        heard: mpsc::Sender<HeardSpeech>,
        cancel: CancellationToken,
    ) -> Result<Listened, SpeechFault>;
}

/// A piece of Denizen's voice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpokenSound {
    /// Counted from the beginning of what is spoken, all sentences together.
    pub frame: SoundFrame,
    /// Which of the sentences that were handed in, from nought; one of which nothing is sayable has no sound.
    pub sentence: usize,
    /// How many characters of the sentence as it was handed in are said by the end of this frame, where the engine tells
    /// when it says which word.
    pub characters: Option<usize>,
}

/// What came of speaking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Spoken {
    /// Whose voice: `piper`, `openai:gpt-4o-mini-tts`; empty where nothing was to be said.
    pub engine: String,
    /// Characters that an engine was given to say.
    pub characters: u64,
    /// Millionths of a dollar for all that was synthesised, heard or not; none where a price is not known.
    pub cost_micro_dollars: Option<u64>,
    /// Why it ended before the sentences did. A cancelled one has no fault.
    pub fault: Option<SpeechFault>,
}

/// Says words aloud.
#[async_trait]
pub trait Speech: Send + Sync {
    /// Speaks sentences as they come, until their sender is dropped; the sound of the first is there before the last is
    /// written. The names that may stand for `voice` depend on the engine; an empty one is the engine's own choice.
    async fn speak(
        &self,
        voice: &str,
        sentences: mpsc::Receiver<String>,
        sound: mpsc::Sender<SpokenSound>,
        cancel: CancellationToken,
    ) -> Spoken;
    /// Hands on sound that somebody else says by themselves, as it comes, as one sentence; the characters of its marks are
    /// those of what they say.
    async fn pass_on(
        &self,
        _pieces: mpsc::Receiver<RealtimeSound>,
        _sound: mpsc::Sender<SpokenSound>,
        _cancel: CancellationToken,
    ) -> Spoken {
        Spoken {
            fault: Some(SpeechFault {
                detail: "this voice says nothing for others".to_owned(),
                retryable: false,
            }),
            ..Spoken::default()
        }
    }
}

/// How ears or a mouth stand, for pages and the doctor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpeechStanding {
    /// Whose ears or voice; empty where there is none.
    pub engine: String,
    pub works: bool,
    /// It is being made ready, and works in a moment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loading: bool,
    /// What it was last given came to nothing, because it failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failing: bool,
    /// For a person: what is used, or what is missing.
    pub detail: String,
    /// What to do, where it does not work, is a makeshift or has failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

impl SpeechStanding {
    /// The same, while it is being made ready.
    #[must_use]
    pub fn loading(self) -> Self {
        Self {
            works: false,
            loading: true,
            remedy: Some("It is being loaded, which takes a moment. Nothing needs to be done.".to_owned()),
            ..self
        }
    }
}

/// How the ears and the mouth stand that settings choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpeechOutlook {
    pub ears: SpeechStanding,
    pub mouth: SpeechStanding,
}

/// The ears and the mouth that settings choose.
#[derive(Clone)]
pub struct ChosenSpeech {
    pub ears: Arc<dyn Hearing>,
    pub mouth: Arc<dyn Speech>,
    pub ears_standing: SpeechStanding,
    pub mouth_standing: SpeechStanding,
    /// How the realtime service stands that hears and speaks, where one does.
    pub realtime: Option<RealtimeNews>,
    /// The same service, where settings want it to think for itself.
    pub native: Option<Arc<dyn RealtimeService>>,
}

impl ChosenSpeech {
    /// Whether others were chosen since. What is missing, or stands in for it, is made anew each time.
    pub fn differs(&self, other: &Self) -> bool {
        let ears = Arc::ptr_eq(&self.ears, &other.ears)
            || (!self.ears_standing.works && self.ears_standing == other.ears_standing);
        let mouth = Arc::ptr_eq(&self.mouth, &other.mouth)
            || (self.mouth_standing.remedy.is_some() && self.mouth_standing == other.mouth_standing);
        let thinks = |chosen: &Self| chosen.native.is_some();
        !ears || !mouth || thinks(self) != thinks(other)
    }
}

impl std::fmt::Debug for ChosenSpeech {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ChosenSpeech")
            .field("ears", &self.ears_standing)
            .field("mouth", &self.mouth_standing)
            .finish()
    }
}

/// Whoever has ears and mouths.
#[async_trait]
pub trait SpeechEngines: Send + Sync {
    /// Those that settings choose, made ready. What is missing stands in their standing; it is never a fault.
    async fn chosen(&self, settings: &Settings) -> ChosenSpeech;
    /// How they stand, for pages, which look often: whoever has something to load does not load it for that.
    async fn standing(&self, settings: &Settings) -> SpeechOutlook {
        let chosen = self.chosen(settings).await;
        SpeechOutlook {
            ears: chosen.ears_standing,
            mouth: chosen.mouth_standing,
        }
    }
    /// One of the operator's short sounds, by its name; for a person, why it cannot be had.
    async fn sound(&self, settings: &Settings, name: &str) -> Result<Vec<SoundFrame>, String>;
    /// The names of those that there are.
    async fn sounds(&self, _settings: &Settings) -> Vec<String> {
        Vec::new()
    }
}

/// For whoever has neither ears nor a mouth.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSpeech;

#[async_trait]
impl Hearing for NoSpeech {
    async fn listen(
        &self,
        _: &PersonId,
        mut frames: mpsc::Receiver<SoundFrame>,
        _: mpsc::Sender<HeardSpeech>,
        cancel: CancellationToken,
    ) -> Result<Listened, SpeechFault> {
        while let Some(Some(_)) = cancel.run_until_cancelled(frames.recv()).await {}
        Ok(Listened::default())
    }
}

#[async_trait]
impl Speech for NoSpeech {
    async fn speak(
        &self,
        _: &str,
        _: mpsc::Receiver<String>,
        _: mpsc::Sender<SpokenSound>,
        _: CancellationToken,
    ) -> Spoken {
        Spoken {
            fault: Some(SpeechFault {
                detail: "this Denizen has no voice".to_owned(),
                retryable: false,
            }),
            ..Spoken::default()
        }
    }
}

#[async_trait]
impl SpeechEngines for NoSpeech {
    async fn chosen(&self, _: &Settings) -> ChosenSpeech {
        let standing = SpeechStanding {
            detail: "this process has neither ears nor a voice".to_owned(),
            ..SpeechStanding::default()
        };
        ChosenSpeech {
            ears: Arc::new(NoSpeech),
            mouth: Arc::new(NoSpeech),
            ears_standing: standing.clone(),
            mouth_standing: standing,
            realtime: None,
            native: None,
        }
    }

    async fn sound(&self, _: &Settings, _: &str) -> Result<Vec<SoundFrame>, String> {
        Err("this process has no sounds".to_owned())
    }
}
