//! A page that listens to live events.

use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::{Process, eventually};

/// Everything that was heard so far, as (type, data).
pub struct Live {
    heard: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Live {
    /// Listens from now on.
    pub async fn open(process: &Process) -> Self {
        Self::open_at(process, "/api/events").await
    }

    /// The same at another address, such as that of one community.
    pub async fn open_at(process: &Process, path: &str) -> Self {
        let request = process.client.get(format!("{}{path}", process.url));
        let mut response = request.send().await.expect("the process answers");
        assert!(response.status().is_success());
        let heard: Arc<Mutex<Vec<(String, Value)>>> = Arc::default();
        let into = heard.clone();
        tokio::spawn(async move {
            let mut waiting = String::new();
            while let Ok(Some(chunk)) = response.chunk().await {
                waiting.push_str(&String::from_utf8_lossy(&chunk));
                while let Some(end) = waiting.find("\n\n") {
                    let event: String = waiting.drain(..end + 2).collect();
                    into.lock().expect("not poisoned").extend(read(&event));
                }
            }
        });
        let live = Self { heard };
        live.wait_for("the greeting", |kind, _| kind == "hello").await;
        live
    }

    /// The number of the newest event.
    pub async fn heard_so_far(process: &Process) -> u64 {
        let live = Self::open(process).await;
        let hello = live.of_kind("hello").pop().expect("a greeting");
        hello["next"].as_u64().expect("a number") - 1
    }

    /// What a page hears that comes back after it has heard this number, as text.
    pub async fn replayed(process: &Process, since: u64) -> String {
        let request = process
            .client
            .get(format!("{}/api/events?after={since}", process.url));
        let mut response = request.send().await.expect("the process answers");
        let mut heard = String::new();
        // What was missed is told before anything that happens now.
        let after = process.say("Bob", "This is heard after it.").await;
        while !heard.contains(&after) {
            let chunk = response.chunk().await.expect("it goes on").expect("it goes on");
            heard.push_str(&String::from_utf8_lossy(&chunk));
        }
        heard
    }

    pub fn heard(&self) -> Vec<(String, Value)> {
        self.heard.lock().expect("not poisoned").clone()
    }

    /// The data of all events of a kind.
    pub fn of_kind(&self, kind: &str) -> Vec<Value> {
        let heard = self.heard().into_iter();
        heard
            .filter(|(other, _)| other == kind)
            .map(|(_, data)| data)
            .collect()
    }

    /// Waits for an event, and gives its data.
    pub async fn wait_for(&self, what: &str, wanted: impl Fn(&str, &Value) -> bool) -> Value {
        eventually(&format!("this is heard: {what}"), async || {
            let mut heard = self.heard().into_iter();
            heard
                .find(|(kind, data)| wanted(kind, data))
                .map(|(_, data)| data)
        })
        .await
    }
}

fn read(event: &str) -> Option<(String, Value)> {
    let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
    let data = serde_json::from_str(field("data: ")?).expect("events carry JSON");
    Some((field("event: ")?.to_owned(), data))
}
