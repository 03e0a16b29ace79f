//! Each service by its double, over a real socket: words for a clip, sound for a text, and what goes wrong in between.

use std::sync::Arc;
use std::time::Duration;

use realtime::{Realtime, RealtimeKeys};
use realtime_double::{Mischief, Received, ServiceDouble, Vendor};
use runtime::ports::{RealtimeFault, RealtimeService, RealtimeServices as _, RealtimeSound};
use serde_json::json;
use settings::{Document, Settings};
use tokio::sync::mpsc;
use tokio::time::Instant;

const SERVICES: [(&str, &str, &str); 4] = [
    ("openai", "voice.openaiRealtime.baseUrl", "/v1"),
    ("xai", "voice.xaiRealtime.baseUrl", "/v1"),
    ("gemini", "voice.geminiRealtime.baseUrl", ""),
    ("elevenlabs", "voice.elevenLabsRealtime.baseUrl", ""),
];

/// A double, and the service that is reached there.
async fn service(name: &str) -> (ServiceDouble, Arc<dyn RealtimeService>) {
    service_with(name, "").await
}

/// The same; the operator has named its model.
async fn service_with(name: &str, model: &str) -> (ServiceDouble, Arc<dyn RealtimeService>) {
    let vendor = if name == "xai" {
        Vendor::Xai
    } else {
        Vendor::OpenAi
    };
    let double = ServiceDouble::start(vendor).await;
    let (_, knob, path) = SERVICES
        .iter()
        .find(|(other, ..)| *other == name)
        .expect("a service");
    let mut document = Document::default();
    document.set("voice.realtimeProvider", json!(name));
    document.set(*knob, json!(double.url(path)));
    document.set(knob.replace("baseUrl", "model"), json!(model));
    let settings = Settings::read(&document).expect("settings");
    let realtime = Realtime::new(RealtimeKeys::default());
    let service = realtime.chosen(&settings).expect("it can be used");
    (double, service)
}

/// A second of something.
fn clip() -> Arc<[i16]> {
    (0..16_000)
        .map(|at| (at % 100) as i16 * 50)
        .collect::<Vec<_>>()
        .into()
}

async fn words(service: &Arc<dyn RealtimeService>) -> Result<String, RealtimeFault> {
    let deadline = Instant::now() + Duration::from_secs(20);
    service.understand(clip(), deadline).await.map(|heard| heard.text)
}

/// All of the sound of a text, and what came of it.
async fn said(
    service: &Arc<dyn RealtimeService>,
    text: &str,
) -> (Vec<RealtimeSound>, Result<(), RealtimeFault>) {
    let (sound, mut pieces) = mpsc::channel(10_000);
    let said = service.say(text, sound).await;
    let mut heard = Vec::new();
    while let Ok(piece) = pieces.try_recv() {
        heard.push(piece);
    }
    (heard, said)
}

fn seconds(pieces: &[RealtimeSound]) -> f64 {
    pieces
        .iter()
        .map(|piece| piece.samples.len() as f64 / f64::from(piece.rate))
        .sum()
}

const TEXT: &str = "It is half past three, and the kettle is on.";

#[tokio::test]
async fn every_service_hears_and_says_word_for_word() {
    for (name, ..) in SERVICES {
        let (double, service) = service(name).await;
        double.hears("Good morning.");
        double.hears("And good night.");
        assert_eq!(words(&service).await.as_deref(), Ok("Good morning."), "{name}");
        let (pieces, over) = said(&service, TEXT).await;
        assert_eq!(over, Ok(()), "{name}");
        let expected = TEXT.chars().count() as f64 * 0.06;
        assert!(
            (seconds(&pieces) - expected).abs() < 0.2,
            "{name}: {} s",
            seconds(&pieces)
        );
        assert_eq!(words(&service).await.as_deref(), Ok("And good night."), "{name}");
        let standing = service.news().borrow().clone();
        assert!(standing.works, "{name}: {standing:?}");
    }
}

#[tokio::test]
async fn timings_are_told_where_the_service_has_them() {
    let (_double, service) = service("elevenlabs").await;
    let (pieces, _) = said(&service, TEXT).await;
    let marks: Vec<_> = pieces.iter().flat_map(|piece| piece.marks.clone()).collect();
    assert!(
        marks
            .windows(2)
            .all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1),
        "{marks:?}"
    );
    assert_eq!(
        marks.last().map(|(_, characters)| *characters),
        Some(TEXT.chars().count())
    );
}

#[tokio::test]
async fn nothing_is_kept_at_the_service() {
    for name in ["openai", "xai"] {
        let (double, service) = service(name).await;
        for _ in 0..3 {
            words(&service).await.expect("words");
            said(&service, TEXT).await.1.expect("sound");
        }
        for _ in 0..200 {
            if double.kept() == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(double.kept(), 0, "{name}");
    }
}

#[tokio::test]
async fn a_clip_survives_a_connection_that_breaks_and_a_text_that_was_heard_is_not_said_again() {
    for (name, ..) in SERVICES {
        let (double, service) = service(name).await;
        double.hears_always("Good morning.");
        double.fault(Mischief::DropOnCommit);
        assert_eq!(words(&service).await.as_deref(), Ok("Good morning."), "{name}");
        double.fault(Mischief::DropInSpeech);
        let (pieces, over) = said(&service, TEXT).await;
        assert!(over.is_err_and(|fault| fault.fault.retryable), "{name}");
        assert!(seconds(&pieces) < 1.0, "{name}: {} s", seconds(&pieces));
        let (pieces, over) = said(&service, TEXT).await;
        assert_eq!(over, Ok(()), "{name}: the next is said");
        assert!(seconds(&pieces) > 2.0, "{name}");
    }
}

#[tokio::test]
async fn who_does_not_listen_any_more_stops_it_and_the_next_text_is_clean() {
    for (name, ..) in SERVICES {
        let (double, service) = service(name).await;
        double.fault(Mischief::GoOnAfterCancel);
        let (sound, mut pieces) = mpsc::channel(10_000);
        let long = TEXT.repeat(10);
        let saying = service.clone();
        let task = tokio::spawn(async move { saying.say(&long, sound).await });
        pieces.recv().await.expect("it begins");
        task.abort();
        drop(pieces);
        let (pieces, over) = said(&service, TEXT).await;
        assert_eq!(over, Ok(()), "{name}");
        let expected = TEXT.chars().count() as f64 * 0.06;
        assert!(
            (seconds(&pieces) - expected).abs() < 0.2,
            "{name}: {} s",
            seconds(&pieces)
        );
    }
}

#[tokio::test]
async fn a_key_that_is_refused_is_told_and_not_tried_at_once() {
    let (double, service) = service("openai").await;
    double.fault(Mischief::RefuseKey);
    let mut news = service.news();
    let fault = words(&service).await.expect_err("no words");
    assert!(!fault.fault.retryable, "{fault:?}");
    assert!(fault.fault.detail.contains("REALTIME_API_KEY"), "{fault:?}");
    news.wait_for(|standing| !standing.works)
        .await
        .expect("it is told");
    let again = words(&service).await.expect_err("it is left alone");
    assert_eq!(again.fault.detail, fault.fault.detail);
    assert_eq!(double.received().len(), 0);
}

#[tokio::test]
async fn what_a_service_refuses_ends_at_once() {
    for name in ["openai", "elevenlabs"] {
        let (double, service) = service(name).await;
        double.fault(Mischief::RefuseText);
        let (pieces, over) = said(&service, TEXT).await;
        let fault = over.expect_err("it is refused");
        assert!(
            fault.fault.detail.contains("That cannot be said."),
            "{name}: {fault:?}"
        );
        assert!(pieces.is_empty());
        double.fault(Mischief::FailTranscript);
        assert!(words(&service).await.is_err(), "{name}");
        assert!(words(&service).await.is_ok(), "{name}");
    }
}

#[tokio::test]
async fn people_who_speak_at_the_same_time_are_heard_at_the_same_time() {
    let (double, service) = service("elevenlabs").await;
    double.hears_always("Good morning.");
    let together = (0..4).map(|_| {
        let service = service.clone();
        tokio::spawn(async move { words(&service).await })
    });
    for heard in together.collect::<Vec<_>>() {
        assert_eq!(heard.await.expect("it ends").as_deref(), Ok("Good morning."));
    }
    let lines: std::collections::BTreeSet<u64> = double
        .received()
        .iter()
        .map(|received| received.connection)
        .collect();
    assert_eq!(lines.len(), 4);
}

/// What a trial of a service says: what came of it, and what to do.
async fn tried(service: &Arc<dyn RealtimeService>) -> (String, String) {
    let why = service.try_out(Duration::from_secs(10)).await;
    let why = why.expect_err("it does not work");
    assert!(!why.is_slow, "{why:?}");
    (why.detail, why.remedy)
}

#[tokio::test]
async fn a_service_is_tried_by_setting_a_session_up_and_what_is_wrong_is_told_with_its_remedy() {
    for (name, ..) in SERVICES {
        let (double, service) = service_with(name, "one-that-was-named").await;
        assert_eq!(service.try_out(Duration::from_secs(10)).await, Ok(()), "{name}");
        double.fault(Mischief::RefuseKey);
        let (detail, remedy) = tried(&service).await;
        assert!(
            detail.contains("401") && remedy.contains("REALTIME_API_KEY"),
            "{name}: {detail}: {remedy}"
        );
        double.fault(Mischief::UnknownModel);
        let (detail, remedy) = tried(&service).await;
        // Its ears are tried first, and have a model of their own.
        let knob = match name {
            "elevenlabs" => "Realtime.transcriptionModel",
            _ => "Realtime.model",
        };
        assert!(
            detail.contains("The model does not exist") && remedy.contains(knob),
            "{name}: {detail}: {remedy}"
        );
        let address = double.address().to_string();
        drop(double);
        let (detail, remedy) = tried(&service).await;
        assert!(
            detail.contains("cannot be reached") && remedy.contains(&address) && remedy.contains("baseUrl"),
            "{name}: {detail}: {remedy}"
        );
    }
    let (double, service) = service("openai").await;
    double.fault(Mischief::NoQuota);
    let (detail, remedy) = tried(&service).await;
    assert!(
        detail.contains("quota") && remedy.contains("billing"),
        "{detail}: {remedy}"
    );
    double.fault(Mischief::RateLimit);
    let (_, remedy) = tried(&service).await;
    assert!(remedy.contains("try again"), "{remedy}");
}

/// The next usual model of each.
const NEXT: [(&str, &str); 4] = [
    ("openai", "gpt-realtime-2.1"),
    ("xai", "grok-voice-think-fast-2.0"),
    ("gemini", "gemini-3.8-live-extended-thinking"),
    ("elevenlabs", "eleven_v4_turbo"),
];

/// Whether something was sent to this model, by what says so.
fn is_for(received: &Received, model: &str) -> bool {
    received.path.contains(model) || received.frame["setup"]["model"] == format!("models/{model}")
}

#[tokio::test]
async fn another_usual_model_takes_the_place_of_one_that_the_service_does_not_have() {
    for (name, next) in NEXT {
        let (double, service) = service(name).await;
        double.hears("Good morning.");
        double.fault(Mischief::UnknownModel);
        // The mouth of ElevenLabs alone names that model.
        let (pieces, result) = said(&service, "The kettle is on.").await;
        assert!(result.is_ok() && seconds(&pieces) > 0.5, "{name}: {result:?}");
        let asked = double.received();
        assert!(
            asked.iter().any(|received| is_for(received, next)),
            "{name}: {asked:?}"
        );
        assert!(service.speaking_engine().ends_with(next), "{name}");
        if name != "elevenlabs" {
            assert_eq!(words(&service).await.as_deref(), Ok("Good morning."), "{name}");
        }
    }
}

#[tokio::test]
async fn what_was_sent_to_a_model_that_turns_out_not_to_be_there_is_sent_to_the_next_one_at_once() {
    for (name, next) in NEXT {
        let (double, service) = service(name).await;
        double.hears("Good morning.");
        double.fault(Mischief::UnknownModelOnceSetUp);
        let (pieces, result) = said(&service, TEXT).await;
        assert!(result.is_ok() && seconds(&pieces) > 2.0, "{name}: {result:?}");
        let asked = double.received();
        let first = asked.iter().find(|received| is_for(received, next));
        // The very next connection was told how the session is to be, and given the text.
        assert_eq!(first.map(|received| received.connection), Some(2), "{name}");
        let engine = service.speaking_engine();
        assert!(engine.ends_with(next), "{name}: {engine}");
        assert_eq!(service.news().borrow().service, engine, "{name}");
        if name != "elevenlabs" {
            assert_eq!(words(&service).await.as_deref(), Ok("Good morning."), "{name}");
        }
    }
}

#[tokio::test]
async fn a_service_is_tried_with_the_next_model_where_the_first_is_not_there() {
    for (name, next) in NEXT {
        let (double, service) = service(name).await;
        double.fault(Mischief::UnknownModelOnceSetUp);
        assert_eq!(service.try_out(Duration::from_secs(10)).await, Ok(()), "{name}");
        // ElevenLabs tells it when it is given a text, and none is said to try it.
        let engine = service.speaking_engine();
        assert_eq!(engine.ends_with(next), name != "elevenlabs", "{name}: {engine}");
    }
}

#[tokio::test]
async fn a_model_that_writes_down_what_is_heard_and_is_not_there_costs_no_other_its_place() {
    for (name, fault, usual) in [
        ("openai", Mischief::UnknownEars, "gpt-realtime-1.5"),
        ("elevenlabs", Mischief::UnknownModel, "eleven_flash_v2_5"),
    ] {
        let (double, service) = service(name).await;
        double.fault(fault);
        let fault = words(&service).await.expect_err("nobody writes it down");
        assert!(!fault.fault.retryable, "{name}: {fault:?}");
        let engine = service.speaking_engine();
        assert!(engine.ends_with(usual), "{name}: {engine}");
    }
    let (double, service) = service("openai").await;
    double.fault(Mischief::UnknownEars);
    let (detail, remedy) = tried(&service).await;
    assert!(
        detail.contains("transcription.model") && remedy.contains("openaiRealtime.transcriptionModel"),
        "{detail}: {remedy}"
    );
}
