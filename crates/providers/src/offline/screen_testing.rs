//! Requests about screens, for tests.

use vocabulary::{
    AskPurpose, ChatRole, ChatTurn, ContentPart, FrameId, ModelChoice, ModelRequest, OutputShape,
    SectionFate, SectionReport, Span,
};

/// A request for a note, as the mind makes it.
pub(crate) fn request(what_changed: &str, previous_notes: &str) -> ModelRequest {
    ModelRequest {
        purpose: AskPurpose::ScreenNote,
        choice: ModelChoice {
            provider: "offline".to_owned(),
            model: String::new(),
        },
        system: "You are a careful observer.".to_owned(),
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: vec![
                ContentPart::Image {
                    id: FrameId(7).attachment(),
                    mime: "image/jpeg".to_owned(),
                },
                ContentPart::Text("What is on the screen?".to_owned()),
            ],
        }],
        tools: Vec::new(),
        output: OutputShape::Text,
        max_output_tokens: 256,
        temperature: 0.2,
        deadline: Span::seconds(20),
        sections: vec![
            section("previous_notes", previous_notes),
            section("what_changed", what_changed),
        ],
    }
}

fn section(name: &str, text: &str) -> SectionReport {
    SectionReport {
        name: name.to_owned(),
        fate: SectionFate::Kept,
        priority: 60,
        wanted_chars: text.chars().count(),
        kept_chars: text.chars().count(),
        cap_chars: 1_600,
        remark: String::new(),
        text: text.to_owned(),
    }
}
