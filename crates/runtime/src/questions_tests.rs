use serde_json::json;
use settings::Document;
use vocabulary::{AskPurpose, ContentPart, OutputShape};

use super::*;

fn settings(values: &[(&str, serde_json::Value)]) -> Settings {
    let mut document = Document::default();
    for (key, value) in values {
        document.set((*key).to_owned(), value.clone());
    }
    Settings::read(&document).expect("valid settings")
}

fn purposes(asked: &[ModelRequest]) -> Vec<AskPurpose> {
    asked.iter().map(|request| request.purpose).collect()
}

fn shows_a_picture(request: &ModelRequest) -> bool {
    let mut parts = request.turns.iter().flat_map(|turn| &turn.parts);
    parts.any(|part| matches!(part, ContentPart::Image { .. }))
}

#[test]
fn every_purpose_is_asked_for_once_where_all_is_switched_on() {
    let settings = settings(&[
        ("addressClassifierLlm.enabled", true.into()),
        ("voice.thoughts.enabled", true.into()),
        ("voice.streamWatch.autonomousCommentaryEnabled", true.into()),
        ("permissions.replies.discoveryChannelIds", json!(["somewhere"])),
        ("activity.maxMessagesPerHour", 0.into()),
        ("permissions.replies.allowedChannelIds", json!(["somewhere"])),
        ("spending.perDay.calls", 1.into()),
    ]);
    let asked = asked_under(&settings, &Surroundings::default());
    assert_eq!(purposes(&asked), AskPurpose::ALL);
    let reply = &asked[0];
    assert!(!reply.tools.is_empty() && shows_a_picture(reply));
    assert!(matches!(reply.output, OutputShape::Json { .. }));
    let note = asked
        .iter()
        .find(|request| request.purpose == AskPurpose::ScreenNote);
    assert!(shows_a_picture(note.expect("a note")));
}

#[test]
fn what_is_not_used_is_not_asked_for() {
    let settings = settings(&[
        ("memory.extractor", "offline".into()),
        ("context.compaction.summariser", "offline".into()),
        ("voice.streamWatch.enabled", false.into()),
        ("replyFollowupLlm.maxToolSteps", 0.into()),
        ("voice.enabled", false.into()),
    ]);
    let asked = asked_under(&settings, &Surroundings::default());
    assert_eq!(purposes(&asked), [AskPurpose::TextReply]);
    assert!(asked[0].tools.is_empty());
}

#[test]
fn what_is_said_aloud_is_asked_of_whom_it_will_be() {
    let settings = settings(&[
        ("voice.generationLlm.provider", "openai".into()),
        ("voice.generationLlm.model", "speaks".into()),
        ("voice.replyDecisionLlm.provider", "gemini".into()),
        ("voice.replyDecisionLlm.model", "decides".into()),
        ("voice.joinPolicy", "on_request".into()),
    ]);
    let asked = asked_under(&settings, &Surroundings::default());
    let model = |purpose: AskPurpose| {
        let request = asked.iter().find(|request| request.purpose == purpose);
        request.map(|request| request.choice.model.as_str())
    };
    assert_eq!(model(AskPurpose::VoiceReply), Some("speaks"));
    assert_eq!(model(AskPurpose::VoiceReplyDecision), Some("decides"));
}

#[test]
fn a_small_model_is_asked_plainly() {
    let around = Surroundings {
        reply_model: Some(ReplyModel {
            provider: "compatible".to_owned(),
            model: "qwen2.5-coder:1.5b".to_owned(),
            ..ReplyModel::default()
        }),
        ..Surroundings::default()
    };
    let asked = asked_under(&settings(&[]), &around);
    assert_eq!(asked[0].purpose, AskPurpose::TextReply);
    assert!(asked[0].tools.is_empty(), "{:?}", asked[0].tools);
    assert_eq!(asked[0].output, OutputShape::Text);
}

#[test]
fn a_model_that_reads_little_is_asked_no_more_than_that() {
    let reads = AskPurpose::ALL.map(|purpose| (purpose, 2_048));
    let around = Surroundings {
        reads: reads.into_iter().collect(),
        ..Surroundings::default()
    };
    let most = |around: &Surroundings| {
        let asked = asked_under(&settings(&[]), around);
        let gems = asked
            .iter()
            .find(|asked| asked.purpose == AskPurpose::GemExtraction);
        gems.map(|asked| asked.max_output_tokens)
    };
    assert_eq!(most(&Surroundings::default()), Some(2_048));
    assert_eq!(most(&around), Some(512));
}
