//! OpenAI's Responses API.

use serde_json::{Value, json};
use vocabulary::{AskFailureKind, ChatRole, ChatTurn, ContentPart, Finish, ModelRequest, ToolResult};

use crate::openai::answer_of;
use crate::requests::{KEY, ask, models_at, rich, simple, typed};
use crate::server::{Answer, Server};

const MODEL: &str = "gpt-6-luna";

fn response(status: &str, more: Value) -> Value {
    let mut response = json!({"id": "resp_1", "object": "response", "model": "gpt-6-luna-2026-09-01", "status": status,
        "created_at": 1_790_000_000, "parallel_tool_calls": true, "tool_choice": "auto", "tools": [],
        "output": [], "usage": {"input_tokens": 1000, "input_tokens_details": {"cached_tokens": 400, "cache_write_tokens": 100},
        "output_tokens": 50, "output_tokens_details": {"reasoning_tokens": 30}, "total_tokens": 1050}});
    let fields = more.as_object().expect("an object").clone();
    response.as_object_mut().expect("an object").extend(fields);
    response
}

/// The first event of an answer.
pub fn begun() -> Value {
    json!({"type": "response.created", "sequence_number": 0, "response": response("in_progress", json!({}))})
}

/// A piece of it.
pub fn word(text: &str) -> Value {
    json!({"type": "response.output_text.delta", "sequence_number": 1, "item_id": "msg_1", "output_index": 0,
        "content_index": 0, "delta": text, "logprobs": []})
}

pub fn says(words: &[&str]) -> Answer {
    let mut all = vec![begun()];
    all.extend(words.iter().map(|text| word(text)));
    all.push(json!({"type": "response.output_item.done", "output_index": 0, "item": {"type": "message", "id": "msg_1",
        "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": words.concat(), "annotations": []}]}}));
    all.push(json!({"type": "response.completed", "response": response("completed", json!({}))}));
    numbered(all)
}

/// An answer that is not streamed.
pub fn whole(text: &str) -> Value {
    let output = json!([{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}]}]);
    response("completed", json!({"output": output}))
}

fn ends(kind: &str, status: &str, more: Value) -> Answer {
    numbered(vec![json!({"type": kind, "response": response(status, more)})])
}

/// Events in their order.
fn numbered(mut events: Vec<Value>) -> Answer {
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    Answer::events(&events)
}

#[tokio::test]
async fn text_is_streamed_and_counted_and_nothing_is_stored() {
    let server = Server::start([says(&["Hello", " Alice 🦀"])]).await;
    let asked = ask(&models_at("openai", &server.address), &simple("openai", MODEL)).await;
    assert_eq!(asked.deltas, ["Hello", " Alice 🦀"]);
    let answer = asked.answer();
    assert_eq!(
        (answer.text.as_str(), answer.finish),
        ("Hello Alice 🦀", Finish::Complete)
    );
    assert_eq!(answer.model, "gpt-6-luna-2026-09-01");
    let usage = answer.usage;
    assert_eq!(
        (
            usage.input_tokens,
            usage.cached_input_tokens,
            usage.cache_written_tokens,
            usage.output_tokens
        ),
        (1_000, 400, 100, 50)
    );
    let seen = &server.seen()[0];
    assert_eq!(seen.path, "/v1/responses");
    assert_eq!(
        seen.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    let body = seen.json();
    assert_eq!((&body["store"], &body["stream"]), (&json!(false), &json!(true)));
    assert_eq!(body["instructions"], "You are Denizen.");
    assert_eq!(body["reasoning"], json!({"effort": "low"}));
    assert_eq!(body["include"], json!(["reasoning.encrypted_content"]));
    assert_eq!(body["max_output_tokens"], 2_600);
    assert_eq!(body.get("temperature"), None);
    assert!(
        body["prompt_cache_key"]
            .as_str()
            .expect("a key")
            .starts_with("denizen-")
    );
}

#[tokio::test]
async fn what_begins_alike_shares_a_cache() {
    let server = Server::start([says(&["Hi"])]).await;
    let models = models_at("openai", &server.address);
    let mut other = simple("openai", MODEL);
    other.turns[0].parts = vec![ContentPart::Text("[12:04] Bob: and me?".to_owned())];
    let mut elsewhere = simple("openai", MODEL);
    elsewhere.system = "You are somebody else.".to_owned();
    for request in [simple("openai", MODEL), other, elsewhere] {
        ask(&models, &request).await.answer();
    }
    let keys: Vec<Value> = server
        .seen()
        .iter()
        .map(|seen| seen.json()["prompt_cache_key"].clone())
        .collect();
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[0], keys[2]);
}

#[tokio::test]
async fn thoughts_go_back_locked_as_they_came() {
    let reasoning =
        json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "bG9ja2Vk"});
    let call = json!({"type": "function_call", "id": "fc_1", "call_id": "call_a", "name": "search_messages",
        "arguments": "{\"words\":\"cat\"}", "status": "completed"});
    let calls = numbered(vec![
        json!({"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "half"}}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": reasoning}),
        json!({"type": "response.function_call_arguments.delta", "item_id": "fc_1", "output_index": 1, "delta": "{}"}),
        json!({"type": "response.output_item.done", "output_index": 1, "item": call}),
        json!({"type": "response.completed", "response": response("completed", json!({}))}),
    ]);
    let server = Server::start([calls, says(&["A cat."])]).await;
    let models = models_at("openai", &server.address);
    let request = ModelRequest {
        turns: simple("openai", MODEL).turns,
        ..rich("openai", MODEL)
    };
    let answer = ask(&models, &request).await.answer();
    assert_eq!(answer.finish, Finish::ToolCalls);
    assert_eq!(answer.tool_calls[0].id, "call_a");
    assert_eq!(answer.tool_calls[0].arguments, json!({"words": "cat"}));
    let mut next = request;
    next.turns.push(ChatTurn {
        role: ChatRole::Assistant,
        parts: vec![
            ContentPart::ToolCall(answer.tool_calls[0].clone()),
            ContentPart::Carried(answer.carried.expect("thoughts")),
        ],
    });
    next.turns.push(ChatTurn {
        role: ChatRole::Tool,
        parts: vec![ContentPart::ToolResult(ToolResult {
            call_id: "call_a".to_owned(),
            name: "search_messages".to_owned(),
            text: "Bob: a cat".to_owned(),
            failed: false,
        })],
    });
    ask(&models, &next).await.answer();
    let sent = server.seen()[1].json();
    let input = sent["input"].as_array().expect("a list");
    assert_eq!(
        input[1..],
        [
            reasoning,
            call,
            json!({"type": "function_call_output", "call_id": "call_a", "output": "Bob: a cat"}),
        ]
    );
    let tool = &server.seen()[0].json()["tools"][0];
    assert_eq!(
        (&tool["type"], &tool["name"]),
        (&json!("function"), &json!("search_messages"))
    );
}

#[tokio::test]
async fn a_typed_answer_and_pictures_are_asked_for_in_its_own_way() {
    let server = Server::start([says(&["{}"])]).await;
    let models = models_at("openai", &server.address);
    ask(&models, &typed("openai", MODEL)).await.answer();
    ask(&models, &rich("openai", MODEL)).await.answer();
    let format = &server.seen()[0].json()["text"]["format"];
    assert_eq!(
        (&format["type"], &format["strict"]),
        (&json!("json_schema"), &json!(true))
    );
    let sent = server.seen()[1].json();
    let user = sent["input"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|item| item["content"].is_array())
        .expect("a message with a picture");
    assert_eq!(user["content"][1]["type"], "input_image");
    assert!(
        user["content"][1]["image_url"]
            .as_str()
            .expect("a link")
            .starts_with("data:image/png;base64,")
    );
}

#[tokio::test]
async fn why_it_stopped_is_told_apart() {
    let filtered = ends(
        "response.incomplete",
        "incomplete",
        json!({"incomplete_details": {"reason": "content_filter"}}),
    );
    let failed = |code: &str| {
        ends(
            "response.failed",
            "failed",
            json!({"error": {"code": code, "message": "no"}}),
        )
    };
    let declined = numbered(vec![
        json!({"type": "response.refusal.delta", "item_id": "m", "output_index": 0, "content_index": 0, "delta": "I cannot"}),
        json!({"type": "response.completed", "response": response("completed", json!({}))}),
    ]);
    let error = numbered(vec![
        json!({"type": "error", "code": "rate_limit_exceeded", "message": "Later", "param": null, "sequence_number": 1}),
    ]);
    for (answer, kind) in [
        (filtered, AskFailureKind::Refused),
        (declined, AskFailureKind::Refused),
        (failed("server_error"), AskFailureKind::ServerError),
        (failed("rate_limit_exceeded"), AskFailureKind::RateLimited),
        (failed("invalid_prompt"), AskFailureKind::Refused),
        (error, AskFailureKind::RateLimited),
    ] {
        let server = Server::start([answer.clone()]).await;
        let failure = ask(&models_at("openai", &server.address), &simple("openai", MODEL))
            .await
            .failure();
        assert_eq!(failure.kind, kind, "{answer:?}: {failure}");
    }
}

#[tokio::test]
async fn an_answer_that_had_no_room_is_given_more() {
    let full = ends(
        "response.incomplete",
        "incomplete",
        json!({"incomplete_details": {"reason": "max_output_tokens"}}),
    );
    let server = Server::start([full, says(&["Hello."])]).await;
    let answer = ask(&models_at("openai", &server.address), &simple("openai", MODEL))
        .await
        .answer();
    assert_eq!((answer.text.as_str(), answer.tries), ("Hello.", 2));
    assert_eq!(server.seen()[1].json()["max_output_tokens"], 8_600);
}

#[tokio::test]
async fn a_model_that_works_only_there_is_asked_there_from_then_on() {
    let refusal = json!({"error": {"message": "This model is only supported in v1/responses and not in v1/chat/completions.",
        "type": "invalid_request_error", "param": "model", "code": null}});
    let server = Server::start([Answer::json(404, &refusal.to_string()), says(&["Hello."])]).await;
    let models = models_at("openai", &server.address);
    let asked = ask(&models, &simple("openai", "gpt-4.9")).await;
    assert!(asked.url.ends_with("/v1/responses"), "{}", asked.url);
    let answer = asked.answer();
    assert_eq!((answer.text.as_str(), answer.tries), ("Hello.", 2));
    ask(&models, &simple("openai", "gpt-4.9")).await.answer();
    let paths: Vec<String> = server.seen().into_iter().map(|seen| seen.path).collect();
    assert_eq!(paths, ["/v1/chat/completions", "/v1/responses", "/v1/responses"]);
}

#[tokio::test]
async fn a_server_without_it_is_asked_by_chat_completions_from_then_on() {
    let server = Server::start([
        Answer::json(404, "{\"detail\":\"Not Found\"}"),
        Answer::stream(&[&answer_of(&["Hello"])]),
    ])
    .await;
    let models = models_at("openai", &server.address);
    assert_eq!(ask(&models, &simple("openai", MODEL)).await.answer().tries, 2);
    assert_eq!(ask(&models, &simple("openai", MODEL)).await.answer().tries, 1);
    let paths: Vec<String> = server.seen().into_iter().map(|seen| seen.path).collect();
    assert_eq!(
        paths,
        ["/v1/responses", "/v1/chat/completions", "/v1/chat/completions"]
    );
}

#[tokio::test]
async fn where_tools_and_thoughts_are_refused_together_it_is_asked_without_thoughts() {
    let refusal = json!({"error": {"message": "Function tools with reasoning_effort are not supported; set it to none.",
        "type": "invalid_request_error", "param": "reasoning_effort", "code": "unsupported_value"}});
    let chat = || Answer::stream(&[&answer_of(&["Hello"])]);
    // A server that speaks only chat completions, with a model that is known to think.
    let server = Server::start([
        Answer::json(404, "{\"detail\":\"Not Found\"}"),
        Answer::json(400, &refusal.to_string()),
        chat(),
    ])
    .await;
    let models = models_at("openai", &server.address);
    assert_eq!(ask(&models, &rich("openai", MODEL)).await.answer().tries, 3);
    ask(&models, &rich("openai", MODEL)).await.answer();
    ask(&models, &simple("openai", MODEL)).await.answer();
    let efforts: Vec<Value> = server.seen()[1..]
        .iter()
        .map(|seen| seen.json()["reasoning_effort"].clone())
        .collect();
    assert_eq!(efforts, ["low", "none", "none", "low"]);
}
