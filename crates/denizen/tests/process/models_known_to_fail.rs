//! What is known to fail is not asked with every message: how many requests twenty questions in a row make, by how the
//! provider fails, and what a person and an operator hear of it.

use crate::support::{Answer, Home, ModelServer, Process};

const QUESTIONS: usize = 20;

async fn ask(process: &Process) -> String {
    let message = process.say("Alice", "Denizen, what do you think?").await;
    process.settled(&message).await;
    message
}

/// Twenty questions to a server that always answers so make few requests, and the room hears why once.
async fn few_requests(most: usize, told: &str, answer: impl Fn() -> Answer + Send + Sync + 'static) {
    let model = ModelServer::answering(move |_| answer()).await;
    let home = Home::quick(&model);
    let process = home.start().await;
    for _ in 0..QUESTIONS {
        ask(&process).await;
    }
    let asked = model.asked().len();
    assert!(asked <= most, "{asked} requests, {most} are enough");
    let said = process.said().await;
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains(told), "{said:?}");
    let health = process.get("/api/health").await;
    assert_eq!(health["status"], "degraded");
    assert!(
        health["reasons"].to_string().contains("is tried again in"),
        "{health}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_refused_is_not_tried_with_every_question() {
    few_requests(2, "does not accept my key", || {
        Answer::error(401, "Incorrect API key")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_is_not_tried_with_every_question() {
    // Three, and one more for each pause that is over by then.
    few_requests(6, "has trouble", || Answer::error(500, "on fire")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_to_which_everything_is_too_long_is_not_tried_with_every_question() {
    few_requests(4, "too much for my model", || {
        Answer::error(413, "Request too large")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_typed_answer_without_words_is_an_empty_one() {
    few_requests(4, "answers without a word", || {
        Answer::in_pieces([r#"{"action": "reply", "text": "", "reason": ""}"#])
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_answers_are_named_in_the_room_to_the_operator_and_in_the_journal_until_there_are_words() {
    let model = ModelServer::answering(|_| Answer::in_pieces([""])).await;
    let home = Home::quick(&model);
    let mut process = home.start().await;
    let first = ask(&process).await;
    let asked = model.asked();
    assert_eq!(asked.len(), 2);
    assert_ne!(asked[0].body, asked[1].body, "it is asked in another way");
    let skipped = process.skipped(&first).await;
    assert_eq!(skipped["reason"], "empty_reply");
    assert!(
        skipped["detail"]
            .as_str()
            .is_some_and(|words| words.contains("without a word")),
        "{skipped}"
    );
    let told = "answers without a word and is tried again with the next question";
    let health = process.get("/api/health").await["reasons"].to_string();
    assert!(health.contains(told), "{health}");

    for _ in 1..QUESTIONS {
        ask(&process).await;
    }
    assert_eq!(model.asked().len(), 4, "two questions are enough to know");
    let said = process.said().await;
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("My model answers without a word"), "{said:?}");
    let health = process.get("/api/health").await["reasons"].to_string();
    assert!(
        health.contains("answers without a word and is tried again in"),
        "{health}"
    );
    assert!(process.terminate().await.success());
    let doctor = home.run(&["doctor"]);
    assert!(doctor.out.contains(told), "{doctor:?}");

    let process = home.start().await;
    model.next([Answer::says("Here I am.")]);
    let message = process.say("Alice", "Denizen, and now?").await;
    assert_eq!(process.answer_to(&message).await, "Here I am.");
    assert_eq!(process.get("/api/health").await["status"], "ok");
}
