//! What the tests here share: ears and mouths at a double, somebody who speaks, and somebody who listens.

use std::sync::LazyLock;
use std::time::Duration;

use bytes::Bytes;
use runtime::ports::{HeardSpeech, Hearing as _, SoundFrame, Speech as _, Spoken, SpokenSound};
use secrecy::SecretString;
use speech::{Ears, EarsChoice, EarsEngine, Mouth, MouthChoice, MouthEngine, SpeechKeys};
use stand_ins::speech::{SPEECH_KEY, SpeechServices};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use vocabulary::{PersonId, Span};

pub fn keys() -> SpeechKeys {
    SpeechKeys {
        transcription: Some(SecretString::from(SPEECH_KEY)),
        speech: Some(SecretString::from(SPEECH_KEY)),
        ..SpeechKeys::default()
    }
}

pub fn ears(server: &SpeechServices, engine: EarsEngine, path: &str) -> EarsChoice {
    let address = format!("{}{path}", server.address);
    let (url, home) = match engine {
        EarsEngine::OpenAi | EarsEngine::ElevenLabs => (String::new(), address),
        _ => (address, String::new()),
    };
    EarsChoice {
        engine,
        url,
        home,
        model: match engine {
            EarsEngine::ElevenLabs => "scribe_v1".to_owned(),
            _ => "whisper-1".to_owned(),
        },
        partials: false,
        ..EarsChoice::default()
    }
}

pub fn mouth(server: &SpeechServices, engine: MouthEngine) -> MouthChoice {
    let (url, home) = match engine {
        MouthEngine::ElevenLabs => (String::new(), server.address.clone()),
        MouthEngine::OpenAi => (String::new(), format!("{}/v1", server.address)),
        _ => (format!("{}/v1", server.address), String::new()),
    };
    MouthChoice {
        engine,
        url,
        home,
        model: match engine {
            MouthEngine::ElevenLabs => "eleven_flash_v2_5".to_owned(),
            _ => "tts-1".to_owned(),
        },
        voice: match engine {
            MouthEngine::ElevenLabs => "21m00Tcm4TlvDq8ikWAM".to_owned(),
            _ => String::new(),
        },
        fall_back: false,
        timeout: Duration::from_secs(5),
        ..MouthChoice::default()
    }
}

pub async fn say(mouth: &Mouth, voice: &str, written: &[&str]) -> (Spoken, Vec<SpokenSound>) {
    let (sentences, receiver) = mpsc::channel(16);
    for sentence in written {
        sentences.try_send((*sentence).to_owned()).expect("room");
    }
    drop(sentences);
    let (sound, mut heard) = mpsc::channel(100_000);
    let spoken = mouth
        .speak(voice, receiver, sound, CancellationToken::new())
        .await;
    let mut frames = Vec::new();
    while let Ok(frame) = heard.try_recv() {
        frames.push(frame);
    }
    (spoken, frames)
}

/// Somebody who asks for the weather, by the built-in voice, and is silent then.
pub static QUESTION: LazyLock<Vec<SoundFrame>> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let frames = std::thread::scope(|scope| {
        let speaking = scope.spawn(|| {
            runtime.expect("a runtime").block_on(async {
                let built_in = MouthChoice {
                    engine: MouthEngine::BuiltIn,
                    ..MouthChoice::default()
                };
                let mouth = Mouth::new(&built_in, &SpeechKeys::default());
                say(
                    &mouth,
                    "",
                    &["Hello, can you tell me what the weather is like today?"],
                )
                .await
                .1
            })
        });
        speaking.join().expect("no panic")
    });
    let mut frames: Vec<SoundFrame> = frames.into_iter().map(|spoken| spoken.frame).collect();
    let end = frames.len() as u64 * 20;
    frames.extend((0..60).map(|place| SoundFrame {
        samples: Bytes::from_static(&[0; 1_920]),
        at: Span(end + place * 20),
    }));
    frames
});

/// What these ears make of the question.
pub async fn listen(ears: &Ears) -> Vec<HeardSpeech> {
    let (frames, receiver) = mpsc::channel(QUESTION.len());
    for frame in QUESTION.iter() {
        frames.try_send(frame.clone()).expect("room");
    }
    drop(frames);
    let (heard, mut told) = mpsc::channel(1_000);
    let cancel = CancellationToken::new();
    ears.listen(&PersonId::from("alice"), receiver, heard, cancel)
        .await
        .expect("the listening itself goes well");
    let mut all = Vec::new();
    while let Ok(said) = told.try_recv() {
        all.push(said);
    }
    all
}
