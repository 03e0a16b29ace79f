//! What is known of models, taken anew by a Denizen that runs; and what a model without a price costs.

use serde_json::{Value, json};

use crate::model_moves::{CATALOGUE, home, moves};
use crate::support::{ModelServer, Process, eventually};

/// The lines that say that the catalogue was read anew, once there are so many.
async fn renewals(process: &Process, times: usize) -> Vec<Value> {
    eventually("the catalogue is read anew", async || {
        let journal = process.journal().await;
        let renewed = |line: &Value| line["name"] == "model_catalogue_changed";
        let lines: Vec<Value> = journal.into_iter().filter(renewed).collect();
        (lines.len() >= times).then_some(lines)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_denizen_takes_a_newer_catalogue_and_says_so() {
    let model = ModelServer::start().await;
    model.lists(&["first-model", "test-model"]);
    let home = home(&model);
    let process = home.start().await;
    assert_eq!(process.get("/api/model").await["model"], "first-model");
    let newer = home.file("newer.toml");
    let preferring = CATALOGUE.replace("\"first-model\", \"test-model\"", "\"test-model\"");
    std::fs::write(&newer, preferring.replace("2026-11-16", "2026-11-17")).expect("written");
    let taken = home
        .run(&["models", "refresh", "--from", newer.to_str().expect("a path")])
        .succeeded();
    assert!(
        taken.contains("within seconds") && taken.contains("has looked again"),
        "{taken}"
    );
    let lines = renewals(&process, 1).await;
    assert_eq!(lines[0]["data"]["date"], "2026-11-17");
    assert!(lines[0]["data"]["problem"].is_null(), "{lines:?}");
    let status = eventually("the other model is taken", async || {
        let status = process.get("/api/model").await;
        (status["model"] == "test-model").then_some(status)
    })
    .await;
    assert_eq!(status["smallModel"], "test-model", "{status}");
    let journal = eventually("the move is told", async || {
        let journal = process.journal().await;
        (moves(&journal).len() == 2).then_some(journal)
    })
    .await;
    assert_eq!(moves(&journal)[0]["because"], "another one is preferred now");
    let message = process.say("Alice", "Denizen, are you there?").await;
    process.answer_to(&message).await;
    assert!(model.asked()[0].body.contains("test-model"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_catalogue_is_refused_with_its_line_and_the_one_before_counts() {
    let model = ModelServer::start().await;
    model.lists(&["first-model", "test-model"]);
    let home = home(&model);
    let process = home.start().await;
    let file = home.data().join("catalogue.toml");
    let broken = "[openai]\nmain = [\"test-model\"]\n[openai.models.\"test-model\"]\ninput = \"cheap\"\n";
    std::fs::write(&file, broken).expect("written");
    let lines = renewals(&process, 1).await;
    let problem = lines[0]["data"]["problem"].as_str().expect("a problem");
    for part in [
        "openai.models.\"test-model\".input",
        "line 4",
        "cheap",
        "dollars per million",
    ] {
        assert!(problem.contains(part), "{part} is not in {problem}");
    }
    let status = process.get("/api/model").await;
    assert_eq!(status["model"], "first-model", "the one before counts: {status}");
    let warned = status["warnings"].to_string();
    assert!(
        warned.contains("line 4") && warned.contains("The file as it was before counts until"),
        "{warned}"
    );
    let health = process.get("/api/health").await;
    assert_eq!(health["status"], "degraded", "{health}");
    assert!(health["reasons"].to_string().contains("line 4"), "{health}");
    let doctor = home.run(&["doctor"]).out;
    let doctor = doctor.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        doctor.contains("one that runs goes on with what it had")
            && doctor.contains("The file as it was before counts until"),
        "{doctor}"
    );
    std::fs::write(&file, "[openai\nmain = 3").expect("written");
    let lines = renewals(&process, 2).await;
    let problem = lines[1]["data"]["problem"].as_str().expect("a problem");
    assert!(
        problem.contains("not TOML") && problem.contains("line 1"),
        "{problem}"
    );
    std::fs::write(&file, CATALOGUE).expect("written");
    let lines = renewals(&process, 3).await;
    assert!(lines[2]["data"]["problem"].is_null(), "{lines:?}");
    let status = process.get("/api/model").await;
    assert!(!status["warnings"].to_string().contains("line"), "{status}");
    assert_eq!(process.get("/api/health").await["status"], "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_that_cannot_be_read_keeps_nobody_from_starting() {
    let model = ModelServer::start().await;
    model.lists(&["first-model", "test-model"]);
    let home = home(&model);
    std::fs::write(home.data().join("catalogue.toml"), "[openai\nmain = 1").expect("written");
    let process = home.start().await;
    let status = process.get("/api/model").await;
    assert!(status["warnings"].to_string().contains("not TOML"), "{status}");
    assert_eq!(
        process.log().matches("is not TOML").count(),
        1,
        "{}",
        process.log()
    );
    let doctor = home.run(&["doctor"]);
    let told = format!("{}{}", doctor.out, doctor.err);
    assert!(
        told.contains("line 1") && told.contains("built-in catalogue counts"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_that_is_older_than_what_denizen_brings_is_told() {
    let model = ModelServer::start().await;
    model.lists(&["first-model", "test-model"]);
    let home = home(&model);
    let told = "counts wherever it says something";
    let older = CATALOGUE.replace("2026-11-16", "2026-01-31");
    let newer = CATALOGUE.replace("2026-11-16", "2099-01-31");
    for (catalogue, is_told) in [(&older, true), (&newer, false)] {
        std::fs::write(home.data().join("catalogue.toml"), catalogue).expect("written");
        let doctor = home.run(&["doctor"]);
        assert_eq!(doctor.out.contains(told), is_told, "{}", doctor.out);
    }
    std::fs::write(home.data().join("catalogue.toml"), &older).expect("written");
    let process = home.start().await;
    let status = process.get("/api/model").await;
    let warnings = status["warnings"].as_array().cloned().unwrap_or_default();
    let mut texts = warnings.iter().filter_map(|warning| warning["text"].as_str());
    assert!(
        texts.any(|text| text.contains("2026-01-31") && text.contains(told)),
        "{status}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_not_known_is_told_once_by_each_who_reads_the_file() {
    let model = ModelServer::start().await;
    model.lists(&["first-model", "test-model"]);
    let home = home(&model);
    let file = home.data().join("catalogue.toml");
    std::fs::write(
        &file,
        CATALOGUE.replace("[openai]", "[openai]\n    mian = [\"x\"]"),
    )
    .expect("written");
    let listed = home.run(&["models", "list", "--offline"]).succeeded();
    assert!(listed.contains("`openai.mian` (line"), "{listed}");
    let process = home.start().await;
    assert_eq!(
        process.log().matches("openai.mian").count(),
        1,
        "{}",
        process.log()
    );
    std::fs::write(
        &file,
        CATALOGUE.replace("[openai]", "[openai]\n    smal = [\"x\"]"),
    )
    .expect("written");
    renewals(&process, 1).await;
    assert_eq!(
        process.log().matches("openai.smal").count(),
        1,
        "{}",
        process.log()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_without_a_price_binds_budgets_as_the_dearest_and_says_so() {
    let model = ModelServer::start().await;
    model.lists(&["first-model"]);
    let home = home(&model);
    let process = home.start().await;
    let message = process.say("Alice", "Denizen, are you there?").await;
    process.answer_to(&message).await;
    let spent = process.get("/api/spending").await;
    assert_eq!(spent["all"]["assumedCalls"], 1, "{spent}");
    assert!(
        spent["all"]["costMicroDollars"].as_u64().expect("a cost") > 0,
        "{spent}"
    );
    let told = home.run(&["spending"]).succeeded();
    assert!(
        told.contains("charged at what their maker asks, like the dearest of their family"),
        "{told}"
    );
    home.set(&process, "spending.perDay.dollars", "0.0001").await;
    process.say("Alice", "Denizen, and now?").await;
    eventually("the budget binds", async || {
        let journal = process.journal().await;
        journal
            .iter()
            .any(|line| line["name"] == "spending_refused")
            .then_some(())
    })
    .await;
    assert_eq!(model.asked().len(), 1);
    let listed = home.run(&["models", "list", "--json"]).succeeded();
    let rows: Vec<Value> = serde_json::from_str(&listed).expect("JSON");
    let row = rows
        .iter()
        .find(|row| row["model"] == "first-model")
        .expect("a row");
    assert!(
        row["priceFrom"]
            .as_str()
            .expect("words")
            .contains("the dearest of its kind"),
        "{row}"
    );
    assert_eq!(row["usedFor"][0], json!("replies"));
}
