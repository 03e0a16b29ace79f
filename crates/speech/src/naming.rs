//! What ears make of a name: a voice says it in a few sentences, and the ears hear them.

use std::time::Duration;

use bytes::Bytes;
use runtime::ports::{HeardSpeech, Hearing, SoundFrame, Speech, SpokenSound};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use vocabulary::{PersonId, Span};

/// Sentences that a name is said in: called, and spoken of.
const SENTENCES: [&str; 8] = [
    "{}, what time is it?",
    "Hey {}, can you hear me?",
    "What do you think, {}?",
    "Okay {}, play some music.",
    "Is it true, {}, that it rains tomorrow?",
    "{}, please tell me a story.",
    "Thank you, {}.",
    "I will ask {} about it.",
];
/// Frames of silence after each, in which ears take it for finished.
const SILENCE: u64 = 75;
const FRAME_MS: u64 = 20;
const FRAME_BYTES: usize = audio::FRAME * 2;
/// Sound that waits between voice and ears.
const WAITING_MAX: usize = 256;
/// The longest that one sentence may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A sentence that was said, and what was heard of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameTrial {
    pub said: String,
    /// Empty where no words came.
    pub heard: String,
}

/// Has a voice say a name in some sentences, and ears hear them. Why not, for a person.
pub async fn try_name(name: &str, ears: &dyn Hearing, mouth: &dyn Speech) -> Result<Vec<NameTrial>, String> {
    let mut trials = Vec::new();
    for sentence in SENTENCES {
        let said = sentence.replace("{}", name);
        let trial = async {
            let sound = sound_of(&said, mouth).await?;
            words_of(sound, ears).await
        };
        let late = || "the ears or the voice took more than a minute for a sentence".to_owned();
        let heard = tokio::time::timeout(PATIENCE, trial)
            .await
            .map_err(|_| late())??;
        trials.push(NameTrial { said, heard });
    }
    Ok(trials)
}

async fn sound_of(sentence: &str, mouth: &dyn Speech) -> Result<Vec<SoundFrame>, String> {
    let (sentences, waiting) = mpsc::channel(1);
    let _ = sentences.try_send(sentence.to_owned());
    drop(sentences);
    let (sound, mut sounds) = mpsc::channel::<SpokenSound>(WAITING_MAX);
    let collecting = async {
        let mut frames = Vec::new();
        while let Some(piece) = sounds.recv().await {
            frames.push(piece.frame);
        }
        frames
    };
    let speaking = mouth.speak("", waiting, sound, CancellationToken::new());
    let (spoken, frames) = tokio::join!(speaking, collecting);
    spoken.fault.map_or(Ok(frames), |fault| Err(fault.detail))
}

async fn words_of(mut sound: Vec<SoundFrame>, ears: &dyn Hearing) -> Result<String, String> {
    let spoken = sound.len() as u64;
    sound.extend((0..SILENCE).map(|frame| SoundFrame {
        samples: Bytes::from_static(&[0; FRAME_BYTES]),
        at: Span((spoken + frame) * FRAME_MS),
    }));
    let (frames, listening) = mpsc::channel(WAITING_MAX);
    let (heard, mut hearing) = mpsc::channel(WAITING_MAX);
    let telling = async move {
        for frame in sound {
            if frames.send(frame).await.is_err() {
                return;
            }
        }
    };
    let collecting = async {
        let mut words: Vec<String> = Vec::new();
        while let Some(said) = hearing.recv().await {
            if let HeardSpeech::Utterance(utterance) = said {
                words.push(utterance.text.trim().to_owned());
            }
        }
        words.join(" ")
    };
    let nobody = PersonId::from("nobody");
    let listening = ears.listen(&nobody, listening, heard, CancellationToken::new());
    let (listened, (), words) = tokio::join!(listening, telling, collecting);
    listened.map(|_| words).map_err(|fault| fault.detail)
}
