//! Transcription by services.

use std::time::Duration;

use runtime::ports::{HeardSpeech, Utterance};
use serde_json::json;
use speech::{Ears, EarsChoice, EarsEngine, SpeechKeys};
use stand_ins::speech::SpeechServices;
use vocabulary::UnheardReason;

use crate::bench::{ears, keys, listen};

fn utterance(heard: &[HeardSpeech]) -> Utterance {
    match heard.last() {
        Some(HeardSpeech::Utterance(utterance)) => utterance.clone(),
        other => panic!("{other:?}"),
    }
}

fn missed(heard: &[HeardSpeech]) -> (UnheardReason, String) {
    let missed = heard.iter().find_map(|heard| match heard {
        HeardSpeech::Missed { reason, detail, .. } => Some((*reason, detail.clone())),
        _ => None,
    });
    missed.unwrap_or_else(|| panic!("{heard:?}"))
}

#[tokio::test]
async fn a_server_with_openais_language_understands() {
    let server = SpeechServices::start("What is the weather like?").await;
    let choice = EarsChoice {
        model: "Systran/faster-whisper-small".to_owned(),
        language: "en-GB".to_owned(),
        hints: vec!["Denizen".to_owned(), "Zoë".to_owned()],
        ..ears(&server, EarsEngine::Compatible, "/v1")
    };
    let heard = listen(&Ears::new(&choice, &keys())).await;
    let utterance = utterance(&heard);
    assert_eq!(utterance.text, "What is the weather like?");
    assert_eq!(utterance.engine, "compatible:Systran/faster-whisper-small");
    assert_eq!(
        utterance.cost_micro_dollars, None,
        "with a key somebody may be paid"
    );
    let asked = server.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].path, "/v1/audio/transcriptions");
    let form = &asked[0].form;
    let fields =
        ["model", "language", "prompt", "response_format", "temperature"].map(|name| form.field(name));
    assert_eq!(
        fields,
        [
            "Systran/faster-whisper-small",
            "en",
            "Denizen, Zoë",
            "verbose_json",
            "0"
        ]
    );
    assert_eq!(form.file_name, "clip.wav");
    let (rate, samples) = form.sound().expect("a file");
    assert_eq!(rate, 16_000);
    assert!((24_000..120_000).contains(&samples), "{samples} samples");
}

#[tokio::test]
async fn newer_models_are_asked_in_the_form_they_take() {
    let server = SpeechServices::start("Hello.").await;
    let choice = EarsChoice {
        model: "gpt-4o-transcribe".to_owned(),
        ..ears(&server, EarsEngine::Compatible, "/v1")
    };
    let heard = listen(&Ears::new(&choice, &keys())).await;
    assert_eq!(utterance(&heard).text, "Hello.");
    assert_eq!(server.asked()[0].form.field("response_format"), "json");
}

#[tokio::test]
async fn whisper_cpp_and_elevenlabs_understand() {
    let server = SpeechServices::start("Hello there.").await;
    let whisper = ears(&server, EarsEngine::Compatible, "/inference");
    let heard = listen(&Ears::new(&whisper, &SpeechKeys::default())).await;
    let words = utterance(&heard);
    assert_eq!(
        (words.text.as_str(), words.engine.as_str()),
        ("Hello there.", "whisper.cpp")
    );
    let eleven = ears(&server, EarsEngine::ElevenLabs, "");
    let heard = listen(&Ears::new(&eleven, &keys())).await;
    let words = utterance(&heard);
    assert_eq!(
        (words.text.as_str(), words.engine.as_str()),
        ("Hello there.", "elevenlabs:scribe_v1")
    );
    let asked = server.asked();
    assert_eq!(asked[1].path, "/v1/speech-to-text");
    assert_eq!(asked[1].form.field("model_id"), "scribe_v1");
    assert!(asked[1].headers.get("authorization").is_none());
}

#[tokio::test]
async fn partials_come_of_a_server_of_ones_own() {
    let server = SpeechServices::start("Hello there.").await;
    let choice = EarsChoice {
        partials: true,
        ..ears(&server, EarsEngine::Compatible, "/inference")
    };
    let ears = Ears::new(&choice, &SpeechKeys::default());
    // The whole question is there at once, so there is one pass, in the pause; and it is the final one.
    let heard = listen(&ears).await;
    assert_eq!(utterance(&heard).text, "Hello there.");
}

#[tokio::test]
async fn a_refusal_says_what_to_do_and_never_the_key() {
    let server = SpeechServices::start("Hello.").await;
    let choice = ears(&server, EarsEngine::Compatible, "/v1");
    let ears = Ears::new(&choice, &SpeechKeys::default());
    let (reason, detail) = missed(&listen(&ears).await);
    assert_eq!(reason, UnheardReason::Failed);
    assert!(
        detail.contains("did not accept the key") && detail.contains("TRANSCRIPTION_API_KEY"),
        "{detail}"
    );
    assert_eq!(ears.status().last_fault.as_deref(), Some(detail.as_str()));

    let table = [
        (
            404,
            json!({"detail": "Model 'x' not found"}),
            "voice.sttPipeline.transcriptionModel",
        ),
        (
            429,
            json!({"error": {"code": "insufficient_quota", "message": "You exceeded"}}),
            "money or quota",
        ),
        (429, json!({"error": {"message": "slow down"}}), "too often"),
        (
            400,
            json!({"detail": [{"msg": "field required"}]}),
            "field required",
        ),
        (307, json!({}), "redirect"),
        (
            413,
            json!({"error": format!("too much for {}", stand_ins::speech::SPEECH_KEY)}),
            "[hidden]",
        ),
    ];
    for (status, body, wanted) in table {
        server.then_status(status, &body);
        // Others each time: who has failed is left alone for a while.
        let ears = Ears::new(&choice, &keys());
        let (reason, detail) = missed(&listen(&ears).await);
        assert_eq!(reason, UnheardReason::Failed);
        assert!(detail.contains(wanted), "{status}: {detail}");
        assert!(!detail.contains(stand_ins::speech::SPEECH_KEY), "{detail}");
    }
}

#[tokio::test]
async fn trouble_on_the_other_side_is_met_with_one_more_try() {
    let server = SpeechServices::start("Hello.").await;
    let ears = Ears::new(&ears(&server, EarsEngine::Compatible, "/v1"), &keys());
    server.then_status(503, &json!({}));
    assert_eq!(utterance(&listen(&ears).await).text, "Hello.");
    server
        .then_status(500, &json!({}))
        .then_status(500, &json!({"error": "the GPU is on fire"}));
    let (_, detail) = missed(&listen(&ears).await);
    assert!(detail.contains("the GPU is on fire"), "{detail}");
    server.then("not json");
    assert!(missed(&listen(&ears).await).1.contains("otherwise than its API"));
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up() {
    let server = SpeechServices::start("Hello.").await;
    let choice = EarsChoice {
        timeout: Duration::from_secs(1),
        ..ears(&server, EarsEngine::Compatible, "/v1")
    };
    server.then_silence();
    let (reason, detail) = missed(&listen(&Ears::new(&choice, &keys())).await);
    assert_eq!(reason, UnheardReason::TimedOut);
    assert!(detail.contains("longer than 1 s"), "{detail}");
}

#[tokio::test]
async fn without_anything_chosen_the_loss_and_its_remedy_are_told() {
    let ears = Ears::new(&EarsChoice::default(), &SpeechKeys::default());
    let status = ears.status();
    assert!(!status.ready && status.engine.is_empty());
    for knob in ["transcriptionPath", "transcriptionUrl", "transcriptionProvider"] {
        assert!(status.detail.contains(knob), "{}", status.detail);
    }
    let heard = listen(&ears).await;
    assert_eq!(heard.first(), Some(&HeardSpeech::Started));
    assert_eq!(missed(&heard), (UnheardReason::NoEars, status.detail));
}
