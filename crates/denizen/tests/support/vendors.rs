//! Anthropic, OpenAI and Gemini on one loopback port, each with the list of models that it gives out and an answer to
//! everything.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{get, post};
use serde_json::{Value, json};

/// A model of a list, and the day it ends.
pub type Listed = (String, Option<String>);

/// The running servers; they end with the test's runtime.
pub struct Vendors {
    pub address: String,
    shared: Arc<Shared>,
}

struct Shared {
    listed: Vec<Listed>,
    /// The models that were asked, in order.
    asked: Mutex<Vec<String>>,
}

impl Vendors {
    /// All of them list these.
    pub async fn listing(listed: &[(&str, Option<&str>)]) -> Self {
        let owned = |(id, ends): &(&str, Option<&str>)| ((*id).to_owned(), ends.map(str::to_owned));
        let shared = Arc::new(Shared {
            listed: listed.iter().map(owned).collect(),
            asked: Mutex::default(),
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let router = Router::new()
            .route("/v1/models", get(list))
            .route("/v1beta/models", get(list_of_gemini))
            .route("/v1/messages", post(messages))
            .route("/v1/responses", post(responses))
            .route("/v1/chat/completions", post(chat))
            .route("/v1beta/models/{call}", post(generate))
            .with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            address: format!("http://127.0.0.1:{port}"),
            shared,
        }
    }

    /// The models that were asked so far.
    pub fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().expect("not poisoned").clone()
    }
}

async fn list(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> String {
    let of_anthropic = headers.contains_key("anthropic-version");
    let model = |(id, ends): &Listed| match of_anthropic {
        true => json!({"type": "model", "id": id, "display_name": id, "created_at": "2026-01-01T00:00:00Z",
            "lifecycle": if ends.is_some() { "deprecated" } else { "active" },
            "retires_at": ends.as_ref().map(|day| format!("{day}T00:00:00Z"))}),
        false => {
            json!({"id": id, "object": "model", "created": 1, "owned_by": "openai", "shutdown_date": ends})
        }
    };
    let data: Vec<Value> = shared.listed.iter().map(model).collect();
    json!({"object": "list", "data": data, "has_more": false}).to_string()
}

async fn list_of_gemini(State(shared): State<Arc<Shared>>) -> String {
    let model = |(id, ends): &Listed| {
        let mut model =
            json!({"name": format!("models/{id}"), "supportedGenerationMethods": ["generateContent"]});
        if let Some(day) = ends {
            model["modelStatus"] =
                json!({"modelStage": "LEGACY", "retirementTime": format!("{day}T00:00:00Z")});
        }
        model
    };
    let models: Vec<Value> = shared.listed.iter().map(model).collect();
    json!({"models": models}).to_string()
}

/// The words of an answer that every purpose can use.
fn words(body: &str) -> String {
    match body.contains("\"gems\"") {
        true => json!({"gems": []}).to_string(),
        false => json!({"action": "reply", "text": "Understood.", "reason": "asked"}).to_string(),
    }
}

fn heard(shared: &Shared, body: &Bytes) -> (String, String) {
    let body = String::from_utf8(body.to_vec()).expect("requests are text");
    let asked: Value = serde_json::from_str(&body).expect("JSON");
    let model = asked["model"].as_str().unwrap_or_default().to_owned();
    shared.asked.lock().expect("not poisoned").push(model.clone());
    (model, words(&body))
}

fn stream(events: &[Value]) -> Response {
    let lines = events.iter().map(|event| match event["type"].as_str() {
        Some(kind) => format!("event: {kind}\ndata: {event}\n\n"),
        None => format!("data: {event}\n\n"),
    });
    let response = Response::builder().header("content-type", "text/event-stream");
    response
        .body(Body::from(lines.collect::<String>()))
        .expect("a response")
}

async fn messages(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let (model, words) = heard(&shared, &body);
    let usage = json!({"input_tokens": 1_000, "output_tokens": 1});
    stream(&[
        json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant",
            "model": model, "content": [], "usage": usage}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": words}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null},
            "usage": {"output_tokens": 20}}),
        json!({"type": "message_stop"}),
    ])
}

async fn responses(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let (model, words) = heard(&shared, &body);
    let response = |status: &str| {
        json!({"id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": model,
            "output": [], "usage": {"input_tokens": 1_000, "output_tokens": 20, "total_tokens": 1_020,
                "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}})
    };
    let said = json!([{"type": "output_text", "text": words, "annotations": []}]);
    stream(&[
        json!({"type": "response.created", "sequence_number": 0, "response": response("in_progress")}),
        json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0,
            "delta": words, "logprobs": []}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": {"type": "message", "id": "msg_1",
            "role": "assistant", "status": "completed", "content": said}}),
        json!({"type": "response.completed", "response": response("completed")}),
    ])
}

async fn chat(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let (model, words) = heard(&shared, &body);
    stream(&[
        json!({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model,
            "choices": [{"index": 0, "delta": {"content": words}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1_000, "completion_tokens": 20, "total_tokens": 1_020}}),
    ])
}

async fn generate(State(shared): State<Arc<Shared>>, Path(call): Path<String>, body: Bytes) -> Response {
    let model = call.split(':').next().unwrap_or_default().to_owned();
    let body = String::from_utf8(body.to_vec()).expect("requests are text");
    shared.asked.lock().expect("not poisoned").push(model.clone());
    let parts = json!([{"text": words(&body)}]);
    stream(&[json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "index": 0, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1_000, "candidatesTokenCount": 20, "totalTokenCount": 1_020},
        "modelVersion": model,
    })])
}
