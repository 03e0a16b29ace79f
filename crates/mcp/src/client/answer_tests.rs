use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use super::{ANSWER_CHARACTERS_MAX, text};

fn result(value: Value) -> CallToolResult {
    serde_json::from_value(value).unwrap()
}

#[test]
fn texts_are_joined() {
    let blocks = vec![ContentBlock::text("one"), ContentBlock::text("two")];
    assert_eq!(text(CallToolResult::success(blocks)).unwrap(), "one\ntwo");
}

#[test]
fn what_is_not_text_is_named_in_words() {
    let given = text(result(json!({"content": [
        {"type": "image", "data": "A".repeat(16 * 1024), "mimeType": "image/png"},
        {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
        {"type": "resource_link", "name": "log", "uri": "file:///log"},
        {"type": "resource", "resource": {"uri": "file:///a", "blob": "AAAA"}},
        {"type": "resource", "resource": {"uri": "file:///b", "text": "words"}},
    ]})))
    .unwrap();
    assert_eq!(
        given,
        "[image, 12 kB, not shown]\n[sound, 3 bytes, not shown]\n[link to log: file:///log]\n[resource file:///a, 3 bytes, not shown]\nwords"
    );
}

#[test]
fn data_is_given_as_json_only_where_there_is_no_text() {
    let data = json!({"celsius": 21});
    let alone = text(result(json!({"content": [], "structuredContent": data})));
    assert_eq!(alone.unwrap(), r#"{"celsius":21}"#);
    let beside = text(result(
        json!({"content": [{"type": "text", "text": "21 °C"}], "structuredContent": data}),
    ));
    assert_eq!(beside.unwrap(), "21 °C");
}

#[test]
fn a_tool_that_failed_is_an_error_with_its_words() {
    let failed = CallToolResult::error(vec![ContentBlock::text("no such file")]);
    assert_eq!(text(failed).unwrap_err(), "no such file");
    assert!(text(CallToolResult::error(vec![])).is_err());
}

#[test]
fn a_huge_result_is_cut_and_says_so() {
    let given = text(CallToolResult::success(vec![ContentBlock::text(
        "ä".repeat(1_000_000),
    )]))
    .unwrap();
    assert!(given.chars().count() <= ANSWER_CHARACTERS_MAX);
    assert!(given.ends_with("[cut: the whole has 1000000 characters]"));
}

#[test]
fn nothing_is_told_as_nothing() {
    assert_eq!(
        text(CallToolResult::success(vec![])).unwrap(),
        "[the tool gave nothing back]"
    );
}

mod hostile_answers {
    use proptest::prelude::*;
    use serde_json::json;

    use crate::client::{answer, config};

    fn results() -> Vec<serde_json::Value> {
        vec![
            json!({"content": [{"type": "text", "text": "one"}, {"type": "image", "data": "AAAA", "mimeType": "image/png"},
                {"type": "resource", "resource": {"uri": "file:///x", "text": "two"}},
                {"type": "resource_link", "uri": "file:///y", "name": "y"}], "isError": false}),
            json!({"content": [], "structuredContent": {"a": [1, 2.5, null]}, "isError": true}),
        ]
    }

    fn documents() -> Vec<serde_json::Value> {
        vec![json!({"mcpServers": {
            "files": {"command": "npx", "args": ["-y", "server", "${HOME}"], "env": {"KEY": "${SECRET:-none}"}, "timeout": 5},
            "web": {"url": "https://example.org/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}, "disabled": true},
        }})]
    }

    proptest! {
        #![proptest_config(hostile::cases(300))]

        #[test]
        fn a_mangled_answer_is_text_of_bounded_length(result in hostile::mangled(results())) {
            if let Ok(result) = serde_json::from_value(result) {
                let told = answer::text(result).unwrap_or_else(|told| told);
                prop_assert!(told.chars().count() < 9_000);
            }
        }

        #[test]
        fn a_mangled_list_of_servers_is_read_or_refused(document in hostile::mangled(documents())) {
            let _ = config::read(document.to_string().as_bytes(), &|name| Some(format!("value of {name}")));
        }
    }
}
