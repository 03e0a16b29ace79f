//! Models that end: the default moves on and says so, a model that was named does not, and what is known of models can be
//! had newer.

use serde_json::{Value, json};

use crate::support::{Answer, Home, ModelServer, quick};

pub(crate) const CATALOGUE: &str = r#"
    date = "2026-11-16"
    [openai]
    main = ["first-model", "test-model"]
    small = ["first-model", "test-model"]
    [openai.models.first-model]
    api = "chat"
    [openai.models.test-model]
    api = "chat"
    input = 1.0
    output = 2.0
"#;

/// A home with a key of OpenAI's, whose address is this server's, and a catalogue that prefers two models of it.
pub(crate) fn home(model: &ModelServer) -> Home {
    let home = Home::new()
        .with_env("OPENAI_API_KEY", "sk-test-0123456789")
        .with_env("OPENAI_BASE_URL", &model.base_url);
    let mut settings = quick(model);
    settings["llm.provider"] = json!("openai");
    settings["llm.model"] = json!("");
    home.configure(&settings);
    std::fs::write(home.data().join("catalogue.toml"), CATALOGUE).expect("written");
    home
}

pub(crate) fn moves(journal: &[Value]) -> Vec<&Value> {
    let moved = |line: &&Value| line["name"] == "model_default_moved";
    journal.iter().filter(moved).map(|line| &line["data"]).collect()
}

#[tokio::test]
async fn a_default_that_is_gone_is_replaced_and_the_reply_comes_all_the_same() {
    let model = ModelServer::start().await;
    model.lists(&["first-model", "test-model"]);
    let home = home(&model);
    let process = home.start().await;
    assert_eq!(process.get("/api/model").await["model"], "first-model");
    model.next([Answer::error(404, "The model `first-model` does not exist")]);
    let message = process.say("Alice", "Denizen, what do you think?").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    let asked: Vec<Value> = model
        .asked()
        .iter()
        .map(|asked| serde_json::from_str::<Value>(&asked.body).expect("JSON")["model"].clone())
        .collect();
    assert_eq!(asked, ["first-model", "test-model"]);
    let journal = crate::support::eventually("the mind is told", async || {
        let journal = process.journal().await;
        (moves(&journal).len() == 2).then_some(journal)
    })
    .await;
    let told = moves(&journal)[0];
    assert_eq!(
        (&told["provider"], &told["from"], &told["to"]),
        (&json!("openai"), &json!("first-model"), &json!("test-model"))
    );
    let health = process.get("/api/health").await;
    assert_eq!(health["status"], "ok", "{health}");
    assert_eq!(health["model"]["model"], "test-model");
}

#[tokio::test]
async fn of_several_defaults_that_are_gone_the_first_that_is_there_answers() {
    let model = ModelServer::start().await;
    model.lists(&["first-model", "second-model", "test-model"]);
    let home = home(&model);
    let three = CATALOGUE.replace(
        "\"first-model\", \"test-model\"",
        "\"first-model\", \"second-model\", \"test-model\"",
    );
    let three = format!("{three}\n[openai.models.second-model]\napi = \"chat\"\n");
    std::fs::write(home.data().join("catalogue.toml"), three).expect("written");
    let process = home.start().await;
    model.next(
        ["first-model", "second-model"]
            .map(|gone| Answer::error(404, &format!("The model `{gone}` does not exist"))),
    );
    let message = process.say("Alice", "Denizen, what do you think?").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    assert_eq!(process.get("/api/model").await["model"], "test-model");
}

#[tokio::test]
async fn a_move_while_nobody_was_there_is_told_at_the_next_start_and_only_then() {
    let model = ModelServer::start().await;
    let home = home(&model);
    let kept = json!({"chosen": {"openai": {"main": "first-model", "small": "test-model"}}});
    std::fs::write(home.data().join("models.json"), kept.to_string()).expect("written");
    for expected in [1, 1] {
        let mut process = home.start().await;
        let message = process.say("Alice", "Denizen, what do you think?").await;
        process.answer_to(&message).await;
        let journal = process.journal().await;
        let told = moves(&journal);
        assert_eq!(told.len(), expected, "{told:?}");
        assert_eq!(told[0]["role"], "main");
        process.terminate().await;
    }
}

#[tokio::test]
async fn a_default_that_is_not_listed_any_more_is_moved_and_told_on_the_page_and_in_the_journal() {
    let model = ModelServer::start().await;
    model.lists(&["first-model", "test-model"]);
    let home = home(&model);
    let mut process = home.start().await;
    assert_eq!(process.get("/api/model").await["model"], "first-model");
    process.terminate().await;
    model.lists(&["test-model"]);
    let process = home.start().await;
    let status = process.get("/api/model").await;
    assert_eq!(
        (&status["model"], &status["smallModel"]),
        (&json!("test-model"), &json!("test-model"))
    );
    let journal = crate::support::eventually("the mind is told", async || {
        let journal = process.journal().await;
        (moves(&journal).len() == 2).then_some(journal)
    })
    .await;
    for told in moves(&journal) {
        assert_eq!(
            (&told["from"], &told["to"]),
            (&json!("first-model"), &json!("test-model"))
        );
        assert_eq!(told["because"], "openai does not list it any more");
    }
    let message = process.say("Alice", "Denizen, what do you think?").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
}

#[tokio::test]
async fn a_named_model_that_is_gone_in_the_middle_of_the_day_is_not_replaced() {
    let model = ModelServer::answering(|_| {
        Answer::raw(
            404,
            "application/json",
            r#"{"error": {"message": "The model `first-model` does not exist", "type": "invalid_request_error", "param": null, "code": "model_not_found"}}"#,
        )
    })
    .await;
    model.lists(&["first-model", "test-model"]);
    let home = home(&model);
    home.run(&["settings", "set", "llm.model", "first-model"])
        .succeeded();
    let process = home.start().await;
    let message = process.say("Alice", "Denizen, what do you think?").await;
    let health = crate::support::eventually("health tells", async || {
        let health = process.get("/api/health").await;
        (health["status"] != "ok").then_some(health)
    })
    .await;
    assert!(health["reasons"].to_string().contains("first-model"), "{health}");
    crate::support::eventually("the failure is told", async || {
        let told = process.lines_about(&message, "ask_failed").await;
        (!told.is_empty()).then_some(())
    })
    .await;
    assert_eq!(process.get("/api/model").await["model"], "first-model");
    assert!(
        model
            .asked()
            .iter()
            .all(|asked| asked.body.contains("first-model"))
    );
    assert!(moves(&process.journal().await).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_model_that_has_ended_is_told_by_health_and_doctor_and_not_replaced() {
    let model = ModelServer::start().await;
    let home = home(&model);
    home.run(&["settings", "set", "llm.model", "gpt-4.1-nano"])
        .succeeded();
    let process = home.start().await;
    let health = process.get("/api/health").await;
    assert_eq!(health["status"], "degraded", "{health}");
    let reason = health["reasons"][0].as_str().expect("a reason");
    for part in ["llm.model", "gpt-4.1-nano", "2026-10-23", "gpt-6-luna"] {
        assert!(reason.contains(part), "{reason}");
    }
    assert_eq!(health["model"]["model"], "gpt-4.1-nano");
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.code, Some(1), "{}", doctor.out);
    assert!(
        doctor.out.contains("Set llm.model to gpt-6-luna"),
        "{}",
        doctor.out
    );
    assert!(doctor.out.contains("1 listed for this key"), "{}", doctor.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_catalogue_is_checked_before_it_is_taken() {
    let model = ModelServer::start().await;
    let home = home(&model);
    let file = home.file("newer.toml");
    let newer = file.to_str().expect("a path");
    let before = std::fs::read_to_string(home.data().join("catalogue.toml")).expect("text");
    std::fs::write(&file, "[openai.models.test-model]\ninput = \"cheap\"\n").expect("written");
    let refused = home.run(&["models", "refresh", "--from", newer]);
    assert_eq!(refused.code, Some(1));
    for part in [
        "openai.models.\"test-model\".input",
        "\"cheap\"",
        "dollars per million",
    ] {
        assert!(refused.err.contains(part), "{}", refused.err);
    }
    let kept = std::fs::read_to_string(home.data().join("catalogue.toml")).expect("text");
    assert_eq!(kept, before, "what was there is kept");

    let text = CATALOGUE.replace("input = 1.0", "input = 7.0\n    warp = 9");
    std::fs::write(&file, text).expect("written");
    let taken = home.run(&["models", "refresh", "--from", newer]);
    assert_eq!(taken.code, Some(0), "{}", taken.err);
    assert!(
        taken.out.contains("warp") && taken.out.contains("openai lists 1 model"),
        "{}",
        taken.out
    );
    let listed = home.run(&["models", "list", "--json"]);
    let rows: Vec<Value> = serde_json::from_str(&listed.out).expect("JSON");
    let row = rows
        .iter()
        .find(|row| row["model"] == "test-model")
        .expect("it is in use");
    assert_eq!((&row["inputPrice"], &row["listed"]), (&json!(7.0), &json!(true)));
    assert!(
        row["priceFrom"]
            .as_str()
            .expect("a text")
            .ends_with("catalogue.toml")
    );
    assert!(home.run(&["models", "list"]).out.contains("test-model"));

    let nowhere = home.run(&["models", "refresh", "--from", "http://models.example/c.toml"]);
    assert!(nowhere.err.contains("https"), "{}", nowhere.err);
}
