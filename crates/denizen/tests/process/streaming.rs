//! A reply is seen coming, and follows the message it answers while that changes.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Answer, Gate, Home, Live, ModelServer, Process};

async fn room() -> (ModelServer, Home, Process) {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    (model, home, process)
}

#[tokio::test]
async fn drafts_grow_word_by_word_until_the_message_is_there() {
    let (model, _home, process) = room().await;
    let live = Live::open(&process).await;
    let words = "One word comes after the other until the sentence is whole.";
    model.next([Answer::says(words).paced(Duration::from_millis(60))]);
    let message = process.say("Alice", "Denizen, say a sentence.").await;
    let by_denizen =
        |kind: &str, data: &Value| kind == "message" && data["message"]["author"]["kind"] == "denizen";
    let answer = live.wait_for("the message", by_denizen).await;
    assert_eq!(answer["message"]["text"], words);
    assert_eq!(answer["message"]["replyTo"], json!(message));
    live.wait_for("the end of typing", |kind, data| {
        kind == "typing" && data["typing"] == false
    })
    .await;

    let heard = live.heard();
    let drafts: Vec<&str> = heard
        .iter()
        .filter(|(kind, _)| kind == "draft")
        .map(|(_, data)| data["text"].as_str().expect("text"))
        .collect();
    assert!(drafts.len() >= 3, "{drafts:?}");
    assert!(
        drafts
            .windows(2)
            .all(|pair| pair[1].len() > pair[0].len() && pair[1].starts_with(pair[0])),
        "{drafts:?}"
    );
    assert!(words.starts_with(drafts[drafts.len() - 1]), "{drafts:?}");
    let place = |wanted: &dyn Fn(&str, &Value) -> bool| {
        heard
            .iter()
            .position(|(kind, data)| wanted(kind, data))
            .expect("it was heard")
    };
    let typing = |on: bool| move |kind: &str, data: &Value| kind == "typing" && data["typing"] == on;
    let order = [
        place(&typing(true)),
        place(&|kind, _| kind == "draft"),
        heard
            .iter()
            .rposition(|(kind, _)| kind == "draft")
            .expect("drafts"),
        place(&by_denizen),
        place(&typing(false)),
    ];
    assert!(
        order.is_sorted(),
        "typing, drafts, the message, no more typing: {order:?}"
    );
    assert_eq!(live.of_kind("draft_dropped"), Vec::<Value>::new());
    let turns: Vec<Value> = live
        .of_kind("draft")
        .iter()
        .map(|draft| draft["turn"].clone())
        .collect();
    assert!(
        turns.iter().all(|turn| *turn == answer["message"]["turn"]),
        "drafts belong to the message's turn"
    );
}

#[tokio::test]
async fn a_message_edited_while_it_is_answered_gets_one_answer_to_the_new_text() {
    let (model, _home, process) = room().await;
    let live = Live::open(&process).await;
    let gate = Gate::closed();
    model.next([
        Answer::says("The capital of France is Paris.").held_after(4, &gate),
        Answer::says("The capital of Italy is Rome."),
    ]);
    let message = process
        .say("Alice", "Denizen, what is the capital of France?")
        .await;
    live.wait_for("a draft", |kind, _| kind == "draft").await;
    let edit = json!({"author": "Alice", "text": "Denizen, what is the capital of Italy?"});
    let path = format!("/api/rooms/lounge/messages/{message}");
    let (status, answer) = process.call(Method::PATCH, &path, &edit).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(process.answer_to(&message).await, "The capital of Italy is Rome.");
    gate.open();
    assert_eq!(process.said().await, ["The capital of Italy is Rome."]);
    let second = &model.asked()[1].body;
    assert!(second.contains("Italy") && !second.contains("France"), "{second}");
    assert_eq!(live.of_kind("draft_dropped").len(), 1);
    assert_eq!(process.lines_about(&message, "ask_cancelled").await.len(), 1);
    let edited = process.lines_about(&message, "text_message_edited").await;
    assert_eq!(edited[0]["data"]["whileAnswering"], true);
}

#[tokio::test]
async fn a_message_taken_back_while_it_waits_or_is_answered_gets_no_answer() {
    let (model, _home, process) = room().await;
    let gate = Gate::closed();
    model.next([Answer::says("This takes a while.").held_after(0, &gate)]);
    let first = process.say("Alice", "Denizen, think about this.").await;
    model.asked_times(1).await;
    let waiting = process.say("Bob", "Denizen, forget that I asked.").await;
    let delete = |id: &str, author: &str| {
        let path = format!("/api/rooms/lounge/messages/{id}?author={author}");
        let process = &process;
        async move { process.call(Method::DELETE, &path, &json!(null)).await.0 }
    };
    assert_eq!(delete(&waiting, "Alice").await, StatusCode::FORBIDDEN);
    assert_eq!(delete(&waiting, "Bob").await, StatusCode::NO_CONTENT);
    assert_eq!(process.skipped(&waiting).await["reason"], "message_deleted");
    assert_eq!(
        process.lines_about(&waiting, "text_turn_opened").await,
        Vec::<Value>::new()
    );

    assert_eq!(delete(&first, "Alice").await, StatusCode::NO_CONTENT);
    assert_eq!(process.skipped(&first).await["reason"], "message_deleted");
    gate.open();
    let third = process.say("Carol", "Denizen, anything for me?").await;
    assert_eq!(process.answer_to(&third).await, "Understood.");
    assert_eq!(process.said().await, ["Understood."]);
    let last = &model.asked().last().expect("asked").body.clone();
    assert!(
        !last.contains("think about this") && !last.contains("forget that I asked"),
        "{last}"
    );
}
