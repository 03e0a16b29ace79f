//! OpenAI's chat completions, and the ways of servers that speak like it.

use serde_json::{Value, json};
use vocabulary::{AskFailureKind, Finish};

use crate::requests::{KEY, ask, models_at, rich, settings, simple, typed};
use crate::server::{Answer, Server};
use runtime::ports::Language;

pub fn chunk(delta: Value, finish: Option<&str>) -> String {
    let chunk = json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_790_000_000, "model": "gpt-4.1-mini-2025-04-14",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    });
    format!("data: {chunk}\n\n")
}

pub fn say(text: &str) -> String {
    chunk(json!({"content": text}), None)
}

pub fn ending(reason: &str) -> String {
    chunk(json!({}), Some(reason))
        + "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1790000000,\"model\":\"gpt-4.1-mini-2025-04-14\",\"choices\":[],\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":100,\"total_tokens\":1100,\"prompt_tokens_details\":{\"cached_tokens\":400}}}\n\ndata: [DONE]\n\n"
}

pub fn answer_of(words: &[&str]) -> String {
    let spoken: String = words.iter().map(|word| say(word)).collect();
    chunk(json!({"role": "assistant", "content": ""}), None) + &spoken + &ending("stop")
}

#[tokio::test]
async fn text_is_streamed_and_counted() {
    let server = Server::start([Answer::stream_cut(&answer_of(&["Hello", " Alice 🦀"]), 11)]).await;
    let asked = ask(
        &models_at("openai", &server.address),
        &simple("openai", "gpt-4.1-mini"),
    )
    .await;
    assert_eq!(asked.deltas, ["Hello", " Alice 🦀"]);
    let answer = asked.answer();
    assert_eq!(answer.text, "Hello Alice 🦀");
    assert_eq!(
        (answer.finish, answer.model.as_str()),
        (Finish::Complete, "gpt-4.1-mini-2025-04-14")
    );
    assert_eq!(answer.usage.cached_input_tokens, 400);
    assert_eq!(answer.usage.cost_micro_dollars, Some(440));

    let seen = &server.seen()[0];
    assert_eq!(seen.path, "/v1/chat/completions");
    assert_eq!(
        seen.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    let body = seen.json();
    assert_eq!(body["max_completion_tokens"], 600);
    assert_eq!(body.get("max_tokens"), None);
    assert_eq!(body["stream_options"]["include_usage"], true);
}

#[tokio::test]
async fn tool_calls_streamed_by_index_are_put_together() {
    let call = |index: usize, id: Option<&str>, name: Option<&str>, arguments: &str| {
        chunk(
            json!({"tool_calls": [{"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}]}),
            None,
        )
    };
    let stream = call(0, Some("call_x"), Some("search_messages"), "")
        + &call(0, None, None, "{\"words\":")
        + &call(1, Some("call_y"), Some("look"), "{}")
        + &call(0, None, None, "\"cat\"}")
        + &ending("tool_calls");
    let server = Server::start([Answer::stream(&[&stream])]).await;
    let answer = ask(
        &models_at("openai", &server.address),
        &rich("openai", "gpt-4.1-mini"),
    )
    .await
    .answer();
    assert_eq!(answer.finish, Finish::ToolCalls);
    assert_eq!(answer.text, "");
    let calls: Vec<_> = answer
        .tool_calls
        .iter()
        .map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.clone()))
        .collect();
    assert_eq!(
        calls,
        [
            ("call_x", "search_messages", json!({"words": "cat"})),
            ("call_y", "look", json!({}))
        ]
    );
}

#[tokio::test]
async fn arguments_that_are_not_json_are_handed_on_as_they_are() {
    let stream = chunk(
        json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "search_messages", "arguments": "{oops"}}]}),
        None,
    ) + &ending("tool_calls");
    let server = Server::start([Answer::stream(&[&stream])]).await;
    let answer = ask(
        &models_at("openai", &server.address),
        &rich("openai", "gpt-4.1-mini"),
    )
    .await
    .answer();
    assert_eq!(
        answer.tool_calls[0].arguments,
        json!("{oops"),
        "the model is told what is wrong with them"
    );
}

#[tokio::test]
async fn reasoning_never_counts_as_text() {
    let stream = chunk(json!({"reasoning_content": "the user greets"}), None)
        + &chunk(
            json!({"reasoning": "so should I", "reasoning_content": "so should I", "content": null}),
            None,
        )
        + &say("<thi")
        + &say("nk>still reasoning")
        + &say("</think>\n\nHel")
        + &say("lo")
        + &ending("stop");
    let server = Server::start([Answer::stream(&[&stream])]).await;
    let asked = ask(
        &models_at("compatible", &server.address),
        &simple("compatible", "m"),
    )
    .await;
    // The server has not been looked for: naming it in the environment is not enough before that.
    assert_eq!(asked.failure().kind, AskFailureKind::Unreachable);

    let models = models_at("compatible", &server.address);
    models.configure(&settings(&[])).await;
    let asked = ask(&models, &simple("compatible", "m")).await;
    assert_eq!(asked.deltas, ["Hel", "lo"]);
    assert_eq!(asked.answer().text, "Hello");
}

#[tokio::test]
async fn the_reasons_to_stop_are_told_apart() {
    for (reason, finish) in [
        ("stop", Finish::Complete),
        ("length", Finish::Length),
        ("content_filter", Finish::Refused),
    ] {
        let server = Server::start([Answer::stream(&[&(say("Well") + &ending(reason))])]).await;
        let answer = ask(
            &models_at("openai", &server.address),
            &simple("openai", "gpt-4.1-mini"),
        )
        .await
        .answer();
        assert_eq!(answer.finish, finish, "{reason}");
    }
}

#[tokio::test]
async fn a_refusal_in_its_own_field_is_a_failure() {
    let stream = chunk(json!({"refusal": "I cannot help with that."}), None) + &ending("stop");
    let server = Server::start([Answer::stream(&[&stream])]).await;
    let failure = ask(
        &models_at("openai", &server.address),
        &typed("openai", "gpt-4.1-mini"),
    )
    .await
    .failure();
    assert_eq!(failure.kind, AskFailureKind::Refused);
}

#[tokio::test]
async fn an_empty_answer_is_an_answer() {
    let server = Server::start([Answer::stream(&[&answer_of(&[])])]).await;
    let asked = ask(
        &models_at("openai", &server.address),
        &simple("openai", "gpt-4.1-mini"),
    )
    .await;
    assert!(asked.deltas.is_empty());
    let answer = asked.answer();
    assert_eq!(
        (answer.text.as_str(), answer.finish, answer.first_text),
        ("", Finish::Complete, None)
    );
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood_too() {
    let whole = json!({
        "object": "chat.completion", "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "<think>x</think>Hello"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2}
    });
    let server = Server::start([Answer::json(200, &whole.to_string())]).await;
    let asked = ask(&models_at("openai", &server.address), &simple("openai", "m")).await;
    assert_eq!(asked.deltas, ["Hello"]);
    let answer = asked.answer();
    assert_eq!((answer.text.as_str(), answer.usage.output_tokens), ("Hello", 2));
}
