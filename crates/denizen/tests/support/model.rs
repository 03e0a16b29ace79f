//! A model server on a free loopback port that speaks OpenAI's streaming protocol and answers as it is told.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{get, post};
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};
use stand_ins::{Exchange, Heard};
use tokio::sync::Semaphore;

/// The model that is listed where nobody says otherwise.
const LISTED: &str = "test-model";

/// The running server; it ends with the test's runtime.
pub struct ModelServer {
    pub base_url: String,
    shared: Arc<Shared>,
}

/// What a model answers where nothing was scripted: by the number of the question, and the question.
type Usual = Box<dyn Fn(usize, &Asked) -> Answer + Send + Sync>;

struct Shared {
    script: Mutex<VecDeque<Answer>>,
    usual: Usual,
    asked: Mutex<Vec<Asked>>,
    listed: Mutex<Vec<String>>,
    /// What is answered in place of the list.
    refusal: Mutex<Option<(u16, String)>>,
    /// How many answers were sent to their end.
    finished: Semaphore,
    heard: Heard,
}

/// What the server was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub headers: HeaderMap,
    pub body: String,
}

/// One thing the server does with a request.
#[derive(Clone, Debug)]
pub struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    pieces: Vec<Piece>,
    ending: Ending,
}

#[derive(Clone, Debug)]
enum Piece {
    Bytes(Vec<u8>),
    Pause(Duration),
    Wait(Gate),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Proper,
    Broken,
    Never,
}

/// Holds an answer back until it is opened; then it stays open.
#[derive(Clone, Debug)]
pub struct Gate(Arc<Semaphore>);

impl Gate {
    pub fn closed() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    pub fn open(&self) {
        self.0.close();
    }

    /// Waits until it is open.
    pub async fn passed(&self) {
        // Closing the semaphore is how the gate opens.
        let _ = self.0.acquire().await;
    }
}

fn chunk(delta: &Value, finish: Option<&str>) -> Value {
    json!({"id": "c1", "object": "chat.completion.chunk", "created": 1_790_000_000, "model": "test-model",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

/// A typed answer.
pub fn envelope(action: &str, text: &str, reason: &str) -> String {
    json!({"action": action, "text": text, "reason": reason}).to_string()
}

impl Answer {
    /// These words as plain text, streamed word by word.
    pub fn says(text: &str) -> Self {
        Self::in_pieces(text.split_inclusive(' '))
    }

    /// A text in these very pieces.
    pub fn in_pieces<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Self {
        let mut answer = Self::half(pieces);
        let mut end = chunk(&json!({}), Some("stop"));
        end["usage"] = json!({"prompt_tokens": 40, "completion_tokens": 5, "total_tokens": 45});
        let end = format!("data: {end}\n\ndata: [DONE]\n\n");
        answer.pieces.push(Piece::Bytes(end.into_bytes()));
        answer
    }

    /// A call of a tool.
    pub fn calls(tool: &str, arguments: &Value) -> Self {
        let call = json!({"index": 0, "id": "call_1", "type": "function",
            "function": {"name": tool, "arguments": arguments.to_string()}});
        let chunk = json!({"id": "c1", "object": "chat.completion.chunk", "model": "test-model",
            "choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]});
        let body = format!("data: {chunk}\n\ndata: [DONE]\n\n");
        Self::raw(200, "text/event-stream", &body)
    }

    /// Pieces of a text, and then nothing that says it is over.
    pub fn half<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Self {
        let pieces = pieces.into_iter().map(|text| {
            let chunk = chunk(&json!({"content": text}), None);
            Piece::Bytes(format!("data: {chunk}\n\n").into_bytes())
        });
        Self {
            status: 200,
            headers: vec![("content-type", "text/event-stream".to_owned())],
            pieces: pieces.collect(),
            ending: Ending::Proper,
        }
    }

    /// Bytes of any kind.
    pub fn raw(status: u16, content_type: &str, body: &str) -> Self {
        Self {
            status,
            headers: vec![("content-type", content_type.to_owned())],
            pieces: vec![Piece::Bytes(body.as_bytes().to_vec())],
            ending: Ending::Proper,
        }
    }

    /// An error in OpenAI's format.
    pub fn error(status: u16, message: &str) -> Self {
        let body = json!({"error": {"message": message, "type": "test"}}).to_string();
        Self::raw(status, "application/json", &body)
    }

    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// With a pause before every piece.
    pub fn paced(mut self, pause: Duration) -> Self {
        let pieces = self.pieces.into_iter();
        self.pieces = pieces.flat_map(|piece| [Piece::Pause(pause), piece]).collect();
        self
    }

    /// Held back at the gate after so many pieces.
    pub fn held_after(mut self, pieces: usize, gate: &Gate) -> Self {
        self.pieces.insert(pieces, Piece::Wait(gate.clone()));
        self
    }

    /// All that is sent of it.
    fn bytes(&self) -> Vec<u8> {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Bytes(bytes) => bytes.as_slice(),
            Piece::Pause(_) | Piece::Wait(_) => &[],
        });
        pieces.collect::<Vec<_>>().concat()
    }

    /// The connection is torn down instead of ended.
    pub fn then_broken(mut self) -> Self {
        self.ending = Ending::Broken;
        self
    }

    /// Nothing more ever comes.
    pub fn then_nothing(mut self) -> Self {
        self.ending = Ending::Never;
        self
    }
}

impl ModelServer {
    /// Says "Understood." to everything it has no script for.
    pub async fn start() -> Self {
        Self::answering(|_| Answer::says("Understood.")).await
    }

    /// Answers the request with this number (from 0) by this rule.
    pub async fn answering(usual: impl Fn(usize) -> Answer + Send + Sync + 'static) -> Self {
        Self::reading(move |number, _| usual(number)).await
    }

    /// The same, by what it is asked.
    pub async fn reading(usual: impl Fn(usize, &Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        Self::listening(listener.expect("a free port"), usual)
    }

    /// The same, where somebody has looked for it before.
    pub fn listening(
        listener: tokio::net::TcpListener,
        usual: impl Fn(usize, &Asked) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let shared = Arc::new(Shared {
            script: Mutex::default(),
            usual: Box::new(usual),
            asked: Mutex::default(),
            listed: Mutex::new(vec![LISTED.to_owned()]),
            refusal: Mutex::default(),
            finished: Semaphore::new(0),
            heard: Heard::in_this_test(),
        });
        let port = listener.local_addr().expect("an address").port();
        let router = Router::new()
            .route("/v1/models", get(list))
            .route("/v1/chat/completions", post(respond))
            .with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            base_url: format!("http://127.0.0.1:{port}/v1"),
            shared,
        }
    }

    /// Lists these models from now on.
    pub fn lists(&self, ids: &[&str]) {
        *self.shared.refusal.lock().expect("not poisoned") = None;
        *self.shared.listed.lock().expect("not poisoned") = ids.iter().map(|id| (*id).to_owned()).collect();
    }

    /// Refuses to list its models from now on.
    pub fn lists_nothing(&self, status: u16, body: &str) {
        *self.shared.refusal.lock().expect("not poisoned") = Some((status, body.to_owned()));
    }

    /// Answers the next requests so, in this order.
    pub fn next(&self, answers: impl IntoIterator<Item = Answer>) {
        self.shared.script.lock().expect("not poisoned").extend(answers);
    }

    /// Leaves out what is left of the script.
    pub fn forget_script(&self) {
        self.shared.script.lock().expect("not poisoned").clear();
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().expect("not poisoned").clone()
    }

    /// Waits until it was asked so often.
    pub async fn asked_times(&self, times: usize) {
        super::eventually("the model is asked", async || {
            (self.asked().len() >= times).then_some(())
        })
        .await;
    }

    /// Waits until one more answer has been sent to its end.
    pub async fn finished_one(&self) {
        let finished = self.shared.finished.acquire().await;
        finished.expect("nobody closes it").forget();
    }

    /// Forgets the answers that were sent to their end so far.
    pub fn forget_finished(&self) {
        self.shared.finished.forget_permits(usize::MAX >> 4);
    }
}

async fn list(State(shared): State<Arc<Shared>>) -> Response {
    let refusal = shared.refusal.lock().expect("not poisoned").clone();
    if let Some((status, body)) = refusal {
        let refused = Response::builder().status(status).body(Body::from(body));
        return refused.expect("a response");
    }
    let listed = shared.listed.lock().expect("not poisoned");
    let model =
        |id: &String| json!({"id": id, "object": "model", "created": 1_790_000_000, "owned_by": "test"});
    let data: Vec<Value> = listed.iter().map(model).collect();
    Response::new(Body::from(json!({"object": "list", "data": data}).to_string()))
}

async fn respond(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let now_asked = Asked {
        headers,
        body: String::from_utf8(body.to_vec()).expect("requests are text"),
    };
    let number = {
        let mut asked = shared.asked.lock().expect("not poisoned");
        asked.push(now_asked.clone());
        asked.len() - 1
    };
    let scripted = shared.script.lock().expect("not poisoned").pop_front();
    let answer = scripted.unwrap_or_else(|| (shared.usual)(number, &now_asked));
    shared.heard.keep(&Exchange {
        method: "POST",
        path: "/v1/chat/completions",
        asked: &now_asked.body,
        status: answer.status,
        content_type: answer.headers.first().map_or("", |(_, value)| value),
        answer: &answer.bytes(),
        whole: answer.ending == Ending::Proper,
    });
    let mut response = Response::builder().status(answer.status);
    for (name, value) in &answer.headers {
        response = response.header(*name, value);
    }
    response.body(body_of(answer, shared)).expect("a response")
}

fn body_of(answer: Answer, shared: Arc<Shared>) -> Body {
    let pieces = stream::iter(answer.pieces).filter_map(async |piece| match piece {
        Piece::Bytes(bytes) => {
            // Without a pause, neighbours may travel in one packet.
            tokio::time::sleep(Duration::from_millis(1)).await;
            Some(Ok(Bytes::from(bytes)))
        }
        Piece::Pause(pause) => {
            tokio::time::sleep(pause).await;
            None
        }
        Piece::Wait(gate) => {
            gate.passed().await;
            None
        }
    });
    let ending = answer.ending;
    let end = stream::once(async move {
        match ending {
            Ending::Proper => shared.finished.add_permits(1),
            Ending::Never => std::future::pending().await,
            Ending::Broken => {
                tokio::time::sleep(Duration::from_millis(20)).await;
                return Some(Err(io::Error::other("torn down")));
            }
        }
        None
    });
    Body::from_stream(pieces.chain(end.filter_map(async |end| end)))
}
