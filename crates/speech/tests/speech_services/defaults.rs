//! What is used where little is named: models and voices of a service's own list, the first of several that works, and no
//! server that nobody meant.

use runtime::ports::HeardSpeech;
use serde_json::json;
use speech::{Ears, EarsChoice, EarsEngine, Mouth, MouthChoice, MouthEngine, SpeechKeys};
use stand_ins::speech::SpeechServices;

use crate::bench::{ears, keys, listen, mouth, say};

fn has_words(heard: &[HeardSpeech]) -> bool {
    heard
        .iter()
        .any(|heard| matches!(heard, HeardSpeech::Utterance(_)))
}

fn without_model(choice: EarsChoice) -> EarsChoice {
    EarsChoice {
        model: String::new(),
        ..choice
    }
}

#[tokio::test]
async fn the_model_is_one_that_the_service_lists() {
    let server = SpeechServices::start("Hello.").await;
    server.lists_models(&["chat-1", "gpt-4o-transcribe", "whisper-1"]);
    let ears = Ears::new(&without_model(ears(&server, EarsEngine::OpenAi, "/v1")), &keys());
    for _ in 0..2 {
        assert!(has_words(&listen(&ears).await));
    }
    let asked: Vec<String> = server
        .asked()
        .iter()
        .map(|asked| format!("{} {}", asked.path, asked.form.field("model")))
        .collect();
    assert_eq!(
        asked,
        [
            "/v1/models ",
            "/v1/audio/transcriptions whisper-1",
            "/v1/audio/transcriptions whisper-1"
        ],
        "the list is asked for once"
    );
    assert_eq!(ears.status().engine, "openai:whisper-1");
}

#[tokio::test]
async fn without_a_list_a_model_that_is_gone_gives_way_to_the_next() {
    let server = SpeechServices::start("Hello.").await;
    let gone = json!({"detail": {"status": "invalid_model_id", "message": "The model is no longer there."}});
    server.then_status(400, &gone);
    let choice = without_model(ears(&server, EarsEngine::ElevenLabs, ""));
    let ears = Ears::new(&choice, &keys());
    assert!(has_words(&listen(&ears).await));
    let models: Vec<String> = server
        .asked()
        .iter()
        .map(|asked| asked.form.field("model_id").to_owned())
        .collect();
    assert_eq!(models, ["scribe_v2", "scribe_v1"]);
    assert_eq!(ears.status().engine, "elevenlabs:scribe_v1");
}

#[tokio::test]
async fn the_voice_is_one_that_the_account_has() {
    let server = SpeechServices::start("").await;
    server.lists_voices(&["aaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbb"]);
    let choice = MouthChoice {
        voice: String::new(),
        ..mouth(&server, MouthEngine::ElevenLabs)
    };
    let (spoken, frames) = say(&Mouth::new(&choice, &keys()), "", &["Hi.", "There."]).await;
    assert_eq!(spoken.fault, None);
    assert!(!frames.is_empty());
    let paths: Vec<String> = server.asked().into_iter().map(|asked| asked.path).collect();
    assert!(paths[0].starts_with("/v2/voices"), "{paths:?}");
    assert!(
        paths[1..]
            .iter()
            .all(|path| path.contains("/aaaaaaaaaaaaaaaaaaaa/"))
            && paths.len() == 3,
        "{paths:?}"
    );
}

#[tokio::test]
async fn a_server_that_knows_no_long_form_is_asked_for_the_short_one_from_then_on() {
    let server = SpeechServices::start("Hello.").await;
    let refusal = json!({"error": {"message": "Currently only support response_format: `text` or `json`"}});
    server.then_status(400, &refusal);
    let ears = Ears::new(&ears(&server, EarsEngine::Compatible, "/v1"), &keys());
    for _ in 0..2 {
        assert!(has_words(&listen(&ears).await));
    }
    let forms: Vec<String> = server
        .asked()
        .iter()
        .map(|asked| asked.form.field("response_format").to_owned())
        .collect();
    assert_eq!(forms, ["verbose_json", "json", "json"]);
}

#[tokio::test]
async fn what_is_named_and_does_not_work_gives_way_to_what_does() {
    let server = SpeechServices::start("Hello.").await;
    let choice = EarsChoice {
        engine: EarsEngine::Auto,
        folder: Some("/nonexistent/moonshine".into()),
        ..ears(&server, EarsEngine::Compatible, "/v1")
    };
    let ears = Ears::new(&choice, &keys());
    let status = ears.status();
    assert!(
        status.ready && status.detail.contains("/nonexistent/moonshine"),
        "{status:?}"
    );
    assert!(
        status.detail.contains("denizen models install ears"),
        "{}",
        status.detail
    );
    assert!(has_words(&listen(&ears).await));
    let choice = MouthChoice {
        engine: MouthEngine::Auto,
        path: Some("/nonexistent/voice".into()),
        ..mouth(&server, MouthEngine::Compatible)
    };
    let status = Mouth::new(&choice, &keys()).status();
    assert!(status.ready && status.engine == "compatible:tts-1", "{status:?}");
    assert!(status.detail.contains("/nonexistent/voice"), "{}", status.detail);
    let without = MouthChoice {
        url: String::new(),
        ..choice
    };
    let status = Mouth::new(&without, &keys()).status();
    assert!(status.ready && status.engine == "built-in", "{status:?}");
}

#[test]
fn a_server_beside_a_service_is_refused_and_no_password_is_shown() {
    let keys = SpeechKeys::from_env(|name| name.ends_with("_API_KEY").then(|| "key".to_owned()));
    let url = "http://127.0.0.1:8000/v1".to_owned();
    for engine in [EarsEngine::OpenAi, EarsEngine::ElevenLabs] {
        let choice = EarsChoice {
            engine,
            url: url.clone(),
            ..EarsChoice::default()
        };
        let status = Ears::new(&choice, &keys).status();
        assert!(
            !status.ready && status.detail.contains("transcriptionUrl"),
            "{status:?}"
        );
    }
    for engine in [MouthEngine::OpenAi, MouthEngine::ElevenLabs] {
        let choice = MouthChoice {
            engine,
            url: url.clone(),
            ..MouthChoice::default()
        };
        let status = Mouth::new(&choice, &keys).status();
        assert!(
            !status.as_chosen && status.detail.contains("ttsUrl"),
            "{status:?}"
        );
    }
    let choice = EarsChoice {
        url: "http://name:hush@127.0.0.1:8000".to_owned(),
        ..EarsChoice::default()
    };
    let shown = format!("{:?}", Ears::new(&choice, &keys).status());
    assert!(!shown.contains("hush"), "{shown}");
}
