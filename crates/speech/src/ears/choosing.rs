//! The ears that the operator chose, and what it takes to have them.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use audio::segment::SegmentRules;
use fetching::service::ServiceClients;
use runtime::ports::{HeardSpeech, Hearing, SoundFrame, SpeechFault};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use vocabulary::{PersonId, UnheardReason};

use super::elevenlabs::ElevenLabsEars;
use super::listening::Track;
use super::moonshine::{self, Moonshine};
use super::openai::OpenAiEars;
use super::transcriber::{Desk, Transcriber};
use crate::choice::{EarsChoice, EarsEngine, knobs};
use crate::keys::SpeechKeys;
use crate::services::{Api, Purpose, Service};
use crate::status::{SpeechOption, SpeechStatus};

/// What is heard waits for whoever reads it in a queue of this length between two frames.
const HEARD_MAX: usize = 64;

/// Denizen's ears.
pub struct Ears {
    desk: Result<Desk, String>,
    rules: SegmentRules,
    status: SpeechStatus,
    last_fault: Arc<Mutex<Option<String>>>,
}

/// An engine that was made ready, and how it is described.
type Ready = (Arc<dyn Transcriber>, String);

impl Ears {
    /// Makes the chosen ears ready. Loads files and may take seconds: to be called from a thread that may be busy.
    pub fn new(choice: &EarsChoice, keys: &SpeechKeys) -> Self {
        let options = options(choice);
        let (desk, status) = match ready(choice, keys) {
            Ok((transcriber, detail)) => {
                let status = SpeechStatus::ready(transcriber.engine(), detail, options);
                let desk = Desk {
                    transcriber,
                    places: Arc::new(Semaphore::new(choice.at_once.clamp(1, 64))),
                    timeout: choice.timeout,
                    partials: choice.partials,
                };
                (Ok(desk), status)
            }
            Err(why) => (Err(why.clone()), SpeechStatus::missing(why, options)),
        };
        Self {
            desk,
            rules: choice.rules,
            status,
            last_fault: Arc::default(),
        }
    }

    /// Whether it can understand, with what, and what else there is.
    pub fn status(&self) -> SpeechStatus {
        let last = self.last_fault.lock().unwrap_or_else(PoisonError::into_inner);
        self.status.clone().with_last_fault(last.clone())
    }

    fn note(&self, heard: &HeardSpeech) {
        if let HeardSpeech::Missed { reason, detail, .. } = heard
            && matches!(reason, UnheardReason::Failed | UnheardReason::TimedOut)
        {
            tracing::warn!(reason = reason.name(), "hearing: {detail}");
            let mut last = self.last_fault.lock().unwrap_or_else(PoisonError::into_inner);
            *last = Some(detail.clone());
        }
    }
}

impl std::fmt::Debug for Ears {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Ears")
            .field("status", &self.status)
            .finish()
    }
}

#[async_trait]
impl Hearing for Ears {
    async fn listen(
        &self,
        _person: &PersonId,
        frames: mpsc::Receiver<SoundFrame>,
        heard: mpsc::Sender<HeardSpeech>,
        cancel: CancellationToken,
    ) -> Result<(), SpeechFault> {
        let track = Track::new(self.desk.clone(), self.rules);
        let (sender, mut receiver) = mpsc::channel(HEARD_MAX);
        let listening = track.listen(frames, sender, cancel);
        let telling = async {
            while let Some(said) = receiver.recv().await {
                self.note(&said);
                if heard.send(said).await.is_err() {
                    return;
                }
            }
        };
        tokio::pin!(listening, telling);
        // What was told before the end still goes out; when nobody listens any more, the end is here.
        tokio::select! {
            () = heard.closed() => {}
            () = &mut telling => {}
            () = &mut listening => telling.await,
        }
        Ok(())
    }
}

fn ready(choice: &EarsChoice, keys: &SpeechKeys) -> Result<Ready, String> {
    let engine = match choice.engine {
        EarsEngine::Auto if choice.folder.is_some() => EarsEngine::Moonshine,
        EarsEngine::Auto if !choice.url.trim().is_empty() => EarsEngine::Compatible,
        engine => engine,
    };
    let server = |service: Service| -> Ready {
        let detail = service.description();
        let ears = OpenAiEars {
            service,
            clients: ServiceClients::default(),
            model: choice.model.trim().to_owned(),
            language: choice.language.trim().to_owned(),
            hints: choice.hints.clone(),
            time: choice.timeout,
        };
        (Arc::new(ears), detail)
    };
    match engine {
        EarsEngine::Auto => Err(format!(
            "nothing here understands speech. Set {} to a folder with a Moonshine model, or {} to a transcription server, or choose a service for {}",
            knobs::EARS_PATH,
            knobs::EARS_URL,
            knobs::EARS
        )),
        EarsEngine::None => Err(format!("it does not listen: {} is off", knobs::EARS)),
        EarsEngine::Moonshine => {
            let folder = choice.folder.as_ref().ok_or_else(|| {
                format!(
                    "local ears are a folder with a Moonshine model; {} names none",
                    knobs::EARS_PATH
                )
            })?;
            let language = choice.language.to_lowercase();
            if !language.is_empty() && !language.starts_with("en") {
                return Err(format!(
                    "Moonshine understands English, and {language} is spoken. Choose a server or a service for {}",
                    knobs::EARS
                ));
            }
            let moonshine = Moonshine::load(folder, choice.library.as_deref())?;
            Ok((
                Arc::new(moonshine),
                format!("the model in {} by ONNX Runtime, English", folder.display()),
            ))
        }
        EarsEngine::Compatible => {
            let api = match choice.url.trim().trim_end_matches('/').ends_with("/inference") {
                true => Api::WhisperCpp,
                false => Api::OpenAi,
            };
            Ok(server(Service::own(api, Purpose::Hearing, &choice.url, keys)?))
        }
        EarsEngine::OpenAi => Ok(server(Service::of(Api::OpenAi, Purpose::Hearing, "", keys)?)),
        EarsEngine::ElevenLabs => {
            let service = Service::of(Api::ElevenLabs, Purpose::Hearing, &choice.url, keys)?;
            let detail = service.description();
            let ears = ElevenLabsEars {
                service,
                clients: ServiceClients::default(),
                model: choice.model.trim().to_owned(),
                language: choice.language.trim().to_owned(),
                time: choice.timeout,
            };
            Ok((Arc::new(ears), detail))
        }
    }
}

/// What there is to hear with, chosen or not.
fn options(choice: &EarsChoice) -> Vec<SpeechOption> {
    let local = match choice.folder.as_deref() {
        None => SpeechOption::missing(
            "local",
            format!("{} names no folder with a model", knobs::EARS_PATH),
        ),
        Some(folder) => match moonshine::files(folder) {
            Ok(_) => SpeechOption::there("local", folder.display().to_string()),
            Err(why) => SpeechOption::missing("local", why),
        },
    };
    let server = match choice.url.trim() {
        "" => SpeechOption::missing("compatible", format!("{} names no server", knobs::EARS_URL)),
        url => SpeechOption::there("compatible", url),
    };
    vec![local, server]
}
