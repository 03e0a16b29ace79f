//! `denizen why`: the same question for every way a message can fare.

use serde_json::json;

use crate::support::{Answer, Home, ModelServer, eventually};

/// What it prints, and that the page says the same.
async fn why(home: &Home, process: &crate::support::Process, message: &str) -> (String, String) {
    let printed = home.run(&["why", message]).succeeded();
    let page = process.get(&format!("/api/why/{message}")).await;
    let sentence = page["verdict"]["sentence"].as_str().expect("a sentence");
    assert!(
        printed.starts_with(sentence),
        "{printed}\nbut the page says {sentence}"
    );
    (
        printed,
        page["verdict"]["outcome"]
            .as_str()
            .expect("an outcome")
            .to_owned(),
    )
}

#[tokio::test]
async fn why_tells_how_a_message_came_to_be_answered() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    let message = process.say("Alice", "Denizen, are you there?").await;
    process.answer_to(&message).await;
    let (printed, outcome) = why(&home, &process, &message).await;
    assert_eq!(outcome, "answered");
    assert!(printed.contains("compatible test-model"), "{printed}");
    let steps = [
        "text_message_received",
        "text_admission_decided",
        "text_turn_opened",
        "ask_started",
        "ask_completed",
        "sent_reply",
        "text_turn_ended",
    ];
    let mut rest = printed.as_str();
    for step in steps {
        let at = rest
            .find(step)
            .unwrap_or_else(|| panic!("{step} is missing or out of order:\n{printed}"));
        rest = &rest[at..];
    }
    let reply = process.messages().await[1]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let (printed, outcome) = why(&home, &process, &reply).await;
    assert_eq!(outcome, "own");
    assert!(printed.contains(&message), "{printed}");

    let lines = home.run(&["why", &message, "--json"]).succeeded();
    let served = process.journal_lines().await;
    assert!(
        lines.lines().all(|line| served.iter().any(|other| other == line)),
        "{lines}"
    );
}

#[tokio::test]
async fn why_tells_that_a_message_was_not_let_in() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    let message = process.say("Alice", "What a day, everyone.").await;
    process.skipped(&message).await;
    let (printed, outcome) = why(&home, &process, &message).await;
    assert_eq!(outcome, "silent");
    assert!(printed.contains("ot addressed to Denizen"), "{printed}");
    assert!(printed.contains("text_admission_decided"), "{printed}");
    assert_eq!(model.asked().len(), 0, "no model was asked");
}

#[tokio::test]
async fn why_tells_that_the_model_chose_silence() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    let first = process.say("Alice", "Denizen, good morning!").await;
    process.answer_to(&first).await;
    model.next([Answer::says("[SKIP]")]);
    let message = process.say("Bob", "I slept badly.").await;
    assert_eq!(process.settled(&message).await, "skipped");
    let (printed, outcome) = why(&home, &process, &message).await;
    assert_eq!(outcome, "silent");
    assert!(printed.contains("reply_skipped"), "{printed}");
    assert!(
        printed.lines().next().expect("a verdict").contains("silen"),
        "{printed}"
    );
}

#[tokio::test]
async fn why_tells_that_a_provider_failed_and_what_to_do() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    model.next([Answer::error(401, "Incorrect API key provided")]);
    let message = process.say("Alice", "Denizen, hello?").await;
    assert_eq!(process.settled(&message).await, "failed");
    let (printed, outcome) = why(&home, &process, &message).await;
    assert_eq!(outcome, "failed");
    assert!(printed.contains("COMPATIBLE_API_KEY"), "{printed}");
}

#[tokio::test]
async fn why_of_an_unknown_message_says_so() {
    let home = Home::new();
    let refusal = home.run(&["why", "no-such-message"]).failed();
    assert!(
        refusal.contains("--data") || refusal.contains("denizen run"),
        "{refusal}"
    );
    let process = home.start().await;
    let refusal = home.run(&["why", "no-such-message"]).failed();
    assert!(refusal.contains("no message no-such-message"), "{refusal}");
    let (status, answer) = process
        .call(reqwest::Method::GET, "/api/why/no-such-message", &json!(null))
        .await;
    assert_eq!(
        (status.as_u16(), &answer["error"]["code"]),
        (404, &json!("unknown_message"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_would_do_is_told_without_asking_a_model_or_keeping_anything() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    let told = home
        .run(&[
            "why",
            "--would",
            "Denizen, are you there?",
            "--as",
            "Alice",
            "--url",
            &process.url,
        ])
        .succeeded();
    for words in [
        "A model would be asked for a reply",
        "text_turn_opened",
        "rules",
        "current_turn",
    ] {
        assert!(told.contains(words), "{words} in\n{told}");
    }
    let silent = home
        .run(&[
            "why",
            "--would",
            "nice weather",
            "--as",
            "Alice",
            "--url",
            &process.url,
        ])
        .succeeded();
    assert!(silent.starts_with("Denizen would stay silent."), "{silent}");
    assert!(model.asked().is_empty());
    assert!(process.messages().await.is_empty());
    assert!(
        !process
            .journal_lines()
            .await
            .iter()
            .any(|line| line.contains("text_message_received"))
    );
    let refused = home.run(&["why", "--would", "hello"]);
    assert!(
        refused.code == Some(2) && refused.err.contains("--as"),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_failed_is_made_when_it_is_tried_again() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    model.next([Answer::error(401, "Incorrect API key provided")]);
    let message = process.say("Alice", "Denizen, are you there?").await;
    assert_eq!(process.settled(&message).await, "failed");
    let path = format!("/api/rooms/lounge/messages/{message}/retry");
    let (status, _) = process.call(reqwest::Method::POST, &path, &json!({})).await;
    assert_eq!(status.as_u16(), 202);
    eventually("it is answered after all", async || {
        (process.settled(&message).await == "sent").then_some(())
    })
    .await;
    let (_, outcome) = why(&home, &process, &message).await;
    assert_eq!(outcome, "answered");
}
