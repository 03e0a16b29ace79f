//! Another agent's memory: turns over HTTP, MCP over standard input and output, both of one running room.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Home, Process, eventually};

/// An MCP client of the real program.
struct Mcp {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    next: u64,
}

impl Mcp {
    fn start(home: &Home, arguments: &[&str]) -> Self {
        let mut all = vec!["mcp"];
        all.extend(arguments);
        let mut child = home
            .command(&all)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut mcp = Self {
            to: child.stdin.take(),
            from: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
            next: 0,
        };
        let about = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let greeting = mcp.ask("initialize", &about);
        assert_eq!(
            greeting["result"]["serverInfo"]["name"], "denizen-memory",
            "{greeting}"
        );
        mcp.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        mcp
    }

    fn send(&mut self, message: &Value) {
        let to = self.to.as_mut().expect("still open");
        writeln!(to, "{message}").expect("it reads");
    }

    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": parameters}));
        let mut line = String::new();
        self.from.read_line(&mut line).expect("it answers");
        let answer: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("not the protocol: {line:?}"));
        assert_eq!(answer["id"], self.next, "{answer}");
        answer
    }

    /// Whether the call went well, and its words.
    fn call(&mut self, tool: &str, arguments: Value) -> (bool, String) {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let words = result["content"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{answer}"));
        (result["isError"] == false, words.to_owned())
    }

    /// Leaves, and waits until the server has ended by itself.
    fn leave(mut self) {
        drop(self.to.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Things of no interest: in a memory of one sentence no word is worth anything.
async fn know_other_things(process: &Process) {
    for number in 0..12 {
        let content = format!("House number {number} stands by the sea, and a train stops near it.");
        let (status, answer) = post(process, "/v1/gems", json!({"content": content})).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
    }
}

async fn post(process: &Process, path: &str, body: Value) -> (StatusCode, Value) {
    process.call(Method::POST, path, &body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agents_turns_become_gems_when_its_conversation_ends() {
    let home = Home::new();
    let process = home.start().await;
    let body = json!({
        "session": "helper/42", "ended": true,
        "turns": [
            {"id": "1", "speaker": {"name": "Alice"}, "text": "My name is Alice and I am allergic to walnuts."},
            {"id": "2", "speaker": {"name": "helper", "kind": "agent"}, "text": "Noted, no walnuts."}
        ]
    });
    let (status, taken) = post(&process, "/v1/turns", body.clone()).await;
    assert_eq!(status, StatusCode::CREATED, "{taken}");
    assert_eq!(taken["accepted"], 2);
    let run = eventually("gems are made of the turns", async || {
        let runs = process.get("/api/memory/runs").await;
        runs["runs"]
            .as_array()?
            .iter()
            .find(|run| run["state"] == "stored")
            .cloned()
    })
    .await;
    assert_eq!(
        (&run["reason"], &run["turns"]),
        (&json!("session_end"), &json!(2))
    );
    let (status, again) = post(&process, "/v1/turns", body).await;
    assert_eq!((status, &again["repeated"]), (StatusCode::OK, &json!(2)));
    // How sure a match is means little in a memory of two turns.
    let question = json!({"query": "what is Alice allergic to?", "minConfidence": 0});
    let (_, answer) = post(&process, "/v1/recall", question).await;
    assert!(answer["found"].to_string().contains("walnuts"), "{answer}");
    let question =
        json!({"query": "what is Alice allergic to?", "minConfidence": 0, "scope": {"community": "local"}});
    let (_, answer) = post(&process, "/v1/recall", question).await;
    assert_eq!(
        answer["found"],
        json!([]),
        "another community knows nothing of it"
    );
    let request = process
        .client
        .delete(format!("{}/v1/sessions/helper%2F42", process.url));
    let response = request.send().await.expect("the process answers");
    assert_eq!(response.status(), StatusCode::OK);
    let (_, answer) = post(
        &process,
        "/v1/recall",
        json!({"query": "walnuts", "minConfidence": 0}),
    )
    .await;
    assert!(
        !answer["found"].to_string().contains("walnuts"),
        "it is forgotten: {answer}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_is_offered_as_mcp_tools_of_a_running_room() {
    let home = Home::new();
    let process = home.start().await;
    know_other_things(&process).await;
    let mut mcp = Mcp::start(&home, &["--url", &process.url, "--agent", "helper"]);
    let tools = mcp.ask("tools/list", &json!({}));
    assert_eq!(
        tools["result"]["tools"].as_array().map(Vec::len),
        Some(3),
        "{tools}"
    );
    let (fine, words) = mcp.call(
        "remember",
        json!({"content": "Alice is allergic to walnuts.", "person": "Alice", "importance": 0.9}),
    );
    assert!(fine && words.contains("gem:"), "{words}");
    let id = words
        .split("gem:")
        .nth(1)
        .and_then(|rest| rest.split(':').next())
        .expect("an id")
        .to_owned();
    let (fine, words) = mcp.call("recall", json!({"query": "what is Alice allergic to?"}));
    assert!(
        fine && words.contains("walnuts") && words.contains(&id),
        "{words}"
    );
    let gem = process.get(&format!("/api/memory/gems/{id}")).await;
    assert_eq!(gem["gem"]["made_by"], "helper");
    let (fine, words) = mcp.call("forget", json!({"query": "walnuts"}));
    assert!(fine && words.contains(&id), "{words}");
    let (fine, words) = mcp.call("forget", json!({"id": format!("gem:{id}")}));
    assert!(fine && words.contains("1 gem"), "{words}");
    let (fine, words) = mcp.call("forget", json!({"id": format!("gem:{id}")}));
    assert!(!fine && words.contains("no gem"), "{words}");
    let (fine, words) = mcp.call("recall", json!({"query": "walnuts"}));
    assert!(fine && words.starts_with("Nothing known fits."), "{words}");
    mcp.leave();
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_running_room_the_tools_say_what_to_do() {
    let home = Home::new();
    let mut mcp = Mcp::start(&home, &["--url", "http://127.0.0.1:9"]);
    let (fine, words) = mcp.call("recall", json!({"query": "walnuts"}));
    assert!(
        !fine && words.contains("denizen run") && words.contains("--url"),
        "{words}"
    );
    mcp.leave();
    let refusal = home.run(&["mcp", "--agent", "a b"]).failed();
    assert!(refusal.contains("--agent"), "{refusal}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_embedded_server_keeps_memory_in_the_data_folder() {
    let home = Home::new();
    let mut mcp = Mcp::start(&home, &["--embedded"]);
    let (fine, words) = mcp.call("remember", json!({"content": "Bob drinks oolong tea."}));
    assert!(fine, "{words}");
    let refusal = home.run(&["run", "--port", "0"]).failed();
    assert!(refusal.contains("is in use by another process"), "{refusal}");
    mcp.leave();
    let found = home.run(&["memory", "search", "oolong", "tea"]).succeeded();
    assert!(found.contains("Bob drinks oolong tea."), "{found}");
}
