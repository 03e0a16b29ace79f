//! Models that nobody could ask, and that somebody has mended: the cause is told once and by its name, and nothing of it is
//! told any more when it is over.

use reqwest::Method;
use serde_json::{Value, json};

use crate::doctor::useful;
use crate::support::{Answer, Asked, Home, ModelServer, Process, quick};

const KEY: &str = "The service of my model does not accept my key, so I cannot answer. Whoever looks after me can see to that.";

/// A home whose settings name no model.
fn unnamed(model: &ModelServer) -> Home {
    let home = Home::new();
    let mut settings = quick(model);
    settings["llm.model"] = json!("");
    home.configure(&settings);
    home
}

async fn reasons(process: &Process) -> Vec<String> {
    let health = process.get("/api/health").await;
    let reasons = health["reasons"].as_array().into_iter().flatten();
    reasons
        .map(|reason| reason.as_str().expect("words").to_owned())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_refused_with_the_list_is_told_as_that_and_once() {
    let model = ModelServer::start().await;
    model.lists_nothing(401, r#"{"error": {"message": "Incorrect API key"}}"#);
    let home = unnamed(&model);
    let process = home.start().await;
    let message = process.say("Alice", "Denizen, what do you think?").await;
    assert_eq!(process.settled(&message).await, "failed");
    let failures = process.lines_about(&message, "ask_failed").await;
    assert_eq!(failures.len(), 1, "nothing is tried again: {failures:?}");
    assert_eq!(failures[0]["data"]["kind"], "key_refused");
    assert_eq!(process.said().await, [KEY]);
    let told = reasons(&process).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].contains("COMPATIBLE_API_KEY") && told[0].ends_with("or set llm.model"),
        "{told:?}"
    );
    let log = process.log();
    let lines = log
        .lines()
        .filter(|line| line.contains("could not be asked for its models"));
    assert_eq!(lines.count(), 1, "{log}");

    model.lists(&["test-model"]);
    let (status, found) = process.call(Method::POST, "/api/model/detect", &json!({})).await;
    assert!(status.is_success(), "{found}");
    assert_eq!(reasons(&process).await, Vec::<String>::new());
    let message = process.say("Alice", "Denizen, and now?").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    assert_eq!(reasons(&process).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_was_refused_and_lists_the_models_now_ails_nobody_before_somebody_asks() {
    let model = ModelServer::start().await;
    let refused = r#"{"error": {"message": "Incorrect API key"}}"#;
    for named in [true, false] {
        model.lists_nothing(401, refused);
        let home = match named {
            true => Home::quick(&model),
            false => unnamed(&model),
        };
        let mut process = home.start().await;
        if named {
            model.next([401; 2].map(|status| Answer::error(status, "Incorrect API key")));
        }
        for _ in 0..2 {
            let message = process.say("Alice", "Denizen, what do you think?").await;
            process.settled(&message).await;
        }
        assert!(!reasons(&process).await.is_empty());
        let asked = model.asked().len();
        model.lists(&["test-model"]);
        // Somebody looks, or starts it with another key.
        if named {
            process.call(Method::POST, "/api/model/detect", &json!({})).await;
        } else {
            process.terminate().await;
            process = home.start().await;
        }
        assert_eq!(reasons(&process).await, Vec::<String>::new(), "named: {named}");
        assert_eq!(model.asked().len(), asked, "nobody has asked");
        process.terminate().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_may_not_list_and_answers_is_a_good_one() {
    let model = ModelServer::start().await;
    model.lists_nothing(401, r#"{"error": {"message": "Incorrect API key"}}"#);
    let home = Home::quick(&model);
    let process = home.start().await;
    let told = reasons(&process).await;
    assert!(
        told.len() == 1 && told[0].contains("does not accept the key"),
        "{told:?}"
    );
    let message = process.say("Alice", "Denizen, what do you think?").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    assert_eq!(reasons(&process).await, Vec::<String>::new());
}

/// A room whose model had no credit, and the server of which answers by this from then on.
async fn broke(home: &Home, model: &ModelServer) -> Process {
    let process = home.start().await;
    model.next([Answer::error(402, "Insufficient credits")]);
    let message = process.say("Alice", "Denizen, what do you think?").await;
    process.settled(&message).await;
    let told = reasons(&process).await;
    assert!(told.len() == 1 && told[0].contains("no credit"), "{told:?}");
    process
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_answers_doctor_after_somebody_has_paid_ails_no_more() {
    let model = ModelServer::reading(|_, asked| useful(asked)).await;
    let home = Home::quick(&model);
    let mut process = broke(&home, &model).await;
    let doctor = home.run(&["doctor", "--deep"]);
    assert!(!doctor.out.contains("!!"), "{doctor:?}");
    assert_eq!(doctor.code, Some(0), "{doctor:?}");
    assert_eq!(reasons(&process).await, Vec::<String>::new());
    process.terminate().await;

    let mut process = broke(&home, &model).await;
    process.terminate().await;
    let doctor = home.run(&["doctor"]);
    assert!(doctor.out.contains("!!  model of local"), "{doctor:?}");
    let doctor = home.run(&["doctor", "--deep"]);
    assert!(!doctor.out.contains("!!"), "also where nothing runs: {doctor:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_fails_doctor_goes_on_resting_whatever_others_do() {
    let of = |asked: &Asked| serde_json::from_str::<Value>(&asked.body).expect("JSON")["model"].clone();
    let model = ModelServer::reading(move |_, asked| match of(asked) == "small-model" {
        true => useful(asked),
        false => Answer::error(402, "Insufficient credits"),
    })
    .await;
    let home = Home::new();
    let mut settings = quick(&model);
    settings["context.compaction.model"] = json!("small-model");
    home.configure(&settings);
    let process = broke(&home, &model).await;
    let doctor = home.run(&["doctor", "--deep"]);
    assert_eq!(doctor.code, Some(1), "{doctor:?}");
    let told = reasons(&process).await;
    assert!(told.len() == 1 && told[0].contains("no credit"), "{told:?}");
    let asked = model.asked().len();
    let message = process.say("Alice", "Denizen, and now?").await;
    process.settled(&message).await;
    assert_eq!(model.asked().len(), asked, "nobody is asked while it rests");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_answers_doctor_rests_no_more_although_its_model_does_not_take_something_else() {
    let model = ModelServer::reading(|_, asked| match asked.body.contains("\"gems\"") {
        true => Answer::error(400, "Nobody makes memories here"),
        false => useful(asked),
    })
    .await;
    for runs in [true, false] {
        let home = Home::new();
        let mut settings = quick(&model);
        settings["memory.enabled"] = json!(true);
        settings["memory.extractor"] = json!("model");
        home.configure(&settings);
        let mut process = broke(&home, &model).await;
        if !runs {
            process.terminate().await;
        }
        let doctor = home.run(&["doctor", "--deep"]);
        assert_eq!(doctor.code, Some(1), "memories fail: {doctor:?}");
        assert!(!doctor.out.contains("no credit"), "runs: {runs}, {doctor:?}");
        if runs {
            assert_eq!(reasons(&process).await, Vec::<String>::new());
            let message = process.say("Alice", "Denizen, and now?").await;
            assert_eq!(process.settled(&message).await, "sent");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_answers_doctor_by_another_key_or_address_heals_nothing_of_the_process_that_runs() {
    let model = ModelServer::reading(|_, asked| useful(asked)).await;
    let elsewhere = ModelServer::reading(|_, asked| useful(asked)).await;
    let home = Home::new()
        .with_env("COMPATIBLE_API_KEY", "key-of-the-process")
        .with_env("COMPATIBLE_BASE_URL", &model.base_url);
    let mut settings = quick(&model);
    settings["llm.compatibleBaseUrl"] = json!("");
    home.configure(&settings);
    let process = broke(&home, &model).await;
    for (variable, value, told) in [
        ("COMPATIBLE_API_KEY", "key-of-somebody-else", "another key ("),
        (
            "COMPATIBLE_BASE_URL",
            elsewhere.base_url.as_str(),
            "another address (",
        ),
    ] {
        let mut doctor = home.command(&["doctor", "--deep"]);
        let doctor = doctor.env(variable, value).output().expect("it runs");
        let out = String::from_utf8(doctor.stdout).expect("text");
        let words: Vec<&str> = out.split_whitespace().collect();
        let out = words.join(" ");
        assert!(
            out.contains(&format!("the Denizen that runs goes by {told}replies")),
            "{out}"
        );
        assert!(!out.contains("key-of-"), "{out}");
        let ails = reasons(&process).await;
        assert!(ails.len() == 1 && ails[0].contains("no credit"), "{ails:?}");
    }
    let doctor = home.run(&["doctor", "--deep"]);
    assert!(!doctor.out.contains("goes by another"), "{doctor:?}");
    assert_eq!(reasons(&process).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_country_that_is_not_served_is_told_as_that_by_the_list_too() {
    let model = ModelServer::start().await;
    let body = r#"{"error": {"message": "This model is not available in your region.", "code": 403}}"#;
    model.lists_nothing(403, body);
    let process = unnamed(&model).start().await;
    let message = process.say("Alice", "Denizen, what do you think?").await;
    assert_eq!(process.settled(&message).await, "failed");
    let failures = process.lines_about(&message, "ask_failed").await;
    assert_eq!(failures[0]["data"]["kind"], "region_refused", "{failures:?}");

    model.lists_nothing(451, "");
    let home = Home::quick(&model);
    let process = home.start().await;
    let told = reasons(&process).await;
    let nobody = "compatible answers nobody from the country that it is asked from";
    assert!(told.len() == 1 && told[0].contains(nobody), "{told:?}");
    assert!(!told[0].contains("API_KEY"), "{told:?}");
    let message = process.say("Alice", "Denizen, what do you think?").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    assert_eq!(
        reasons(&process).await,
        Vec::<String>::new(),
        "it answers all the same"
    );
}
