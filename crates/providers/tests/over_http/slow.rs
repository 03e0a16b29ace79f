//! Model servers in the house that are slow: they are waited for as long as they show themselves.

use std::time::Duration;

use settings::Settings;
use vocabulary::AskFailureKind;

use crate::openai::{ending, say};
use crate::requests::{ask_while_it_works, ask_within, models_at, simple};
use crate::server::{Answer, Server};

/// Longer than it is waited for by the settings.
const SLOW: Duration = Duration::from_millis(700);
const WITHIN: (u64, u64) = (60, 60);

fn slow() -> Answer {
    Answer::stream(&[&say("It is Paris."), &ending("stop")]).after(SLOW)
}

fn list() -> Answer {
    Answer::json(200, r#"{"object": "list", "data": []}"#)
}

#[tokio::test]
async fn a_server_that_shows_itself_is_waited_for_however_slow_it_is() {
    let server = Server::start([slow(), list()]).await;
    let models = models_at("openai", &server.address);
    let request = simple("openai", "gpt-4.1-mini");
    let asked = ask_while_it_works(&models, &request, WITHIN).await;
    assert_eq!(asked.answer().text, "It is Paris.");
    let seen = server.seen();
    let paths: Vec<(&str, &str)> = seen
        .iter()
        .map(|seen| (seen.method.as_str(), seen.path.as_str()))
        .collect();
    assert_eq!(paths[0].0, "POST");
    assert!(
        paths[1].0 == "GET" && paths[1].1.ends_with("/models"),
        "{paths:?}"
    );
    assert_eq!(paths.iter().filter(|(method, _)| *method == "POST").count(), 1);
}

#[tokio::test]
async fn one_that_does_not_show_itself_is_given_up() {
    // Takes connections, and nothing else.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let taking = tokio::spawn(async move {
        let mut taken = Vec::new();
        while let Ok((socket, _)) = listener.accept().await {
            taken.push(socket);
        }
    });
    let models = models_at("openai", &address);
    let failure = ask_while_it_works(&models, &simple("openai", "gpt-4.1-mini"), WITHIN)
        .await
        .failure();
    assert_eq!(failure.kind, AskFailureKind::NoFirstByte);
    taking.abort();
}

#[tokio::test]
async fn who_has_said_how_long_is_taken_at_their_word() {
    let server = Server::start([slow(), list()]).await;
    let models = models_at("openai", &server.address);
    let request = simple("openai", "gpt-4.1-mini");
    let failure = ask_within(&models, &request, WITHIN).await.failure();
    assert_eq!(failure.kind, AskFailureKind::NoFirstByte);
    let mut settings = Settings::default();
    assert!(settings.llm.waits_while_it_works());
    assert_eq!(
        (
            settings.llm.reply_seconds(true),
            settings.llm.reply_seconds(false)
        ),
        (300, 60)
    );
    settings.llm.local_first_byte_seconds = 20;
    settings.llm.timeout_seconds = 30;
    assert!(!settings.llm.waits_while_it_works());
    assert_eq!(settings.llm.reply_seconds(true), 30);
}
