//! A server on a free loopback port that answers as it is told and remembers what it was asked.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use futures_util::stream::{self, Stream, StreamExt};
use serde_json::Value;
use stand_ins::{Exchange, Heard};
use tokio::sync::mpsc;

/// One thing the server does with a request.
#[derive(Clone, Debug)]
pub struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    pieces: Vec<Vec<u8>>,
    ending: Ending,
    /// How long nothing comes.
    pause: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Proper,
    /// The connection is torn down in the middle of the body.
    Broken,
    /// Nothing more ever comes.
    Never,
}

/// An event under the name of its type, as it stands in a stream.
pub fn event(data: &Value) -> String {
    let name = data["type"].as_str().expect("a type");
    format!("event: {name}\ndata: {data}\n\n")
}

impl Answer {
    /// A stream of the given bytes, sent piece by piece.
    pub fn stream(pieces: &[&str]) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", "text/event-stream; charset=utf-8".to_owned())],
            pieces: pieces.iter().map(|piece| piece.as_bytes().to_vec()).collect(),
            ending: Ending::Proper,
            pause: Duration::ZERO,
        }
    }

    /// A stream of events, each under the name of its type.
    pub fn events(events: &[Value]) -> Self {
        let named = events.iter().map(event);
        Self::stream(&[&named.collect::<String>()])
    }

    /// A stream cut into pieces of this many bytes, wherever that falls.
    pub fn stream_cut(text: &str, bytes: usize) -> Self {
        let mut answer = Self::stream(&[]);
        answer.pieces = text.as_bytes().chunks(bytes).map(<[u8]>::to_vec).collect();
        answer
    }

    pub fn json(status: u16, body: &str) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            pieces: vec![body.as_bytes().to_vec()],
            ending: Ending::Proper,
            pause: Duration::ZERO,
        }
    }

    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self.headers.push((name, value.to_owned()));
        self
    }

    fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value)
    }

    pub fn after(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    pub fn then_broken(mut self) -> Self {
        self.ending = Ending::Broken;
        self
    }

    pub fn then_nothing(mut self) -> Self {
        self.ending = Ending::Never;
        self
    }
}

/// What the server was asked.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: String,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).expect("the body is JSON")
    }
}

/// The running server; it ends with the test's runtime.
pub struct Server {
    pub address: String,
    pub port: u16,
    shared: Arc<Shared>,
    hung_up: tokio::sync::Mutex<mpsc::UnboundedReceiver<()>>,
}

struct Shared {
    /// What it tells of its models, by path; nothing where it is not said.
    told: Mutex<Vec<(&'static str, String)>>,
    answers: Mutex<VecDeque<Answer>>,
    seen: Mutex<Vec<Seen>>,
    hung_up: mpsc::UnboundedSender<()>,
    heard: Heard,
    shown_a_key: std::sync::atomic::AtomicBool,
}

impl Server {
    /// Whether somebody who asked about a model, of the kind that only model servers are asked, showed a key with it.
    pub fn was_shown_a_key(&self) -> bool {
        self.shared.shown_a_key.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Answers in this order; the last answer is given again and again.
    pub async fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            told: Mutex::default(),
            answers: Mutex::new(answers.into_iter().collect()),
            seen: Mutex::default(),
            hung_up: sender,
            heard: Heard::in_this_test(),
            shown_a_key: std::sync::atomic::AtomicBool::default(),
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let app = Router::new().fallback(respond).with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self {
            address: format!("http://127.0.0.1:{port}"),
            port,
            shared,
            hung_up: tokio::sync::Mutex::new(receiver),
        }
    }

    /// Tells this of its models at a path such as `/api/show`.
    pub fn tell(&self, path: &'static str, body: &serde_json::Value) {
        let mut told = self.shared.told.lock().expect("not poisoned");
        told.retain(|(known, _)| *known != path);
        told.push((path, body.to_string()));
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().expect("not poisoned").clone()
    }

    /// Waits until a client has hung up before its answer was over.
    pub async fn hung_up(&self) {
        let mut receiver = self.hung_up.lock().await;
        tokio::time::timeout(Duration::from_secs(20), receiver.recv())
            .await
            .expect("the client hangs up")
            .expect("the server runs");
    }
}

async fn respond(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if ["/api/show", "/api/ps", "/props"].contains(&uri.path()) {
        if headers.contains_key("authorization") {
            shared
                .shown_a_key
                .store(true, std::sync::atomic::Ordering::Relaxed);
        }
        let told = shared.told.lock().expect("not poisoned");
        let (status, body) = told
            .iter()
            .find(|(path, _)| *path == uri.path())
            .map_or((404, String::new()), |(_, body)| (200, body.clone()));
        let response = Response::builder().status(status);
        return response.body(Body::from(body)).expect("a response");
    }
    let seen = Seen {
        method,
        path: uri.path_and_query().map_or_else(String::new, ToString::to_string),
        headers,
        body: String::from_utf8(body.to_vec()).expect("text"),
    };
    shared.seen.lock().expect("not poisoned").push(seen.clone());
    let answer = {
        let mut answers = shared.answers.lock().expect("not poisoned");
        match answers.len() {
            0 => Answer::json(500, "the script is over"),
            1 => answers[0].clone(),
            _ => answers.pop_front().expect("there are two"),
        }
    };
    shared.heard.keep(&Exchange {
        method: seen.method.as_str(),
        path: &seen.path,
        asked: &seen.body,
        status: answer.status,
        content_type: answer.header("content-type"),
        answer: &answer.pieces.concat(),
        whole: answer.ending == Ending::Proper,
    });
    let mut response = Response::builder().status(StatusCode::from_u16(answer.status).expect("a status"));
    for (name, value) in &answer.headers {
        response = response.header(*name, value);
    }
    response.body(body_of(answer, &shared)).expect("a response")
}

fn body_of(answer: Answer, shared: &Shared) -> Body {
    let wait = tokio::time::sleep(answer.pause);
    let waited = stream::once(wait).flat_map(|()| stream::empty());
    // Pauses keep the pieces apart on the wire.
    let pieces = stream::iter(answer.pieces).then(|piece| async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        Ok::<_, std::io::Error>(Bytes::from(piece))
    });
    let pieces = waited.chain(pieces);
    match answer.ending {
        Ending::Proper => Body::from_stream(pieces),
        Ending::Broken => Body::from_stream(pieces.chain(stream::once(async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            Err(std::io::Error::other("torn down"))
        }))),
        Ending::Never => Body::from_stream(pieces.chain(never(HangUp(shared.hung_up.clone())))),
    }
}

fn never(hang_up: HangUp) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    stream::once(async move {
        let _told_when_dropped = hang_up;
        std::future::pending::<Result<Bytes, Infallible>>()
            .await
            .map_err(|never| match never {})
    })
}

struct HangUp(mpsc::UnboundedSender<()>);

impl Drop for HangUp {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}
