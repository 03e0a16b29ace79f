//! A server in the shapes of those that hear and speak: OpenAI, ElevenLabs and whisper.cpp.
//!
//! It refuses what they refuse, answers with a tone as long as the text and with the words it was told to, and remembers
//! what it was asked.

mod form;
mod hearing;
mod speaking;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde_json::{Value, json};
use tokio::net::TcpListener;

pub use form::Form;

/// The only key it takes.
pub const SPEECH_KEY: &str = "sk-speech-0123456789";

const BODY_BYTES_MAX: usize = 32 * 1024 * 1024;

/// One question that was asked.
#[derive(Clone, Debug)]
pub struct AskedAboutSpeech {
    /// With its query.
    pub path: String,
    pub headers: HeaderMap,
    /// Where it was JSON.
    pub body: Value,
    /// Where it was a form.
    pub form: Form,
}

type Answer = Box<dyn FnOnce() -> Response + Send>;

/// A server that hears and speaks.
#[derive(Clone, Default)]
pub struct SpeechServices {
    pub address: String,
    words: Arc<Mutex<String>>,
    models: Arc<Mutex<Vec<String>>>,
    voices: Arc<Mutex<Vec<String>>>,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    asked: Arc<Mutex<Vec<AskedAboutSpeech>>>,
}

impl std::fmt::Debug for SpeechServices {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SpeechServices")
            .field("address", &self.address)
            .finish()
    }
}

impl SpeechServices {
    /// Starts one, which understands these words in everything.
    pub async fn start(words: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let server = Self {
            address: format!("http://{}", listener.local_addr().expect("an address")),
            words: Arc::new(Mutex::new(words.to_owned())),
            ..Self::default()
        };
        let router = Router::new().fallback(take).with_state(server.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        server
    }

    /// What it answers next instead of what is right, once.
    pub fn then(&self, answer: impl IntoResponse + Send + 'static) -> &Self {
        let answer: Answer = Box::new(|| answer.into_response());
        self.answers.lock().expect("no panic").push_back(answer);
        self
    }

    /// A refusal with these words.
    pub fn then_status(&self, status: u16, value: &Value) -> &Self {
        let status = StatusCode::from_u16(status).expect("a status");
        self.then((status, [("content-type", "application/json")], value.to_string()))
    }

    /// An answer that begins and never ends.
    pub fn then_silence(&self) -> &Self {
        let never = futures_util::stream::pending::<Result<Bytes, std::io::Error>>();
        self.then(Response::new(Body::from_stream(never)))
    }

    /// The models that it has.
    pub fn lists_models(&self, models: &[&str]) {
        *self.models.lock().expect("no panic") = models.iter().map(|name| (*name).to_owned()).collect();
    }

    /// The voices that the account has.
    pub fn lists_voices(&self, voices: &[&str]) {
        *self.voices.lock().expect("no panic") = voices.iter().map(|id| (*id).to_owned()).collect();
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<AskedAboutSpeech> {
        self.asked.lock().expect("no panic").clone()
    }

    fn words(&self) -> String {
        self.words.lock().expect("no panic").clone()
    }
}

async fn take(State(server): State<SpeechServices>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, BODY_BYTES_MAX).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let mime = parts
        .headers
        .get("content-type")
        .and_then(|value| value.to_str().ok());
    let asked = AskedAboutSpeech {
        path: parts.uri.to_string(),
        form: Form::read(mime.unwrap_or_default(), &body),
        body: serde_json::from_slice(&body).unwrap_or_default(),
        headers: parts.headers,
    };
    server.asked.lock().expect("no panic").push(asked.clone());
    let answer = server.answers.lock().expect("no panic").pop_front();
    if let Some(answer) = answer {
        return answer();
    }
    let header = |name: &str| asked.headers.get(name).and_then(|value| value.to_str().ok());
    let path = parts.uri.path();
    match path {
        "/v1/audio/transcriptions" | "/v1/audio/speech" | "/v1/models" => {
            if header("authorization") != Some(&format!("Bearer {SPEECH_KEY}")) {
                return openai_refusal(401, "invalid_api_key", "Incorrect API key provided: sk-sp***789.");
            }
            match path {
                "/v1/audio/speech" => speaking::openai(&asked),
                "/v1/models" => {
                    let models = server.models.lock().expect("no panic").clone();
                    let models = models.iter().map(|id| json!({"id": id, "object": "model"}));
                    as_json(&json!({"object": "list", "data": models.collect::<Vec<_>>()}))
                }
                _ => hearing::openai(&asked, &server.words()),
            }
        }
        "/inference" => hearing::whisper_cpp(&asked, &server.words()),
        _ if header("xi-api-key") != Some(SPEECH_KEY) => {
            elevenlabs_refusal(401, "invalid_api_key", "Invalid API key")
        }
        "/v2/voices" => {
            let voices = server.voices.lock().expect("no panic").clone();
            let voices = voices
                .iter()
                .map(|id| json!({"voice_id": id, "category": "premade"}));
            as_json(&json!({"voices": voices.collect::<Vec<_>>(), "has_more": false}))
        }
        "/v1/speech-to-text" => hearing::elevenlabs(&asked, &server.words()),
        path => match path
            .strip_prefix("/v1/text-to-speech/")
            .and_then(|path| path.strip_suffix("/stream/with-timestamps"))
        {
            Some(voice) => speaking::elevenlabs(&asked, voice, parts.uri.query().unwrap_or_default()),
            None => elevenlabs_refusal(404, "not_found", "Not Found"),
        },
    }
}

/// Refuses as OpenAI does.
fn openai_refusal(status: u16, code: &str, message: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    let error = json!({"error": {
        "message": message, "type": "invalid_request_error", "param": null, "code": code,
    }});
    (status, [("content-type", "application/json")], error.to_string()).into_response()
}

/// Refuses as ElevenLabs does.
fn elevenlabs_refusal(status: u16, code: &str, message: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    let error = json!({"detail": {"status": code, "message": message}});
    (status, [("content-type", "application/json")], error.to_string()).into_response()
}

fn as_json(value: &Value) -> Response {
    ([("content-type", "application/json")], value.to_string()).into_response()
}
