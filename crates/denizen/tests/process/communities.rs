//! Many communities in one process, by the command line and over HTTP.

use reqwest::{Method, StatusCode};
use runtime::ports::Store;
use serde_json::{Value, json};

use crate::support::{Home, Process};

fn ids(listed: &Value) -> Vec<String> {
    let listed = listed.as_array().expect("a list");
    let ids = listed
        .iter()
        .map(|shown| shown["id"].as_str().expect("an id").to_owned());
    ids.collect()
}

fn listed(home: &Home, url: &[&str]) -> Vec<String> {
    let arguments = [&["community", "list", "--json"], url].concat();
    let shown = home.run(&arguments);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    ids(&serde_json::from_str(&shown.out).expect("JSON"))
}

#[tokio::test]
async fn communities_are_added_listed_and_removed_while_nobody_runs() {
    let home = Home::new();
    assert_eq!(listed(&home, &[]), ["local"]);
    let added = home.run(&[
        "community",
        "add",
        "attic",
        "--name",
        "The attic",
        "--denizen",
        "Robin",
    ]);
    assert_eq!(added.code, Some(0), "{added:?}");
    assert_eq!(listed(&home, &[]), ["local", "attic"]);
    let again = home.run(&["community", "add", "attic"]);
    assert!(
        again.err.contains("there is a community attic already"),
        "{again:?}"
    );
    let odd = home.run(&["community", "add", "The Attic!"]);
    assert!(odd.err.contains("a-z 0-9"), "{odd:?}");
    let wrong = home.run(&["community", "add", "cellar", "--set", "llm.temperature=7"]);
    assert!(
        wrong.err.contains("llm.temperature") && wrong.err.contains("0 to 2"),
        "{wrong:?}"
    );
    assert_eq!(listed(&home, &[]), ["local", "attic"]);

    let name = |arguments: &[&str]| {
        home.run(&[&["settings", "get", "identity.name"], arguments].concat())
            .out
    };
    assert_eq!(name(&["--community", "attic"]).trim(), "\"Robin\"");
    assert_eq!(name(&[]).trim(), "\"Denizen\"");

    let unasked = home.run(&["community", "remove", "attic"]);
    assert!(
        unasked.err.contains("--yes") && unasked.err.contains("every message"),
        "{unasked:?}"
    );
    let gone = home.run(&["community", "remove", "attic", "--yes"]);
    assert!(gone.out.contains("attic is gone"), "{gone:?}");
    assert_eq!(listed(&home, &[]), ["local"]);
    let stays = home.run(&["community", "remove", "local", "--yes"]);
    assert!(stays.err.contains("default community"), "{stays:?}");
}

#[tokio::test]
async fn a_community_that_is_not_there_is_told_with_those_that_are() {
    let home = Home::new();
    home.run(&["community", "add", "attic"]);
    for arguments in [
        &["settings", "list", "--community", "cellar"] as &[&str],
        &["why", "m1", "--community", "cellar"],
        &["recording", "--community", "cellar"],
        &["community", "remove", "cellar", "--yes"],
    ] {
        let told = home.run(arguments);
        assert_ne!(told.code, Some(0), "{told:?}");
        assert!(
            told.err.contains("cellar is no community here") && told.err.contains("attic, local"),
            "{told:?}"
        );
    }
    let idle = home.run(&["simulate", "--hours", "1", "--community", "attic"]);
    assert!(idle.err.contains("--community makes no difference"), "{idle:?}");
}

#[tokio::test]
async fn settings_of_a_community_lie_over_those_of_all() {
    let home = Home::new();
    home.run(&["community", "add", "attic"]);
    let set = |arguments: &[&str]| home.run(&[&["settings", "set"], arguments].concat());
    set(&["llm.model", "for-all"]);
    set(&["llm.model", "for-attic", "--community", "attic"]);
    let told = set(&["llm.model", "for-all-again"]);
    assert!(
        told.out.contains("community attic has a value of its own"),
        "{told:?}"
    );
    let value = |arguments: &[&str]| {
        let got = home.run(&[&["settings", "get", "llm.model"], arguments].concat());
        got.out.trim().to_owned()
    };
    assert_eq!(value(&[]), "\"for-all-again\"");
    assert_eq!(value(&["--community", "attic"]), "\"for-attic\"");
    assert_eq!(value(&["--community", "local"]), "\"for-all-again\"");
    let list = home
        .run(&["settings", "list", "llm.model", "--community", "attic"])
        .out;
    assert!(
        list.contains("llm.model = \"for-attic\"  (saved for attic)"),
        "{list}"
    );
    let refused = set(&["memory.store.gems", "qdrant", "--community", "attic"]);
    assert!(refused.err.contains("whole process"), "{refused:?}");
    let reset = home.run(&["settings", "reset", "llm.model", "--community", "attic"]);
    assert!(reset.out.contains("what holds for all"), "{reset:?}");
    assert_eq!(value(&["--community", "attic"]), "\"for-all-again\"");
}

#[tokio::test]
async fn a_running_denizen_takes_communities_in_and_lets_them_go() {
    let home = Home::new();
    let process = home.start().await;
    let url = ["--url", process.url.as_str()];
    let added = home.run(&[&["community", "add", "attic", "--denizen", "Robin"], &url[..]].concat());
    assert_eq!(added.code, Some(0), "{added:?}");
    let communities = process.get("/api/communities").await["communities"].clone();
    assert_eq!(ids(&communities), ["local", "attic"]);
    assert_eq!(communities[0]["home"], true);
    let own = home.run(&["settings", "list", "--community", "attic"]);
    assert!(own.out.contains("Robin"), "{own:?}");
    let (status, answer) = process
        .call(Method::POST, "/api/communities", &json!({"id": "attic"}))
        .await;
    assert_eq!(
        (status, &answer["error"]["code"]),
        (StatusCode::CONFLICT, &json!("community_taken"))
    );
    process.say("Alice", "Denizen, are you there?").await;
    let gone = home.run(&[&["community", "remove", "attic", "--yes"], &url[..]].concat());
    assert_eq!(gone.code, Some(0), "{gone:?}");
    assert_eq!(listed(&home, &url), ["local"]);
    let (status, answer) = process
        .call(Method::DELETE, "/api/communities/attic", &Value::Null)
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{answer}");
    assert!(!process.messages().await.is_empty());
}

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
        full.err.contains("1000 communities") && full.err.contains("Remove one"),
        "{full:?}"
    );
}
