use secrecy::SecretString;
use serde_json::json;
use settings::{Document, Settings};

use super::*;

fn settings(changes: &[(&str, &str)]) -> Settings {
    let mut document = Document::default();
    for (key, value) in changes {
        document.set(*key, json!(value));
    }
    Settings::read(&document).expect("settings")
}

fn keys() -> RealtimeKeys {
    RealtimeKeys {
        openai: Some(SecretString::from("sk-of-openai")),
        ..RealtimeKeys::default()
    }
}

#[test]
fn a_makers_key_goes_to_the_maker_and_to_nobody_else() {
    let own = ServiceChoice::of(&settings(&[]), &keys(), &GoneModels::default()).expect("there is a key");
    assert!(own.is_makers && own.key.is_some());
    assert_eq!(own.who, "OpenAI");
    let elsewhere = settings(&[("voice.openaiRealtime.baseUrl", "ws://127.0.0.1:9/v1")]);
    let elsewhere = ServiceChoice::of(&elsewhere, &keys(), &GoneModels::default()).expect("no key is needed");
    assert!(!elsewhere.is_makers && elsewhere.key.is_none());
    assert_eq!(elsewhere.base, "http://127.0.0.1:9/v1");
    assert_eq!(elsewhere.variable, "REALTIME_API_KEY");
}

#[test]
fn what_is_missing_is_said_by_its_name() {
    for (provider, variable) in [
        ("xai", "XAI_API_KEY"),
        ("gemini", "GEMINI_API_KEY"),
        ("elevenlabs", "ELEVENLABS_API_KEY"),
    ] {
        let settings = settings(&[("voice.realtimeProvider", provider)]);
        let why = ServiceChoice::of(&settings, &keys(), &GoneModels::default()).expect_err("no key");
        assert!(why.contains(variable), "{why}");
    }
    let wrong = settings(&[("voice.openaiRealtime.baseUrl", "ftp://127.0.0.1")]);
    let why = ServiceChoice::of(&wrong, &keys(), &GoneModels::default()).expect_err("no address");
    assert!(why.contains("voice.openaiRealtime.baseUrl"), "{why}");
}

#[test]
fn one_connection_does_both_where_the_service_can() {
    let openai = ServiceChoice::of(&settings(&[]), &keys(), &GoneModels::default()).expect("a choice");
    assert_eq!(openai.ears, openai.mouth);
    let gemini = settings(&[
        ("voice.realtimeProvider", "gemini"),
        ("voice.geminiRealtime.baseUrl", "http://127.0.0.1:9"),
    ]);
    let gemini = ServiceChoice::of(&gemini, &keys(), &GoneModels::default()).expect("a choice");
    assert_eq!((gemini.ears.part, gemini.mouth.part), (Part::Ears, Part::Mouth));
}
