//! A server that answers as it is told and remembers what it was asked, and a studio that asks it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use fetching::Fetcher;
use runtime::ports::{MadeMedia, MediaFault, MediaMaker as _};
use secrecy::SecretString;
use serde_json::Value;
use settings::Settings;
use stand_ins::{Exchange, Heard};
use studio::{Studio, StudioKeys, StudioPace};
use tokio::net::TcpListener;
use vocabulary::{MediaId, MediaKind, MediaOrder, MediaWish, Span};

pub const KEY: &str = "sk-test-0123456789";

pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n-the-rest-of-a-picture";
pub const GIF: &[u8] = b"GIF89a\x02\x00\x02\x00-the-rest-of-a-gif";
pub const MP4: &[u8] = b"\0\0\0\x18ftypisom-the-rest-of-a-clip";

/// One question that was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub query: String,
    pub authorization: Option<String>,
    pub content_type: Option<String>,
    pub body: Value,
}

type Answer = Box<dyn FnOnce() -> Response + Send>;

/// Answers in the order they were given; beyond the last, 500.
#[derive(Clone, Default)]
pub struct Server {
    pub address: String,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: format!("http://{}", listener.local_addr().unwrap()),
            ..Self::default()
        };
        let router = Router::new().fallback(take).with_state(server.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        server
    }

    pub fn then(&self, answer: impl IntoResponse + Send + 'static) -> &Self {
        self.answers
            .lock()
            .unwrap()
            .push_back(Box::new(|| answer.into_response()));
        self
    }

    pub fn then_json(&self, value: Value) -> &Self {
        self.then(([("content-type", "application/json")], value.to_string()))
    }

    pub fn then_status(&self, status: u16, value: Value) -> &Self {
        let status = StatusCode::from_u16(status).unwrap();
        self.then((status, [("content-type", "application/json")], value.to_string()))
    }

    /// An answer that begins and never ends.
    pub fn then_silence(&self) -> &Self {
        self.then(Response::new(Body::from_stream(Never)))
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

struct Never;

impl futures_util::Stream for Never {
    type Item = Result<Bytes, std::io::Error>;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        std::task::Poll::Pending
    }
}

async fn take(State(server): State<Server>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let header = |name: &str| Some(parts.headers.get(name)?.to_str().unwrap().to_owned());
    let body = axum::body::to_bytes(body, 1024 * 1024).await.unwrap();
    Heard::in_this_test().keep(&Exchange {
        method: parts.method.as_str(),
        path: parts.uri.path(),
        asked: &String::from_utf8_lossy(&body),
        status: 0,
        content_type: "",
        answer: &[],
        whole: false,
    });
    server.asked.lock().unwrap().push(Asked {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        authorization: header("authorization"),
        content_type: header("content-type"),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    });
    let answer = server.answers.lock().unwrap().pop_front();
    match answer {
        Some(answer) => answer(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// One for all: making its clients is what takes longest.
pub fn studio() -> &'static Studio {
    static STUDIO: OnceLock<Studio> = OnceLock::new();
    STUDIO.get_or_init(new_studio)
}

fn new_studio() -> Studio {
    let key = || Some(SecretString::from(KEY));
    let keys = StudioKeys {
        image: key(),
        video: key(),
        openai: None,
        giphy: key(),
        tenor: key(),
    };
    let pace = StudioPace {
        poll: Duration::from_millis(5),
        longest_poll: Duration::from_millis(20),
        retry: Duration::from_millis(5),
    };
    Studio::with_pace(keys, Fetcher::new(), pace)
}

/// Settings under which the server makes everything.
pub fn settings(server: &Server) -> Settings {
    let mut settings = Settings::default();
    settings.media.image_provider = settings::MediaProvider::OpenAi;
    settings.media.image_url = format!("{}/v1", server.address);
    settings.media.video_provider = settings::MediaProvider::OpenAi;
    settings.media.video_url = format!("{}/v1", server.address);
    settings.media.gif_provider = settings::GifProvider::Giphy;
    settings.media.gif_url = server.address.clone();
    settings.media.max_megabytes = 1;
    settings
}

pub fn order(kind: MediaKind, model: &str, prompt: &str) -> MediaOrder {
    MediaOrder {
        media: MediaId(7),
        wish: MediaWish {
            kind,
            prompt: prompt.to_owned(),
        },
        model: model.to_owned(),
        deadline: Span(20_000),
    }
}

pub async fn picture(server: &Server) -> Result<MadeMedia, MediaFault> {
    let order = order(MediaKind::Image, "gpt-image-1", "a fox");
    studio().make(&order, &settings(server)).await
}

pub async fn clip(server: &Server) -> Result<MadeMedia, MediaFault> {
    let order = order(MediaKind::Video, "sora-2", "a fox runs");
    studio().make(&order, &settings(server)).await
}
