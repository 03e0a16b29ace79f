//! Tools together with a typed answer: what goes over the wire where a server takes one or the other, and what comes
//! back where it leaves calls in the text.

use expect_test::{Expect, expect};
use providers::Models;
use runtime::ports::Language;
use serde_json::json;
use vocabulary::{Finish, ModelRequest, OutputShape};

use crate::requests::{ask, models_at, pictures, rich, settings, simple};
use crate::server::{Answer, Server};

const TYPED: &str = "Answer with one JSON object.";
const PLAIN: &str = "Answer with the words you say and nothing else.";

/// Tools on offer, and a typed answer that the system text asks for.
fn worded(provider: &str) -> ModelRequest {
    let rich = rich(provider, "m");
    let output = rich.output.worded(TYPED.to_owned(), PLAIN.to_owned());
    ModelRequest {
        system: format!("You are Denizen.\n\n{TYPED}"),
        turns: simple(provider, "m").turns,
        output,
        ..rich
    }
}

/// The last question of the same turn, after a round of calls: no tools any more.
fn last(provider: &str) -> ModelRequest {
    ModelRequest {
        turns: rich(provider, "m").turns,
        tools: Vec::new(),
        ..worded(provider)
    }
}

/// Models that have looked around, as compatible servers need.
async fn models(provider: &str, server: &Server) -> Models {
    let models = models_at(provider, &server.address);
    models.configure(&settings(&[])).await;
    models
}

/// The body as it arrived.
async fn check(request: &ModelRequest, expected: Expect) {
    let answer = match request.choice.provider.as_str() {
        "anthropic" => crate::anthropic::text_answer(&["Hello."], "end_turn"),
        _ => said("Hello.") + &stop(),
    };
    let server = Server::start([Answer::stream(&[&answer])]).await;
    let models = models(&request.choice.provider, &server).await;
    // What it was sent is what counts.
    let _ = ask(&models, request).await;
    let seen = server.seen();
    let posted = seen.iter().find(|seen| seen.method == "POST").expect("a request");
    expected.assert_eq(&posted.body);
}

fn said(text: &str) -> String {
    crate::openai::say(text)
}

fn stop() -> String {
    crate::openai::chunk(json!({}), Some("stop")) + "data: [DONE]\n\n"
}

#[tokio::test]
async fn a_compatible_server_is_given_tools_and_no_schema_and_asked_for_plain_words() {
    check(&worded("compatible"), expect![[r#"{"model":"m","stream":true,"stream_options":{"include_usage":true},"max_tokens":600,"temperature":0.8,"messages":[{"role":"system","content":"You are Denizen.\n\nAnswer with the words you say and nothing else."},{"role":"user","content":"[12:03] Alice: hello?"}],"tools":[{"type":"function","function":{"name":"search_messages","description":"Looks for older messages.","parameters":{"type":"object","additionalProperties":false,"properties":{"words":{"type":"string"},"limit":{"type":"integer","minimum":1}},"required":["words"]}}}]}"#]]).await;
}

#[tokio::test]
async fn a_compatible_server_is_given_the_schema_once_no_tools_go_along() {
    check(&last("compatible"), expect![[r#"{"model":"m","stream":true,"stream_options":{"include_usage":true},"max_tokens":600,"temperature":0.8,"messages":[{"role":"system","content":"You are Denizen.\n\nAnswer with one JSON object."},{"role":"user","content":"(What was said before is not shown.)"},{"role":"assistant","content":"Good morning."},{"role":"user","content":[{"type":"text","text":"[12:03] Alice: what was in \"this\" picture?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORyBub3QgcmVhbGx5"}},{"type":"text","text":"(A picture that you cannot see.)"}]},{"role":"assistant","content":"Let me look.","tool_calls":[{"id":"call_a","type":"function","function":{"name":"search_messages","arguments":"{\"limit\":3,\"words\":\"picture\"}"}},{"id":"call_b","type":"function","function":{"name":"search_messages","arguments":"{\"limit\":3,\"words\":\"cat\"}"}}]},{"role":"tool","tool_call_id":"call_a","content":"Bob: a cat"},{"role":"tool","tool_call_id":"call_b","content":"no time left"},{"role":"user","content":"Reply required: yes"}],"response_format":{"type":"json_schema","json_schema":{"name":"reply","strict":true,"schema":{"type":"object","additionalProperties":false,"properties":{"action":{"type":"string","enum":["reply","skip"]},"text":{"type":"string"},"reason":{"type":"string"}},"required":["action","text","reason"]}}}}"#]]).await;
}

#[tokio::test]
async fn openai_takes_both_and_keeps_the_typed_words() {
    check(&worded("openai"), expect![[r#"{"model":"m","stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":600,"temperature":0.8,"messages":[{"role":"system","content":"You are Denizen.\n\nAnswer with one JSON object."},{"role":"user","content":"[12:03] Alice: hello?"}],"tools":[{"type":"function","function":{"name":"search_messages","description":"Looks for older messages.","parameters":{"type":"object","additionalProperties":false,"properties":{"words":{"type":"string"},"limit":{"type":"integer","minimum":1}},"required":["words"]}}}],"response_format":{"type":"json_schema","json_schema":{"name":"reply","strict":true,"schema":{"type":"object","additionalProperties":false,"properties":{"action":{"type":"string","enum":["reply","skip"]},"text":{"type":"string"},"reason":{"type":"string"}},"required":["action","text","reason"]}}}}"#]]).await;
}

#[tokio::test]
async fn anthropic_is_told_the_tools_that_were_called_and_that_none_may_be_called_again() {
    check(&last("anthropic"), expect![[r#"{"model":"m","max_tokens":2600,"stream":true,"system":"You are Denizen.\n\nAnswer with one JSON object.","messages":[{"role":"user","content":[{"type":"text","text":"(What was said before is not shown.)"}]},{"role":"assistant","content":[{"type":"text","text":"Good morning."}]},{"role":"user","content":[{"type":"text","text":"[12:03] Alice: what was in \"this\" picture?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORyBub3QgcmVhbGx5"}},{"type":"text","text":"(A picture that you cannot see.)"}]},{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"tool_use","id":"call_a","name":"search_messages","input":{"limit":3,"words":"picture"}},{"type":"tool_use","id":"call_b","name":"search_messages","input":{"limit":3,"words":"cat"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_a","content":"Bob: a cat"},{"type":"tool_result","tool_use_id":"call_b","content":"no time left","is_error":true}]},{"role":"user","content":[{"type":"text","text":"Reply required: yes"}]}],"tools":[{"name":"search_messages","description":"Cannot be called any more.","input_schema":{"type":"object"}}],"tool_choice":{"type":"none"},"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false,"properties":{"action":{"type":"string","enum":["reply","skip"]},"text":{"type":"string"},"reason":{"type":"string"}},"required":["action","text","reason"]}}}}"#]]).await;
}

#[tokio::test]
async fn a_server_that_refuses_both_together_is_asked_for_plain_words_from_then_on() {
    let refusal = json!({"error": {"message": "Cannot use custom grammar constraints with tools."}});
    let server = Server::start([
        Answer::json(400, &refusal.to_string()),
        Answer::stream(&[&said("Hello."), &stop()]),
    ])
    .await;
    let models = models_at("openai", &server.address);
    ask(&models, &worded("openai")).await.answer();
    let systems: Vec<String> = server
        .seen()
        .iter()
        .map(|seen| seen.json()["messages"][0]["content"].to_string())
        .collect();
    assert!(
        systems[0].contains(TYPED) && !systems[0].contains(PLAIN),
        "{systems:?}"
    );
    assert!(
        systems[1].contains(PLAIN) && !systems[1].contains(TYPED),
        "{systems:?}"
    );
}

#[tokio::test]
async fn a_call_that_a_compatible_server_left_in_the_text_is_read_and_never_shown() {
    // As llama.cpp streamed it, with Qwen2.5-Coder 1.5B.
    let pieces = [
        "{{\"",
        "name",
        "\":",
        " \"",
        "search",
        "_messages",
        "\",",
        " \"",
        "arguments",
        "\":",
        " {\"",
        "words",
        "\":",
        " \"",
        "pizza",
        "\"}}}",
    ];
    let streamed: String = pieces.iter().map(|piece| said(piece)).collect();
    let server = Server::start([Answer::stream(&[&streamed, &stop()])]).await;
    let asked = ask(&models("compatible", &server).await, &worded("compatible")).await;
    assert_eq!(asked.deltas, Vec::<String>::new());
    let answer = asked.answer();
    assert_eq!((answer.text.as_str(), answer.finish), ("", Finish::ToolCalls));
    let [call] = answer.tool_calls.as_slice() else {
        panic!("{:?}", answer.tool_calls)
    };
    assert_eq!(
        (call.id.as_str(), call.name.as_str()),
        ("call_0", "search_messages")
    );
    assert_eq!(call.arguments, json!({"words": "pizza"}));
}

#[tokio::test]
async fn the_same_words_are_words_where_no_tools_were_offered_or_another_provider_sent_them() {
    let written = "{\"name\": \"search_messages\", \"arguments\": {\"words\": \"pizza\"}}";
    for (provider, request) in [
        (
            "compatible",
            ModelRequest {
                tools: Vec::new(),
                output: OutputShape::Text,
                ..worded("compatible")
            },
        ),
        ("openai", worded("openai")),
    ] {
        let server = Server::start([Answer::stream(&[&said(written), &stop()])]).await;
        let answer = ask(&models(provider, &server).await, &request).await.answer();
        assert_eq!(
            (answer.text.as_str(), answer.tool_calls.len()),
            (written, 0),
            "{provider}"
        );
    }
}

#[tokio::test]
async fn arguments_that_are_no_object_are_sent_back_as_an_empty_one() {
    for provider in ["compatible", "anthropic", "gemini"] {
        let mut request = last(provider);
        for part in request.turns.iter_mut().flat_map(|turn| &mut turn.parts) {
            if let vocabulary::ContentPart::ToolCall(call) = part {
                call.arguments = json!("{oops");
            }
        }
        let server = Server::start([Answer::stream(&[&stop()])]).await;
        let models = models(provider, &server).await;
        let prepared = models
            .prepare(&request, &pictures(), &settings(&[]))
            .expect("prepared");
        let body = std::str::from_utf8(&prepared.body).expect("text");
        assert!(!body.contains("oops"), "{provider}: {body}");
    }
}
