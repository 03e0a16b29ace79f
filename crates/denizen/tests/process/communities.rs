//! Many communities in one process, by the command line and over HTTP.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::Home;

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
    assert_eq!(listed(&home, &[]), ["attic", "local"]);
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
    assert_eq!(listed(&home, &[]), ["attic", "local"]);

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
    assert_eq!(ids(&communities), ["attic", "local"]);
    assert_eq!(communities[0]["denizen"], "Robin");
    assert_eq!(communities[1]["home"], true);
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
