//! Models that think first: what is said about it, what room it has, and thoughts that go back with the results of calls.

use runtime::ports::Language;
use serde_json::{Value, json};
use vocabulary::{
    AskFailureKind, AskPurpose, Carried, ChatRole, ChatTurn, ContentPart, Finish, ModelAnswer, ModelRequest,
    ToolResult,
};

use crate::requests::{ask, ask_under, models_at, rich, settings, simple};
use crate::server::{Answer, Server};

pub fn anthropic(blocks: &[(Value, Vec<Value>)], reason: &str) -> Answer {
    let mut events = vec![
        json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant",
        "model": "claude-sonnet-5-5", "content": [], "usage": {"input_tokens": 10, "output_tokens": 1}}}),
    ];
    for (index, (block, deltas)) in blocks.iter().enumerate() {
        events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        for delta in deltas {
            events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null,
        "stop_details": if reason == "refusal" { json!({"type": "refusal", "category": "cyber"}) } else { Value::Null }},
        "usage": {"output_tokens": 20}}));
    events.push(json!({"type": "message_stop"}));
    Answer::events(&events)
}

pub fn words(text: &str) -> (Value, Vec<Value>) {
    (
        json!({"type": "text", "text": ""}),
        vec![json!({"type": "text_delta", "text": text})],
    )
}

pub fn thinking() -> (Value, Vec<Value>) {
    (
        json!({"type": "thinking", "thinking": "", "signature": ""}),
        vec![
            json!({"type": "thinking_delta", "thinking": "They want "}),
            json!({"type": "thinking_delta", "thinking": "a cat."}),
            json!({"type": "signature_delta", "signature": "c2lnbmVk"}),
        ],
    )
}

/// The next question of the same turn, as the mind makes it.
fn after(request: &ModelRequest, answer: &ModelAnswer) -> ModelRequest {
    let mut next = request.clone();
    let words = Some(answer.text.clone()).filter(|text| !text.is_empty());
    let calls = answer.tool_calls.iter().cloned().map(ContentPart::ToolCall);
    let carried = answer.carried.clone().map(ContentPart::Carried);
    next.turns.push(ChatTurn {
        role: ChatRole::Assistant,
        parts: words
            .map(ContentPart::Text)
            .into_iter()
            .chain(calls)
            .chain(carried)
            .collect(),
    });
    next.turns.push(ChatTurn {
        role: ChatRole::Tool,
        parts: answer
            .tool_calls
            .iter()
            .map(|call| {
                ContentPart::ToolResult(ToolResult {
                    call_id: call.id.clone(),
                    name: call.name.clone(),
                    text: "Bob: a cat".to_owned(),
                    failed: false,
                })
            })
            .collect(),
    });
    next
}

fn last_but_one(sent: &Value) -> Value {
    let messages = sent["messages"].as_array().expect("messages");
    messages[messages.len() - 2].clone()
}

fn offering(provider: &str, model: &str) -> ModelRequest {
    ModelRequest {
        turns: simple(provider, model).turns,
        ..rich(provider, model)
    }
}

#[tokio::test]
async fn anthropics_thoughts_go_back_unchanged_with_the_call_and_to_nobody_else() {
    let blocks = [
        thinking(),
        (json!({"type": "redacted_thinking", "data": "bG9ja2Vk"}), vec![]),
        words("One moment."),
        (
            json!({"type": "tool_use", "id": "toolu_1", "name": "search_messages", "input": {}}),
            vec![json!({"type": "input_json_delta", "partial_json": "{\"words\": \"cat\"}"})],
        ),
    ];
    let server = Server::start([
        anthropic(&blocks, "tool_use"),
        anthropic(&[words("A cat.")], "end_turn"),
    ])
    .await;
    let models = models_at("anthropic", &server.address);
    let request = offering("anthropic", "claude-sonnet-5-5");
    let answer = ask(&models, &request).await.answer();
    assert_eq!(
        (answer.text.as_str(), answer.finish),
        ("One moment.", Finish::ToolCalls)
    );
    let next = after(&request, &answer);
    ask(&models, &next).await.answer();
    let expected = json!([
        {"type": "thinking", "thinking": "They want a cat.", "signature": "c2lnbmVk"},
        {"type": "redacted_thinking", "data": "bG9ja2Vk"},
        {"type": "text", "text": "One moment."},
        {"type": "tool_use", "id": "toolu_1", "name": "search_messages", "input": {"words": "cat"}},
    ]);
    assert_eq!(last_but_one(&server.seen()[1].json())["content"], expected);

    for (provider, model) in [
        ("anthropic", "claude-opus-5-5"),
        ("openai", "gpt-4.1"),
        ("gemini", "gemini-3.8-flash"),
    ] {
        let mut elsewhere = next.clone();
        elsewhere.choice.provider = provider.to_owned();
        elsewhere.choice.model = model.to_owned();
        let models = models_at(provider, &server.address);
        let prepared = models
            .prepare(&elsewhere, &Default::default(), &settings(&[]))
            .expect("prepared");
        let body = String::from_utf8_lossy(&prepared.body).into_owned();
        assert!(body.contains("One moment."), "{provider} {model}");
        assert!(
            !body.contains("c2lnbmVk") && !body.contains("They want"),
            "{provider} {model}"
        );
    }
}

#[tokio::test]
async fn a_thought_that_is_too_much_to_carry_is_left_behind() {
    let long = "x".repeat(Carried::BYTES_MAX);
    let blocks = [
        (json!({"type": "redacted_thinking", "data": long}), vec![]),
        (
            json!({"type": "tool_use", "id": "toolu_1", "name": "search_messages", "input": {}}),
            vec![],
        ),
    ];
    let server = Server::start([anthropic(&blocks, "tool_use")]).await;
    let answer = ask(
        &models_at("anthropic", &server.address),
        &offering("anthropic", "claude-sonnet-5-5"),
    )
    .await
    .answer();
    assert_eq!((answer.tool_calls.len(), answer.carried), (1, None));
}

#[tokio::test]
async fn anthropic_is_told_how_much_to_think_and_never_how_random_to_be() {
    let server = Server::start([anthropic(&[words("Hi")], "end_turn")]).await;
    let models = models_at("anthropic", &server.address);
    ask(&models, &simple("anthropic", "claude-sonnet-5-5"))
        .await
        .answer();
    let mut small = simple("anthropic", "claude-haiku-5-5");
    small.purpose = AskPurpose::AddressClassifier;
    small.max_output_tokens = 60;
    ask(&models, &small).await.answer();
    let high = settings(&[("llm.effort.reply", "high")]);
    ask_under(&models, &simple("anthropic", "claude-opus-4-6"), &high)
        .await
        .answer();
    let sent: Vec<Value> = server.seen().iter().map(|seen| seen.json()).collect();
    assert!(sent.iter().all(|body| body.get("temperature").is_none()));
    assert_eq!(sent[0]["output_config"]["effort"], "low");
    assert_eq!(sent[0].get("thinking"), None);
    assert_eq!(sent[0]["max_tokens"], 2_600, "thoughts have room of their own");
    assert_eq!(sent[1]["thinking"], json!({"type": "disabled"}));
    assert_eq!(
        (&sent[1]["max_tokens"], sent[1].get("output_config")),
        (&json!(60), None)
    );
    assert_eq!(sent[2]["thinking"], json!({"type": "adaptive"}));
    assert_eq!(sent[2]["output_config"]["effort"], "high");
}

#[tokio::test]
async fn a_model_that_cannot_be_told_not_to_think_is_not_told_again() {
    let refusal = json!({"type": "error", "error": {"type": "invalid_request_error",
        "message": "thinking.type: `disabled` is not supported for this model"}});
    let server = Server::start([
        Answer::json(400, &refusal.to_string()),
        anthropic(&[words("Hi")], "end_turn"),
    ])
    .await;
    let models = models_at("anthropic", &server.address);
    let none = settings(&[("llm.effort.reply", "none")]);
    let request = simple("anthropic", "claude-haiku-5-5");
    assert_eq!(ask_under(&models, &request, &none).await.answer().tries, 2);
    assert_eq!(ask_under(&models, &request, &none).await.answer().tries, 1);
    let sent: Vec<Value> = server.seen().iter().map(|seen| seen.json()).collect();
    assert!(sent[0].get("thinking").is_some() && sent[1].get("thinking").is_none());
    assert_eq!(sent[1]["max_tokens"], 2_600, "it thinks after all");
}

#[tokio::test]
async fn why_anthropic_stopped_is_told_apart() {
    for (blocks, reason, kind) in [
        (vec![thinking()], "refusal", AskFailureKind::Refused),
        (
            vec![thinking()],
            "model_context_window_exceeded",
            AskFailureKind::ContextTooLong,
        ),
    ] {
        let server = Server::start([anthropic(&blocks, reason)]).await;
        let failure = ask(
            &models_at("anthropic", &server.address),
            &simple("anthropic", "claude-sonnet-5-5"),
        )
        .await
        .failure();
        assert_eq!(failure.kind, kind, "{reason}: {failure}");
        assert_eq!(failure.detail.contains("cyber"), reason == "refusal", "{failure}");
    }
    for reason in ["model_context_window_exceeded", "pause_turn"] {
        let server = Server::start([anthropic(&[words("It is")], reason)]).await;
        let answer = ask(
            &models_at("anthropic", &server.address),
            &simple("anthropic", "claude-sonnet-5-5"),
        )
        .await
        .answer();
        assert_eq!(answer.finish, Finish::Length, "{reason}");
    }
}

fn gemini(parts: Value, reason: &str) -> Answer {
    let chunk = json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason}],
        "usageMetadata": {"promptTokenCount": 100, "cachedContentTokenCount": 40, "candidatesTokenCount": 5,
        "thoughtsTokenCount": 30}, "modelVersion": "gemini-3.8-flash"});
    Answer::stream(&[&format!("data: {chunk}\r\n\r\n")])
}

#[tokio::test]
async fn geminis_signatures_and_ids_go_back_with_the_parts_they_came_with() {
    let parts = json!([
        {"thought": true, "text": "They want a cat."},
        {"text": "One moment."},
        {"functionCall": {"id": "fc-1", "name": "search_messages", "args": {"words": "cat"}}, "thoughtSignature": "c2ln"},
        {"functionCall": {"id": "fc-2", "name": "search_messages", "args": {"words": "dog"}}},
    ]);
    let server = Server::start([gemini(parts, "STOP"), gemini(json!([{"text": "A cat."}]), "STOP")]).await;
    let models = models_at("gemini", &server.address);
    let request = offering("gemini", "gemini-3.8-flash");
    let answer = ask(&models, &request).await.answer();
    assert_eq!(answer.text, "One moment.");
    assert_eq!(
        (answer.usage.cached_input_tokens, answer.usage.output_tokens),
        (40, 35)
    );
    ask(&models, &after(&request, &answer)).await.answer();
    let sent = server.seen()[1].json();
    let contents = sent["contents"].as_array().expect("contents");
    assert_eq!(
        contents[contents.len() - 2]["parts"],
        json!([
            {"text": "One moment."},
            {"functionCall": {"id": "fc-1", "name": "search_messages", "args": {"words": "cat"}}, "thoughtSignature": "c2ln"},
            {"functionCall": {"id": "fc-2", "name": "search_messages", "args": {"words": "dog"}}},
        ])
    );
    let results = &contents[contents.len() - 1]["parts"];
    assert_eq!(results[0]["functionResponse"]["id"], "fc-1");
    assert_eq!(results[1]["functionResponse"]["id"], "fc-2");
}

#[tokio::test]
async fn gemini_is_told_a_level_or_a_budget_by_its_generation() {
    let server = Server::start([gemini(json!([{"text": "Hi"}]), "STOP")]).await;
    let models = models_at("gemini", &server.address);
    for model in ["gemini-3.8-flash", "gemini-flash-latest", "gemini-2.5-flash"] {
        ask(&models, &simple("gemini", model)).await.answer();
    }
    let configs: Vec<Value> = server
        .seen()
        .iter()
        .map(|seen| seen.json()["generationConfig"].clone())
        .collect();
    for config in &configs[..2] {
        assert_eq!(config["thinkingConfig"], json!({"thinkingLevel": "LOW"}));
        assert_eq!(config["maxOutputTokens"], 2_600);
    }
    assert_eq!(configs[2]["thinkingConfig"], json!({"thinkingBudget": 0}));
}

#[tokio::test]
async fn why_gemini_stopped_is_told_apart() {
    for (reason, kind) in [
        ("SAFETY", AskFailureKind::Refused),
        ("IMAGE_PROHIBITED_CONTENT", AskFailureKind::Refused),
        ("MALFORMED_FUNCTION_CALL", AskFailureKind::Malformed),
        ("TOO_MANY_TOOL_CALLS", AskFailureKind::Malformed),
        ("OTHER", AskFailureKind::Malformed),
    ] {
        let server = Server::start([gemini(json!([]), reason)]).await;
        let failure = ask(
            &models_at("gemini", &server.address),
            &simple("gemini", "gemini-3.8-flash"),
        )
        .await
        .failure();
        assert_eq!(failure.kind, kind, "{reason}: {failure}");
    }
    for (reason, finish) in [
        ("MAX_TOKENS", Finish::Length),
        ("RECITATION", Finish::Refused),
        ("STOP", Finish::Complete),
    ] {
        let server = Server::start([gemini(json!([{"text": "It is"}]), reason)]).await;
        let answer = ask(
            &models_at("gemini", &server.address),
            &simple("gemini", "gemini-3.8-flash"),
        )
        .await
        .answer();
        assert_eq!(answer.finish, finish, "{reason}");
    }
}
