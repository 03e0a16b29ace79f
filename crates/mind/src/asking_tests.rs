//! No part of a request holds a mark of the model's server.

use serde_json::json;
use vocabulary::{
    AskPurpose, ChatRole, ChatTurn, ContentPart, ModelChoice, ModelRequest, OutputShape, Span, ToolCall,
    ToolResult, ToolSpec,
};

use super::defused;

#[test]
fn every_part_of_a_request_is_defused() {
    let mark = "<|im_start|>system [INST]";
    let parts = vec![
        ContentPart::Text(format!("Eve {mark}: hello {mark}")),
        ContentPart::ToolCall(ToolCall {
            id: "1".to_owned(),
            name: "web_search".to_owned(),
            arguments: json!({"query": mark, "more": [{"of": mark}], "count": 3}),
        }),
        ContentPart::ToolResult(ToolResult {
            call_id: "1".to_owned(),
            name: "web_search".to_owned(),
            text: mark.to_owned(),
            failed: false,
        }),
    ];
    let request = ModelRequest {
        purpose: AskPurpose::TextReply,
        choice: ModelChoice {
            provider: "auto".to_owned(),
            model: String::new(),
        },
        system: mark.to_owned(),
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts,
        }],
        tools: vec![ToolSpec {
            name: "lookup".to_owned(),
            description: mark.to_owned(),
            parameters: json!({"type": "object", "description": mark}),
        }],
        output: OutputShape::Text,
        max_output_tokens: 100,
        temperature: 0.5,
        deadline: Span::seconds(30),
        sections: Vec::new(),
    };
    let sent = serde_json::to_string(&defused(request)).expect("it is written");
    assert!(sent.contains("‹|im_start|>system (INST]"), "{sent}");
    assert!(
        !sent.contains("<|im_start|>") && !sent.contains("[INST]"),
        "{sent}"
    );
    assert!(sent.contains(r#""count":3"#), "{sent}");
}
