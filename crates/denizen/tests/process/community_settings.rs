//! Settings of single communities: over HTTP, and when a community is added; and how many communities there may be.

use reqwest::{Method, StatusCode};
use runtime::ports::Store;
use serde_json::{Value, json};

use crate::communities::listed;
use crate::support::{Home, Process};

async fn change(process: &Process, community: &str, changes: Value) -> (StatusCode, Value) {
    let path = format!("/api/communities/{community}/settings");
    let version = process.get(&path).await["version"].clone();
    let request = process.client.put(format!("{}{path}", process.url));
    let request = request
        .header("content-type", "application/json")
        .header("if-match", format!("\"{version}\""))
        .body(json!({ "changes": changes }).to_string());
    let answer = request.send().await.expect("the process answers");
    let status = answer.status();
    let text = answer.text().await.expect("the answer is whole");
    (status, serde_json::from_str(&text).expect("JSON"))
}

/// The name, the model, and where both come from.
async fn set_up(process: &Process, community: &str) -> [String; 4] {
    let path = format!("/api/communities/{community}/settings");
    let view = process.get(&path).await;
    let knobs = view["knobs"].as_array().expect("knobs").clone();
    let told = |key: &str, field: &str| {
        let knob = knobs.iter().find(|knob| knob["key"] == key).expect("a knob");
        knob[field].as_str().expect("text").to_owned()
    };
    [
        told("identity.name", "value"),
        told("llm.model", "value"),
        told("identity.name", "source"),
        told("llm.model", "source"),
    ]
}

#[tokio::test]
async fn settings_changed_in_one_community_over_http_are_in_no_other_and_survive_a_restart() {
    let home = Home::new();
    let mut process = home.start().await;
    for (id, name) in [("attic", "Robin"), ("cellar", "Wren")] {
        let new = json!({"id": id, "settings": {"identity.name": name}});
        let (status, answer) = process.call(Method::POST, "/api/communities", &new).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
    }
    let wrong = json!({"id": "shed", "settings": {"llm.temperature": 7}});
    let (status, answer) = process.call(Method::POST, "/api/communities", &wrong).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
    assert_eq!(
        answer["error"]["details"][0]["key"], "llm.temperature",
        "{answer}"
    );

    let (status, answer) = change(&process, "attic", json!({"llm.model": "attic-model"})).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    change(
        &process,
        "cellar",
        json!({"llm.model": "cellar-model", "identity.name": "Finch"}),
    )
    .await;
    change(&process, "local", json!({"llm.model": "base-model"})).await;
    change(&process, "cellar", json!({"llm.model": null})).await;

    let expected = [
        ("local", ["Denizen", "base-model", "default", "base"]),
        ("attic", ["Robin", "attic-model", "community", "community"]),
        ("cellar", ["Finch", "base-model", "community", "base"]),
    ];
    for (community, wanted) in expected {
        assert_eq!(set_up(&process, community).await, wanted, "{community}");
    }
    process.terminate().await;
    let process = home.start().await;
    for (community, wanted) in expected {
        assert_eq!(set_up(&process, community).await, wanted, "{community}");
        let health = process.get(&format!("/api/communities/{community}/health")).await;
        assert_eq!(health["denizen"]["name"], wanted[0], "{community}");
    }
    assert_eq!(
        listed(&home, &["--url", process.url.as_str()]),
        ["local", "attic", "cellar"]
    );
}

#[tokio::test]
async fn a_community_is_given_settings_when_it_is_added_whether_denizen_runs_or_not() {
    let home = Home::new();
    let add = |id: &str, url: &[&str]| {
        let set = ["--set", "identity.name=Robin", "--set", "llm.model=attic-model"];
        let added = home.run(&[&["community", "add", id], &set[..], url].concat());
        assert_eq!(added.code, Some(0), "{added:?}");
    };
    add("attic", &[]);
    let process = home.start().await;
    let url = ["--url", process.url.as_str()];
    add("cellar", &url);
    for community in ["attic", "cellar"] {
        let expected = ["Robin", "attic-model", "community", "community"];
        assert_eq!(set_up(&process, community).await, expected, "{community}");
    }
    for (set, problem) in [
        ("llm.temprature=1", "llm.temperature"),
        ("memory.store.gems=qdrant", "whole process"),
        ("llm.temperature=7", "0 to 2"),
    ] {
        let refused = home.run(&[&["community", "add", "shed", "--set", set], &url[..]].concat());
        assert!(refused.err.contains(problem), "{refused:?}");
    }
    assert_eq!(listed(&home, &url), ["local", "attic", "cellar"]);
}

#[tokio::test]
async fn a_process_hosts_so_many_communities_and_no_more() {
    let home = Home::new();
    let store = storage::Sqlite::open(&home.data()).expect("a store");
    for number in 0..runtime::COMMUNITIES_MAX {
        let id = vocabulary::CommunityId::new(format!("c{number}"));
        store.add_community(&id, "").await.expect("added");
    }
    drop(store);
    let full = home.run(&["community", "add", "one-more"]);
    assert_ne!(full.code, Some(0), "{full:?}");
    assert!(
        full.err
            .contains(&format!("{} communities", runtime::COMMUNITIES_MAX))
            && full.err.contains("Remove one"),
        "{full:?}"
    );
}
