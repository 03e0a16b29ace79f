use vocabulary::AskPurpose;

use crate::{Document, Settings};

fn settings(text: &str) -> Settings {
    Settings::read(&Document::from_json(text).expect("a document")).expect("good settings")
}

#[test]
fn every_key_that_advice_names_is_a_setting() {
    let known: Vec<String> = Settings::knobs()
        .into_iter()
        .map(|knob| knob.key.to_owned())
        .collect();
    let own = settings(r#"{"replyFollowupLlm": {"enabled": true}}"#);
    for purpose in AskPurpose::ALL {
        let keys = own.keys_for(purpose);
        let named = [keys.provider, keys.model, keys.effort];
        for key in named.into_iter().chain(keys.timeout).chain(keys.cap) {
            assert!(known.iter().any(|knob| knob == key), "{purpose:?}: {key}");
        }
    }
}

#[test]
fn a_purpose_that_takes_over_the_model_of_replies_names_their_settings_and_its_own_patience() {
    let taken_over = settings(r#"{"llm": {"model": "gpt-6-luna"}}"#).keys_for(AskPurpose::GemExtraction);
    assert_eq!(
        (taken_over.provider, taken_over.model),
        ("llm.provider", "llm.model")
    );
    assert_eq!(taken_over.timeout, Some("memory.extractionTimeoutSeconds"));
    assert_eq!((taken_over.effort, taken_over.cap), ("llm.effort.memory", None));
    let own = settings(r#"{"llm": {"model": "gpt-6-luna"}, "memory": {"model": "gpt-6-sol"}}"#);
    assert_eq!(own.keys_for(AskPurpose::GemExtraction).model, "memory.model");
    assert_eq!(own.choice_for(AskPurpose::GemExtraction).model, "gpt-6-sol");
    assert_eq!(own.choice_for(AskPurpose::ScreenNote).model, "gpt-6-luna");
    // By default there are two models, and only its own setting names another for it alone.
    let small = settings("{}").keys_for(AskPurpose::GemExtraction);
    assert_eq!((small.provider, small.model), ("memory.provider", "memory.model"));
}

#[test]
fn what_has_its_time_from_no_setting_is_advised_a_faster_model_alone() {
    let defaults = settings("{}");
    let decision = defaults.keys_for(AskPurpose::VoiceReplyDecision).when_slow();
    assert_eq!(decision, "Use a faster model (voice.replyDecisionLlm.model)");
    let reply = defaults.keys_for(AskPurpose::TextReply).when_slow();
    assert_eq!(
        reply,
        "Raise llm.timeoutSeconds, or use a faster model (llm.model)"
    );
}
