use std::sync::Mutex;

use runtime::ports::{
    RealtimeNews, RealtimeServices, RealtimeStanding, RealtimeTranscript, SpeechEngines as _, SpeechFault,
};
use serde_json::json;
use settings::{Document, Settings};
use tokio::sync::watch;

use super::*;
use crate::{Engines, InstalledSpeech, SpeechKeys};

/// A service that does what it is told to, or not.
#[derive(Debug, Default)]
struct Fake {
    is_down: AtomicBool,
    said: Mutex<Vec<String>>,
    standing: watch::Sender<RealtimeStanding>,
}

impl Fake {
    fn fault(&self) -> Result<(), RealtimeFault> {
        let fault = SpeechFault {
            detail: "the service is down".to_owned(),
            retryable: true,
        };
        match self.is_down.load(Ordering::Relaxed) {
            true => Err(RealtimeFault {
                fault,
                is_late: false,
            }),
            false => Ok(()),
        }
    }
}

#[async_trait]
impl RealtimeService for Fake {
    fn hearing_engine(&self) -> String {
        "fake:ears".to_owned()
    }

    fn speaking_engine(&self) -> String {
        "fake:voice".to_owned()
    }

    fn description(&self) -> String {
        "a fake".to_owned()
    }

    fn hearing_price(&self, _: f64) -> Option<u64> {
        None
    }

    fn speaking_price(&self, _: u64, _: f64) -> Option<u64> {
        None
    }

    fn news(&self) -> RealtimeNews {
        self.standing.subscribe()
    }

    fn warm_up(&self) {}

    async fn understand(&self, _: Arc<[i16]>, _: Instant) -> Result<RealtimeTranscript, RealtimeFault> {
        self.fault()?;
        Ok(RealtimeTranscript {
            text: "by the service".to_owned(),
            cost_micro_dollars: None,
        })
    }

    async fn say(&self, text: &str, sound: mpsc::Sender<RealtimeSound>) -> Result<(), RealtimeFault> {
        self.fault()?;
        self.said.lock().expect("nobody panics").push(text.to_owned());
        let piece = RealtimeSound {
            rate: 24_000,
            samples: vec![500; 24_000],
            marks: Vec::new(),
        };
        let _ = sound.send(piece).await;
        Ok(())
    }
}

struct Own;

#[async_trait]
impl Transcriber for Own {
    fn engine(&self) -> String {
        "own".to_owned()
    }

    fn is_free(&self) -> bool {
        true
    }

    async fn transcribe(&self, _: Arc<[i16]>, _: Instant) -> Result<Transcript, Trouble> {
        Ok(Transcript {
            text: "by those behind it".to_owned(),
            no_speech: None,
            cost_micro_dollars: Some(0),
        })
    }
}

#[tokio::test]
async fn what_the_service_cannot_hear_is_heard_by_those_behind_it_and_told_under_their_name() {
    let service = Arc::new(Fake::default());
    let ears = RealtimeEars::new(service.clone(), Some(Arc::new(Own)));
    let clip: Arc<[i16]> = vec![0; 100].into();
    let deadline = Instant::now() + Duration::from_secs(5);
    let heard = ears.transcribe(clip.clone(), deadline).await.expect("words");
    assert_eq!(
        (heard.text.as_str(), ears.engine().as_str()),
        ("by the service", "fake:ears")
    );
    service.is_down.store(true, Ordering::Relaxed);
    let heard = ears.transcribe(clip.clone(), deadline).await.expect("words");
    assert_eq!(
        (heard.text.as_str(), ears.engine().as_str()),
        ("by those behind it", "own")
    );
    let alone = RealtimeEars::new(service, None);
    let trouble = alone.transcribe(clip, deadline).await.expect_err("nobody hears");
    assert_eq!(trouble.detail, "the service is down");
}

/// Whoever reaches this service, or none.
struct Register(Result<Arc<Fake>, String>);

impl RealtimeServices for Register {
    fn chosen(&self, _: &Settings) -> Result<Arc<dyn RealtimeService>, String> {
        self.0.clone().map(|service| service as Arc<dyn RealtimeService>)
    }
}

fn engines(register: Result<Arc<Fake>, String>) -> Engines {
    let engines = Engines::new(SpeechKeys::default(), InstalledSpeech::default);
    engines.with_realtime(Arc::new(Register(register)))
}

fn settings(mode: &str) -> Settings {
    let mut document = Document::default();
    document.set("voice.mode", json!(mode));
    document.set("voice.sttPipeline.ttsProvider", json!("builtin"));
    Settings::read(&document).expect("settings")
}

#[tokio::test]
async fn the_mode_chooses_the_service_and_a_lack_is_told_with_what_speaks_instead() {
    let with = engines(Ok(Arc::new(Fake::default())));
    let chosen = with.chosen(&settings("realtime")).await;
    assert!(chosen.ears_standing.works && chosen.realtime.is_some());
    assert_eq!(chosen.mouth_standing.engine, "fake:voice");
    let pipeline = with.chosen(&settings("stt_pipeline")).await;
    assert!(!pipeline.ears_standing.works && pipeline.realtime.is_none());
    assert!(
        chosen.differs(&pipeline),
        "a change of the mode is one of ears and mouth"
    );
    let without = engines(Err("xAI wants a key: set XAI_API_KEY".to_owned()));
    let lacking = without.chosen(&settings("realtime")).await;
    assert!(lacking.mouth_standing.works && lacking.realtime.is_none());
    let remedy = lacking.mouth_standing.remedy.expect("what to do");
    assert!(remedy.contains("XAI_API_KEY"), "{remedy}");
}

#[tokio::test]
async fn a_sentence_that_the_service_cannot_say_is_said_by_the_voice_behind_it() {
    let service = Arc::new(Fake::default());
    let chosen = engines(Ok(service.clone())).chosen(&settings("realtime")).await;
    service.is_down.store(true, Ordering::Relaxed);
    let (sentences, waiting) = mpsc::channel(1);
    sentences
        .send("Hello there.".to_owned())
        .await
        .expect("room for it");
    drop(sentences);
    let (sound, mut sounds) = mpsc::channel(10_000);
    let cancel = tokio_util::sync::CancellationToken::new();
    let spoken = chosen.mouth.speak("", waiting, sound, cancel).await;
    assert_eq!(spoken.fault, None);
    assert!(!spoken.engine.contains("fake"), "{}", spoken.engine);
    assert!(sounds.try_recv().is_ok(), "something is heard");
    assert!(service.said.lock().expect("nobody panics").is_empty());
}
