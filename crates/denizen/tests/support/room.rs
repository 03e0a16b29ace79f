//! What a person, and whoever looks over Denizen's shoulder, does over HTTP.

use reqwest::{Method, StatusCode};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Process, eventually};

#[derive(Deserialize)]
struct RawPage<'a> {
    #[serde(borrow)]
    entries: Vec<&'a RawValue>,
    next: u64,
}

impl Process {
    /// Sends a request with a JSON body; the answer's status and what it says.
    pub async fn call(&self, method: Method, path: &str, body: &Value) -> (StatusCode, Value) {
        let (status, text) = self.call_raw(method, path, body.to_string()).await;
        let value = serde_json::from_str(&text).unwrap_or(Value::Null);
        (status, value)
    }

    pub async fn call_raw(&self, method: Method, path: &str, body: String) -> (StatusCode, String) {
        let request = self
            .client
            .request(method, format!("{}{path}", self.url))
            .header("content-type", "application/json")
            .body(body);
        let response = request.send().await.expect("the process answers");
        let status = response.status();
        (status, response.text().await.expect("the answer is whole"))
    }

    pub async fn text(&self, path: &str) -> String {
        let response = self.client.get(format!("{}{path}", self.url)).send().await;
        let response = response.expect("the process answers");
        assert!(
            response.status().is_success(),
            "{path}: status {}",
            response.status()
        );
        response.text().await.expect("the answer is whole")
    }

    pub async fn get(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path).await).expect("the answer is JSON")
    }

    /// Writes a message; its id.
    pub async fn say(&self, author: &str, text: &str) -> String {
        let body = json!({"author": author, "text": text});
        let (status, answer) = self.call(Method::POST, "/api/rooms/lounge/messages", &body).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
        answer["message"]["id"].as_str().expect("an id").to_owned()
    }

    /// Changes settings on top of the newest version.
    pub async fn change_settings(&self, changes: Value) {
        let version = self.get("/api/settings").await["version"].clone();
        let (status, answer) = self.save_settings(&version, changes).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }

    /// Changes settings on top of a version of one's own.
    pub async fn save_settings(&self, version: &Value, changes: Value) -> (StatusCode, Value) {
        let request = self
            .client
            .put(format!("{}/api/settings", self.url))
            .header("content-type", "application/json")
            .header("if-match", format!("\"{version}\""))
            .body(json!({ "changes": changes }).to_string());
        let response = request.send().await.expect("the process answers");
        let status = response.status();
        let text = response.text().await.expect("the answer is whole");
        (status, serde_json::from_str(&text).expect("JSON"))
    }

    /// Every message in the room, oldest first.
    pub async fn messages(&self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut after = 0;
        loop {
            let page = self
                .get(&format!("/api/rooms/lounge/messages?after={after}&limit=200"))
                .await;
            let messages = page["messages"].as_array().expect("messages").clone();
            let Some(last) = messages.last() else { return all };
            after = last["seq"].as_u64().expect("a number");
            all.extend(messages);
        }
    }

    /// What Denizen said, in order.
    pub async fn said(&self) -> Vec<String> {
        let messages = self.messages().await;
        let own = messages
            .iter()
            .filter(|message| message["author"]["kind"] == "denizen");
        own.map(|message| message["text"].as_str().expect("text").to_owned())
            .collect()
    }

    /// The whole journal, each line exactly as it was served.
    pub async fn journal_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut after = 0;
        loop {
            let text = self.text(&format!("/api/journal?after={after}&limit=1000")).await;
            let page: RawPage<'_> = serde_json::from_str(&text).expect("a page of the journal");
            if page.entries.is_empty() {
                return lines;
            }
            after = page.next;
            lines.extend(page.entries.iter().map(|line| line.get().to_owned()));
        }
    }

    pub async fn journal(&self) -> Vec<Value> {
        let lines = self.journal_lines().await;
        lines
            .iter()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }

    /// The journal lines of one kind about a message.
    pub async fn lines_about(&self, message: &str, name: &str) -> Vec<Value> {
        let mut lines = self.journal().await;
        lines.retain(|line| line["name"] == name && about(line, message));
        lines
    }

    /// Waits until the journal says why there is no reply to a message, and gives the reason and its detail.
    pub async fn skipped(&self, message: &str) -> Value {
        eventually(&format!("{message} is skipped"), async || {
            let skipped = self.lines_about(message, "reply_skipped").await;
            Some(skipped.last()?["data"].clone())
        })
        .await
    }

    /// Waits until a turn about a message has ended, and no other one takes it up; gives the outcome.
    pub async fn settled(&self, message: &str) -> String {
        eventually(&format!("{message} is settled"), async || {
            let ended = self.lines_about(message, "text_turn_ended").await;
            let outcome = ended.last()?["data"]["outcome"].as_str()?;
            (outcome != "superseded").then(|| outcome.to_owned())
        })
        .await
    }

    /// Waits until a message was answered, and gives the words of the answer.
    pub async fn answer_to(&self, message: &str) -> String {
        let outcome = self.settled(message).await;
        let journal = self.journal_lines().await.join("\n");
        assert_eq!(outcome, "sent", "{message} was not answered:\n{journal}");
        let turn = self.lines_about(message, "text_turn_ended").await;
        let turn = &turn.last().expect("it ended")["turn"];
        let messages = self.messages().await;
        let parts = messages.iter().filter(|message| message["turn"] == *turn);
        let words: Vec<&str> = parts.filter_map(|message| message["text"].as_str()).collect();
        words.join(" ")
    }

    /// The records of the model calls of the turns about a message, oldest first.
    pub async fn asks_about(&self, message: &str) -> Vec<Value> {
        let records = self.asks_left_about(message).await;
        records
            .into_iter()
            .map(|record| record.expect("the model call is on record"))
            .collect()
    }

    /// The same while something is being forgotten, which takes every record of its room along: none for such a one.
    pub async fn asks_left_about(&self, message: &str) -> Vec<Option<Value>> {
        let mut records = Vec::new();
        for line in self.lines_about(message, "ask_started").await {
            let path = format!("/api/asks/{}", line["data"]["ask"]);
            let record = eventually("the model call is on record", async || {
                let (status, answer) = self.call(Method::GET, &path, &Value::Null).await;
                if status == StatusCode::NOT_FOUND {
                    return Some(None);
                }
                let record = answer["ask"].clone();
                (!record["outcome"].is_null()).then_some(Some(record))
            });
            records.push(record.await);
        }
        records
    }
}

fn about(line: &Value, message: &str) -> bool {
    let messages = line["messages"].as_array();
    messages.is_some_and(|messages| messages.iter().any(|id| id == message))
}
