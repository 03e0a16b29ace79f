//! Figures of the whole program, while it works.

use serde_json::json;

use crate::discord::Server;
use crate::support::{Answer, ModelServer, Process, eventually, knowing};

/// The figure of a line that begins so.
fn figure(text: &str, line: &str) -> Option<f64> {
    let found = text.lines().find_map(|known| known.strip_prefix(line));
    found.and_then(|value| value.trim().parse().ok())
}

async fn metrics(process: &Process) -> String {
    process.text("/metrics").await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_on_discord_is_seen_in_every_phase_with_what_it_cost_and_the_gateway() {
    let model = ModelServer::answering(|_| Answer::says("At eight.")).await;
    let server = Server::start().await;
    let home = server.home(&model);
    let process = home.start().await;
    server.is_joined().await;
    server.control("fault", json!({"kind": "malformed", "which": "wrong_types"}));
    server.says("alice", "@denizen when do we meet?");
    server.answered(1).await;
    let text = eventually("the answer is counted", async || {
        let text = metrics(&process).await;
        let sent = figure(&text, "denizen_answer_phase_seconds_count{phase=\"sent\"}");
        (sent == Some(1.0)).then_some(text)
    })
    .await;
    for phase in ["decided", "asked", "first_piece"] {
        let line = format!("denizen_answer_phase_seconds_count{{phase=\"{phase}\"}}");
        assert_eq!(figure(&text, &line), Some(1.0), "{line}\n{text}");
    }
    let labels = "purpose=\"text_reply\",provider=\"compatible\",model=\"test-model\"";
    let answers = format!("denizen_model_answers_total{{{labels}}}");
    assert_eq!(figure(&text, &answers), Some(1.0), "{text}");
    let live = "denizen_gateway_shards{platform=\"Discord\",connected=\"true\"}";
    assert_eq!(figure(&text, live), Some(1.0), "{text}");
    let malformed = "denizen_gateway_malformed_events_total{platform=\"Discord\",event=\"MESSAGE_CREATE\"}";
    assert_eq!(figure(&text, malformed), Some(1.0), "{text}");
    assert!(
        figure(
            &text,
            "denizen_requests_total{platform=\"Discord\",outcome=\"ok\"}"
        ) > Some(0.0)
    );
    for secret in [
        "alice",
        "At eight",
        "general",
        "bot:denizen",
        server.guild().as_str(),
    ] {
        assert!(!text.contains(secret), "{secret}\n{text}");
    }
}

#[tokio::test]
async fn a_monitor_has_a_token_of_its_own() {
    let home = crate::support::Home::new();
    let process = home.start().await;
    let made = home.run(&["access", "add", "--role", "monitor", "--label", "prometheus"]);
    let out = made.succeeded();
    let token = out
        .split_whitespace()
        .find(|word| word.len() >= 40 && word.chars().all(|letter| letter.is_ascii_alphanumeric()))
        .expect("the token is printed")
        .to_owned();
    let monitor = knowing(&token);
    let read = monitor.get(format!("{}/metrics", process.url)).send().await;
    assert_eq!(read.expect("it answers").status(), 200);
    let rooms = monitor.get(format!("{}/api/rooms", process.url)).send().await;
    assert_eq!(rooms.expect("it answers").status(), 403);
}
