//! Real voices and real ears, on machines that have them: what a voice says, the ears understand.
//!
//! `DENIZEN_EARS_MODEL` is a folder with a Moonshine model, `DENIZEN_VOICE_MODEL` one with a Piper voice,
//! `DENIZEN_KOKORO_MODEL` one with Kokoro, `DENIZEN_TURN_MODEL` Smart Turn, and `ORT_DYLIB_PATH` the library of ONNX
//! Runtime. What is not there is not tried, and that is said.

use std::path::PathBuf;
use std::time::Instant;

use bytes::Bytes;
use runtime::ports::{HeardSpeech, Hearing as _, SoundFrame, Speech as _, Utterance};
use speech::{Ears, EarsChoice, EarsEngine, Mouth, MouthChoice, MouthEngine, SpeechKeys};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use vocabulary::{PersonId, Span};

/// What is said, and what somebody would write down.
const SENTENCES: [(&str, &str); 6] = [
    (
        "Hello, can you tell me what the weather is like today?",
        "hello can you tell me what the weather is like today",
    ),
    (
        "I think we should leave before it gets dark.",
        "i think we should leave before it gets dark",
    ),
    (
        "The **second** boss has a red shield.",
        "the second boss has a red shield",
    ),
    (
        "My brother bought a new car last week.",
        "my brother bought a new car last week",
    ),
    (
        "Please remind me to call my mother tomorrow.",
        "please remind me to call my mother tomorrow",
    ),
    (
        "What did Bob just say about the garden?",
        "what did bob just say about the garden",
    ),
];

fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

/// Words that have to be put in, taken out or changed, and how many there were.
fn errors(wanted: &str, heard: &str) -> (usize, usize) {
    let words = |text: &str| -> Vec<String> {
        let plain: String = text
            .to_lowercase()
            .chars()
            .filter(|character| character.is_alphanumeric() || *character == ' ')
            .collect();
        plain.split_whitespace().map(str::to_owned).collect()
    };
    let (wanted, heard) = (words(wanted), words(heard));
    let mut row: Vec<usize> = (0..=heard.len()).collect();
    for (place, word) in wanted.iter().enumerate() {
        let mut next = vec![place + 1];
        for (other, heard) in heard.iter().enumerate() {
            let changed = row[other] + usize::from(word != heard);
            next.push(changed.min(row[other + 1] + 1).min(next[other] + 1));
        }
        row = next;
    }
    (row[heard.len()], wanted.len())
}

async fn spoken(mouth: &Mouth, sentence: &str) -> (Vec<SoundFrame>, u128) {
    let (sentences, receiver) = mpsc::channel(1);
    sentences.try_send(sentence.to_owned()).expect("room");
    drop(sentences);
    let (sound, mut heard) = mpsc::channel(10_000);
    let began = Instant::now();
    let speaking = mouth.speak("", receiver, sound, CancellationToken::new());
    let collecting = async {
        let mut frames: Vec<SoundFrame> = Vec::new();
        let mut first = 0;
        while let Some(spoken) = heard.recv().await {
            if frames.is_empty() {
                first = began.elapsed().as_millis();
            }
            frames.push(spoken.frame);
        }
        (frames, first)
    };
    let (spoken, (mut frames, first)) = tokio::join!(speaking, collecting);
    assert_eq!(spoken.fault, None, "{}", mouth.status().detail);
    let end = frames.len() as u64 * 20;
    frames.extend((0..60).map(|place| SoundFrame {
        samples: Bytes::from_static(&[0; 1_920]),
        at: Span(end + place * 20),
    }));
    (frames, first)
}

async fn understood(ears: &Ears, sound: Vec<SoundFrame>) -> Vec<Utterance> {
    let (frames, receiver) = mpsc::channel(sound.len());
    for frame in sound {
        frames.try_send(frame).expect("room");
    }
    drop(frames);
    let (heard, mut told) = mpsc::channel(1_000);
    ears.listen(
        &PersonId::from("alice"),
        receiver,
        heard,
        CancellationToken::new(),
    )
    .await
    .expect("the listening itself goes well");
    let mut utterances = Vec::new();
    while let Ok(said) = told.try_recv() {
        match said {
            HeardSpeech::Utterance(utterance) => utterances.push(utterance),
            HeardSpeech::Missed { reason, detail, .. } => {
                println!("    missed: {} ({detail})", reason.name())
            }
            _ => {}
        }
    }
    utterances
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_voice_says_the_ears_understand() {
    let Some(ears_folder) = folder("DENIZEN_EARS_MODEL") else {
        println!("DENIZEN_EARS_MODEL names no folder: nothing was tried");
        return;
    };
    let library = folder("ORT_DYLIB_PATH");
    let choice = EarsChoice {
        engine: EarsEngine::Moonshine,
        folder: Some(ears_folder),
        library: library.clone(),
        partials: false,
        turn_path: folder("DENIZEN_TURN_MODEL"),
        ..EarsChoice::default()
    };
    let ears = tokio::task::spawn_blocking(move || Ears::new(&choice, &SpeechKeys::default()));
    let ears = ears.await.expect("no panic");
    assert!(ears.status().as_chosen, "{}", ears.status().detail);
    println!("{}", ears.status().detail);
    let mut mouths = vec![
        (MouthEngine::BuiltIn, None, 0.5),
        (MouthEngine::Espeak, None, 0.5),
    ];
    for (engine, variable) in [
        (MouthEngine::Piper, "DENIZEN_VOICE_MODEL"),
        (MouthEngine::Kokoro, "DENIZEN_KOKORO_MODEL"),
    ] {
        match folder(variable) {
            Some(voice) => mouths.push((engine, Some(voice), 0.15)),
            None => println!("{engine:?}: {variable} names no folder, and it was not tried"),
        }
    }
    for (engine, path, worst) in mouths {
        let choice = MouthChoice {
            engine,
            path,
            library: library.clone(),
            // Kokoro on a machine that is busy.
            timeout: std::time::Duration::from_secs(300),
            fall_back: false,
            ..MouthChoice::default()
        };
        let mouth = tokio::task::spawn_blocking(move || Mouth::new(&choice, &SpeechKeys::default()));
        let mouth = mouth.await.expect("no panic");
        if !mouth.status().ready {
            println!("{engine:?}: {}", mouth.status().detail);
            continue;
        }
        let (mut wrong, mut all) = (0, 0);
        for (written, wanted) in SENTENCES {
            let (sound, first) = spoken(&mouth, written).await;
            let utterances = understood(&ears, sound).await;
            let text = utterances
                .iter()
                .map(|utterance| utterance.text.as_str())
                .collect::<Vec<_>>()
                .join(" ");
            let took: u64 = utterances.iter().map(|utterance| utterance.took.0).sum();
            let (errors, words) = errors(wanted, &text);
            wrong += errors;
            all += words;
            println!(
                "{engine:?}: first sound {first} ms, ears {took} ms, {errors} of {words} words wrong: {text}"
            );
        }
        let rate = wrong as f64 / all as f64;
        println!(
            "{engine:?}: word error rate {:.1} % by {}",
            rate * 100.0,
            ears.status().engine
        );
        assert!(rate <= worst, "{engine:?}: {rate}");
    }
}
