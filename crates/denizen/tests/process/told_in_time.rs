//! What whoever runs Denizen is told before anybody in a room has to find it out.

use serde_json::json;

use crate::model_moves::{CATALOGUE, home, moves};
use crate::support::{Answer, ModelServer};

#[tokio::test(flavor = "multi_thread")]
async fn a_day_too_small_for_one_answer_is_told_before_anybody_asks_and_as_what_it_is() {
    let model = ModelServer::start().await;
    model.lists(&["test-model"]);
    let home = home(&model);
    home.run(&["settings", "set", "spending.perDay.dollars", "0.0005"])
        .succeeded();
    let told = "one question for replies may take up to 0.0";
    let doctor = home.run(&["doctor"]);
    assert!(doctor.out.contains(told), "nothing has run yet: {doctor:?}");
    assert_eq!(doctor.code, Some(1), "{doctor:?}");

    let process = home.start().await;
    let health = process.get("/api/health").await;
    assert_eq!(health["status"], "degraded", "{health}");
    let reasons = health["reasons"].to_string();
    for part in [told, "spending.perDay.dollars", "cheaper model with llm.model"] {
        assert!(reasons.contains(part), "{part} is not in {reasons}");
    }
    let message = process.say("Alice", "Denizen, what do you think?").await;
    assert_eq!(process.settled(&message).await, "skipped");
    let said = process.said().await;
    assert!(
        said[0].starts_with("One answer may take up to 0.0") && !said[0].contains("used up"),
        "{said:?}"
    );
    assert!(model.asked().is_empty(), "nothing was asked");
    let spending = home.run(&["spending"]).succeeded();
    assert!(spending.contains(told), "{spending}");

    process
        .change_settings(json!({"spending.perDay.dollars": 1.0}))
        .await;
    assert_eq!(process.get("/api/health").await["status"], "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_value_in_a_catalogue_is_refused_in_the_same_words_by_everybody() {
    let model = ModelServer::start().await;
    model.lists(&["first-model", "test-model"]);
    let home = home(&model);
    let wrong = CATALOGUE.replace("input = 1.0", "input = \"dear\"");
    std::fs::write(home.data().join("catalogue.toml"), wrong).expect("written");
    let process = home.start().await;
    let status = process.get("/api/model").await;
    let sentence = "`openai.models.test-model.input` (line 10) is \"dear\", which cannot be used";
    let list = home.run(&["models", "list", "--offline"]);
    assert_eq!(list.code, Some(1), "{list:?}");
    let doctor = home.run(&["doctor"]);
    let warnings = status["warnings"].as_array().expect("warnings").iter();
    let warnings: Vec<&str> = warnings.filter_map(|one| one["text"].as_str()).collect();
    for (who, told) in [
        ("run", &warnings.join("\n")),
        ("models list", &list.err),
        ("doctor", &doctor.out),
    ] {
        let told = told.replace(
            "openai.models.\"test-model\".input",
            "openai.models.test-model.input",
        );
        assert!(told.contains(sentence), "{who}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_default_that_was_not_there_is_remembered_over_restarts_until_somebody_looks_again() {
    let model = ModelServer::start().await;
    model.lists(&["first-model", "test-model"]);
    let home = home(&model);
    let mut process = home.start().await;
    model.next([Answer::error(404, "The model `first-model` does not exist")]);
    let message = process.say("Alice", "Denizen, what do you think?").await;
    process.answer_to(&message).await;
    assert_eq!(process.get("/api/model").await["model"], "test-model");
    process.terminate().await;
    let asked = model.asked().len();

    let listed = home.run(&["models", "list"]).succeeded();
    let chosen = listed.split("\n\n").nth(1).unwrap_or_default();
    assert!(
        chosen.contains("openai test-model") && chosen.contains("there is no `first-model` ("),
        "{listed}"
    );
    let process = home.start().await;
    let status = process.get("/api/model").await;
    assert_eq!(status["model"], "test-model", "{status}");
    assert!(
        status["because"]
            .as_str()
            .is_some_and(|because| because.contains("`first-model`")),
        "{status}"
    );
    let message = process.say("Alice", "Denizen, and now?").await;
    process.answer_to(&message).await;
    assert!(
        model.asked()[asked..]
            .iter()
            .all(|asked| !asked.body.contains("first-model")),
        "it is not asked again"
    );
    let journal = process.journal().await;
    assert_eq!(
        moves(&journal).len(),
        2,
        "each role moved once: {:?}",
        moves(&journal)
    );

    home.run(&["models", "refresh"]).succeeded();
    assert_eq!(
        process.get("/api/model").await["model"],
        "first-model",
        "it is tried again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_doctor_finds_can_be_read_on_a_narrow_terminal() {
    let model = ModelServer::start().await;
    model.lists(&["test-model"]);
    let home = home(&model).with_env("COLUMNS", "40");
    let doctor = home.run(&["doctor", "--deep"]);
    let long: Vec<&str> = doctor
        .out
        .lines()
        .filter(|line| line.chars().count() > 40 && line.trim().contains(' '))
        .collect();
    assert!(long.is_empty(), "{long:?}");
    assert!(doctor.out.contains("language model:"), "{}", doctor.out);
}
