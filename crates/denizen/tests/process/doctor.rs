//! `denizen doctor --deep`: every purpose tried with the mind's own question, and told as a table.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::model_moves::home;
use crate::support::{Answer, Asked, Home, ModelServer, envelope, quick};

fn told(doctor: &str) -> Value {
    serde_json::from_str(doctor).unwrap_or_else(|error| panic!("{error}: {doctor}"))
}

fn trial<'a>(told: &'a Value, purpose: &str) -> &'a Value {
    let trials = told["trials"].as_array().expect("trials");
    let found = trials.iter().find(|trial| trial["purpose"] == purpose);
    found.unwrap_or_else(|| panic!("{purpose} is not among {trials:?}"))
}

/// Answers each purpose with something that it can use.
pub(crate) fn useful(asked: &Asked) -> Answer {
    match asked.body.contains("\"gems\"") {
        true => Answer::in_pieces(["{\"gems\":", "[]}"]),
        false if asked.body.contains("\"addressed\"") => {
            Answer::in_pieces(["{\"addressed\":", "true,\"confidence\":0.9,\"reason\":\"\"}"])
        }
        false => Answer::says(&envelope("reply", "It is red.", "asked")),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_tries_every_purpose_as_the_mind_asks_it_and_prints_a_table() {
    let model = ModelServer::reading(|_, asked| useful(asked)).await;
    let home = home(&model);
    home.run(&["settings", "set", "memory.enabled", "true"])
        .succeeded();
    let doctor = home.run(&["doctor", "--deep"]);
    let row = |purpose: &str| {
        let found = doctor
            .out
            .lines()
            .find(|line| line.trim_start().starts_with(purpose));
        let found = found.unwrap_or_else(|| panic!("{purpose} is not in {}", doctor.out));
        found.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(doctor.out.contains("openai test-model"), "{}", doctor.out);
    // 4,000 tokens in at a dollar a million, 120 out at two.
    let works = ["replies", "yes", "yes", "yes", "yes", "yes", "$0.0042"];
    assert_eq!(row("replies "), works, "{}", doctor.out);
    assert_eq!(row("notes on screens")[3..5], ["yes", "yes"], "{}", doctor.out);
    assert_eq!(row("summaries")[3..6], ["-", "-", "-"], "{}", doctor.out);
    for aloud in ["what it says aloud ", "whether to say something aloud"] {
        let row = row(aloud).join(" ");
        assert!(
            row.starts_with(&format!("{} yes yes", aloud.trim())),
            "{}",
            doctor.out
        );
    }
    assert!(
        doctor
            .out
            .contains("Never asked under these settings: whom a message is for, thoughts of its own"),
        "{}",
        doctor.out
    );
    assert!(
        doctor
            .out
            .lines()
            .skip_while(|line| !line.starts_with("Models, asked"))
            .all(|line| line.chars().count() <= 80),
        "{}",
        doctor.out
    );
    let bodies: Vec<Value> = model
        .asked()
        .iter()
        .map(|asked| serde_json::from_str(&asked.body).expect("JSON"))
        .collect();
    assert!(
        bodies.iter().all(|body| body["stream"] == true),
        "answers are streamed"
    );
    let reply = &bodies[0];
    let tools: Vec<&str> = reply["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(|tool| tool["function"]["name"].as_str())
        .collect();
    assert!(
        tools.contains(&"memory_search"),
        "the mind's own tools: {tools:?}"
    );
    let caps: Vec<u64> = bodies
        .iter()
        .filter_map(|body| {
            body["max_completion_tokens"]
                .as_u64()
                .or(body["max_tokens"].as_u64())
        })
        .collect();
    assert!(
        caps.contains(&2_600) && caps.contains(&2_048),
        "the mind's own caps, with room for thought on top: {caps:?}"
    );
    let system = reply["messages"][0]["content"].to_string();
    assert!(system.contains("Denizen"), "the mind's own prompt: {system}");

    let narrow = home
        .command(&["doctor", "--deep"])
        .env("COLUMNS", "40")
        .output()
        .expect("it runs");
    let narrow = String::from_utf8(narrow.stdout).expect("text");
    let words: Vec<&str> = narrow.split_whitespace().collect();
    assert!(
        words
            .join(" ")
            .contains("replies: works, streamed, tools, schema, picture, $0.0042"),
        "{narrow}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_does_not_take_is_told_and_is_no_problem_while_the_reply_comes() {
    let model = ModelServer::reading(|_, asked| match asked.body.contains("\"tools\":[") {
        true => Answer::error(400, "test-model does not support tools"),
        false => useful(asked),
    })
    .await;
    let home = Home::quick(&model);
    let doctor = home.run(&["doctor", "--deep", "--json"]);
    let told = told(&doctor.out);
    let reply = trial(&told, "replies");
    assert_eq!(reply["works"], true, "{reply}");
    assert_eq!(reply["tools"], "left_out", "{reply}");
    assert_eq!(reply["price"]["free"], true, "{reply}");
    assert_eq!((doctor.code, &told["problems"]), (Some(0), &json!(0)), "{told:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_was_refused_without_a_word_about_it_is_not_said_to_work() {
    let model = ModelServer::reading(|_, asked| match asked.body.contains("image_url") {
        true => Answer::error(400, "I do not like this"),
        false => useful(asked),
    })
    .await;
    let home = Home::quick(&model);
    let told = told(&home.run(&["doctor", "--deep", "--json"]).out);
    let reply = trial(&told, "replies");
    assert_eq!(
        (&reply["works"], &reply["tools"], &reply["picture"]),
        (&json!(true), &json!("works"), &json!("left_out")),
        "{reply}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_community_with_a_model_of_its_own_is_tried_with_it_and_with_nothing_twice() {
    let model = ModelServer::reading(|_, asked| match asked.body.contains("attic-model") {
        true => Answer::error(400, "attic-model takes nothing at all"),
        false => useful(asked),
    })
    .await;
    let home = Home::quick(&model);
    let mut process = home.start().await;
    let new = json!({"id": "attic", "settings": {"llm.model": "attic-model", "context.compaction.model": "test-model"}});
    let (status, answer) = process.call(Method::POST, "/api/communities", &new).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    process.terminate().await;
    let doctor = home.run(&["doctor", "--deep", "--json"]);
    let told = told(&doctor.out);
    let trials = told["trials"].as_array().expect("trials");
    let of = |community: Value, purpose: &str| {
        let is_it = |trial: &&Value| trial["community"] == community && trial["purpose"] == purpose;
        trials.iter().find(is_it)
    };
    assert_eq!(of(Value::Null, "replies").expect("tried")["works"], true);
    let attic = of(json!("attic"), "replies").expect("it is tried with its own");
    assert_eq!(
        (&attic["works"], &attic["model"]),
        (&json!(false), &json!("attic-model"))
    );
    assert_eq!(
        of(json!("attic"), "summaries"),
        None,
        "they are the same: {told:#}"
    );
    assert_eq!(doctor.code, Some(1), "{told:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_setup_is_not_tried_with_what_it_never_uses() {
    let model = ModelServer::start().await;
    let home = Home::new();
    let mut settings = quick(&model);
    settings["llm.profile"] = json!("plain");
    settings["llm.structuredOutput"] = json!("off");
    settings["memory.enabled"] = json!(true);
    home.configure(&settings);
    let doctor = home.run(&["doctor", "--deep", "--json"]);
    let told = told(&doctor.out);
    let reply = trial(&told, "replies");
    assert_eq!(
        (&reply["works"], &reply["tools"], &reply["schema"]),
        (&json!(true), &json!("unused"), &json!("unused"))
    );
    // Patterns make the gems of a small model, unless it was chosen for them: then "Understood." is no list of gems.
    let memory = |told: &Value| {
        let trials = told["trials"].as_array().into_iter().flatten();
        trials.clone().find(|trial| trial["purpose"] == "memory").cloned()
    };
    assert_eq!(memory(&told), None);
    settings["memory.provider"] = json!("compatible");
    settings["memory.model"] = json!("test-model");
    home.configure(&settings);
    let chosen = self::told(&home.run(&["doctor", "--deep", "--json"]).out);
    let chosen = memory(&chosen).expect("it was chosen");
    assert_eq!(
        (&chosen["works"], &chosen["instead"]),
        (&json!(false), &json!("memories are made by patterns"))
    );
    assert!(
        !doctor.out.contains("structuredOutput"),
        "it is off already: {}",
        doctor.out
    );
    assert_eq!((doctor.code, &told["problems"]), (Some(0), &json!(0)), "{told:#}");
    assert_eq!(
        model
            .asked()
            .iter()
            .filter(|asked| asked.body.contains("\"tools\":[") || asked.body.contains("json_schema"))
            .count(),
        0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offline_setup_asks_nobody_and_is_in_order() {
    let home = Home::new();
    home.configure(&json!({"llm.provider": "offline"}));
    let doctor = home.run(&["doctor", "--deep", "--json"]);
    let told = told(&doctor.out);
    assert_eq!((doctor.code, &told["problems"]), (Some(0), &json!(0)), "{told:#}");
    let reply = trial(&told, "replies");
    assert_eq!(
        (&reply["builtIn"], &reply["works"], &reply["price"]["free"]),
        (&json!(true), &json!(true), &json!(true))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purpose_whose_model_is_gone_is_a_problem_and_an_assumed_price_is_said() {
    let model = ModelServer::reading(|_, asked| match asked.body.contains("gpt-4.1-nano") {
        true => Answer::raw(
            404,
            "application/json",
            &json!({"error": {"message": "The model `gpt-4.1-nano` does not exist", "type": "invalid_request_error", "code": "model_not_found"}}).to_string(),
        ),
        false => useful(asked),
    })
    .await;
    let home = home(&model);
    home.run(&["settings", "set", "context.compaction.provider", "openai"])
        .succeeded();
    home.run(&["settings", "set", "context.compaction.model", "gpt-4.1-nano"])
        .succeeded();
    home.run(&["settings", "set", "llm.model", "gpt-9-new"])
        .succeeded();
    let doctor = home.run(&["doctor", "--deep"]);
    assert_eq!(doctor.code, Some(1), "{}", doctor.out);
    assert!(!doctor.out.contains("Everything is in order"), "{}", doctor.out);
    assert!(doctor.out.contains("summaries: fails"), "{}", doctor.out);
    assert!(
        doctor.out.contains("the price is not known; assumed is that of"),
        "{}",
        doctor.out
    );
    assert!(doctor.out.contains("the dearest of its family"), "{}", doctor.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_for_every_purpose_in_the_same_way_is_told_once() {
    let refusal = json!({"error": {"message": "Incorrect API key provided", "type": "invalid_request_error", "code": "invalid_api_key"}});
    let model =
        ModelServer::reading(move |_, _| Answer::raw(401, "application/json", &refusal.to_string())).await;
    let home = home(&model);
    let doctor = home.run(&["doctor", "--deep"]);
    assert_eq!(doctor.code, Some(1), "{}", doctor.out);
    let told: Vec<&str> = doctor
        .out
        .lines()
        .filter(|line| line.contains("fails ("))
        .collect();
    let [once] = told[..] else {
        panic!("{}", doctor.out);
    };
    for purpose in ["replies", "summaries", "notes on screens", "what it says aloud"] {
        assert!(once.contains(purpose), "{once}");
    }
    assert!(doctor.out.contains("\n1 problem (!!)."), "{}", doctor.out);
}
