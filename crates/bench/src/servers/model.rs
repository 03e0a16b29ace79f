//! A model that answers at once, with the word of the server that it was asked about, and finds words of two servers in one
//! question.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};

/// Every server has a word that is said nowhere else.
const WORD: &str = "marker";
/// Questions carry a number, which stands behind this.
const NUMBER: &str = "question-";

/// What it was asked.
#[derive(Debug, Default)]
pub struct Asked {
    pub questions: usize,
    /// Words of other servers in one question.
    pub mixed: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct InstantModel(Arc<Mutex<Asked>>);

/// The word of a server.
pub fn word(server: usize) -> String {
    format!("{WORD}{server:05}")
}

/// What somebody asks in a server.
pub fn question(server: usize, number: usize) -> String {
    format!("{NUMBER}{number} about {}: what is it like?", word(server))
}

/// What is answered.
pub fn answer(server: &str, number: &str) -> String {
    format!("{server} is fine, to {NUMBER}{number}.")
}

/// All words of servers in a text.
pub fn words_in(text: &str) -> BTreeSet<String> {
    let found = text.match_indices(WORD);
    let words = found.filter_map(|(at, _)| text.get(at..at + WORD.len() + 5));
    words
        .filter(|word| word[WORD.len()..].bytes().all(|byte| byte.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

impl InstantModel {
    /// Serves it on loopback; where.
    pub async fn serve(&self) -> anyhow::Result<String> {
        let router = Router::new()
            .route("/v1/chat/completions", post(complete))
            .with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(format!("http://{address}/v1"))
    }

    pub fn asked<T>(&self, look: impl FnOnce(&mut Asked) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn complete(State(model): State<InstantModel>, body: String) -> Response {
    let question: Value = serde_json::from_str(&body).unwrap_or_default();
    let words = words_in(&body);
    model.asked(|asked| {
        asked.questions += 1;
        if words.len() > 1 {
            asked.mixed.push(format!("one question has {words:?}"));
        }
    });
    let newest = body.rsplit(NUMBER).next().unwrap_or_default();
    let number: String = newest.chars().take_while(char::is_ascii_digit).collect();
    let said = answer(words.first().map_or("nothing", String::as_str), &number);
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110});
    if question["stream"] != json!(true) {
        let message = json!({"role": "assistant", "content": said});
        let whole = json!({"id": "1", "object": "chat.completion", "created": 0, "model": question["model"], "usage": usage,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]});
        return axum::Json(whole).into_response();
    }
    let about = |more: Value| {
        let mut chunk =
            json!({"id": "1", "object": "chat.completion.chunk", "created": 0, "model": question["model"]});
        if let (Some(chunk), Value::Object(more)) = (chunk.as_object_mut(), more) {
            chunk.extend(more);
        }
        format!("data: {chunk}\n\n")
    };
    let delta = json!({"role": "assistant", "content": said});
    let events = [
        about(json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})),
        about(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})),
        about(json!({"choices": [], "usage": usage})),
        "data: [DONE]\n\n".to_owned(),
    ];
    ([(CONTENT_TYPE, "text/event-stream")], events.concat()).into_response()
}
