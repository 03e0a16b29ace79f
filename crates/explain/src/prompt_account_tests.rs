//! What a prompt is said to take.

use serde_json::json;
use vocabulary::{
    AskPurpose, ChatRole, ChatTurn, ContentPart, ModelChoice, ModelRequest, OutputShape, SectionFate,
    SectionReport, Span, ToolSpec,
};

use crate::{PartKind, PromptAccount};

fn request() -> ModelRequest {
    let persona = "x".repeat(400);
    ModelRequest {
        purpose: AskPurpose::TextReply,
        choice: ModelChoice {
            provider: "auto".into(),
            model: String::new(),
        },
        system: format!("{}{persona}", "r".repeat(800)),
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: vec![
                ContentPart::Image {
                    id: "picture".into(),
                    mime: "image/png".into(),
                },
                ContentPart::Text("y".repeat(200)),
            ],
        }],
        tools: vec![ToolSpec {
            name: "search".into(),
            description: "d".repeat(60),
            parameters: json!({"type": "object"}),
        }],
        output: OutputShape::Json {
            name: "reply".into(),
            schema: json!({"type": "object"}),
            words: None,
        },
        max_output_tokens: 500,
        temperature: 0.5,
        deadline: Span::seconds(60),
        sections: vec![
            report("persona", 400, 4_000),
            report("recent_messages", 200, usize::MAX),
        ],
    }
}

fn report(name: &str, kept_chars: usize, cap_chars: usize) -> SectionReport {
    SectionReport {
        name: name.into(),
        fate: SectionFate::Kept,
        priority: 50,
        wanted_chars: kept_chars,
        kept_chars,
        cap_chars,
        remark: String::new(),
        text: String::new(),
    }
}

#[test]
fn rules_tools_and_schema_are_counted_beside_the_sections() {
    let account = PromptAccount::of(&request(), 8_000);
    let sizes: Vec<(PartKind, &str, u64)> = account
        .parts
        .iter()
        .map(|part| (part.kind, part.name.as_str(), part.tokens))
        .collect();
    assert_eq!(
        sizes,
        [
            (PartKind::Section, "persona", 100),
            (PartKind::Section, "recent_messages", 50),
            (PartKind::Rules, "rules", 200),
            (PartKind::Tools, "tools", 21),
            (PartKind::Schema, "schema", 5),
            (PartKind::Pictures, "pictures", 800),
        ]
    );
    assert_eq!(account.tokens, 1_176);
    assert_eq!((account.window_tokens, account.answer_tokens), (8_000, 500));
}

#[test]
fn a_section_that_only_the_window_bounds_has_no_cap_of_its_own() {
    let account = PromptAccount::of(&request(), 8_000);
    let caps: Vec<Option<u64>> = account.parts.iter().map(|part| part.cap_tokens).collect();
    assert_eq!(caps[..2], [Some(1_000), None]);
}
