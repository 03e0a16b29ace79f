//! `denizen settings`, and the running process that takes changes up.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Home, Live, ModelServer, path};

#[test]
fn a_setting_is_listed_set_read_and_reset() {
    let home = Home::new();
    let get = || home.run(&["settings", "get", "activity.maxRetries"]).succeeded();
    assert_eq!(get(), "2\n");
    home.run(&["settings", "set", "activity.maxRetries", "0"])
        .succeeded();
    assert_eq!(get(), "0\n", "an explicit zero is kept");
    home.run(&["settings", "set", "identity.aliases", "Den, Denny"])
        .succeeded();
    let listed = home.run(&["settings", "list"]).succeeded();
    assert!(listed.contains("activity.maxRetries = 0  (saved)"), "{listed}");
    assert!(
        listed.contains(r#"identity.aliases = ["Den","Denny"]  (saved)"#),
        "{listed}"
    );
    assert!(listed.contains("llm.timeoutSeconds = 60  (default)"), "{listed}");
    let narrowed = home.run(&["settings", "list", "retries"]).succeeded();
    assert!(narrowed.contains("activity.maxRetries"), "{narrowed}");
    assert!(!narrowed.contains("identity.name"), "{narrowed}");
    home.run(&["settings", "reset", "activity.maxRetries"])
        .succeeded();
    assert_eq!(get(), "2\n");
    let refusal = home.run(&["settings", "reset", "activity.maxRetries"]).failed();
    assert!(refusal.contains("activity.maxRetries was not set"), "{refusal}");
}

#[test]
fn the_schema_names_every_setting_that_is_listed() {
    let home = Home::new();
    let schema: Value = serde_json::from_str(&home.run(&["settings", "schema"]).succeeded()).expect("JSON");
    let schema = schema.to_string();
    let listed = home.run(&["settings", "list"]).succeeded();
    let keys: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.trim().split_once(" = "))
        .map(|(key, _)| key)
        .collect();
    assert!(keys.len() > 40, "{listed}");
    for key in keys {
        let name = key.rsplit('.').next().expect("a name");
        assert!(
            schema.contains(&format!("\"{name}\"")),
            "{key} is not in the schema"
        );
    }
}

#[test]
fn bad_values_and_unknown_keys_are_refused_with_the_remedy() {
    let home = Home::new();
    let refusal = |arguments: &[&str]| home.run(arguments).failed();
    let cases: [(&[&str], &[&str]); 7] = [
        (
            &["set", "activity.maxRetries", "11"],
            &["activity.maxRetries", "11", "0 to 10"],
        ),
        (
            &["set", "activity.maxRetries", "often"],
            &["activity.maxRetries", "\"often\"", "whole number"],
        ),
        (
            &["set", "llm.provider", "clippy"],
            &["llm.provider", "\"clippy\"", "anthropic"],
        ),
        (
            &["set", "permissions.allowInitiativeReplies", "maybe"],
            &["\"maybe\"", "true or false"],
        ),
        (
            &["set", "identity.name", ""],
            &["identity.name", "0 characters", "1 to 40"],
        ),
        (
            &["set", "activity.maxRetry", "1"],
            &["activity.maxRetry", "no such setting", "activity.maxRetries"],
        ),
        (&["get", "nonsense"], &["nonsense", "denizen settings list"]),
    ];
    for (arguments, wanted) in cases {
        let said = refusal(&[&["settings"], arguments].concat());
        assert!(
            wanted.iter().all(|part| said.contains(part)),
            "{arguments:?}: {said}"
        );
    }
    assert!(
        !home.run(&["settings", "list"]).succeeded().contains("(saved)"),
        "nothing was saved"
    );
}

#[test]
fn an_old_document_is_migrated_from_a_file() {
    let home = Home::new();
    let file = home.file("old.json");
    let old =
        json!({"permissions": {"initiativeChannelIds": ["lounge", "kitchen"]}, "identity.name": "Hermes"});
    std::fs::write(&file, old.to_string()).expect("written");
    let said = home
        .run(&["settings", "migrate", path(&file), "--dry-run"])
        .succeeded();
    assert!(said.contains("permissions.initiativeChannelIds →"), "{said}");
    let name = || home.run(&["settings", "get", "identity.name"]).succeeded();
    assert_eq!(name(), "\"Denizen\"\n", "a dry run saves nothing");
    home.run(&["settings", "migrate", path(&file)]).succeeded();
    assert_eq!(name(), "\"Hermes\"\n");
    for key in ["replyChannelIds", "discoveryChannelIds"] {
        let value = home
            .run(&["settings", "get", &format!("permissions.replies.{key}")])
            .succeeded();
        assert_eq!(value, "[\"lounge\",\"kitchen\"]\n");
    }
    let again = home.run(&["settings", "migrate"]).succeeded();
    assert!(again.contains("no old keys were found"), "{again}");

    // What is not understood is named, and costs nothing else.
    let mixed = r#"{"activity": {"maxRetries": 99}, "voice": {"volume": 3}, "llm": {"temperature": 0.25}}"#;
    std::fs::write(&file, mixed).expect("written");
    let said = home.run(&["settings", "migrate", path(&file)]).succeeded();
    let (_, named) = said.split_once("not understood").expect("it is told");
    assert!(named.contains("activity.maxRetries: 99"), "{said}");
    assert!(named.contains("voice.volume"), "{said}");
    let taken = home.run(&["settings", "get", "llm.temperature"]).succeeded();
    assert_eq!(taken, "0.25\n");
    let kept = home.run(&["settings", "get", "activity.maxRetries"]).succeeded();
    assert_ne!(kept, "99\n");
    std::fs::write(&file, "{\"activity\": ").expect("written");
    let refusal = home.run(&["settings", "migrate", path(&file)]).failed();
    assert!(
        refusal.contains(path(&file)) && refusal.contains("not JSON"),
        "{refusal}"
    );
    assert_eq!(name(), "\"Hermes\"\n", "a refused document changes nothing");
}

#[test]
fn the_two_old_ways_of_watching_screens_become_one() {
    let home = Home::new();
    let file = home.file("old.json");
    let old = json!({"voice": {"streamWatch": {
        "brainContextMode": "direct", "brainContextEnabled": false, "directMinIntervalSeconds": 2, "directMaxEntries": 9,
        "directChangeThreshold": 0.15, "brainContextMaxEntries": 8, "maxFramesPerMinute": 60,
    }}});
    std::fs::write(&file, old.to_string()).expect("written");
    home.run(&["settings", "set", "identity.name", "Hermes"])
        .succeeded();
    let said = home.run(&["settings", "migrate", path(&file)]).succeeded();
    for part in [
        "directMaxEntries → voice.streamWatch.maxNoteEntries",
        "2 became 5",
        "brainContextMaxEntries dropped: it was not in force",
        "directChangeThreshold dropped: 0.15 was the default once",
        "brainContextEnabled dropped: notes are always taken",
    ] {
        assert!(said.contains(part), "{part} is missing: {said}");
    }
    let value = |key: &str| home.run(&["settings", "get", key]).succeeded();
    assert_eq!(value("voice.streamWatch.maxNoteEntries"), "9\n");
    assert_eq!(value("voice.streamWatch.commentaryIntervalSeconds"), "5\n");
    assert_eq!(value("voice.streamWatch.changeThreshold"), "0.01\n");
    assert_eq!(value("voice.streamWatch.maxFramesPerMinute"), "60\n");
    assert_eq!(
        value("identity.name"),
        "\"Hermes\"\n",
        "what the file does not name stays"
    );

    let refusal = home
        .run(&["settings", "set", "voice.streamWatch.directMaxEntries", "8"])
        .failed();
    assert!(refusal.contains("maxNoteEntries"), "{refusal}");
}

#[tokio::test]
async fn a_change_on_the_command_line_reaches_the_running_process() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    let live = Live::open(&process).await;
    let before = process.say("Alice", "Hermes, are you there?").await;
    assert_eq!(process.skipped(&before).await["reason"], "not_admitted");
    home.run(&["settings", "set", "identity.name", "Hermes"])
        .succeeded();
    live.wait_for("the change of settings", |kind, _| kind == "settings")
        .await;
    let line = live
        .wait_for("its journal line", |kind, data| {
            kind == "journal" && data["entry"]["name"] == "settings_changed"
        })
        .await;
    assert_eq!(line["entry"]["data"]["changed"], json!(["identity.name"]));
    let after = process.say("Alice", "Hermes, and now?").await;
    assert_eq!(process.answer_to(&after).await, "Understood.");
    assert_eq!(process.messages().await[2]["author"]["name"], "Hermes");
    assert_eq!(process.get("/api/settings").await["version"], 2);
}

#[tokio::test]
async fn a_save_on_top_of_an_old_version_is_refused() {
    let home = Home::new();
    let process = home.start().await;
    let version = process.get("/api/settings").await["version"].clone();
    let (status, answer) = process
        .save_settings(&version, json!({"identity.name": "Hermes"}))
        .await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let (status, answer) = process
        .save_settings(&version, json!({"identity.name": "Iris"}))
        .await;
    assert_eq!(
        (status, &answer["error"]["code"]),
        (StatusCode::CONFLICT, &json!("stale_settings"))
    );
    let name = home.run(&["settings", "get", "identity.name"]).succeeded();
    assert_eq!(name, "\"Hermes\"\n", "the first save stands");
    // Somebody saved on the command line, and the page does not know yet.
    let version = process.get("/api/settings").await["version"].clone();
    home.run(&["settings", "set", "identity.name", "Iris"])
        .succeeded();
    let (status, _) = process
        .save_settings(&version, json!({"identity.name": "Juno"}))
        .await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (status, answer) = process
        .save_settings(&json!(2), json!({"activity.maxRetries": 99, "nope": 1}))
        .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
    let details = answer["error"]["details"].to_string();
    assert!(
        details.contains("activity.maxRetries") && details.contains("nope"),
        "{details}"
    );
}

#[tokio::test]
async fn a_change_that_takes_a_while_to_apply_is_applied_once() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    // Whoever listens here takes connections and says nothing, so looking for its models takes all the time there is.
    let mute = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}/v1", mute.local_addr().expect("an address"));
    home.run(&["settings", "set", "llm.compatibleBaseUrl", &address])
        .succeeded();
    let process = home.start().await;
    for number in 0..3 {
        let model = format!("model-{number}");
        process.change_settings(json!({"llm.model": model})).await;
    }
    home.set(&process, "llm.compatibleBaseUrl", &model.base_url).await;
    let message = process.say("Alice", "Denizen, which one is it?").await;
    process.answer_to(&message).await;
    let journal = process.journal().await;
    let versions: Vec<&Value> = journal
        .iter()
        .filter(|line| line["name"] == "settings_changed")
        .map(|line| &line["data"]["version"])
        .collect();
    assert_eq!(versions, [3, 4, 5, 6]);
}

#[tokio::test]
async fn what_names_a_program_or_an_address_with_keys_is_never_set_over_http() {
    let home = Home::new();
    let script = home.file("script.sh");
    std::fs::write(&script, "#!/bin/sh\ntouch ran\n").expect("the folder can be written to");
    let process = home.start().await;
    let version = process.get("/api/settings").await["version"].clone();
    for (key, value) in [
        ("tools.browserPath", json!(path(&script))),
        ("voice.streamWatch.textReaderPath", json!("/tmp")),
        ("tools.searchUrl", json!("http://evil.example")),
        ("memory.store.qdrantUrl", json!("http://evil.example")),
        ("llm.compatibleBaseUrl", json!("http://evil.example/v1")),
    ] {
        let refused = |(status, answer): (StatusCode, Value)| {
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
            let details = answer["error"]["details"].to_string();
            assert!(
                details.contains(key) && details.contains("denizen settings set"),
                "{details}"
            );
        };
        refused(process.save_settings(&version, json!({ key: value })).await);
        let community = json!({"id": "attic", "settings": {key: value}});
        refused(process.call(Method::POST, "/api/communities", &community).await);
        let document = json!({"document": {key: value}});
        let dry = process
            .call(Method::POST, "/api/settings/migrate?dryRun=true", &document)
            .await;
        assert!(dry.1["problems"].to_string().contains(key), "{dry:?}");
        let shown = process.get("/api/settings").await;
        let mut knobs = shown["knobs"].as_array().expect("knobs").iter();
        let knob = knobs.find(|knob| knob["key"] == key).expect("the knob");
        assert!(knob["onlyOnTheMachine"].is_string(), "{knob}");
        assert_eq!(knob["setHere"], false, "{knob}");
    }
    home.set(&process, "tools.browserPath", path(&script)).await;
}
