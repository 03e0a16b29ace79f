//! A small server that answers as it is told and keeps what it was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Response, Uri};
use discord::rest::RestClient;
use secrecy::SecretString;
use serde_json::{Value, json};

pub const TOKEN: &str = "very.secret.token";

/// One answer: status, headers, body.
#[derive(Clone, Debug)]
pub struct Told {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

/// One request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    pub line: String,
    pub authorization: Option<String>,
    pub mime: String,
    pub agent: String,
    pub body: Vec<u8>,
}

impl Asked {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

#[derive(Default)]
struct Inside {
    /// What is answered next, to requests whose line has this in it.
    answers: VecDeque<(&'static str, Option<Told>)>,
    asked: Vec<Asked>,
}

#[derive(Clone)]
pub struct Server {
    inside: Arc<Mutex<Inside>>,
    pub client: RestClient,
}

pub fn told(status: u16, body: Value) -> Told {
    Told {
        status,
        headers: Vec::new(),
        body: body.to_string(),
    }
}

impl Told {
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// What a bucket says.
    pub fn bucket(self, name: &str, limit: u32, remaining: u32, reset_after: &str) -> Self {
        self.header("x-ratelimit-bucket", name)
            .header("x-ratelimit-limit", &limit.to_string())
            .header("x-ratelimit-remaining", &remaining.to_string())
            .header("x-ratelimit-reset-after", reset_after)
    }
}

/// A message as the server would send it.
pub fn message(id: u64) -> Value {
    json!({"id": id.to_string(), "channel_id": "5", "author": {"id": "9", "username": "denizen", "bot": true},
           "content": "hello", "timestamp": "2026-11-16T12:00:00.000Z", "type": 0})
}

impl Server {
    pub async fn start() -> Self {
        let inside = Arc::new(Mutex::new(Inside::default()));
        let router = Router::new().fallback(answer).with_state(Arc::clone(&inside));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/api/v10", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let client = RestClient::new(&base, &SecretString::from(TOKEN)).unwrap();
        Self { inside, client }
    }

    /// Answers the next request whose line has this in it.
    pub fn will(&self, line: &'static str, answer: Told) -> &Self {
        self.inside
            .lock()
            .unwrap()
            .answers
            .push_back((line, Some(answer)));
        self
    }

    /// Never answers the next request whose line has this in it.
    pub fn will_hang(&self, line: &'static str) -> &Self {
        self.inside.lock().unwrap().answers.push_back((line, None));
        self
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.inside.lock().unwrap().asked.clone()
    }

    pub fn lines(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.line).collect()
    }
}

async fn answer(
    State(inside): State<Arc<Mutex<Inside>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let text = |name: &str| {
        let value = headers.get(name).map(|value| value.to_str().unwrap().to_owned());
        value.unwrap_or_default()
    };
    let line = format!("{method} {uri}").replace("/api/v10", "");
    let found = {
        let mut inside = inside.lock().unwrap();
        inside.asked.push(Asked {
            line: line.clone(),
            authorization: headers
                .get("authorization")
                .map(|value| value.to_str().unwrap().to_owned()),
            mime: text("content-type"),
            agent: text("user-agent"),
            body: body.to_vec(),
        });
        let at = inside
            .answers
            .iter()
            .position(|(wanted, _)| line.contains(wanted));
        at.and_then(|at| inside.answers.remove(at))
    };
    let told = match found {
        Some((_, Some(told))) => told,
        Some((_, None)) => std::future::pending().await,
        None => told(404, json!({"message": "404: Not Found", "code": 0})),
    };
    let mut response = Response::builder().status(told.status);
    for (name, value) in told.headers {
        response = response.header(name, value);
    }
    response.body(Body::from(told.body)).unwrap()
}
