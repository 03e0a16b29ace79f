//! Whoever no longer wants an answer hangs up.

use std::collections::BTreeMap;

use runtime::ports::{Delta, Language, RawResponse};
use tokio::sync::mpsc;

use crate::openai::say;
use crate::requests::{ask, models_at, settings, simple};
use crate::server::{Answer, Server};

#[tokio::test]
async fn dropping_an_ask_in_the_middle_of_its_stream_closes_the_connection() {
    let server = Server::start([Answer::stream(&[&say("Once upon a time")]).then_nothing()]).await;
    let models = models_at("openai", &server.address);
    let request = simple("openai", "gpt-4.1-mini");
    let prepared = models
        .prepare(&request, &BTreeMap::new(), &settings(&[]))
        .expect("prepared");
    let (sender, mut receiver) = mpsc::channel(4);
    let sending = models.send(&request, &prepared, sender, RawResponse::default());
    tokio::select! {
        outcome = sending => panic!("the stream never ends, and yet: {outcome:?}"),
        first = receiver.recv() => assert_eq!(first, Some(Delta("Once upon a time".to_owned()))),
    }
    server.hung_up().await;
}

#[tokio::test]
async fn an_answer_is_whole_even_if_nobody_listens_to_its_pieces() {
    let server = Server::start([Answer::stream(&[&crate::openai::answer_of(&["a", "b", "c"])])]).await;
    let models = models_at("openai", &server.address);
    let request = simple("openai", "gpt-4.1-mini");
    let prepared = models
        .prepare(&request, &BTreeMap::new(), &settings(&[]))
        .expect("prepared");
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    let outcome = models
        .send(&request, &prepared, sender, RawResponse::default())
        .await;
    assert!(matches!(outcome, vocabulary::AskOutcome::Answered(answer) if answer.text == "abc"));
}

#[tokio::test]
async fn the_offline_model_writes_word_by_word_and_costs_nothing() {
    let models = models_at("openai", "http://127.0.0.1:1");
    let asked = ask(&models, &simple("offline", "")).await;
    assert_eq!(asked.deltas, ["Hello, ", "Alice."]);
    let answer = asked.answer();
    assert_eq!(answer.text, "Hello, Alice.");
    assert_eq!(
        (answer.provider.as_str(), answer.model.as_str()),
        ("offline", providers::OFFLINE_MODEL)
    );
    assert_eq!(answer.usage.cost_micro_dollars, Some(0));
}

#[tokio::test]
async fn the_offline_model_keeps_deadlines_too() {
    let models = models_at("openai", "http://127.0.0.1:1");
    let mut request = simple("offline", "");
    request.deadline = vocabulary::Span(1);
    let failure = ask(&models, &request).await.failure();
    assert_eq!(failure.kind, vocabulary::AskFailureKind::TimedOut);
}
