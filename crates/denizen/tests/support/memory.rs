//! A model that makes gems of what people say, and what can be seen of a memory over HTTP and in its files.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::model::Asked;
use super::{Answer, ModelServer, PATIENCE, Process};

const BATCH_BEGINS: &str = "=== Turns to extract from ===\n";
const BATCH_ENDS: &str = "\n=== End of turns ===";

/// A model that makes one gem of every turn of a person, word for word, and says "Understood." to everything else.
pub struct Rememberer;

impl Rememberer {
    pub async fn start() -> ModelServer {
        Self::pausing(Duration::ZERO).await
    }

    /// One that takes its time over every piece of an answer with gems.
    pub async fn pausing(pause: Duration) -> ModelServer {
        ModelServer::reading(move |_, asked| match Self::batch(asked) {
            Some(batch) => Self::answer(&batch).paced(pause),
            None => Answer::says("Understood."),
        })
        .await
    }

    /// The turns that gems are to be made of, as `[1] (when) who: what`; none for any other question.
    pub fn batch(asked: &Asked) -> Option<String> {
        let body: Value = serde_json::from_str(&asked.body).expect("requests are JSON");
        let content = &body["messages"].as_array()?.last()?["content"];
        let parts = content.as_array().into_iter().flatten();
        let text: Vec<&str> = parts.filter_map(|part| part["text"].as_str()).collect();
        let text = content.as_str().map_or_else(|| text.join("\n"), str::to_owned);
        let (_, after) = text.split_once(BATCH_BEGINS)?;
        Some(after.split_once(BATCH_ENDS)?.0.to_owned())
    }

    /// The gems of these turns.
    pub fn answer(batch: &str) -> Answer {
        Answer::says(&gems(batch))
    }

    /// How often it was asked for gems.
    pub fn asked(model: &ModelServer) -> usize {
        model.asked().iter().filter_map(Self::batch).count()
    }
}

fn gems(batch: &str) -> String {
    let gems: Vec<Value> = batch
        .lines()
        .filter_map(|line| {
            let (number, line) = line.strip_prefix('[')?.split_once("] (")?;
            let (speaker, text) = line.split_once(") ")?.1.split_once(": ")?;
            if speaker == "Denizen" {
                return None;
            }
            let turn: u64 = number.parse().ok()?;
            Some(json!({
                "content": format!("{speaker} says: {text}"), "summary": "", "topics": [], "importance": 0.7,
                "tags": ["fact"], "turns": [turn], "speaker": speaker, "about": speaker,
                "attribute": "", "standing": false, "replaces": "", "repeats": ""
            }))
        })
        .collect();
    json!({ "gems": gems }).to_string()
}

/// Whether any file under a folder has these bytes.
pub fn holds(folder: &Path, bytes: impl AsRef<[u8]>) -> bool {
    let bytes = bytes.as_ref();
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    entries.map(|entry| entry.expect("an entry").path()).any(|path| {
        if path.is_dir() {
            return holds(&path, bytes);
        }
        // A log of SQLite's may go between being listed and being read.
        let held = std::fs::read(&path).unwrap_or_default();
        held.windows(bytes.len()).any(|window| window == bytes)
    })
}

impl Process {
    /// How memory is.
    pub async fn memory(&self) -> Value {
        self.get("/api/memory/status").await
    }

    /// Ends the conversation, so that gems are made of what there is.
    pub async fn end_session(&self) {
        let (status, answer) = self
            .call(Method::POST, "/api/rooms/lounge/session/end", &json!({}))
            .await;
        assert!(status.is_success(), "{answer}");
    }

    /// Waits until gems were made of everything that was captured.
    pub async fn memory_is_made(&self) {
        let started = Instant::now();
        loop {
            let status = self.memory().await;
            let none = |what: &str| status["waiting"][what] == 0;
            if none("waiting") && none("held") && none("keptBack") && status["trouble"].is_null() {
                return;
            }
            if started.elapsed() > PATIENCE {
                let journal = self.journal_lines().await;
                let newest = &journal[journal.len().saturating_sub(20)..];
                panic!(
                    "{PATIENCE:?} were not enough to make gems: {status}\n{}",
                    newest.join("\n")
                );
            }
            tokio::time::sleep(Duration::from_millis(15)).await;
        }
    }

    /// Everything that is remembered: turns by id, and gems by id. Nothing may be there twice.
    pub async fn remembered(&self) -> (BTreeMap<String, Value>, BTreeMap<String, Value>) {
        let (mut turns, mut gems) = (BTreeMap::new(), BTreeMap::new());
        for line in self.text("/api/memory/export").await.lines().skip(1) {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let (of, record, id) = match (&line["turn"], &line["gem"]) {
                (Value::Null, gem) => (&mut gems, gem, "gem_id"),
                (turn, _) => (&mut turns, turn, "id"),
            };
            let id = record[id].as_str().expect("an id").to_owned();
            assert!(of.insert(id, record.clone()).is_none(), "{record} is there twice");
        }
        (turns, gems)
    }

    /// What an operator's search finds, as text.
    pub async fn search(&self, words: &str) -> String {
        self.text(&format!("/api/memory/search?limit=100&q={words}"))
            .await
    }

    /// Asks memory as an agent in a room would; what is found, as text.
    pub async fn recall(&self, words: &str, scope: Value) -> String {
        let body = json!({"query": words, "scope": scope, "minConfidence": 0.0, "limit": 50});
        let (status, answer) = self.call(Method::POST, "/v1/recall", &body).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["found"].to_string()
    }

    /// Writes a message and waits for the answer; the model call that made it.
    pub async fn ask(&self, author: &str, text: &str) -> Value {
        let message = self.say(author, text).await;
        self.answer_to(&message).await;
        let calls = self.asks_about(&message).await;
        let reply = calls
            .into_iter()
            .rfind(|call| call["request"]["purpose"] == "text_reply");
        reply.expect("a model was asked")
    }
}
