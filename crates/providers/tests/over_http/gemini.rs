//! Gemini's streamGenerateContent.

use serde_json::{Value, json};
use vocabulary::{AskFailureKind, Finish};

use crate::requests::{KEY, ask, models_at, rich, simple, typed};
use crate::server::{Answer, Server};

fn chunk(parts: Value, finish: Option<&str>) -> String {
    let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
    if let Some(finish) = finish {
        candidate["finishReason"] = json!(finish);
    }
    let chunk = json!({
        "candidates": [candidate],
        "usageMetadata": {"promptTokenCount": 100, "cachedContentTokenCount": 40, "candidatesTokenCount": 8, "thoughtsTokenCount": 2, "totalTokenCount": 110},
        "modelVersion": "gemini-2.5-flash",
    });
    // Google ends its lines like this.
    format!("data: {chunk}\r\n\r\n")
}

#[tokio::test]
async fn text_is_streamed_and_counted_and_thoughts_are_dropped() {
    let stream = chunk(json!([{"text": "pondering", "thought": true}]), None)
        + &chunk(json!([{"text": "Hello"}]), None)
        + &chunk(
            json!([{"text": " Alice"}, {"text": "", "thoughtSignature": "YWJj"}]),
            Some("STOP"),
        );
    let server = Server::start([Answer::stream_cut(&stream, 13)]).await;
    let asked = ask(
        &models_at("gemini", &server.address),
        &simple("gemini", "gemini-2.5-flash"),
    )
    .await;
    assert_eq!(asked.deltas, ["Hello", " Alice"]);
    let answer = asked.answer();
    assert_eq!(
        (answer.text.as_str(), answer.finish),
        ("Hello Alice", Finish::Complete)
    );
    assert_eq!(
        (
            answer.usage.input_tokens,
            answer.usage.cached_input_tokens,
            answer.usage.output_tokens
        ),
        (100, 40, 10)
    );
    // 60 × 0.3 + 40 × 0.03 + 10 × 2.5 = 44.2, rounded up
    assert_eq!(answer.usage.cost_micro_dollars, Some(45));

    let seen = &server.seen()[0];
    assert_eq!(
        seen.path,
        "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
    );
    assert_eq!(seen.header("x-goog-api-key"), Some(KEY));
}

#[tokio::test]
async fn function_calls_get_a_name_of_their_own() {
    let stream = chunk(
        json!([{"functionCall": {"name": "search_messages", "args": {"words": "cat"}}}, {"functionCall": {"name": "look"}}]),
        Some("STOP"),
    );
    let server = Server::start([Answer::stream(&[&stream])]).await;
    let answer = ask(
        &models_at("gemini", &server.address),
        &rich("gemini", "gemini-2.5-flash"),
    )
    .await
    .answer();
    assert_eq!(answer.finish, Finish::ToolCalls);
    let calls: Vec<_> = answer
        .tool_calls
        .iter()
        .map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.clone()))
        .collect();
    assert_eq!(
        calls,
        [
            ("unnamed_call_0", "search_messages", json!({"words": "cat"})),
            ("unnamed_call_1", "look", json!({}))
        ]
    );
}

#[tokio::test]
async fn a_typed_answer_is_asked_for_unless_tools_are_offered_to_an_older_model() {
    let server = Server::start([Answer::stream(&[&chunk(json!([{"text": "{}"}]), Some("STOP"))])]).await;
    let models = models_at("gemini", &server.address);
    ask(&models, &typed("gemini", "gemini-2.5-flash")).await.answer();
    ask(&models, &rich("gemini", "gemini-2.5-flash")).await.answer();
    ask(&models, &rich("gemini", "gemini-3-pro-preview"))
        .await
        .answer();
    let config = |index: usize| server.seen()[index].json()["generationConfig"].clone();
    assert_eq!(config(0)["responseMimeType"], "application/json");
    assert_eq!(
        config(0)["responseJsonSchema"]["required"],
        json!(["action", "text", "reason"])
    );
    assert_eq!(config(0)["thinkingConfig"]["thinkingBudget"], 0);
    assert_eq!(config(1).get("responseMimeType"), None);
    assert_eq!(config(1).get("responseJsonSchema"), None);
    assert_eq!(config(2)["responseMimeType"], "application/json");
}

#[tokio::test]
async fn a_blocked_prompt_and_a_blocked_answer_are_refusals() {
    let blocked_prompt = "data: {\"promptFeedback\":{\"blockReason\":\"PROHIBITED_CONTENT\"},\"usageMetadata\":{\"promptTokenCount\":9}}\r\n\r\n".to_owned();
    let blocked_answer =
        "data: {\"candidates\":[{\"finishReason\":\"SAFETY\",\"index\":0}]}\r\n\r\n".to_owned();
    for stream in [blocked_prompt, blocked_answer] {
        let server = Server::start([Answer::stream(&[&stream])]).await;
        let failure = ask(
            &models_at("gemini", &server.address),
            &simple("gemini", "gemini-2.5-flash"),
        )
        .await
        .failure();
        assert_eq!(failure.kind, AskFailureKind::Refused, "{stream}");
        assert_eq!(server.seen().len(), 1);
    }
    let partly = chunk(json!([{"text": "Well"}]), Some("SAFETY"));
    let server = Server::start([Answer::stream(&[&partly])]).await;
    let answer = ask(
        &models_at("gemini", &server.address),
        &simple("gemini", "gemini-2.5-flash"),
    )
    .await
    .answer();
    assert_eq!((answer.text.as_str(), answer.finish), ("Well", Finish::Refused));
}

#[tokio::test]
async fn the_output_cap_is_told_and_a_broken_call_is_unusable() {
    let server = Server::start([Answer::stream(&[&chunk(
        json!([{"text": "So"}]),
        Some("MAX_TOKENS"),
    )])])
    .await;
    let answer = ask(
        &models_at("gemini", &server.address),
        &simple("gemini", "gemini-2.5-flash"),
    )
    .await
    .answer();
    assert_eq!(answer.finish, Finish::Length);

    let broken =
        "data: {\"candidates\":[{\"finishReason\":\"MALFORMED_FUNCTION_CALL\",\"index\":0}]}\r\n\r\n";
    let server = Server::start([Answer::stream(&[broken])]).await;
    let failure = ask(
        &models_at("gemini", &server.address),
        &simple("gemini", "gemini-2.5-flash"),
    )
    .await
    .failure();
    assert_eq!(failure.kind, AskFailureKind::Malformed);
}

#[tokio::test]
async fn googles_own_wait_is_passed_on_when_it_does_not_fit() {
    let body = json!({"error": {"code": 429, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED", "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "41s"}]}});
    let server = Server::start([Answer::json(429, &body.to_string())]).await;
    let failure = ask(
        &models_at("gemini", &server.address),
        &simple("gemini", "gemini-2.5-flash"),
    )
    .await
    .failure();
    assert_eq!(failure.kind, AskFailureKind::RateLimited);
    assert_eq!(failure.retry_after, Some(vocabulary::Span::seconds(41)));
}
