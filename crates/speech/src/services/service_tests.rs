use super::*;

fn keys() -> SpeechKeys {
    SpeechKeys {
        openai: Some(SecretString::from("sk-openai")),
        elevenlabs: Some(SecretString::from("xi-eleven")),
        ..SpeechKeys::default()
    }
}

#[test]
fn a_makers_key_goes_to_its_maker_and_nowhere_else() {
    let makers = Service::of(Api::OpenAi, Purpose::Hearing, "", &keys()).expect("a key is there");
    assert_eq!(
        (makers.key(), makers.variable),
        (Some("sk-openai"), "OPENAI_API_KEY")
    );
    let written_out = Service::of(
        Api::OpenAi,
        Purpose::Hearing,
        "https://api.openai.com/v1/",
        &keys(),
    );
    assert!(!written_out.expect("a key is there").is_own);
    let own =
        Service::of(Api::OpenAi, Purpose::Speaking, "http://127.0.0.1:8880", &keys()).expect("no key needed");
    assert_eq!(own.key(), None);
    assert_eq!(
        own.address("/audio/speech"),
        "http://127.0.0.1:8880/v1/audio/speech"
    );
    assert_eq!(own.who, "the server at http://127.0.0.1:8880");
    let mut with_own = keys();
    with_own.speech = Some(SecretString::from("sp-own"));
    let own = Service::of(
        Api::ElevenLabs,
        Purpose::Speaking,
        "http://127.0.0.1:9/x",
        &with_own,
    )
    .expect("a key");
    assert_eq!((own.key(), own.variable), (Some("sp-own"), "SPEECH_API_KEY"));
    assert!(!format!("{own:?}").contains("sp-own"));
}

#[test]
fn what_is_missing_or_wrong_is_said_with_its_remedy() {
    let why =
        |api, purpose, url| Service::of(api, purpose, url, &SpeechKeys::default()).expect_err("a reason");
    let text = why(Api::OpenAi, Purpose::Hearing, "");
    assert!(
        text.contains("TRANSCRIPTION_API_KEY") && text.contains("OPENAI_API_KEY"),
        "{text}"
    );
    let text = Service::own(Api::OpenAi, Purpose::Hearing, " ", &keys()).expect_err("a reason");
    assert!(text.contains("voice.sttPipeline.transcriptionUrl"), "{text}");
    for url in ["nowhere", "ftp://a", "http://name:word@a", "http://a/?b=c"] {
        let text = why(Api::OpenAi, Purpose::Speaking, url);
        assert!(text.starts_with("voice.sttPipeline.ttsUrl is "), "{text}");
        assert!(!text.contains("word@"), "{text}");
    }
}
