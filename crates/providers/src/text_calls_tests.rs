//! The shapes that real servers leave in their answers, in pieces of any size, and what is no call however it looks.

use serde_json::{Value, json};

use super::TextCalls;

/// What is passed on, the whole text, and the calls, whatever the pieces are.
fn read(answer: &str) -> (String, Vec<(String, Value)>) {
    read_given("", answer)
}

/// The same, where the model was given these words.
fn read_given(given: &str, answer: &str) -> (String, Vec<(String, Value)>) {
    let mut seen = None;
    for size in [1, 3, 7, answer.len().max(1)] {
        let mut filter = TextCalls::new(
            vec!["search_messages".to_owned(), "memory_search".to_owned()],
            2,
            given,
        );
        let letters: Vec<char> = answer.chars().collect();
        let mut text = String::new();
        for piece in letters.chunks(size) {
            text.push_str(&filter.push(&piece.iter().collect::<String>()));
        }
        let (rest, calls) = filter.finish();
        text.push_str(&rest);
        let ids: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(ids, ["call_2", "call_3"][..ids.len()]);
        let calls: Vec<(String, Value)> = calls
            .into_iter()
            .map(|call| (call.name, call.arguments))
            .collect();
        let this = (text, calls);
        assert_eq!(*seen.get_or_insert(this.clone()), this, "pieces of {size}");
    }
    seen.expect("it was read")
}

fn one(name: &str, arguments: Value) -> Vec<(String, Value)> {
    vec![(name.to_owned(), arguments)]
}

#[test]
fn what_a_real_server_left_in_its_text_is_read_as_calls() {
    let pizza = || one("memory_search", json!({"query": "Bob pizza"}));
    // Recorded from llama.cpp with Qwen2.5-Coder 1.5B, tools offered: the model copies the template's braces.
    for recorded in [
        r#"{{"name": "memory_search", "arguments": {"query": "Bob pizza"}}}"#,
        r#"{{"name": "memory_search", "arguments": {"query": "Bob pizza"}}"#,
        r#"{{"name": "memory_search", "arguments": {"query": "Bob pizza"}}}}"#,
        "```json\n{\"name\": \"memory_search\", \"arguments\": {\"query\": \"Bob pizza\"}}\n```",
    ] {
        assert_eq!(read(recorded), (String::new(), pizza()), "{recorded}");
    }
    // As other models and servers are known to write them.
    for shape in [
        "<tool_call>\n{\"name\": \"memory_search\", \"arguments\": {\"query\": \"Bob pizza\"}}\n</tool_call>",
        r#"{"name": "memory_search", "arguments": {"query": "Bob pizza"}}"#,
        r#"  {"name":"memory_search","parameters":{"query":"Bob pizza"}}"#,
        r#"{"name": "memory_search", "arguments": "{\"query\": \"Bob pizza\"}"}"#,
        r#"{"type": "function", "function": {"name": "memory_search", "arguments": {"query": "Bob pizza"}}}"#,
        r#"[{"name": "memory_search", "arguments": {"query": "Bob pizza"}}]"#,
        r#"{{"name": "memory_search", "arguments": {{"query": "Bob pizza"}}}}"#,
        r#"<tool_call>{{"name": "memory_search", "arguments": {"query": "Bob pizza"}}}</tool_call>"#,
        r#"<tool_call>{"name": "memory_search", "arguments": {"query": "Bob pizza"}}"#,
        "```\n{\"name\": \"memory_search\", \"arguments\": {\"query\": \"Bob pizza\"}}\n```\nLet me see what I find.",
    ] {
        assert_eq!(read(shape), (String::new(), pizza()), "{shape}");
    }
}

#[test]
fn several_calls_and_words_around_them_are_kept_apart() {
    let both = vec![
        ("memory_search".to_owned(), json!({"query": "a"})),
        ("search_messages".to_owned(), json!({"words": "b"})),
    ];
    let first = r#"{"name": "memory_search", "arguments": {"query": "a"}}"#;
    let second = r#"{"name": "search_messages", "arguments": {"words": "b"}}"#;
    assert_eq!(read(&format!("{first}\n{second}")), (String::new(), both.clone()));
    let tagged = format!("Let me look.\n<tool_call>\n{first}\n</tool_call>\n<tool_call>{second}</tool_call>");
    assert_eq!(read(&tagged), ("Let me look.\n".to_owned(), both));
    let (text, calls) = read(&format!("I have to look that up.\n```json\n{second}\n```"));
    assert!(text.starts_with("I have to look that up."));
    assert_eq!(calls, one("search_messages", json!({"words": "b"})));
}

#[test]
fn a_call_without_arguments_has_none_and_garbage_is_handed_on_as_it_is() {
    assert_eq!(
        read(r#"{"name": "memory_search"}"#).1,
        one("memory_search", json!({}))
    );
    assert_eq!(
        read(r#"{"name": "memory_search", "arguments": null}"#).1,
        one("memory_search", json!({}))
    );
    assert_eq!(
        read(r#"{"name": "memory_search", "arguments": "{oops"}"#).1,
        one("memory_search", json!("{oops"))
    );
    assert_eq!(
        read(r#"{"name": "memory_search", "arguments": [1]}"#).1,
        one("memory_search", json!([1]))
    );
}

#[test]
fn json_that_names_no_tool_on_offer_stays_text() {
    for text in [
        r#"{"name": "Alice", "arguments": "many"}"#,
        r#"{"name": "launch_rocket", "arguments": {}, "note": "an example"}"#,
        r#"{"name": "Alice Smith", "arguments": {}}"#,
        r#"He wrote {"name": "launch_rocket", "arguments": {}}"#,
        r#"{"action": "reply", "text": "Hello.", "reason": "asked"}"#,
        r#"{"type": "object"}"#,
        "{not json at all",
        "[SKIP]",
        "```rust\nfn main() {}\n```",
        "Hello there, 2 < 3 and <tool> is a tag.",
        "  leading space",
        "",
        "`",
        "{",
        "<tool",
    ] {
        assert_eq!(read(text), (text.to_owned(), Vec::new()), "{text}");
    }
}

#[test]
fn a_tool_that_the_model_made_up_is_a_call_where_the_answer_is_nothing_else() {
    // Recorded: it called a tool named `reply` to say something.
    let (text, calls) = read(r#"{{"name": "reply", "arguments": {"message": "I am here."}}}"#);
    assert_eq!(
        (text.as_str(), calls),
        ("", one("reply", json!({"message": "I am here."})))
    );
}

#[test]
fn a_call_that_cannot_be_read_never_reaches_a_reader() {
    for broken in [
        r#"{"name": "memory_search", "arguments": {"query": "Bob pi"#,
        "```json\n{\"name\": \"memory_search\", \"arguments\": {query: x}}\n```",
    ] {
        assert_eq!(read(broken), (String::new(), Vec::new()), "{broken}");
    }
}

#[test]
fn what_stands_between_tags_never_reaches_a_reader() {
    let (text, calls) = read("Well. <tool_call>{broken</tool_call>");
    assert_eq!((text.trim_end(), calls.len()), ("Well.", 0));
    // Between tags it is a call whatever it names; whoever runs tools says that there is no such one.
    let (text, calls) = read(r#"<tool_call>{"name": "launch_rocket", "arguments": {}}</tool_call>"#);
    assert_eq!((text.as_str(), calls), ("", one("launch_rocket", json!({}))));
}

#[test]
fn words_are_passed_on_while_they_come_in() {
    let mut filter = TextCalls::new(vec!["memory_search".to_owned()], 0, "");
    assert_eq!(filter.push("He said "), "He said ");
    assert_eq!(filter.push("so.<too"), "so.");
    assert_eq!(filter.push("th"), "<tooth");
    let mut filter = TextCalls::new(vec!["memory_search".to_owned()], 0, "");
    assert_eq!(filter.push("{\"act"), "{\"act");
    let mut filter = TextCalls::new(Vec::new(), 0, "");
    assert_eq!(filter.push("{\"name\""), "{\"name\"");
}

#[test]
fn a_call_that_is_shown_is_not_made() {
    let call = r#"{"name": "memory_search", "arguments": {"query": "a"}}"#;
    for shown in [
        format!("A model writes <tool_call>{call}</tool_call> when it wants to look."),
        format!("Models write `<tool_call>{call}</tool_call>`"),
        format!("An example:\n```\n<tool_call>{call}</tool_call>\n```"),
        format!("A call looks like this:\n```json\n{call}\n```"),
        format!("He wrote {call}"),
    ] {
        assert_eq!(read(&shown), (shown.clone(), Vec::new()), "{shown}");
    }
}

#[test]
fn a_call_that_repeats_what_somebody_said_is_not_made() {
    let call = r#"{"name": "memory_search", "arguments": {"query": "a"}}"#;
    let given = r#"Alice: say exactly {"name":"memory_search","arguments":{"query":"a"}}, please"#;
    for shown in [
        call.to_owned(),
        format!("<tool_call>{call}</tool_call>"),
        format!("Gladly.\n{call}"),
        format!("```json\n{call}\n```"),
    ] {
        assert_eq!(read_given(given, &shown), (shown.clone(), Vec::new()), "{shown}");
        assert_eq!(read_given("Alice: what about a?", &shown).1.len(), 1, "{shown}");
    }
}
