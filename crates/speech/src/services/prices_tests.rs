use serde_json::json;

use super::*;
use crate::keys::SpeechKeys;
use crate::services::Purpose;

fn service(api: Api, url: &str) -> Service {
    let keys = SpeechKeys::from_env(|name| (name.ends_with("_API_KEY")).then(|| "key".to_owned()));
    Service::of(api, Purpose::Hearing, url, &keys).expect("a service")
}

#[test]
fn hearing_is_paid_by_the_minute_or_by_tokens() {
    let openai = service(Api::OpenAi, "");
    let cost = |model: &str, answer| heard_cost(&openai, model, 30.0, &answer);
    assert_eq!(cost("whisper-1", json!({})), Some(3_000));
    let counted = json!({"usage": {"type": "duration", "seconds": 60}});
    assert_eq!(cost("whisper-1", counted), Some(6_000));
    let tokens = json!({"usage": {"type": "tokens", "input_tokens": 114, "input_token_details":
        {"text_tokens": 14, "audio_tokens": 100}, "output_tokens": 20}});
    assert_eq!(cost("gpt-4o-transcribe", tokens), Some(600 + 35 + 200));
    assert_eq!(cost("gpt-4o-mini-transcribe", json!({})), Some(1_500));
    assert_eq!(cost("gpt-transcribe", json!({})), Some(2_250));
    assert_eq!(cost("something-new", json!({})), None, "not guessed");
    assert_eq!(
        heard_cost(&service(Api::ElevenLabs, ""), "scribe_v1", 60.0, &json!({})),
        Some(6_667)
    );
}

#[test]
fn speaking_is_paid_by_the_character_or_by_the_minute() {
    let openai = service(Api::OpenAi, "");
    assert_eq!(spoken_cost(&openai, "tts-1", 100, 5.0), Some(1_500));
    assert_eq!(spoken_cost(&openai, "tts-1-hd", 100, 5.0), Some(3_000));
    assert_eq!(spoken_cost(&openai, "gpt-4o-mini-tts", 100, 6.0), Some(1_515));
    assert_eq!(spoken_cost(&openai, "new", 100, 6.0), None);
    let eleven = service(Api::ElevenLabs, "");
    assert_eq!(spoken_cost(&eleven, "eleven_flash_v2_5", 100, 6.0), Some(5_000));
}

#[test]
fn a_server_in_the_house_costs_nothing_and_what_another_costs_nobody_knows() {
    let of =
        |url| Service::of(Api::OpenAi, Purpose::Hearing, url, &SpeechKeys::default()).expect("a service");
    let own = of("http://127.0.0.1:1");
    assert_eq!(heard_cost(&own, "whisper-1", 30.0, &json!({})), Some(0));
    assert_eq!(spoken_cost(&own, "kokoro", 100, 6.0), Some(0));
    let elsewhere = of("https://api.groq.com/openai/v1");
    let proxy = service(Api::OpenAi, "http://127.0.0.1:4000");
    for paid in [elsewhere, proxy] {
        assert_eq!(heard_cost(&paid, "whisper-1", 30.0, &json!({})), None);
        assert_eq!(spoken_cost(&paid, "tts-1", 100, 6.0), None);
    }
}
