//! Denizen where Discord is in trouble, and on servers that only speak its protocol: no question is lost and none is answered
//! twice. `make e2e-discord` has the long form.

use std::collections::BTreeMap;

use discord_double::MALFORMED_KINDS;
use serde_json::{Value, json};

use crate::discord::{Server, to_the_point};
use crate::support::ModelServer;

/// Everything that was answered, each answer with how often.
fn answers(server: &Server) -> BTreeMap<String, usize> {
    let mut answers = BTreeMap::new();
    for said in server.said() {
        let text = said["content"].as_str().unwrap_or_default().to_owned();
        *answers.entry(text).or_default() += 1;
    }
    answers
}

#[track_caller]
fn each_once(server: &Server, questions: usize) {
    let wanted: BTreeMap<String, usize> = (0..questions)
        .map(|number| (format!("Answer {number}."), 1))
        .collect();
    assert_eq!(answers(server), wanted);
}

#[tokio::test(flavor = "multi_thread")]
async fn however_its_connection_ends_each_question_is_answered_once() {
    let model = ModelServer::reading(|_, asked| to_the_point(asked)).await;
    let server = Server::start().await;
    // Of a connection that is dead it is known after two of these.
    server.control("gateway", json!({"heartbeat_interval": 500}));
    let home = server.home(&model);
    let mut process = home.start().await;
    server.is_joined().await;
    let faults = [
        json!({"kind": "reconnect"}),
        json!({"kind": "invalid_session"}),
        // The process is killed, and waits begin anew.
        Value::Null,
        json!({"kind": "zombie"}),
        json!({"kind": "down", "ms": 500}),
    ];
    for (number, fault) in faults.iter().enumerate() {
        if fault.is_null() {
            process.kill();
        } else {
            server.control("fault", fault.clone());
        }
        server.says("alice", &format!("@denizen question {number}?"));
        if fault.is_null() {
            process = home.start().await;
        }
        server.answered(number + 1).await;
    }
    each_once(&server, faults.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn however_its_requests_fail_each_question_is_answered_once() {
    let model = ModelServer::reading(|_, asked| to_the_point(asked)).await;
    let (server, _home, _process) = Server::with_denizen(&model).await;
    let send = "POST /channels/*/messages";
    let faults = [
        json!({"kind": "status", "status": 500, "route": send}),
        json!({"kind": "status", "status": 502, "route": send, "carried_out": true}),
        json!({"kind": "cut", "route": send}),
        json!({"kind": "rate_limit", "route": send, "retry_after": 0.2, "scope": "shared"}),
        json!({"kind": "rate_limit", "retry_after": 0.2, "scope": "global"}),
    ];
    for (number, fault) in faults.iter().enumerate() {
        server.control("fault", fault.clone());
        server.says("alice", &format!("@denizen question {number}?"));
        server.answered(number + 1).await;
    }
    each_once(&server, faults.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_malformed_event_keeps_it_from_the_next_question() {
    let model = ModelServer::reading(|_, asked| to_the_point(asked)).await;
    let (server, _home, _process) = Server::with_denizen(&model).await;
    for (number, which) in MALFORMED_KINDS.iter().enumerate() {
        server.control("fault", json!({"kind": "malformed", "which": which}));
        server.says("alice", &format!("@denizen question {number}?"));
        server.answered(number + 1).await;
    }
    each_once(&server, MALFORMED_KINDS.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn it_lives_on_servers_that_only_speak_the_protocol() {
    let model = ModelServer::reading(|_, asked| to_the_point(asked)).await;
    let server = Server::start().await;
    server.control("variants", json!({"independent": true}));
    let home = server.home(&model);
    let mut process = home.start().await;
    server.is_joined().await;
    server.says("alice", "@denizen question 0?");
    server.answered(1).await;
    // A session that cannot go on begins anew, and what was said meanwhile is read back.
    server.control("fault", json!({"kind": "drop"}));
    server.says("bob", "@denizen question 1?");
    server.answered(2).await;
    process.kill();
    server.says("alice", "@denizen question 2?");
    let _process = home.start().await;
    server.answered(3).await;
    each_once(&server, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_way_in_which_other_servers_differ_is_lived_with() {
    let model = ModelServer::reading(|_, asked| to_the_point(asked)).await;
    let variants = [
        "times_in_z",
        "flags_as_text",
        "fields_missing",
        "roles_as_objects",
        "ids_as_numbers",
        "resume_refused",
        "numbered_from_zero",
        "no_commands",
        "gateway_bare",
    ];
    for variant in variants {
        let server = Server::start().await;
        server.control("variants", json!({ variant: true }));
        let home = server.home(&model);
        let _process = home.start().await;
        server.is_joined().await;
        server.says("alice", "@denizen question 0?");
        server.answered(1).await;
        server.control("fault", json!({"kind": "drop"}));
        server.says("bob", "@denizen question 1?");
        server.answered(2).await;
        each_once(&server, 2);
    }
}
