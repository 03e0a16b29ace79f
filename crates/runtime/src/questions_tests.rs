use settings::Document;
use vocabulary::{ContentPart, OutputShape};

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
        ("voice.streamWatch.autonomousCommentaryEnabled", true.into()),
        ("permissions.replies.discoveryChannelIds", json!(["somewhere"])),
        ("activity.maxMessagesPerHour", 0.into()),
        ("permissions.replies.allowedChannelIds", json!(["somewhere"])),
        ("spending.perDay.calls", 1.into()),
    ]);
    let asked = asked_under(&settings, &Surroundings::default());
    // Nobody speaks in a room of text.
    let written = AskPurpose::ALL.into_iter();
    let written = written.filter(|purpose| !purpose.name().starts_with("voice"));
    assert_eq!(purposes(&asked), written.collect::<Vec<_>>());
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
    ]);
    let asked = asked_under(&settings, &Surroundings::default());
    assert_eq!(purposes(&asked), [AskPurpose::TextReply]);
    assert!(asked[0].tools.is_empty());
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
