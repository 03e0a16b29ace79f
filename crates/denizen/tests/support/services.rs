//! Services other than language models on free loopback ports: one that paints, and one that knows what words mean.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use super::Gate;

/// A picture of one pixel.
const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// A server with OpenAI's images API; it ends with the test's runtime.
pub struct Painter {
    pub url: String,
    shared: Arc<Paints>,
}

struct Paints {
    asked: Mutex<Vec<Value>>,
    /// Nothing is painted before it is opened.
    gate: Gate,
    is_broken: AtomicBool,
}

impl Painter {
    /// Paints a pixel for everybody, as soon as the gate is open.
    pub async fn behind(gate: &Gate) -> Self {
        let shared = Arc::new(Paints {
            asked: Mutex::default(),
            gate: gate.clone(),
            is_broken: AtomicBool::new(false),
        });
        let router = Router::new().route("/v1/images/generations", post(paint));
        let url = serve(router.with_state(shared.clone())).await;
        Self { url, shared }
    }

    /// From now on it fails.
    pub fn breaks(&self) {
        self.shared.is_broken.store(true, Ordering::Relaxed);
    }

    /// What it was asked for so far.
    pub fn asked(&self) -> Vec<Value> {
        self.shared.asked.lock().expect("not poisoned").clone()
    }
}

async fn paint(State(shared): State<Arc<Paints>>, Json(wish): Json<Value>) -> (StatusCode, Json<Value>) {
    shared.asked.lock().expect("not poisoned").push(wish);
    shared.gate.passed().await;
    if shared.is_broken.load(Ordering::Relaxed) {
        let error = json!({"error": {"message": "the brushes are gone", "type": "server_error"}});
        return (StatusCode::INTERNAL_SERVER_ERROR, Json(error));
    }
    (
        StatusCode::OK,
        Json(json!({"created": 1, "data": [{"b64_json": PIXEL}]})),
    )
}

/// A server with OpenAI's embeddings API, for which every text with one of these words means the same, and any other
/// something else. Says its address.
pub async fn meanings(words: &'static [&'static str]) -> String {
    let embed = move |Json(request): Json<Value>| async move {
        let texts = request["input"].as_array().cloned().unwrap_or_default();
        let vectors = texts.iter().enumerate().map(|(index, text)| {
            let text = text.as_str().unwrap_or_default().to_lowercase();
            let meant = words.iter().any(|word| text.contains(word));
            let vector = if meant { [1.0, 0.0] } else { [0.0, 1.0] };
            json!({"object": "embedding", "index": index, "embedding": vector})
        });
        let vectors: Vec<Value> = vectors.collect();
        Json(json!({"object": "list", "data": vectors, "model": "meanings"}))
    };
    serve(Router::new().route("/v1/embeddings", post(embed))).await
}

async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://127.0.0.1:{port}/v1")
}
