//! The smallest program that does what a reply needs, of the same crates: what Denizen takes beyond it is its own.
//!
//! A message comes over HTTP and is written with a commit that waits for the disk; a model is asked with the last
//! messages, and its answer read as it is streamed; the answer is written alike; whoever listens is told of both. It
//! decides nothing, finds nothing, tells nobody why, and after a kill it answers nobody.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use anyhow::Context;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use clap::Args;
use futures_util::{StreamExt, stream};
use rusqlite::{Connection, params};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{broadcast, oneshot};

use crate::process::TOKEN;

/// Messages that the model is given, as many as Denizen gives by default.
const RECENT_MAX: usize = 35;
/// How far a listener may fall behind.
const LAG_MAX: usize = 1_024;
const SYSTEM: &str =
    "You are Denizen, one of several people in a room. Answer the last message in a sentence or two.";

#[derive(Debug, Args)]
pub struct Options {
    /// Where its file is.
    #[arg(long)]
    data: PathBuf,
    /// The address of the model.
    #[arg(long)]
    model: String,
}

/// Serves it to whoever reads its address, until nobody holds its input open any more.
pub fn serve(options: &Options) -> anyhow::Result<()> {
    fetching::service::install_tls();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    println!("{}", runtime.block_on(start(&options.data, &options.model))?);
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink())?;
    Ok(())
}

async fn start(data: &Path, model: &str) -> anyhow::Result<String> {
    std::fs::create_dir_all(data)?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    let room = Room(Arc::new(Inner {
        rows: Rows::open(&data.join("room.sqlite"))?,
        told: broadcast::Sender::new(LAG_MAX),
        client: reqwest::Client::new(),
        model: format!("{model}/chat/completions"),
        recent: Mutex::default(),
    }));
    let router = Router::new()
        .route("/api/rooms/lounge/messages", post(said))
        .route("/api/events", get(events))
        .route("/metrics", get(metrics))
        .with_state(room);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

#[derive(Clone)]
struct Room(Arc<Inner>);

struct Inner {
    rows: Rows,
    told: broadcast::Sender<Arc<str>>,
    client: reqwest::Client,
    model: String,
    recent: Mutex<VecDeque<Value>>,
}

#[derive(Deserialize)]
struct Said {
    author: String,
    text: String,
}

async fn said(State(room): State<Room>, headers: HeaderMap, body: Bytes) -> Response {
    if !is_known(&headers) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let Ok(said) = serde_json::from_slice::<Said>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    match room.keep("person", &said.author, &said.text).await {
        Ok(message) => {
            tokio::spawn(async move {
                if let Err(problem) = room.answer().await {
                    eprintln!("no answer: {problem:#}");
                }
            });
            (StatusCode::CREATED, message.to_string()).into_response()
        }
        Err(problem) => (StatusCode::SERVICE_UNAVAILABLE, problem.to_string()).into_response(),
    }
}

async fn events(State(room): State<Room>, headers: HeaderMap) -> Response {
    if !is_known(&headers) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let told = room.0.told.subscribe();
    let hello = stream::iter([Ok::<_, Infallible>(Event::default().data(r#"{"type":"hello"}"#))]);
    let later = stream::unfold(told, |mut told| async move {
        let data = told.recv().await.ok()?;
        Some((Ok(Event::default().data(&*data)), told))
    });
    Sse::new(hello.chain(later)).into_response()
}

/// How often it waited for the disk: once a commit.
async fn metrics(State(room): State<Room>) -> String {
    let commits = room.0.rows.commits.load(Ordering::Relaxed);
    format!("denizen_storage_commits_total {commits}\ndenizen_storage_waits_total {commits}\n")
}

fn is_known(headers: &HeaderMap) -> bool {
    let shown = headers.get("authorization").and_then(|value| value.to_str().ok());
    shown.and_then(|value| value.strip_prefix("Bearer ")) == Some(TOKEN)
}

impl Room {
    /// Writes a message, and tells everybody of it once it is on the disk.
    async fn keep(&self, kind: &'static str, author: &str, text: &str) -> anyhow::Result<Value> {
        let number = self.0.rows.add(kind, author, text).await?;
        let message = json!({ "id": number, "author": { "kind": kind, "name": author }, "text": text });
        self.tell(&json!({ "type": "message", "message": message }));
        let (role, content) = match kind {
            "denizen" => ("assistant", text.to_owned()),
            _ => ("user", format!("{author}: {text}")),
        };
        let mut recent = self.0.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() == RECENT_MAX {
            recent.pop_front();
        }
        recent.push_back(json!({ "role": role, "content": content }));
        Ok(message)
    }

    fn tell(&self, event: &Value) {
        // Nobody who listens is no error.
        let _ = self.0.told.send(event.to_string().into());
    }

    fn question(&self) -> String {
        let recent = self.0.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let system = json!({ "role": "system", "content": SYSTEM });
        let messages: Vec<&Value> = std::iter::once(&system).chain(recent.iter()).collect();
        let options = json!({ "include_usage": true });
        json!({ "model": "bench", "stream": true, "stream_options": options, "messages": messages })
            .to_string()
    }

    async fn answer(&self) -> anyhow::Result<()> {
        let request = self.0.client.post(&self.0.model);
        let request = request
            .header("content-type", "application/json")
            .body(self.question());
        let mut response = request.send().await?.error_for_status()?;
        let (mut waiting, mut text) = (String::new(), String::new());
        while let Some(piece) = response.chunk().await? {
            waiting.push_str(std::str::from_utf8(&piece)?);
            while let Some((event, rest)) = waiting.split_once("\n\n") {
                if let Some(said) = piece_of(event) {
                    text.push_str(&said);
                    self.tell(&json!({ "type": "draft", "text": text }));
                }
                waiting = rest.to_owned();
            }
        }
        self.keep("denizen", "Denizen", &text).await?;
        Ok(())
    }
}

/// What an event of a streamed answer says.
fn piece_of(event: &str) -> Option<String> {
    let event: Value = serde_json::from_str(event.strip_prefix("data: ")?).ok()?;
    Some(event["choices"][0]["delta"]["content"].as_str()?.to_owned())
}

/// Messages in a file, and the thread that writes them, each in a commit of its own that waits for the disk.
struct Rows {
    waiting: mpsc::Sender<Row>,
    commits: Arc<AtomicU64>,
}

struct Row {
    kind: &'static str,
    author: String,
    text: String,
    done: oneshot::Sender<rusqlite::Result<i64>>,
}

impl Rows {
    fn open(file: &Path) -> anyhow::Result<Self> {
        let connection = Connection::open(file)?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "full")?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS messages (number INTEGER PRIMARY KEY, kind TEXT, author TEXT, text TEXT)",
        )?;
        let (waiting, rows) = mpsc::channel::<Row>();
        let commits: Arc<AtomicU64> = Arc::default();
        let counted = Arc::clone(&commits);
        std::thread::spawn(move || {
            for row in rows {
                let added = add(&connection, &row);
                counted.fetch_add(1, Ordering::Relaxed);
                let _ = row.done.send(added);
            }
        });
        Ok(Self { waiting, commits })
    }

    async fn add(&self, kind: &'static str, author: &str, text: &str) -> anyhow::Result<i64> {
        let (done, added) = oneshot::channel();
        let (author, text) = (author.to_owned(), text.to_owned());
        let row = Row {
            kind,
            author,
            text,
            done,
        };
        self.waiting.send(row).ok().context("nobody writes any more")?;
        Ok(added.await??)
    }
}

fn add(connection: &Connection, row: &Row) -> rusqlite::Result<i64> {
    let mut insert =
        connection.prepare_cached("INSERT INTO messages (kind, author, text) VALUES (?1, ?2, ?3)")?;
    insert.insert(params![row.kind, row.author, row.text])
}
