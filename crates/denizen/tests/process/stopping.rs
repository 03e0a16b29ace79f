//! An orderly end, and what comes after it.

use serde_json::json;

use crate::support::{Answer, Gate, Home, Live, ModelServer};

#[tokio::test]
async fn a_process_that_is_asked_to_end_does_so_and_its_successor_answers_once() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    // A reply that is owed does not depend on how often a failing model is tried.
    home.run(&["settings", "set", "activity.maxRetries", "0"])
        .succeeded();
    let mut process = home.start().await;
    let live = Live::open(&process).await;
    let gate = Gate::closed();
    model.next([Answer::says("I was just about to").held_after(2, &gate)]);
    let message = process.say("Alice", "Denizen, are you busy?").await;
    live.wait_for("the answer has begun", |kind, _| kind == "draft")
        .await;
    let status = process.terminate().await;
    assert_eq!(status.code(), Some(0), "{}", process.log());
    gate.open();

    let process = home.start().await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    assert_eq!(process.said().await, ["Understood."]);
    let journal = process.journal().await;
    let place = |name: &str| {
        journal
            .iter()
            .position(|line| line["name"] == name)
            .expect("a line")
    };
    assert!(place("process_shutdown_requested") < place("process_restarted"));
    assert_eq!(journal[place("process_restarted")]["data"]["asksLost"], 1);
    let failed = process.lines_about(&message, "ask_failed").await;
    assert_eq!(failed[0]["data"]["kind"], "interrupted");
    assert_eq!(failed[0]["data"]["retryIn"], json!(0));
}

#[tokio::test]
async fn a_quiet_process_ends_with_pages_open_and_nothing_lost() {
    let home = Home::new();
    let mut process = home.start().await;
    let _page = Live::open(&process).await;
    let _other = Live::open(&process).await;
    let message = process.say("Alice", "Good night, everyone.").await;
    assert_eq!(process.terminate().await.code(), Some(0), "{}", process.log());
    let process = home.start().await;
    assert_eq!(process.messages().await[0]["id"], json!(message));
    assert!(!process.log().contains("WARN"), "{}", process.log());
}

#[tokio::test]
async fn a_question_the_classifier_was_asked_survives_a_kill() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    home.run(&["settings", "set", "addressClassifierLlm.enabled", "true"])
        .succeeded();
    let mut process = home.start().await;
    let gate = Gate::closed();
    model.next([Answer::says("0.9").held_after(0, &gate)]);
    let message = process.say("Alice", "Is anybody artificial here?").await;
    model.asked_times(1).await;
    process.kill();
    gate.open();
    model.next([Answer::in_pieces([r#"{"confidence": 0.9}"#])]);
    let process = home.start().await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    let classified = process.lines_about(&message, "text_address_classified").await;
    assert_eq!(classified.len(), 1);
}
