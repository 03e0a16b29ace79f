//! The ears that the operator chose, and what it takes to have them.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use audio::segment::SegmentRules;
use fetching::service::ServiceClients;
use runtime::ports::{ClipListener, HeardSpeech, Hearing, Listened, SoundFrame, SpeechFault};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use vocabulary::{PersonId, UnheardReason};

use super::elevenlabs::{self, ElevenLabsEars};
use super::listening::Track;
use super::moonshine::{self, Moonshine};
use super::openai::{self, OpenAiEars};
use super::smart_turn::{self, SmartTurn};
use super::transcriber::{Desk, Transcriber};
use super::turn_end::TurnJudge;
use super::unloaded::Unloaded;
use crate::choice::{EarsChoice, EarsEngine, TurnEngine, knobs};
use crate::keys::SpeechKeys;
use crate::models::{Having, Models};
use crate::realtime::{ListenerEars, RealtimeEars, RealtimeWish};
use crate::services::{Api, Purpose, Service, TrialTime, Unreached, Usual};
use crate::status::{Description, SpeechStatus};

/// What is heard waits for whoever reads it in a queue of this length between two frames.
const HEARD_MAX: usize = 64;

/// Denizen's ears.
pub struct Ears {
    desk: Result<Desk, String>,
    rules: SegmentRules,
    judge: Option<Arc<dyn TurnJudge>>,
    status: SpeechStatus,
    last_fault: Arc<Mutex<Option<String>>>,
    /// Who is given each clip first.
    listener: Option<Arc<dyn ClipListener>>,
}

/// An engine that was made ready, how it is described, and how many may ask it at once where all who have it share that.
struct Ready {
    transcriber: Arc<dyn Transcriber>,
    described: Description,
    places: Option<Arc<Semaphore>>,
}

impl Ready {
    fn new(transcriber: impl Transcriber + 'static, detail: String) -> Self {
        Self {
            transcriber: Arc::new(transcriber),
            described: detail.into(),
            places: None,
        }
    }
}

impl Ears {
    /// Makes the chosen ears ready. Loads files and may take seconds: to be called from a thread that may be busy.
    pub fn new(choice: &EarsChoice, keys: &SpeechKeys) -> Self {
        Self::of(choice, keys, Having::Loaded(&Models::default()))
    }

    /// How the chosen ears would stand, by what is there: nothing is loaded.
    pub(crate) fn outlook(choice: &EarsChoice, keys: &SpeechKeys) -> SpeechStatus {
        Self::of(choice, keys, Having::SeenOnly).status()
    }

    /// As [`Ears::new`], with models that others may have loaded.
    pub(crate) fn of(choice: &EarsChoice, keys: &SpeechKeys, having: Having<'_>) -> Self {
        let mut judge = None;
        let (desk, status) = match with_service(ready(choice.engine, choice, keys, having), &choice.realtime)
        {
            Ok(ready) => {
                let (transcriber, mut described) = (ready.transcriber, ready.described);
                match turn_judge(choice, having) {
                    Ok(Some((name, found))) => {
                        judge = found;
                        described.detail += &format!(". Ends of turns by {name}");
                    }
                    Ok(None) => {}
                    Err(why) => described = described.instead_of(&[why]),
                }
                let status = described.status(transcriber.engine());
                let places = || Arc::new(Semaphore::new(choice.at_once.clamp(1, 64)));
                let desk = Desk {
                    transcriber,
                    places: ready.places.unwrap_or_else(places),
                    places_max: choice.at_once.clamp(1, 64),
                    timeout: choice.timeout,
                    partials: choice.partials,
                    rest: Arc::default(),
                };
                (Ok(desk), status)
            }
            Err(why) => (Err(why.clone()), SpeechStatus::missing(why)),
        };
        Self {
            desk,
            rules: choice.rules,
            judge,
            status,
            last_fault: Arc::default(),
            listener: None,
        }
    }

    /// Whether it can understand, and with what.
    pub fn status(&self) -> SpeechStatus {
        let last = self.last_fault.lock().unwrap_or_else(PoisonError::into_inner);
        let status = self.status.clone().with_last_fault(last.clone());
        match &self.desk {
            // Which model it is may be known only now.
            Ok(desk) => status.with_engine(desk.transcriber.engine()),
            Err(_) => status,
        }
    }

    /// Tries whether what was chosen answers, where it is not in this process.
    pub(crate) async fn reach(&self, patience: TrialTime) -> Result<(), Unreached> {
        match &self.desk {
            Ok(desk) => desk.transcriber.reach(patience).await,
            Err(_) => Ok(()),
        }
    }

    /// What goes wrong is told until something goes well again, and in the log once for each thing.
    fn note(&self, heard: &HeardSpeech) {
        let mut last = self.last_fault.lock().unwrap_or_else(PoisonError::into_inner);
        match heard {
            HeardSpeech::Utterance(_) => *last = None,
            HeardSpeech::Missed {
                reason: reason @ (UnheardReason::Failed | UnheardReason::TimedOut),
                detail,
                ..
            } if last.as_ref() != Some(detail) => {
                tracing::warn!(reason = reason.name(), "hearing: {detail}");
                *last = Some(detail.clone());
            }
            _ => {}
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
    fn through(&self, listener: Arc<dyn ClipListener>) -> Option<Arc<dyn Hearing>> {
        self.desk.as_ref().ok()?;
        Some(Arc::new(Self {
            desk: self.desk.clone(),
            rules: self.rules,
            judge: self.judge.clone(),
            status: self.status.clone(),
            last_fault: self.last_fault.clone(),
            listener: Some(listener),
        }))
    }

    async fn listen(
        &self,
        person: &PersonId,
        frames: mpsc::Receiver<SoundFrame>,
        heard: mpsc::Sender<HeardSpeech>,
        cancel: CancellationToken,
    ) -> Result<Listened, SpeechFault> {
        let desk = self.desk.clone().map(|desk| match &self.listener {
            Some(listener) => Desk {
                transcriber: Arc::new(ListenerEars::new(listener.clone(), person, desk.transcriber)),
                ..desk
            },
            None => desk,
        });
        let track = Track::new(desk, self.rules, self.judge.clone());
        let bill = track.bill();
        let (sender, mut receiver) = mpsc::channel(HEARD_MAX);
        let listening = track.listen(frames, sender, cancel.clone());
        let telling = async {
            while let Some(said) = receiver.recv().await {
                self.note(&said);
                // Whoever cancels may read no more, and still wait for the end.
                let sent = tokio::select! {
                    biased;
                    sent = heard.send(said) => sent,
                    () = cancel.cancelled() => return,
                };
                if sent.is_err() {
                    return;
                }
            }
        };
        tokio::pin!(listening, telling);
        // What was told before the end still goes out; when nobody listens any more, the end is here.
        let given_up = tokio::select! {
            () = heard.closed() => Vec::new(),
            () = &mut telling => Vec::new(),
            given_up = &mut listening => {
                telling.await;
                given_up
            }
        };
        Ok(Listened {
            given_up,
            given_up_micro_dollars: bill.given_up(),
        })
    }
}

/// With the realtime service in front of it, where one is wanted.
fn with_service(ready: Result<Ready, String>, wish: &RealtimeWish) -> Result<Ready, String> {
    match wish {
        RealtimeWish::None => ready,
        RealtimeWish::Lacking(why) => ready
            .map(|ready| Ready {
                described: ready.described.instead_of(std::slice::from_ref(why)),
                ..ready
            })
            .map_err(|besides| format!("{why}. And {besides}")),
        RealtimeWish::Service(service) => {
            let (behind, detail) = match ready {
                Ok(ready) => (Some(ready.transcriber), ready.described.detail),
                Err(_) => (None, "nobody".to_owned()),
            };
            let detail = format!("{}. Where it cannot hear: {detail}", service.description());
            Ok(Ready::new(RealtimeEars::new(service.clone(), behind), detail))
        }
    }
}

/// The first of those that are named which can be used; what was wrong with those before it is told.
fn first_of(choice: &EarsChoice, keys: &SpeechKeys, having: Having<'_>) -> Result<Ready, String> {
    let named = [
        choice.folder.is_some().then_some(EarsEngine::Moonshine),
        (!choice.url.trim().is_empty()).then_some(EarsEngine::Compatible),
    ];
    let mut passed_over = Vec::new();
    for engine in named.into_iter().flatten() {
        match ready(engine, choice, keys, having) {
            Ok(ready) => {
                let described = ready.described.instead_of(&passed_over);
                return Ok(Ready { described, ..ready });
            }
            Err(why) => passed_over.push(why),
        }
    }
    match passed_over.is_empty() {
        true => Err(format!(
            "nothing here understands speech. Get ears with `denizen models install ears`, or set {} to a folder with a Moonshine model, or {} to a transcription server, or choose a service for {}: a key alone sends nobody's voice anywhere",
            knobs::EARS_PATH,
            knobs::EARS_URL,
            knobs::EARS
        )),
        false => Err(passed_over.join(". And ")),
    }
}

fn ready(
    engine: EarsEngine,
    choice: &EarsChoice,
    keys: &SpeechKeys,
    having: Having<'_>,
) -> Result<Ready, String> {
    let server = |service: Service| -> Ready {
        let detail = service.description();
        let ears = OpenAiEars {
            model: openai::model(&choice.model, &service),
            service,
            clients: ServiceClients::default(),
            short_only: AtomicBool::new(false),
            language: choice.language.trim().to_owned(),
            hints: choice.hints.clone(),
            time: choice.timeout,
        };
        Ready::new(ears, detail)
    };
    let makers = |api| Service::makers(api, Purpose::Hearing, &choice.url, &choice.home, keys);
    match engine {
        EarsEngine::Auto => first_of(choice, keys, having),
        EarsEngine::None => Err(format!("it does not listen: {} is off", knobs::EARS)),
        EarsEngine::Moonshine => {
            let folder = choice.folder.as_ref().ok_or_else(|| {
                format!(
                    "local ears are a folder with a Moonshine model; {} names none. Get one with `denizen models install ears`",
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
            let detail = format!(
                "the model in {} by ONNX Runtime. It understands English only: what is said otherwise is misheard",
                folder.display()
            );
            let Having::Loaded(models) = having else {
                moonshine::files(folder)?;
                return Ok(Ready::new(Unloaded(moonshine::name_of(folder)), detail));
            };
            let library = choice.library.as_deref();
            let moonshine = models
                .ears
                .get(folder, library, || Moonshine::load(folder, library))?;
            Ok(Ready {
                places: Some(moonshine.places()),
                transcriber: moonshine,
                described: detail.into(),
            })
        }
        EarsEngine::Compatible => {
            let api = match choice.url.trim().trim_end_matches('/').ends_with("/inference") {
                true => Api::WhisperCpp,
                false => Api::OpenAi,
            };
            Ok(server(Service::own(api, Purpose::Hearing, &choice.url, keys)?))
        }
        EarsEngine::OpenAi => Ok(server(makers(Api::OpenAi)?)),
        EarsEngine::ElevenLabs => {
            let service = makers(Api::ElevenLabs)?;
            let detail = service.description();
            let ears = ElevenLabsEars {
                service,
                clients: ServiceClients::default(),
                model: Usual::new(&choice.model, &elevenlabs::MODELS, &[]),
                language: choice.language.trim().to_owned(),
                time: choice.timeout,
            };
            Ok(Ready::new(ears, detail))
        }
    }
}

/// What hears whether somebody has finished, by its name; there once it is loaded.
type FoundJudge = (String, Option<Arc<dyn TurnJudge>>);

/// What hears whether somebody has finished, where that is wanted; or why it cannot.
fn turn_judge(choice: &EarsChoice, having: Having<'_>) -> Result<Option<FoundJudge>, String> {
    let path = match (choice.turn, &choice.turn_path) {
        (TurnEngine::Silence, _) | (TurnEngine::Auto, None) => return Ok(None),
        (TurnEngine::Model, None) => {
            return Err(format!(
                "{} is model, and {} names none. Get one with `denizen models install turn`; until then silence tells that somebody has finished",
                knobs::TURN,
                knobs::TURN_PATH
            ));
        }
        (_, Some(path)) => path,
    };
    let library = choice.library.as_deref();
    let found = match having {
        Having::Loaded(models) => models
            .turns
            .get(path, library, || SmartTurn::load(path, library))
            .map(|judge| (judge.name().to_owned(), Some(judge as Arc<dyn TurnJudge>))),
        Having::SeenOnly => smart_turn::file(path).map(|file| (smart_turn::name_of(&file), None)),
    };
    match found {
        Ok(found) => Ok(Some(found)),
        Err(why) => Err(format!("the model that hears ends of turns: {why}")),
    }
}
