//! Says the standard input with a Piper voice, into a file of sound: `e2e/voice.mjs` takes such for microphones.
//!
//! `speak FILE.wav`, with `DENIZEN_VOICE_MODEL` (the folder of the voice) and `ORT_DYLIB_PATH`.

use std::error::Error;
use std::path::PathBuf;

use runtime::ports::{SAMPLES_PER_SECOND, Speech as _};
use speech::{Mouth, MouthChoice, MouthEngine, SpeechKeys};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os()
        .nth(1)
        .ok_or("name the file to write: speak FILE.wav")?;
    let folder = |name| std::env::var_os(name).map(PathBuf::from);
    let choice = MouthChoice {
        engine: MouthEngine::Piper,
        path: folder("DENIZEN_VOICE_MODEL"),
        library: folder("ORT_DYLIB_PATH"),
        fall_back: false,
        ..MouthChoice::default()
    };
    let mouth = tokio::task::spawn_blocking(move || Mouth::new(&choice, &SpeechKeys::default())).await?;
    if !mouth.status().ready {
        return Err(mouth.status().detail.into());
    }
    let (sentences, receiver) = mpsc::channel(1);
    sentences.try_send(std::io::read_to_string(std::io::stdin())?)?;
    drop(sentences);
    let (sound, mut heard) = mpsc::channel(16);
    let speaking = mouth.speak("", receiver, sound, CancellationToken::new());
    let collecting = async {
        let mut samples = Vec::new();
        while let Some(spoken) = heard.recv().await {
            let bytes = spoken.frame.samples;
            samples.extend(
                bytes
                    .chunks_exact(2)
                    .map(|two| i16::from_le_bytes([two[0], two[1]])),
            );
        }
        samples
    };
    let (_, samples) = tokio::join!(speaking, collecting);
    Ok(std::fs::write(
        file,
        audio::wav::write(&samples, SAMPLES_PER_SECOND),
    )?)
}
