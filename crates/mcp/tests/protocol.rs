//! The server spoken to as any MCP client would: lines of JSON-RPC, with a door that the test holds open.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use mcp::{ForgetTarget, MemoryAccess, Recall, RecallReply, Remember};
use runtime::ports::Removed;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex};
use tokio::task::JoinHandle;
use vocabulary::{Found, Gem, Record, Scores};

#[derive(Default)]
struct Door {
    asked: Mutex<Vec<String>>,
    shut: bool,
}

#[async_trait]
impl MemoryAccess for Door {
    async fn remember(&self, new: Remember) -> Result<Gem, String> {
        self.note(format!("{new:?}"))?;
        Ok(gem(&new.content))
    }

    async fn recall(&self, question: Recall) -> Result<RecallReply, String> {
        self.note(format!("{question:?}"))?;
        let found = Found {
            record: Record::Gem(Box::new(gem("Alice is allergic to walnuts."))),
            scores: Scores {
                confidence: 0.71,
                ..Scores::default()
            },
            matched: vec!["walnuts".to_owned()],
            through: Vec::new(),
        };
        Ok(RecallReply {
            found: vec![found],
            below_threshold: 2,
            remark: None,
        })
    }

    async fn forget(&self, what: ForgetTarget) -> Result<Removed, String> {
        self.note(format!("{what:?}"))?;
        Ok(Removed {
            gems: vec!["7f".into()],
            turns: vec!["t1".into(), "t2".into()],
        })
    }
}

impl Door {
    fn note(&self, what: String) -> Result<(), String> {
        self.asked.lock().unwrap().push(what);
        if self.shut {
            return Err(
                "No Denizen answers at http://127.0.0.1:8787. Start one with `denizen run`.".to_owned(),
            );
        }
        Ok(())
    }
}

fn gem(content: &str) -> Gem {
    serde_json::from_value(json!({
        "gem_id": "7f", "content": content, "summary": content, "importance": 0.9, "tags": ["fact"],
        "source": {"session_id": "s", "date": "2026-02-23", "turn_range": "1-2"},
        "created_at": "2026-02-23T15:26:00Z", "last_seen_at": "2026-02-23T15:26:00Z", "valid_from": "2026-02-23T15:26:00Z",
        "place": {"community": "agents", "room": "helper"}
    }))
    .unwrap()
}

/// A client of the other end.
struct Client {
    to: DuplexStream,
    from: Lines<BufReader<DuplexStream>>,
    serving: JoinHandle<Result<(), mcp::ServeError>>,
    next: u64,
}

impl Client {
    fn connect(door: Arc<Door>) -> Self {
        let (to, input) = duplex(64 * 1024);
        let (output, from) = duplex(64 * 1024);
        let serving = tokio::spawn(async move { mcp::serve_on(door, "9.9.9", input, output).await });
        Self {
            to,
            from: BufReader::new(from).lines(),
            serving,
            next: 0,
        }
    }

    async fn initialized(door: Arc<Door>) -> Self {
        let mut client = Self::connect(door);
        let about = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let answer = client.ask("initialize", about).await;
        assert_eq!(
            answer["result"]["serverInfo"]["name"], "denizen-memory",
            "{answer}"
        );
        assert_eq!(answer["result"]["serverInfo"]["version"], "9.9.9");
        assert!(answer["result"]["capabilities"]["tools"].is_object(), "{answer}");
        assert!(
            answer["result"]["instructions"]
                .as_str()
                .unwrap()
                .contains("recall")
        );
        client
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        client
    }

    async fn send(&mut self, message: &Value) {
        self.to
            .write_all(format!("{message}\n").as_bytes())
            .await
            .unwrap();
    }

    async fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}))
            .await;
        let line = self.from.next_line().await.unwrap().expect("an answer");
        let answer: Value = serde_json::from_str(&line).expect("every line is JSON");
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self
            .ask("tools/call", json!({"name": tool, "arguments": arguments}))
            .await;
        answer["result"].clone()
    }
}

fn words(result: &Value) -> &str {
    result["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no words: {result}"))
}

#[tokio::test]
async fn the_tools_describe_themselves() {
    let mut client = Client::initialized(Arc::default()).await;
    let listed = client.ask("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["remember", "recall", "forget"]);
    for tool in tools {
        assert!(tool["description"].as_str().unwrap().len() > 40, "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
        for (name, field) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(field["description"].is_string(), "{name} of {tool}");
        }
    }
    assert_eq!(tools[1]["annotations"]["readOnlyHint"], true);
    assert_eq!(tools[2]["annotations"]["destructiveHint"], true);
}

#[tokio::test]
async fn things_are_remembered_recalled_and_forgotten() {
    let door = Arc::new(Door::default());
    let mut client = Client::initialized(door.clone()).await;
    let result = client
        .call(
            "remember",
            json!({"content": "Alice is allergic to walnuts.", "person": "Alice"}),
        )
        .await;
    assert_eq!(result["isError"], false);
    assert_eq!(
        words(&result),
        "Remembered as gem:7f: Alice is allergic to walnuts."
    );
    assert_eq!(result["structuredContent"]["gem"]["gem_id"], "7f");

    let result = client
        .call("recall", json!({"query": "what can Alice not eat?", "limit": 3}))
        .await;
    assert_eq!(
        words(&result),
        "1. Alice is allergic to walnuts. (2026-02-23, fact, sure 0.71) [gem:7f]\n(2 more were too unsure to bring up.)"
    );
    assert_eq!(result["structuredContent"]["memories"][0]["id"], "gem:7f");

    let result = client.call("forget", json!({"query": "walnuts"})).await;
    assert!(
        words(&result).starts_with("Nothing was forgotten yet."),
        "{result}"
    );
    let result = client.call("forget", json!({"id": "gem:7f"})).await;
    assert_eq!(words(&result), "Forgotten for good: 1 gem and 2 turns.");
    let asked = door.asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 4);
    assert!(asked[2].contains("however_unsure: true"), "{}", asked[2]);
    assert_eq!(asked[3], "Gem(GemId(7f))");
}

#[tokio::test]
async fn a_refusal_is_an_answer_that_the_model_can_read() {
    let mut client = Client::initialized(Arc::default()).await;
    for (tool, arguments, word) in [
        ("remember", json!({}), "content"),
        ("recall", json!({"query": "tea", "limit": 99}), "1 to 50"),
        ("forget", json!({}), "exactly one"),
        ("dream", json!({}), "“dream”"),
    ] {
        let result = client.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        assert!(words(&result).contains(word), "{result}");
    }
    let shut = Arc::new(Door {
        shut: true,
        ..Door::default()
    });
    let mut client = Client::initialized(shut).await;
    let result = client.call("recall", json!({"query": "tea"})).await;
    assert_eq!(result["isError"], true);
    assert!(words(&result).contains("denizen run"), "{result}");
}

#[tokio::test]
async fn the_server_ends_when_its_client_leaves_and_says_so_when_nobody_speaks_mcp() {
    let client = Client::initialized(Arc::default()).await;
    drop(client.to);
    client.serving.await.unwrap().unwrap();

    let silent = Client::connect(Arc::default());
    drop(silent.to);
    let problem = silent.serving.await.unwrap().unwrap_err().to_string();
    assert!(problem.contains("MCP client"), "{problem}");
}
