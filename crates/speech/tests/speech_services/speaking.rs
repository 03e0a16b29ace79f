//! Speech by services.

use std::time::Duration;

use serde_json::json;
use speech::{Mouth, MouthChoice, MouthEngine, SpeechKeys};
use stand_ins::speech::{SPEECH_KEY, SpeechServices};

use crate::bench::{keys, mouth, say};

#[tokio::test]
async fn a_server_with_openais_language_speaks_sentence_by_sentence() {
    let server = SpeechServices::start("").await;
    let choice = MouthChoice {
        model: "kokoro".to_owned(),
        voice: "af_sky".to_owned(),
        pace: 1.25,
        ..mouth(&server, MouthEngine::Compatible)
    };
    let (spoken, frames) = say(
        &Mouth::new(&choice, &keys()),
        "",
        &["**Hi** there.", "[SKIP]", "It is 5 km."],
    )
    .await;
    assert_eq!(spoken.fault, None);
    assert_eq!(spoken.engine, "compatible:kokoro");
    assert_eq!(
        spoken.characters,
        9 + 22,
        "of what is said, not of what is written"
    );
    assert_eq!(spoken.cost_micro_dollars, None, "with a key somebody may be paid");
    let asked = server.asked();
    assert_eq!(
        asked[0].body,
        json!({"model": "kokoro", "input": "Hi there.", "voice": "af_sky", "response_format": "wav", "speed": 1.25})
    );
    assert_eq!(asked[1].body["input"], "It is five kilometers.");
    // 60 ms a character, in frames of 20 ms; and a pause between the two.
    let of = |sentence: usize| frames.iter().filter(|frame| frame.sentence == sentence).count();
    assert_eq!((of(0), of(1), of(2)), (27, 0, 66 + 6));
    assert!(frames.iter().all(|frame| frame.characters.is_none()));
    let loudest = frames[5]
        .frame
        .samples
        .chunks(2)
        .map(|sample| i16::from_le_bytes([sample[0], sample[1]]));
    assert!(loudest.max() > Some(6_000), "the tone came through");
}

#[tokio::test]
async fn a_voice_that_is_asked_for_goes_before_the_chosen_one() {
    let server = SpeechServices::start("").await;
    let choice = MouthChoice {
        voice: "af_sky".to_owned(),
        ..mouth(&server, MouthEngine::Compatible)
    };
    let mouth = Mouth::new(&choice, &keys());
    let (spoken, _) = say(&mouth, "nova", &["Hi."]).await;
    assert_eq!(spoken.fault, None);
    assert_eq!(server.asked()[0].body["voice"], "nova");
}

#[tokio::test]
async fn elevenlabs_tells_how_far_it_is() {
    let server = SpeechServices::start("").await;
    let mouth = Mouth::new(&mouth(&server, MouthEngine::ElevenLabs), &keys());
    let written = "It costs **$5** at https://example.org/x today.";
    let (spoken, frames) = say(&mouth, "", &[written]).await;
    assert_eq!(
        (spoken.fault, spoken.engine.as_str()),
        (None, "elevenlabs:eleven_flash_v2_5")
    );
    let asked = &server.asked()[0];
    assert_eq!(
        asked.path,
        "/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM/stream/with-timestamps?output_format=pcm_24000"
    );
    assert_eq!(
        asked.body,
        json!({"text": "It costs five dollars at a link to example.org today.", "model_id": "eleven_flash_v2_5"})
    );
    let reached: Vec<usize> = frames.iter().filter_map(|frame| frame.characters).collect();
    assert_eq!(reached.len(), frames.len());
    assert!(reached.windows(2).all(|pair| pair[0] <= pair[1]), "{reached:?}");
    // "It costs five dollars" is 21 characters, said within 1,260 ms: the 63rd frame.
    let upto = |frame: usize| written.chars().take(reached[frame]).collect::<String>();
    assert_eq!(upto(61), "It costs");
    assert_eq!(upto(63), "It costs **$5**");
    assert_eq!(reached.last(), Some(&written.chars().count()));
}

#[tokio::test]
async fn a_refusal_says_what_to_do_and_never_the_key() {
    let server = SpeechServices::start("").await;
    let fault = |spoken: runtime::ports::Spoken| spoken.fault.expect("a fault").detail;
    let openai = mouth(&server, MouthEngine::Compatible);
    let (spoken, _) = say(&Mouth::new(&openai, &SpeechKeys::default()), "", &["Hi."]).await;
    assert_eq!(spoken.characters, 0, "nothing was said");
    assert!(fault(spoken).contains("SPEECH_API_KEY"));
    let eleven = mouth(&server, MouthEngine::ElevenLabs);
    let mouth = Mouth::new(&eleven, &keys());
    let (spoken, _) = say(&mouth, "nobody", &["Hi."]).await;
    let detail = fault(spoken);
    assert!(
        detail.contains("voice_id nobody was not found") && !detail.contains(SPEECH_KEY),
        "{detail}"
    );
    let (spoken, _) = say(&mouth, "../../x", &["Hi."]).await;
    assert!(fault(spoken).contains("voice.sttPipeline.ttsVoice"));
    server.then("<html>").then("{\"audio_base64\": 7}\n");
    for _ in 0..2 {
        let (spoken, _) = say(&mouth, "", &["Hi."]).await;
        assert!(fault(spoken).contains("otherwise than its API"));
    }
}

#[tokio::test]
async fn what_is_not_plain_sound_is_named() {
    let server = SpeechServices::start("").await;
    let mouth = Mouth::new(&mouth(&server, MouthEngine::Compatible), &keys());
    server.then(b"ID3\x04\0\0\0\0\0\0 and so on".to_vec());
    let (spoken, frames) = say(&mouth, "", &["Hi."]).await;
    assert!(spoken.fault.expect("a fault").detail.contains("MP3"));
    assert!(frames.is_empty());
}

#[tokio::test]
async fn when_the_service_fails_the_built_in_voice_goes_on() {
    let server = SpeechServices::start("").await;
    let choice = MouthChoice {
        fall_back: true,
        timeout: Duration::from_secs(1),
        ..mouth(&server, MouthEngine::Compatible)
    };
    let mouth = Mouth::new(&choice, &keys());
    server.then_silence();
    let (spoken, frames) = say(&mouth, "", &["Hello there.", "Second sentence."]).await;
    assert_eq!(spoken.fault, None);
    assert!(spoken.engine.ends_with("built-in"), "{}", spoken.engine);
    assert_eq!(frames.last().map(|frame| frame.sentence), Some(1));
    let status = mouth.status();
    assert!(status.ready && status.last_fault.expect("a fault").contains("longer than 1 s"));
}

#[tokio::test]
async fn with_nothing_chosen_it_speaks_and_with_something_missing_it_says_so() {
    let built_in = Mouth::new(&MouthChoice::default(), &SpeechKeys::default());
    let (spoken, frames) = say(&built_in, "", &["I am here."]).await;
    assert_eq!((spoken.fault, spoken.cost_micro_dollars), (None, Some(0)));
    assert!(frames.len() > 20 && frames.iter().any(|frame| frame.characters.is_some()));
    let missing = MouthChoice {
        engine: MouthEngine::Piper,
        path: Some("/nonexistent/voice".into()),
        ..MouthChoice::default()
    };
    let makeshift = Mouth::new(&missing, &SpeechKeys::default());
    let status = makeshift.status();
    assert!(status.ready && !status.as_chosen, "{status:?}");
    assert!(
        status.detail.contains("voice.sttPipeline.ttsPath"),
        "{}",
        status.detail
    );
    let off = MouthChoice {
        engine: MouthEngine::None,
        ..MouthChoice::default()
    };
    let silent = Mouth::new(&off, &SpeechKeys::default());
    assert!(!silent.status().ready);
    let (spoken, frames) = say(&silent, "", &["I am here."]).await;
    assert!(spoken.fault.is_some() && frames.is_empty());
    let key = MouthChoice {
        engine: MouthEngine::OpenAi,
        fall_back: false,
        ..MouthChoice::default()
    };
    let keyless = Mouth::new(&key, &SpeechKeys::default()).status();
    assert!(keyless.detail.contains("OPENAI_API_KEY"), "{}", keyless.detail);
}
