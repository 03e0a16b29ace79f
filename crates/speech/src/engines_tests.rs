use runtime::ports::SpeechEngines as _;
use settings::{Document, Settings};

use super::{Engines, InstalledSpeech, ears_choice, mouth_choice};
use crate::keys::SpeechKeys;

fn settings(document: serde_json::Value) -> Settings {
    let document = Document::from_value(document).expect("settings");
    Settings::read(&document).expect("valid settings")
}

#[tokio::test]
async fn with_nothing_installed_it_speaks_and_says_how_to_get_ears() {
    let engines = Engines::new(SpeechKeys::default(), InstalledSpeech::default);
    let chosen = engines.chosen(&Settings::default()).await;
    assert!(chosen.mouth_standing.works, "{:?}", chosen.mouth_standing);
    assert_eq!(chosen.mouth_standing.remedy, None);
    assert!(!chosen.ears_standing.works);
    let remedy = chosen.ears_standing.remedy.expect("what to do");
    assert!(remedy.contains("denizen models install ears"), "{remedy}");
}

#[tokio::test]
async fn ears_work_without_the_model_that_hears_ends_of_turns_and_say_how_to_get_it() {
    let mut document = serde_json::json!({
        "voice.sttPipeline.transcriptionUrl": "http://127.0.0.1:8000/v1",
        "voice.sttPipeline.endOfTurn": "model",
    });
    let engines = Engines::new(SpeechKeys::default(), InstalledSpeech::default);
    let ears = engines.chosen(&settings(document.clone())).await.ears_standing;
    let remedy = ears.remedy.expect("what to do");
    assert!(
        ears.works && remedy.contains("denizen models install turn"),
        "{remedy}"
    );

    document["voice.sttPipeline.endOfTurnPath"] = serde_json::json!("/nowhere/turn.onnx");
    let ears = engines.chosen(&settings(document.clone())).await.ears_standing;
    let remedy = ears.remedy.expect("what is wrong");
    assert!(ears.works && remedy.contains("/nowhere/turn.onnx"), "{remedy}");

    document["voice.sttPipeline.endOfTurn"] = serde_json::json!("silence");
    let ears = engines.chosen(&settings(document)).await.ears_standing;
    assert_eq!((ears.works, ears.remedy), (true, None));
}

#[tokio::test]
async fn ears_that_are_switched_off_are_not_offered() {
    let off = settings(serde_json::json!({"voice.sttPipeline.transcriptionProvider": "off"}));
    let engines = Engines::new(SpeechKeys::default(), InstalledSpeech::default);
    let remedy = engines.chosen(&off).await.ears_standing.remedy.expect("why");
    assert!(!remedy.contains("models install"), "{remedy}");
}

#[test]
fn what_is_installed_is_used_where_nothing_else_is_named() {
    let installed = Some("/data/models/ears".into());
    let plain = Settings::default();
    assert_eq!(ears_choice(&plain, installed.clone(), None).folder, installed);
    let voices = vec!["/data/models/joe".into(), "/data/models/kokoro".into()];
    assert_eq!(
        mouth_choice(&plain, voices.clone()).path,
        Some("/data/models/joe".into())
    );
    let server = settings(serde_json::json!({
        "voice.sttPipeline.transcriptionUrl": "http://127.0.0.1:8000/v1",
        "voice.sttPipeline.ttsProvider": "builtin",
        "voice.endOfSpeechMs": 400,
    }));
    let ears = ears_choice(&server, installed.clone(), Some("/data/models/turn".into()));
    assert_eq!(ears.folder, None);
    assert_eq!(ears.rules.end_of_speech.as_millis(), 400);
    assert_eq!(ears.hints, ["Denizen"]);
    assert_eq!(ears.turn_path, Some("/data/models/turn".into()));
    assert_eq!(mouth_choice(&server, voices).path, None);
}

#[tokio::test]
async fn a_look_loads_nothing_and_what_was_tried_is_known_from_then_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let ears = folder.path().join("moonshine-tiny");
    std::fs::create_dir(&ears).expect("a folder");
    let files = [
        "encoder_model.onnx",
        "decoder_model_merged.onnx",
        "tokenizer.json",
    ];
    for name in files {
        std::fs::write(ears.join(name), "no model").expect("written");
    }
    let there = ears.clone();
    let engines = Engines::new(SpeechKeys::default(), move || InstalledSpeech {
        ears: Some(there.clone()),
        ..InstalledSpeech::default()
    });
    let settings = Settings::default();
    // Whoever loaded it would have noticed that these are no models.
    let seen = engines.standing(&settings).await.ears;
    assert_eq!(
        (seen.works, seen.engine.as_str()),
        (true, "moonshine-tiny"),
        "{seen:?}"
    );
    let tried = engines.chosen(&settings).await.ears_standing;
    assert!(!tried.works, "{tried:?}");
    let seen = engines.standing(&settings).await.ears;
    assert_eq!((seen.works, &seen.remedy), (false, &tried.remedy));
    std::fs::remove_file(ears.join("tokenizer.json")).expect("removed");
    let seen = engines.standing(&settings).await.ears;
    assert!(seen.remedy.expect("what is missing").contains("tokenizer.json"));
}
