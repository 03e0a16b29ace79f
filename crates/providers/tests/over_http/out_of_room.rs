//! Answers that had no room left for words: more of it is given once and remembered, and what still says nothing is named.

use runtime::ports::{Language, LanguageStatus};
use serde_json::Value;
use vocabulary::AskFailureKind;

use crate::requests::{ask, ask_under, models_at, settings, simple};
use crate::server::Server;
use crate::thoughts::{anthropic, thinking, words};

#[tokio::test]
async fn an_answer_that_had_no_room_is_asked_for_once_more_with_more_of_it() {
    let server = Server::start([
        anthropic(&[thinking()], "max_tokens"),
        anthropic(&[words("Hello.")], "end_turn"),
    ])
    .await;
    let models = models_at("anthropic", &server.address);
    let answer = ask(&models, &simple("anthropic", "claude-sonnet-5-5"))
        .await
        .answer();
    assert_eq!((answer.text.as_str(), answer.tries), ("Hello.", 2));
    assert_eq!(
        (answer.usage.input_tokens, answer.usage.output_tokens),
        (20, 40),
        "both are paid for"
    );
    let caps: Vec<Value> = server
        .seen()
        .iter()
        .map(|seen| seen.json()["max_tokens"].clone())
        .collect();
    assert_eq!(caps, [2_600, 8_600]);
}

#[tokio::test]
async fn a_model_that_says_nothing_for_all_its_thoughts_is_given_more_room_at_once_and_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start([
        anthropic(&[thinking()], "max_tokens"),
        anthropic(&[thinking()], "max_tokens"),
        anthropic(&[thinking()], "max_tokens"),
        anthropic(&[words("Hello.")], "end_turn"),
    ])
    .await;
    let started = || models_at("anthropic", &server.address).keeping_in(folder.path());
    let request = simple("anthropic", "claude-sonnet-5-5");
    let caps = || -> Vec<Value> {
        let seen = server.seen();
        let asked = seen.iter().filter(|seen| seen.method == "POST");
        asked.map(|seen| seen.json()["max_tokens"].clone()).collect()
    };
    let chosen = settings(&[("llm.provider", "anthropic"), ("llm.model", "claude-sonnet-5-5")]);

    let models = started();
    let failure = ask_under(&models, &request, &chosen).await.failure();
    assert_eq!((failure.kind, failure.tries), (AskFailureKind::OutOfRoom, 2));
    assert_eq!(
        failure.usage.map(|usage| usage.output_tokens),
        Some(40),
        "both are paid for"
    );
    for part in [
        "claude-sonnet-5-5",
        "8600 tokens",
        "llm.effort.reply (now low)",
        "llm.maxOutputTokens (now 600)",
    ] {
        assert!(failure.detail.contains(part), "{failure} lacks {part}");
    }
    let failure = ask_under(&started(), &request, &chosen).await.failure();
    assert_eq!((failure.kind, failure.tries), (AskFailureKind::OutOfRoom, 1));
    assert_eq!(caps(), [2_600, 8_600, 8_600], "it is known after a restart");

    let status = started().status(&chosen);
    let habits: Vec<(&str, bool)> = status
        .lacks
        .iter()
        .map(|lack| (lack.what.as_str(), lack.habit))
        .collect();
    assert_eq!(
        habits,
        [(
            "it thinks long, and is given more room and a lower effort where it has one",
            true
        )]
    );
    let warned = |status: &LanguageStatus| {
        let texts = status.warnings.iter().map(|warning| warning.text.as_str());
        texts.filter(|text| text.contains("8600 tokens")).count()
    };
    assert_eq!(warned(&status), 1, "{status:?}");

    let models = started();
    assert_eq!(
        ask_under(&models, &request, &chosen).await.answer().text,
        "Hello."
    );
    assert_eq!(warned(&models.status(&chosen)), 0, "it has spoken");
}
