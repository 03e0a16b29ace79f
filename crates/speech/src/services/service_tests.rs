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
    assert!(written_out.expect("a key is there").is_makers);
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
fn only_a_server_in_the_house_that_wants_no_key_is_free() {
    let none = SpeechKeys::default();
    let with_key = SpeechKeys {
        transcription: Some(SecretString::from("tr-key")),
        ..SpeechKeys::default()
    };
    let of = |url: &str, keys: &SpeechKeys| {
        Service::of(Api::OpenAi, Purpose::Hearing, url, keys).expect("a service")
    };
    for url in [
        "http://127.0.0.1:8000",
        "http://192.168.1.7:8000/v1",
        "http://[::1]:1",
        "http://whisper:8000",
        "http://nas.local:9000",
    ] {
        assert!(of(url, &none).is_free, "{url}");
        assert!(
            !of(url, &with_key).is_free,
            "{url} with a key: somebody may pay for it"
        );
    }
    for url in [
        "https://api.groq.com/openai/v1",
        "https://eu.api.openai.com/v1",
        "https://openrouter.ai/api/v1",
        "http://8.8.8.8/v1",
    ] {
        assert!(!of(url, &with_key).is_free, "{url}");
    }
    assert!(!of("https://api.groq.com/openai/v1", &none).is_free);
    assert!(of("https://eu.api.openai.com/v1", &with_key).is_makers);
    assert!(!of("https://api.openai.com.evil.example/v1", &with_key).is_makers);
    assert!(
        !of("http://eu.api.openai.com/v1", &with_key).is_makers,
        "not in the open"
    );
}

#[test]
fn an_address_of_somebody_else_beside_a_maker_is_a_mistake_that_is_told() {
    let makers = |api, url: &str| Service::makers(api, Purpose::Hearing, url, "", &keys());
    for api in [Api::OpenAi, Api::ElevenLabs] {
        let why = makers(api, "http://127.0.0.1:8000/v1").expect_err("a reason");
        assert!(
            why.contains("transcriptionUrl") && why.contains("compatible") && why.contains(api.name()),
            "{why}"
        );
        assert!(makers(api, "").is_ok());
    }
    assert!(makers(Api::OpenAi, "https://eu.api.openai.com/v1").is_ok());
    assert!(makers(Api::ElevenLabs, "https://api.eu.residency.elevenlabs.io").is_ok());
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
