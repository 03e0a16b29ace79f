//! The server, and what a test does with it.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::desk::{Desk, Mischief, Received, Reply};
use crate::{elevenlabs, elevenlabs_agent, gemini, openai};

/// Whose shapes stand at `/v1/realtime`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vendor {
    OpenAi,
    Xai,
}

/// A double, which ends when it is dropped.
#[derive(Debug)]
pub struct ServiceDouble {
    address: SocketAddr,
    desk: Desk,
    server: JoinHandle<()>,
}

/// One connection, as the sockets have it.
#[derive(Clone)]
pub(crate) struct Seat {
    pub(crate) desk: Desk,
    pub(crate) connection: u64,
    path: String,
    key: Option<String>,
}

/// What a connection was sent, or that it is over.
pub(crate) enum Heard {
    Frame(Value),
    Over,
}

impl Seat {
    /// The next frame.
    pub(crate) async fn next(&self, socket: &mut WebSocket) -> Heard {
        loop {
            let message = tokio::select! {
                message = socket.recv() => message,
                () = self.desk.cut.notified() => return Heard::Over,
            };
            let text = match message {
                Some(Ok(Message::Text(text))) => text.as_str().to_owned(),
                Some(Ok(Message::Binary(bytes))) => String::from_utf8_lossy(&bytes).into_owned(),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Heard::Over,
            };
            let frame: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
            self.desk.receive(Received {
                connection: self.connection,
                path: self.path.clone(),
                key: self.key.clone(),
                frame: frame.clone(),
                at: Instant::now(),
            });
            return Heard::Frame(frame);
        }
    }

    /// An id that nothing else has.
    pub(crate) fn id(&self, kind: &str) -> String {
        format!("{kind}_{:06}", self.desk.number())
    }
}

/// Sends a frame; whether somebody is there.
pub(crate) async fn send(socket: &mut WebSocket, frame: &Value) -> bool {
    let sent = socket.send(Message::Text(frame.to_string().into())).await;
    sent.is_ok()
}

impl ServiceDouble {
    /// Starts one on a free port of this machine.
    pub async fn start(vendor: Vendor) -> Self {
        Self::start_at(vendor, "127.0.0.1:0").await
    }

    /// Starts one at an address of this machine.
    pub async fn start_at(vendor: Vendor, address: &str) -> Self {
        let desk = Desk::default();
        desk.hears_always("What is the weather like?");
        desk.replies_always("It is sunny, and the kettle is on.");
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let gemini = "/ws/google.ai.generativelanguage.{version}";
        let app = Router::new()
            .route(
                "/v1/realtime",
                get(move |state: State<Desk>, uri: Uri, headers: HeaderMap, upgrade: WebSocketUpgrade| async move {
                    seated(state.0, &uri, &headers, upgrade, move |seat, socket| {
                        openai::serve(vendor, seat, socket)
                    })
                }),
            )
            .route(
                gemini,
                get(|state: State<Desk>, uri: Uri, headers: HeaderMap, upgrade: WebSocketUpgrade| async move {
                    seated(state.0, &uri, &headers, upgrade, gemini::serve)
                }),
            )
            .route(
                "/v1/speech-to-text/realtime",
                get(|state: State<Desk>, uri: Uri, headers: HeaderMap, upgrade: WebSocketUpgrade| async move {
                    seated(state.0, &uri, &headers, upgrade, elevenlabs::hear)
                }),
            )
            .route(
                "/v1/text-to-speech/{voice}/{door}",
                get(
                    |state: State<Desk>,
                     Path((_, door)): Path<(String, String)>,
                     uri: Uri,
                     headers: HeaderMap,
                     upgrade: WebSocketUpgrade| async move {
                        match door.as_str() {
                            "multi-stream-input" => {
                                seated(state.0, &uri, &headers, upgrade, elevenlabs::speak)
                            }
                            "stream-input" => {
                                seated(state.0, &uri, &headers, upgrade, elevenlabs::speak_one)
                            }
                            _ => StatusCode::NOT_FOUND.into_response(),
                        }
                    },
                ),
            )
            .route(
                "/v1/convai/conversation",
                get(|state: State<Desk>, uri: Uri, headers: HeaderMap, upgrade: WebSocketUpgrade| async move {
                    seated(state.0, &uri, &headers, upgrade, elevenlabs_agent::serve)
                }),
            )
            .with_state(desk.clone());
        let server = tokio::spawn(async move {
            let _ = axum::serve(listener, app).await;
        });
        Self {
            address,
            desk,
            server,
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What a setting for a base URL is to be; `path` is where the API begins.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The words of the next clip.
    pub fn hears(&self, words: &str) {
        self.desk.hears(words);
    }

    /// The words of every clip for which there are no others.
    pub fn hears_always(&self, words: &str) {
        self.desk.hears_always(words);
    }

    /// What it does the next time that it is to answer out of its own head.
    pub fn replies(&self, reply: Reply) {
        self.desk.replies(reply);
    }

    /// What it says where nothing else was given.
    pub fn replies_always(&self, words: &str) {
        self.desk.replies_always(words);
    }

    /// What its conversations were told and heard, in that order: on which connection, who, and what.
    pub fn known(&self) -> Vec<(u64, String, String)> {
        self.desk.known()
    }

    /// What it was told to know no more of than was heard: which item, and how many milliseconds.
    pub fn truncated(&self) -> Vec<(String, u64)> {
        self.desk.truncated()
    }

    /// When pieces of sound went out, by connection.
    pub fn sounded(&self) -> Vec<(u64, Instant)> {
        self.desk.sounded()
    }

    /// Forgets what it was sent, and when it spoke.
    pub fn clear(&self) {
        self.desk.clear();
    }

    /// Something goes wrong at the next occasion.
    pub fn fault(&self, fault: Mischief) {
        self.desk.fault(fault);
    }

    /// Breaks every connection there is.
    pub fn cut(&self) {
        self.desk.cut.notify_waiters();
    }

    /// Everything that was sent to it.
    pub fn received(&self) -> Vec<Received> {
        self.desk.received()
    }

    /// How many conversation items it keeps in mind.
    pub fn kept(&self) -> usize {
        self.desk.kept()
    }

    /// Waits until something was sent that fits; what it was.
    pub async fn until(&self, fits: impl Fn(&Received) -> bool) -> Received {
        let waiting = async {
            loop {
                let changed = self.desk.changed.notified();
                if let Some(found) = self.received().into_iter().find(|received| fits(received)) {
                    return found;
                }
                changed.await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), waiting)
            .await
            .expect("it was sent within half a minute")
    }
}

impl Drop for ServiceDouble {
    fn drop(&mut self) {
        self.server.abort();
        self.cut();
    }
}

/// Lets somebody in, unless something is to go wrong with that.
fn seated<F>(
    desk: Desk,
    uri: &Uri,
    headers: &HeaderMap,
    upgrade: WebSocketUpgrade,
    serve: impl FnOnce(Seat, WebSocket) -> F + Send + 'static,
) -> Response
where
    F: Future<Output = ()> + Send + 'static,
{
    if desk.goes_wrong(Mischief::RefuseKey) {
        let body = json!({"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}});
        return (StatusCode::UNAUTHORIZED, body.to_string()).into_response();
    }
    if desk.goes_wrong(Mischief::UnknownModel) {
        let body = json!({"error": {"message": "The model does not exist", "code": "model_not_found"}});
        return (StatusCode::NOT_FOUND, body.to_string()).into_response();
    }
    if desk.goes_wrong(Mischief::Unavailable) {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let key = ["authorization", "x-goog-api-key", "xi-api-key"]
        .iter()
        .find_map(|name| headers.get(*name))
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    let seat = Seat {
        connection: desk.connected(),
        desk,
        path: uri.to_string(),
        key,
    };
    upgrade
        .max_message_size(64 * 1024 * 1024)
        .on_upgrade(move |socket| serve(seat, socket))
}
