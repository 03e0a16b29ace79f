use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::event::{FaultKind, ResponseOutcome, Usage};

fn brief(dialect: Dialect, part: Part) -> SessionBrief {
    SessionBrief {
        dialect,
        part,
        model: "a model".to_owned(),
        transcription_model: "gpt-transcribe".to_owned(),
        voice: "marin".to_owned(),
        language: "en-GB".to_owned(),
        hints: vec!["Denizen".to_owned(), "Zoë".to_owned()],
    }
}

fn all() -> [SessionBrief; 6] {
    [
        brief(Dialect::OpenAi, Part::Both),
        brief(Dialect::Xai, Part::Both),
        brief(Dialect::Gemini, Part::Ears),
        brief(Dialect::Gemini, Part::Mouth),
        brief(Dialect::ElevenLabsEars, Part::Ears),
        brief(Dialect::ElevenLabsMouth, Part::Mouth),
    ]
}

fn written(brief: &SessionBrief, command: &Command) -> Vec<Value> {
    let frames = brief.write(command);
    frames
        .iter()
        .map(|frame| serde_json::from_str(frame).expect("JSON"))
        .collect()
}

#[test]
fn a_text_is_said_out_of_band_and_nothing_answers_by_itself() {
    let openai = brief(Dialect::OpenAi, Part::Both);
    let session = &written(&openai, &Command::SetUp { resume: None })[0]["session"];
    assert_eq!(session["audio"]["input"]["turn_detection"], json!(null));
    assert_eq!(session["audio"]["input"]["transcription"]["language"], "en");
    assert_eq!(session["audio"]["input"]["transcription"]["keywords"][1], "Zoë");
    let utter = Command::Utter {
        number: 7,
        text: "Hello.".to_owned(),
    };
    let response = &written(&openai, &utter)[0]["response"];
    assert_eq!(response["conversation"], "none");
    assert_eq!(response["input"][0]["content"][0]["text"], "Hello.");
    assert_eq!(response["metadata"]["denizen_utterance"], "7");
}

#[test]
fn addresses_hold_what_was_chosen_and_no_key() {
    let paths = all().map(|brief| brief.path());
    assert_eq!(paths[0], "/realtime?model=a+model");
    assert!(
        paths[4].contains("keyterms=Zo%C3%AB") && paths[4].contains("commit_strategy=manual"),
        "{}",
        paths[4]
    );
    assert!(
        paths[5].starts_with("/v1/text-to-speech/marin/multi-stream-input?model_id=a+model"),
        "{}",
        paths[5]
    );
}

#[test]
fn what_services_tell_is_read() {
    let openai = brief(Dialect::OpenAi, Part::Both);
    let read = |frame: Value| openai.read(&frame.to_string()).events.remove(0);
    let done = json!({
        "type": "response.done", "event_id": "e1",
        "response": {"id": "r1", "status": "completed", "usage": {"output_token_details": {"audio_tokens": 5}}},
    });
    assert_eq!(openai.read(&done.to_string()).id.as_deref(), Some("e1"));
    assert!(matches!(
        read(done),
        ServiceEvent::Ended { response: Some(response), outcome: ResponseOutcome::Whole, usage } if response == "r1" && usage.sound_out == 5
    ));
    let complaint = json!({"type": "error", "error": {"type": "invalid_request_error", "code": "response_cancel_not_active", "message": "no"}});
    assert!(matches!(read(complaint), ServiceEvent::Fault(fault) if fault.kind == FaultKind::Moot));
    let expired = json!({"type": "error", "error": {"type": "invalid_request_error", "code": "session_expired", "message": "60 minutes"}});
    assert!(matches!(read(expired), ServiceEvent::Fault(fault) if fault.kind == FaultKind::SessionOver));
    let gemini = brief(Dialect::Gemini, Part::Mouth);
    let going = json!({"goAway": {"timeLeft": "9.5s"}});
    assert_eq!(
        gemini.read(&going.to_string()).events,
        [ServiceEvent::GoingAway { left: Span(9_500) }]
    );
    let dropped = json!({"toolCallCancellation": {"ids": ["call_1"]}});
    assert_eq!(
        gemini.read(&dropped.to_string()).events,
        [ServiceEvent::CallsDropped {
            ids: vec!["call_1".to_owned()]
        }]
    );
    let mouth = brief(Dialect::ElevenLabsMouth, Part::Mouth);
    let piece = json!({
        "audio": "AQACAA==", "contextId": "denizen-3",
        "alignment": {"chars": ["H", "i"], "charStartTimesMs": [0, 50], "charDurationsMs": [50, 70]},
    });
    assert_eq!(
        mouth.read(&piece.to_string()).events,
        [ServiceEvent::Sound {
            response: Some("denizen-3".to_owned()),
            samples: vec![1, 2],
            marks: vec![(0.05, 1), (0.12, 2)],
        }]
    );
    assert_eq!(mouth.response_of(3).as_deref(), Some("denizen-3"));
}

#[test]
fn gemini_waits_for_what_it_has_called_unless_its_model_never_does() {
    let being = std::sync::Arc::new(runtime::ports::NativeInstructions {
        text: "Be kind.".to_owned(),
        tools: vec![vocabulary::ToolSpec {
            name: "look_up".to_owned(),
            description: "Looks something up.".to_owned(),
            parameters: json!({"type": "object"}),
        }],
    });
    let behaviours = |model: &str| {
        let mind = SessionBrief {
            model: model.to_owned(),
            ..brief(Dialect::Gemini, Part::Mind)
        };
        let begin = Command::Begin {
            resume: None,
            being: being.clone(),
            history: Vec::new(),
        };
        let instruct = Command::Instruct { being: being.clone() };
        [
            written(&mind, &begin)[0]["setup"]["tools"][0]["functionDeclarations"][0]["behavior"].clone(),
            written(&mind, &instruct)[0]["contextUpdate"]["tools"]["tools"][0]["functionDeclarations"][0]["behavior"]
                .clone(),
        ]
    };
    assert_eq!(
        behaviours("gemini-3.8-live"),
        [json!("BLOCKING"), json!("BLOCKING")]
    );
    assert_eq!(
        behaviours("gemini-3.8-live-extended-thinking"),
        [json!(null), json!(null)]
    );
}

#[test]
fn a_model_that_is_not_there_is_the_one_that_is_asked_for_unless_it_is_told_apart() {
    let told = |part: serde_json::Value, message: &str| {
        let error = json!({"code": "model_not_found", "message": message, "param": part});
        super::reading::complaint(&error)
    };
    let both = brief(Dialect::OpenAi, Part::Both);
    assert!(both.lacks_its_model(&told(json!(null), "The model 'a model' does not exist.")));
    let apart = told(
        json!("session.audio.input.transcription.model"),
        "There is no such model.",
    );
    assert!(!both.lacks_its_model(&apart));
    assert!(!both.lacks_its_model(&told(json!(null), "The model 'gpt-transcribe' does not exist.")));
    let ears = brief(Dialect::ElevenLabsEars, Part::Ears);
    assert!(!ears.lacks_its_model(&told(json!(null), "There is no such model.")));
    // One that hears and speaks by the same model has no other.
    let gemini = SessionBrief {
        transcription_model: "a model".to_owned(),
        ..brief(Dialect::Gemini, Part::Ears)
    };
    assert!(gemini.lacks_its_model(&told(json!(null), "models/a model is not found")));
}

#[test]
fn what_gemini_says_in_between_does_not_end_its_answer_and_its_thoughts_are_counted() {
    let mind = brief(Dialect::Gemini, Part::Mind);
    let ended = |status: &str| {
        let frame = json!({
            "serverContent": {"turnComplete": true, "interactionStatus": status},
            "usageMetadata": {
                "promptTokenCount": 522, "thoughtsTokenCount": 136,
                "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 332}, {"modality": "AUDIO", "tokenCount": 165}],
                "responseTokensDetails": [{"modality": "AUDIO", "tokenCount": 42}],
            },
        });
        let events = mind.read(&frame.to_string()).events.into_iter();
        let usages = events.filter_map(|event| match event {
            ServiceEvent::Ended { usage, .. } => Some((true, usage)),
            ServiceEvent::Spent { usage } => Some((false, usage)),
            _ => None,
        });
        let of = |usage: Usage| [usage.text_in, usage.sound_in, usage.text_out, usage.sound_out];
        usages
            .map(|(is_over, usage)| (is_over, of(usage)))
            .collect::<Vec<_>>()
    };
    assert_eq!(ended("IN_PROGRESS"), [(false, [357, 165, 136, 42])]);
    assert_eq!(ended("IDLE"), [(true, [357, 165, 136, 42])]);
}

/// A frame of each kind, of each service.
fn samples() -> Vec<Value> {
    vec![
        json!({"type": "response.output_audio.delta", "event_id": "e", "response_id": "r", "delta": "AQACAA=="}),
        json!({"type": "response.done", "response": {"id": "r", "status": "failed", "status_details": {"error": {"code": "x", "message": "y"}}, "usage": {"input_token_details": {"text_tokens": 1}}}}),
        json!({"type": "conversation.item.input_audio_transcription.completed", "item_id": "i", "transcript": "t", "usage": {"type": "tokens", "input_tokens": 3, "output_tokens": 4, "input_token_details": {"text_tokens": 9}}}),
        json!({"type": "rate_limits.updated", "rate_limits": [{"name": "tokens", "remaining": 3, "reset_seconds": 1.5}]}),
        json!({"type": "error", "error": {"type": "t", "code": "c", "message": "m"}}),
        json!({"serverContent": {"modelTurn": {"parts": [{"inlineData": {"data": "AQACAA=="}}]}, "inputTranscription": {"text": "t"}, "turnComplete": true}, "usageMetadata": {"promptTokensDetails": [{"modality": "AUDIO", "tokenCount": 4}]}}),
        json!({"goAway": {"timeLeft": "5s"}, "sessionResumptionUpdate": {"newHandle": "h", "resumable": true}}),
        json!({"message_type": "committed_transcript", "text": "t"}),
        json!({"message_type": "rate_limited", "error": "e"}),
        json!({"audio": "AQACAA==", "contextId": "c", "isFinal": true, "alignment": {"chars": ["a"], "charStartTimesMs": [1], "charDurationsMs": [2]}}),
    ]
}

mod hostile_frames {
    use super::*;

    proptest! {
        #![proptest_config(hostile::cases(300))]
        #[test]
        fn nothing_that_a_service_sends_breaks_the_reading(frame in hostile::mangled(samples())) {
            for brief in all() {
                let _ = brief.read(&frame.to_string());
            }
        }

        #[test]
        fn nor_do_bytes_that_are_no_frames(
            text in hostile::wounded_text(&samples().iter().map(ToString::to_string).collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>())
        ) {
            for brief in all() {
                let _ = brief.read(&text);
            }
        }
    }
}
