//! A model server of one's own, named by its address: what it has, what is taken of it and why, and what is said when it
//! does not answer.

use serde_json::{Value, json};

use crate::support::{Finished, Home, ModelServer, quick};

fn home(base_url: &str) -> Home {
    let home = Home::new();
    home.configure(&json!({"llm.compatibleBaseUrl": base_url, "llm.provider": "compatible"}));
    home
}

fn all(told: &Finished) -> String {
    format!("{}{}", told.out, told.err)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_models_of_a_server_are_listed_with_which_is_taken_and_why() {
    let model = ModelServer::start().await;
    model.lists(&["qwen3:8b", "llama3.2:3b", "nomic-embed-text"]);
    let home = home(&model.base_url);
    home.run(&["settings", "set", "context.compaction.provider", "compatible"])
        .succeeded();
    home.run(&["settings", "set", "context.compaction.model", "llama3.2:3b"])
        .succeeded();
    let listed = home.run(&["models", "list"]).succeeded();
    for part in [
        "qwen3:8b",
        "llama3.2:3b",
        "free",
        "no model is named, and this is the first that it lists",
        "summaries: compatible llama3.2:3b",
        "context.compaction.model names it",
    ] {
        assert!(listed.contains(part), "{part} is not in {listed}");
    }
    assert!(!listed.contains("nomic-embed-text"), "it cannot talk: {listed}");
    let rows = home.run(&["models", "list", "--json"]).succeeded();
    let rows: Vec<Value> = serde_json::from_str(&rows).expect("JSON");
    let row = rows.iter().find(|row| row["model"] == "qwen3:8b").expect("a row");
    assert!(
        row["usedFor"]
            .as_array()
            .expect("purposes")
            .contains(&json!("replies")),
        "{row}"
    );

    let asked = home.run(&["models", "refresh"]).succeeded();
    assert!(
        asked.contains(&format!("{} lists 2 models", model.base_url)),
        "{asked}"
    );
    assert!(!asked.contains("nobody was asked"), "{asked}");
    assert!(asked.contains("compatible qwen3:8b"), "{asked}");
    let asked = home.run(&["models", "refresh", "--json"]).succeeded();
    let asked: Value = serde_json::from_str(&asked).expect("JSON");
    assert_eq!(
        asked["lists"][0],
        json!({"provider": "compatible", "address": model.base_url, "models": 2})
    );
    assert_eq!(
        (&asked["choices"][0]["purpose"], &asked["choices"][0]["model"]),
        (&json!("replies"), &json!("qwen3:8b"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_is_told_with_its_status_and_what_to_do() {
    let model = ModelServer::start().await;
    for (status, words, remedy) in [
        (500, "it answers with status 500 (“the disk is full”)", "logged"),
        (401, "it answers with status 401", "COMPATIBLE_API_KEY"),
        (404, "it answers with status 404", "/v1"),
    ] {
        model.lists_nothing(status, r#"{"error": {"message": "the disk is full"}}"#);
        let home = home(&model.base_url);
        let refreshed = home.run(&["models", "refresh"]);
        assert_eq!(refreshed.code, Some(1), "{refreshed:?}");
        for told in [
            all(&refreshed),
            all(&home.run(&["models", "list"])),
            all(&home.run(&["models", "list", "--json"])),
        ] {
            assert!(told.contains(words) && told.contains(remedy), "{status}: {told}");
            assert!(told.contains(&model.base_url), "{told}");
        }
        let doctor = home.run(&["doctor"]);
        assert!(
            doctor.out.contains(words) && doctor.out.contains(remedy),
            "{}",
            doctor.out
        );
        if status == 401 {
            assert!(doctor.out.contains("!!  "), "{}", doctor.out);
            let process = home.start().await;
            let health = process.get("/api/health").await;
            assert_eq!(health["status"], "degraded", "{health}");
            assert!(health.to_string().contains("status 401"), "{health}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_key_or_a_server_it_is_said_how_to_have_one() {
    let home = Home::new();
    home.configure(&json!({"llm.provider": "offline"}));
    let refreshed = home.run(&["models", "refresh"]).succeeded();
    assert!(
        refreshed.contains("nobody was asked") && refreshed.contains("OPENAI_API_KEY"),
        "{refreshed}"
    );
    assert!(refreshed.contains("replies"), "{refreshed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_has_its_model_only_later_is_found_by_the_next_question() {
    let model = ModelServer::start().await;
    // As Ollama says it before a model was pulled.
    model.lists_nothing(200, r#"{"object":"list","data":null}"#);
    let home = Home::new();
    let mut settings = quick(&model);
    settings["llm.model"] = json!("");
    home.configure(&settings);
    let doctor = home.run(&["doctor"]);
    assert!(
        all(&doctor).contains("no model that can talk"),
        "{}",
        all(&doctor)
    );
    let process = home.start().await;
    model.lists(&["test-model"]);
    let message = process.say("Alice", "Denizen, are you there?").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    assert_eq!(process.get("/api/model").await["model"], "test-model");
}

#[tokio::test(flavor = "multi_thread")]
async fn so_small_a_model_is_not_said_to_make_memories() {
    let model = ModelServer::start().await;
    model.lists(&["qwen2.5-coder:0.5b"]);
    let home = home(&model.base_url);
    let listed = home.run(&["models", "list"]).succeeded();
    assert!(listed.contains("memory: nobody"), "{listed}");
    assert!(listed.contains("patterns make them"), "{listed}");
    let rows = home.run(&["models", "list", "--json"]).succeeded();
    let rows: Vec<Value> = serde_json::from_str(&rows).expect("JSON");
    let used = rows[0]["usedFor"].as_array().expect("purposes");
    assert!(
        used.contains(&json!("replies")) && !used.contains(&json!("memory")),
        "{used:?}"
    );

    home.run(&["settings", "set", "memory.extractor", "model"])
        .succeeded();
    let listed = home.run(&["models", "list"]).succeeded();
    assert!(!listed.contains("memory: nobody"), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_down_is_named_and_nobody_is_said_to_answer() {
    let address = "http://127.0.0.1:9/v1";
    let home = Home::new().with_env("COMPATIBLE_BASE_URL", address);
    let process = home.start().await;
    let model = process.get("/api/model").await;
    assert_eq!(
        (&model["provider"], &model["model"], &model["baseUrl"]),
        (&json!("compatible"), &json!(""), &json!(address))
    );
    let because = model["because"].as_str().expect("words");
    assert!(
        because.contains(address) && because.contains("nothing listens there"),
        "{because}"
    );
}
