//! `denizen memory`: on a folder that nobody runs on, and by way of the room that does.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Home, Process, Rememberer, meanings, path, quick};

async fn remember(process: &Process, content: &str, person: &str) -> String {
    let body = json!({"content": content, "person": person});
    let (status, answer) = process.call(Method::POST, "/api/memory/gems", &body).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    answer["gem"]["gem_id"].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_is_looked_into_whether_a_room_runs_or_not() {
    let home = Home::new();
    let mut process = home.start().await;
    let id = remember(&process, "Alice is allergic to walnuts.", "local:alice").await;
    let url = process.url.clone();
    let there = home
        .run(&["memory", "search", "walnuts", "--url", &url])
        .succeeded();
    assert!(
        there.contains("Alice is allergic to walnuts.") && there.contains("→"),
        "{there}"
    );
    let shown = home
        .run(&["memory", "show", &id, "--json", "--url", &url])
        .succeeded();
    let shown: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(shown["gem"]["gem_id"], id.as_str());
    let refusal = home
        .run(&["memory", "search", "walnuts", "--url", "http://127.0.0.1:9"])
        .failed();
    assert!(
        refusal.contains("--url") && refusal.contains("stop it"),
        "{refusal}"
    );
    let refusal = home.run(&["memory", "import", "-"]).failed();
    assert!(refusal.contains("Stop it"), "{refusal}");
    process.terminate().await;
    let here = home.run(&["memory", "search", "walnuts"]).succeeded();
    assert_eq!(here, there, "the same, whoever is asked");
    let lines = home
        .run(&["memory", "search", "walnuts", "--json", "--kinds", "gems"])
        .succeeded();
    let found: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!(found["record"]["gem"]["gem_id"], id.as_str());
    let shown = home.run(&["memory", "show", &id]).succeeded();
    assert!(shown.contains("made by    operator"), "{shown}");
    let stats = home.run(&["memory", "stats"]).succeeded();
    assert!(stats.contains("gems       1, 0 of them replaced"), "{stats}");
    let refusal = home.run(&["memory", "show", "nothing"]).failed();
    assert!(
        refusal.contains("nothing") && refusal.contains("search"),
        "{refusal}"
    );
    home.run(&["memory", "reembed"]).succeeded();
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_taken_elsewhere_and_taken_in_once() {
    let home = Home::new();
    let mut process = home.start().await;
    remember(&process, "Alice is allergic to walnuts.", "local:alice").await;
    remember(&process, "Bob drinks oolong tea.", "local:bob").await;
    let (over_http, direct) = (home.file("http.ndjson"), home.file("direct.ndjson"));
    home.run(&["memory", "export", path(&over_http), "--url", &process.url])
        .succeeded();
    process.terminate().await;
    home.run(&["memory", "export", path(&direct)]).succeeded();
    let text = std::fs::read_to_string(&direct).expect("it was written");
    assert_eq!(text, std::fs::read_to_string(&over_http).expect("it was written"));
    assert_eq!(
        text.lines().next(),
        Some(r#"{"format":"denizen-memory","version":1}"#)
    );
    assert_eq!(text.lines().count(), 3);

    let elsewhere = Home::new();
    std::fs::create_dir(elsewhere.data()).expect("a folder");
    let file = elsewhere.file("memory.ndjson");
    let broken = format!("{text}{{\"gem\": {{}}}}\nnonsense\n");
    std::fs::write(&file, broken).expect("it is written");
    let first = elsewhere.run(&["memory", "import", path(&file)]);
    assert_eq!(first.code, Some(1), "{first:?}");
    assert!(
        first
            .out
            .contains("2 gems and 0 turns taken in, 0 there already, 2 lines rejected"),
        "{first:?}"
    );
    assert!(
        first.err.contains("line 4:") && first.err.contains("line 5:"),
        "{first:?}"
    );
    std::fs::write(&file, text).expect("it is written");
    let second = elsewhere.run(&["memory", "import", path(&file)]).succeeded();
    assert!(
        second.contains("0 gems and 0 turns taken in, 2 there already, 0 lines rejected"),
        "{second}"
    );
    let found = elsewhere.run(&["memory", "search", "oolong"]).succeeded();
    assert!(found.contains("Bob drinks oolong tea."), "{found}");
    std::fs::write(&file, "hello\n").expect("it is written");
    let refusal = elsewhere.run(&["memory", "import", path(&file)]).failed();
    assert!(
        refusal.contains("memory.ndjson") && refusal.contains("denizen memory export"),
        "{refusal}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn forgetting_asks_first_and_works_with_a_room_and_without() {
    let home = Home::new();
    let mut process = home.start().await;
    let id = remember(&process, "Alice is allergic to walnuts.", "local:alice").await;
    remember(&process, "Bob drinks oolong tea.", "local:bob").await;
    let url = process.url.clone();
    let unasked = home.run(&["memory", "forget", "--gem", &id, "--url", &url]);
    assert_eq!(unasked.code, Some(1), "{unasked:?}");
    assert!(unasked.err.contains("--yes"), "{unasked:?}");
    assert!(
        home.run(&["memory", "show", &id, "--url", &url])
            .succeeded()
            .contains("walnuts")
    );
    let forgotten = home.run(&["memory", "forget", "--gem", &id, "--yes", "--url", &url]);
    assert!(
        forgotten.err.contains("Alice is allergic to walnuts."),
        "{forgotten:?}"
    );
    assert!(forgotten.succeeded().contains("1 gem and 0 turns"));
    process.terminate().await;
    let refusal = home
        .run(&["memory", "forget", "--person", "Carol", "--yes"])
        .failed();
    assert!(refusal.contains("“Carol”"), "{refusal}");
    let forgotten = home
        .run(&["memory", "forget", "--person", "bob", "--yes"])
        .succeeded();
    assert!(forgotten.contains("1 gem"), "{forgotten}");
    let found = home.run(&["memory", "search", "oolong"]).succeeded();
    assert!(found.contains("nothing that is remembered fits"), "{found}");
    let both = home.run(&["memory", "forget", "--person", "x", "--room", "y"]);
    assert_eq!(both.code, Some(2), "{both:?}");
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let home = Home::new();
    let refusal = home.run(&["memory", "stats"]).failed();
    assert!(
        refusal.contains(path(&home.data())) && refusal.contains("--data"),
        "{refusal}"
    );
    assert!(!home.data().exists(), "looking makes nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_moves_to_a_real_qdrant_and_is_used_there() {
    let qdrant = stand_ins::QdrantServer::start();
    let home = Home::new();
    let mut process = home.start().await;
    remember(&process, "Alice is allergic to walnuts.", "local:alice").await;
    let to = format!("qdrant={}", qdrant.url());
    let running = home
        .run(&["memory", "migrate", "--from", "embedded", "--to", &to])
        .failed();
    assert!(running.contains("Stop it"), "{running}");
    process.terminate().await;
    let moved = home
        .run(&["memory", "migrate", "--from", "embedded", "--to", &to])
        .succeeded();
    assert!(moved.contains("1 gem and 0 turns copied"), "{moved}");
    assert!(moved.contains("memory.store.gems qdrant"), "{moved}");
    home.run(&["settings", "set", "memory.store.gems", "qdrant"])
        .succeeded();
    home.run(&["settings", "set", "memory.store.qdrantUrl", &qdrant.url()])
        .succeeded();
    let found = home.run(&["memory", "search", "walnuts"]).succeeded();
    assert!(found.contains("Alice is allergic to walnuts."), "{found}");
    let stats = home.run(&["memory", "stats"]).succeeded();
    assert!(stats.contains(&qdrant.url()), "{stats}");
    drop(qdrant);
    let away = home.run(&["memory", "search", "walnuts"]).failed();
    assert!(away.contains("cannot be reached"), "{away}");
}

#[tokio::test(flavor = "multi_thread")]
async fn turns_that_wait_move_to_a_real_redis_and_back() {
    let redis = stand_ins::RedisServer::start();
    let home = Home::new();
    let mut process = home.start().await;
    let body = json!({"session": "helper/1", "turns": [{"id": "1", "speaker": {"name": "Alice"}, "text": "hello there"}]});
    let (status, _) = process.call(Method::POST, "/v1/turns", &body).await;
    assert_eq!(status, StatusCode::CREATED);
    process.terminate().await;
    let there = format!("redis={}", redis.url());
    let moved = home
        .run(&["memory", "migrate", "--from", "embedded", "--to", &there])
        .succeeded();
    assert!(moved.contains("1 turn moved"), "{moved}");
    let again = home
        .run(&["memory", "migrate", "--from", "embedded", "--to", &there])
        .succeeded();
    assert!(again.contains("0 turns moved"), "{again}");
    let back = home
        .run(&["memory", "migrate", "--from", &there, "--to", "embedded"])
        .succeeded();
    assert!(back.contains("1 turn moved"), "{back}");
}

#[test]
fn a_migration_between_places_that_do_not_fit_is_refused() {
    let home = Home::new();
    std::fs::create_dir(home.data()).expect("a folder");
    let refusal = home
        .run(&["memory", "migrate", "--from", "embedded", "--to", "embedded"])
        .failed();
    assert!(refusal.contains("the same place"), "{refusal}");
    let refusal = home
        .run(&["memory", "migrate", "--from", "redis", "--to", "qdrant"])
        .failed();
    assert!(refusal.contains("turns that wait"), "{refusal}");
    let unknown = home.run(&["memory", "migrate", "--from", "embedded", "--to", "postgres"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(unknown.err.contains("qdrant=URL"), "{unknown:?}");
}

/// What is remembered and holds: gems that nothing has replaced.
async fn holding(process: &Process) -> Vec<String> {
    let (_, gems) = process.remembered().await;
    let holding = gems.values().filter(|gem| gem["superseded_by"].is_null());
    let mut holding: Vec<String> = holding
        .map(|gem| gem["content"].as_str().expect("words").to_owned())
        .collect();
    holding.sort();
    holding
}

#[tokio::test(flavor = "multi_thread")]
async fn a_liking_that_is_taken_back_holds_no_more() {
    let home = Home::new();
    home.configure(&json!({"llm.provider": "offline", "activity.replyCoalesceWindowSeconds": 0}));
    let process = home.start().await;
    for (author, first) in [
        ("Alice", "I prefer tea."),
        ("Bob", "I live in Lisbon and I prefer tea."),
    ] {
        process.say(author, first).await;
        process.end_session().await;
        process.memory_is_made().await;
        let before = holding(&process).await;
        assert!(before.contains(&format!("{author} prefers tea.")), "{before:?}");
        process.say(author, "I don't like tea anymore.").await;
        process.end_session().await;
        process.memory_is_made().await;
        let after = holding(&process).await;
        assert!(!after.contains(&format!("{author} prefers tea.")), "{after:?}");
        let taken_back = after
            .iter()
            .any(|gem| gem.starts_with(author) && gem.contains("not like tea"));
        assert!(taken_back, "{after:?}");
    }
    let after = holding(&process).await;
    assert!(after.iter().any(|gem| gem.contains("Lisbon")), "{after:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_message_is_found_by_what_it_means_where_no_word_of_it_is_said_again() {
    let model = Rememberer::start().await;
    let home = Home::new();
    let mut settings = quick(&model);
    settings["memory.enabled"] = json!(true);
    settings["memory.embedding.provider"] = json!("openai");
    settings["memory.embedding.url"] = json!(meanings(&["puppy", "hound"]).await);
    settings["memory.embedding.model"] = json!("meanings");
    home.configure(&settings);
    let process = home.start().await;
    process.say("Alice", "My puppy chewed another sofa.").await;
    for line in [
        "Trains were late again.",
        "It rained all night.",
        "Bread costs more now.",
    ] {
        process.say("Bob", line).await;
    }
    // What was said before is not in the conversation any more, and has to be looked for.
    process.end_session().await;
    process.memory_is_made().await;
    let asked = process.ask("Carol", "Denizen, any news about hounds?").await;
    let sections = asked["request"]["sections"].as_array().expect("sections");
    let older = sections
        .iter()
        .find(|section| section["name"] == "relevant_messages");
    let older = older.expect("a section")["text"].as_str().expect("text");
    assert!(older.contains("My puppy chewed another sofa."), "{older:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_judges_what_is_found_is_named_by_doctor_and_done_without_where_it_cannot_be_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = match std::env::var("ORT_DYLIB_PATH") {
        Ok(library) => Home::new().with_env("ORT_DYLIB_PATH", &library),
        Err(_) => Home::new(),
    };
    let mut process = home.start().await;
    remember(&process, "Alice is allergic to walnuts.", "local:alice").await;
    process.terminate().await;
    let named = folder.path().display().to_string();
    home.run(&["settings", "set", "memory.reranker.path", &named])
        .succeeded();
    let doctor = home.run(&["doctor"]).out;
    let expected = format!("memory.reranker.path ({named}) cannot be used: there is no model.onnx");
    assert!(doctor.contains(&expected), "{doctor}");
    let stats = home.run(&["memory", "stats"]).out;
    assert!(stats.contains(&expected), "{stats}");
    let found = home.run(&["memory", "search", "walnuts"]).succeeded();
    assert!(found.contains("Alice is allergic to walnuts."), "{found}");

    let words = ["alice", "is", "allergic", "to", "walnuts"];
    stand_ins::write_cross_encoder(folder.path(), &words, 2).expect("a model");
    let doctor = home.run(&["doctor"]).out;
    if doctor.contains("ONNX Runtime was not found") {
        return println!("there is no ONNX Runtime on this machine: nothing more was tried");
    }
    assert!(
        doctor.contains("reranker") && doctor.contains("onnx:"),
        "{doctor}"
    );
    let found = home
        .run(&["memory", "search", "alice", "allergic", "walnuts", "--json"])
        .succeeded();
    let found: Value = serde_json::from_str(&found).expect("JSON");
    let sure = found["scores"]["confidence"].as_f64();
    assert!(sure.is_some_and(|sure| sure > 0.99), "{found}");
}
