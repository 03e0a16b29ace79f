//! Anthropic's Messages API.

use serde_json::json;
use vocabulary::{AskFailureKind, ChatRole, ChatTurn, ContentPart, Finish, ToolCall, ToolResult};

use crate::requests::{KEY, ask, models_at, rich, simple, text_turn, typed};
use crate::server::{Answer, Server, event};

const START: &str = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-sonnet-4-5-20250929\",\"content\":[],\"usage\":{\"input_tokens\":100,\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":50,\"output_tokens\":1}}}\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n";
const STOP: &str = "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

fn block_start(index: usize, block: serde_json::Value) -> String {
    event(&json!({"type": "content_block_start", "index": index, "content_block": block}))
}

fn delta(index: usize, delta: serde_json::Value) -> String {
    event(&json!({"type": "content_block_delta", "index": index, "delta": delta}))
}

fn text(index: usize, text: &str) -> String {
    delta(index, json!({"type": "text_delta", "text": text}))
}

fn ending(reason: &str) -> String {
    event(
        &json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": {"output_tokens": 20}}),
    ) + STOP
}

pub fn text_answer(words: &[&str], reason: &str) -> String {
    let mut stream = START.to_owned() + &block_start(0, json!({"type": "text", "text": ""}));
    for word in words {
        stream += &text(0, word);
    }
    stream + &event(&json!({"type": "content_block_stop", "index": 0})) + &ending(reason)
}

#[tokio::test]
async fn text_is_streamed_and_counted() {
    let stream = text_answer(&["Grüß ", "Gott, ", "Alice 🦀"], "end_turn");
    let server = Server::start([Answer::stream_cut(&stream, 7)]).await;
    let models = models_at("anthropic", &server.address);
    let asked = ask(&models, &simple("anthropic", "claude-sonnet-4-5")).await;

    assert_eq!(asked.deltas, ["Grüß ", "Gott, ", "Alice 🦀"]);
    assert_eq!(asked.raw, stream);
    let answer = asked.answer();
    assert_eq!(answer.text, "Grüß Gott, Alice 🦀");
    assert_eq!(
        (answer.provider.as_str(), answer.model.as_str()),
        ("anthropic", "claude-sonnet-4-5-20250929")
    );
    assert_eq!((answer.finish, answer.tries), (Finish::Complete, 1));
    assert!(answer.first_text.is_some());
    assert_eq!(
        (
            answer.usage.input_tokens,
            answer.usage.cached_input_tokens,
            answer.usage.output_tokens
        ),
        (150, 50, 20)
    );
    // 100 × 3 + 50 × 0.3 + 20 × 15
    assert_eq!(answer.usage.cost_micro_dollars, Some(615));

    let seen = &server.seen()[0];
    assert_eq!(seen.path, "/v1/messages");
    assert_eq!(
        seen.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(seen.header("x-api-key"), None);
    assert_eq!(seen.header("anthropic-version"), Some("2026-10-21"));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(seen.json()["stream"], true);
}

#[tokio::test]
async fn tool_calls_are_put_together_from_their_pieces_and_thinking_is_dropped() {
    let stream = START.to_owned()
        + &block_start(0, json!({"type": "thinking", "thinking": "", "signature": ""}))
        + &delta(0, json!({"type": "thinking_delta", "thinking": "secret thought"}))
        + &delta(0, json!({"type": "signature_delta", "signature": "abc"}))
        + &block_start(1, json!({"type": "text", "text": ""}))
        + &text(1, "One moment.")
        + &block_start(
            2,
            json!({"type": "tool_use", "id": "toolu_1", "name": "search_messages", "input": {}}),
        )
        + &delta(
            2,
            json!({"type": "input_json_delta", "partial_json": "{\"words\": \"ca"}),
        )
        + &delta(2, json!({"type": "input_json_delta", "partial_json": "t\"}"}))
        + &block_start(
            3,
            json!({"type": "tool_use", "id": "toolu_2", "name": "look", "input": {}}),
        )
        + &ending("tool_use");
    let server = Server::start([Answer::stream(&[&stream])]).await;
    let asked = ask(
        &models_at("anthropic", &server.address),
        &rich("anthropic", "claude-sonnet-4-5"),
    )
    .await;
    assert_eq!(asked.deltas, ["One moment."]);
    let answer = asked.answer();
    assert_eq!(answer.finish, Finish::ToolCalls);
    assert_eq!(
        answer.tool_calls,
        [
            ToolCall {
                id: "toolu_1".to_owned(),
                name: "search_messages".to_owned(),
                arguments: json!({"words": "cat"}),
            },
            ToolCall {
                id: "toolu_2".to_owned(),
                name: "look".to_owned(),
                arguments: json!({}),
            }
        ]
    );
}

#[tokio::test]
async fn a_typed_answer_is_asked_for_and_comes_as_text() {
    let json = r#"{"action":"reply","text":"Hello","reason":"greeted"}"#;
    let server = Server::start([Answer::stream(&[&text_answer(&[json], "end_turn")])]).await;
    let answer = ask(
        &models_at("anthropic", &server.address),
        &typed("anthropic", "claude-sonnet-4-5"),
    )
    .await
    .answer();
    assert_eq!(answer.text, json);
    let format = &server.seen()[0].json()["output_config"]["format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(format["schema"]["required"], json!(["action", "text", "reason"]));
}

#[tokio::test]
async fn the_reasons_to_stop_are_told_apart() {
    for (reason, finish) in [
        ("end_turn", Finish::Complete),
        ("stop_sequence", Finish::Complete),
        ("max_tokens", Finish::Length),
        ("refusal", Finish::Refused),
    ] {
        let server = Server::start([Answer::stream(&[&text_answer(&["Well"], reason)])]).await;
        let answer = ask(
            &models_at("anthropic", &server.address),
            &simple("anthropic", "claude-sonnet-4-5"),
        )
        .await
        .answer();
        assert_eq!(answer.finish, finish, "{reason}");
    }
}

#[tokio::test]
async fn a_refusal_without_a_word_is_a_failure_and_is_not_tried_again() {
    let server = Server::start([Answer::stream(&[&text_answer(&[], "refusal")])]).await;
    let failure = ask(
        &models_at("anthropic", &server.address),
        &simple("anthropic", "claude-sonnet-4-5"),
    )
    .await
    .failure();
    assert_eq!(failure.kind, AskFailureKind::Refused);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn overload_after_the_first_word_fails_at_once() {
    let overloaded = START.to_owned()
        + &block_start(0, json!({"type": "text", "text": ""}))
        + &text(0, "Well, ")
        + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let server = Server::start([Answer::stream(&[&overloaded])]).await;
    let asked = ask(
        &models_at("anthropic", &server.address),
        &simple("anthropic", "claude-sonnet-4-5"),
    )
    .await;
    assert_eq!(asked.deltas, ["Well, "]);
    assert_eq!(asked.failure().kind, AskFailureKind::ServerError);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn what_a_failed_ask_took_is_told() {
    let server = Server::start([Answer::stream(&[START]).then_broken()]).await;
    let asked = ask(
        &models_at("anthropic", &server.address),
        &simple("anthropic", "claude-sonnet-4-5"),
    )
    .await;
    let usage = asked.failure().usage.expect("the provider had counted");
    assert_eq!((usage.input_tokens, usage.output_tokens), (150, 1));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_long_system_text_is_marked_to_be_kept_and_what_that_costs_is_counted() {
    let start = START.replace(
        "\"cache_creation_input_tokens\":0",
        "\"cache_creation_input_tokens\":1000",
    );
    let rest = text_answer(&["Hi"], "end_turn").replace(START, "");
    let server = Server::start([Answer::stream(&[&start, &rest])]).await;
    let mut request = simple("anthropic", "claude-sonnet-4-5");
    request.system = "You are Denizen. ".repeat(300);
    let answer = ask(&models_at("anthropic", &server.address), &request)
        .await
        .answer();
    let sent: serde_json::Value = server.seen()[0].json();
    assert_eq!(sent["system"][0]["cache_control"], json!({"type": "ephemeral"}));
    assert_eq!(sent["system"][0]["text"], json!(request.system));
    let usage = answer.usage;
    assert_eq!((usage.input_tokens, usage.cached_input_tokens), (1_150, 50));
    // 100 fresh and 1,000 kept ones at $3, the latter a quarter dearer; 50 read again at $0.30.
    let read = 1_100 * 3 + 750 + 15;
    assert_eq!(usage.cost_micro_dollars, Some(read + usage.output_tokens * 15));
}

#[tokio::test]
async fn a_long_conversation_is_marked_where_it_stays_as_it_is() {
    let long = "[12:01] Bob: and so it went on and on. ".repeat(150);
    let conversation = |first: &str| {
        let mut request = simple("anthropic", "claude-sonnet-4-5");
        request.turns = vec![
            text_turn(ChatRole::User, first),
            text_turn(ChatRole::Assistant, "I see."),
            text_turn(ChatRole::User, "[12:03] Alice: what is new?"),
        ];
        request
    };
    let marked = async |request| {
        let server = Server::start([Answer::stream(&[&text_answer(&["Hi"], "end_turn")])]).await;
        ask(&models_at("anthropic", &server.address), &request)
            .await
            .answer();
        let sent = server.seen()[0].json();
        let messages = sent["messages"].as_array().expect("messages").clone();
        let marks = messages.iter().map(|message| {
            let blocks = message["content"].as_array().expect("blocks").iter();
            blocks.filter(|block| !block["cache_control"].is_null()).count()
        });
        (sent["system"].is_string(), marks.collect::<Vec<usize>>())
    };
    assert_eq!(marked(conversation(&long)).await, (true, vec![0, 1, 0]));
    assert_eq!(
        marked(conversation("[12:01] Bob: hello")).await,
        (true, vec![0, 0, 0]),
        "what is short is not kept"
    );
    let mut with_tools = conversation(&long);
    let call = ToolCall {
        id: "call_1".to_owned(),
        name: "search_messages".to_owned(),
        arguments: json!({"words": "cake"}),
    };
    with_tools.turns.push(ChatTurn {
        role: ChatRole::Assistant,
        parts: vec![ContentPart::ToolCall(call)],
    });
    with_tools.turns.push(ChatTurn {
        role: ChatRole::Tool,
        parts: vec![ContentPart::ToolResult(ToolResult {
            call_id: "call_1".to_owned(),
            name: "search_messages".to_owned(),
            text: "none".to_owned(),
            failed: false,
        })],
    });
    assert_eq!(
        marked(with_tools).await,
        (true, vec![0, 1, 0, 0, 0]),
        "the same place is read again after a look-up"
    );
    let mut with_system = conversation(&long);
    with_system.system = "You are Denizen. ".repeat(300);
    assert_eq!(marked(with_system).await, (false, vec![0, 1, 0]));
}
