//! Many communities in one process, by the command line and over HTTP.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Answer, Home, Live, ModelServer, Process, eventually};

fn ids(listed: &Value) -> Vec<String> {
    let listed = listed.as_array().expect("a list");
    let ids = listed
        .iter()
        .map(|shown| shown["id"].as_str().expect("an id").to_owned());
    ids.collect()
}

pub fn listed(home: &Home, url: &[&str]) -> Vec<String> {
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

#[tokio::test]
async fn a_community_is_removed_while_somebody_reads_for_long() {
    let home = Home::new();
    home.run(&["community", "add", "attic"]).succeeded();
    let process = home.start().await;
    let copy = rusqlite::Connection::open(home.data().join("denizen.db")).expect("the database");
    copy.execute_batch("BEGIN; SELECT count(*) FROM messages;")
        .expect("it can be read");
    let remove = async || {
        process
            .call(Method::DELETE, "/api/communities/attic", &Value::Null)
            .await
    };
    let (status, answer) = remove().await;
    assert_eq!(status, StatusCode::NO_CONTENT, "{answer}");
    copy.execute_batch("COMMIT").expect("it is read");
    let (status, answer) = remove().await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{answer}");
    let (status, answer) = process
        .call(Method::POST, "/api/communities", &json!({"id": "attic"}))
        .await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
}

/// What is said in a community and nowhere else, by people and by its model.
fn word(community: &str) -> String {
    format!("word-of-{community}")
}

/// Says something, types and changes a setting in a community.
async fn live_in(process: &Process, community: &str, number: usize) {
    let root = format!("/api/communities/{community}");
    let typing = json!({"author": "Alice", "typing": true});
    let path = format!("{root}/rooms/lounge/typing");
    let (status, answer) = process.call(Method::POST, &path, &typing).await;
    assert_eq!(status, StatusCode::NO_CONTENT, "{answer}");
    let text = format!("Denizen, what of {} {number}?", word(community));
    let path = format!("{root}/rooms/lounge/messages");
    let body = json!({"author": "Alice", "text": text});
    let (status, answer) = process.call(Method::POST, &path, &body).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
}

async fn journal_of(process: &Process, community: &str) -> Vec<u64> {
    let path = format!("/api/communities/{community}/journal?limit=1000");
    let page = process.get(&path).await;
    let entries = page["entries"].as_array().expect("lines");
    entries.iter().filter_map(|line| line["seq"].as_u64()).collect()
}

fn turns_ended(live: &Live) -> usize {
    let told = live.of_kind("journal").into_iter();
    told.filter(|event| event["entry"]["name"] == "text_turn_ended")
        .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_hears_everything_of_its_own_community_and_nothing_of_another() {
    const MESSAGES: usize = 4;
    let communities = ["local", "attic"];
    let model = ModelServer::reading(move |_, asked| {
        let of = communities
            .map(word)
            .into_iter()
            .find(|word| asked.body.contains(word));
        Answer::says(&format!("I like {} best.", of.unwrap_or_default()))
    })
    .await;
    let home = Home::quick(&model);
    home.run(&["community", "add", "attic"]).succeeded();
    let process = home.start().await;
    let mut pages = Vec::new();
    for community in communities {
        let live = Live::open_at(&process, &format!("/api/communities/{community}/events")).await;
        pages.push((community, live));
    }
    for number in 0..MESSAGES {
        for community in communities {
            live_in(&process, community, number).await;
        }
        // What comes while an answer is made is answered together with it.
        for (community, live) in &pages {
            let answered = format!("message {number} of {community} is answered");
            eventually(&answered, async || (turns_ended(live) > number).then_some(())).await;
        }
    }
    for (community, live) in &pages {
        eventually("all is answered, and every line of it told", async || {
            let written = journal_of(&process, community).await;
            let told = live.of_kind("journal");
            let heard: Vec<u64> = told
                .iter()
                .filter_map(|event| event["entry"]["seq"].as_u64())
                .collect();
            let first = *heard.first()?;
            let is_all = written.into_iter().filter(|seq| *seq >= first).eq(heard);
            (turns_ended(live) == MESSAGES && is_all).then_some(())
        })
        .await;
        let said = live.of_kind("message");
        assert_eq!(said.len(), 2 * MESSAGES, "questions and answers of {community}");
        let typed = live.of_kind("typing").into_iter();
        let typed = typed.filter(|event| event["name"] == "Alice" && event["typing"] == true);
        assert_eq!(typed.count(), MESSAGES, "{community}");
    }
    for (community, live) in &pages {
        for (kind, data) in live.heard() {
            assert_eq!(data["community"], *community, "{kind}: {data}");
            for other in communities.iter().filter(|other| *other != community) {
                let told = data.to_string();
                assert!(
                    !told.contains(&word(other)),
                    "{community} heard of {other}: {kind} {told}"
                );
            }
        }
    }
}
