//! Doing without what a server refuses, and remembering it.

use vocabulary::AskFailureKind;

use crate::openai::answer_of;
use crate::requests::{ask, ask_under, models_at, rich, settings, typed};
use crate::server::{Answer, Server};

fn refuses(message: &str) -> Answer {
    Answer::json(
        400,
        &serde_json::json!({"error": {"message": message, "type": "test"}}).to_string(),
    )
}

fn hello() -> Answer {
    Answer::stream(&[&answer_of(&["Hello"])])
}

#[tokio::test]
async fn a_refused_schema_is_left_out_at_once_and_from_then_on() {
    let server = Server::start([refuses("Unsupported parameter: response_format"), hello()]).await;
    let models = models_at("openai", &server.address);
    let answer = ask(&models, &typed("openai", "m")).await.answer();
    assert_eq!((answer.text.as_str(), answer.tries), ("Hello", 2));
    ask(&models, &typed("openai", "m")).await.answer();
    ask(&models, &typed("openai", "another")).await.answer();

    let with_schema: Vec<bool> = server
        .seen()
        .iter()
        .map(|seen| seen.json().get("response_format").is_some())
        .collect();
    assert_eq!(
        with_schema,
        [true, false, false, true],
        "another model is not blamed"
    );
    let mut first = server.seen()[0].json();
    first
        .as_object_mut()
        .expect("an object")
        .remove("response_format");
    assert_eq!(first, server.seen()[1].json(), "nothing else is left out");
}

#[tokio::test]
async fn the_body_that_went_out_in_the_end_is_noted() {
    let server = Server::start([
        refuses("Unsupported value: 'temperature' does not support 0.8 with this model."),
        refuses("Unsupported parameter: response_format"),
        hello(),
    ])
    .await;
    let models = models_at("openai", &server.address);
    let body = ask(&models, &typed("openai", "m")).await.body;
    assert_eq!(body, server.seen()[2].body);
    assert_ne!(body, server.seen()[0].body);
    let body = ask(&models, &typed("openai", "m")).await.body;
    assert_eq!(body, server.seen()[3].body, "also where nothing was sent instead");
}

#[tokio::test]
async fn a_server_that_takes_a_schema_or_tools_still_gets_the_schema_alone() {
    let server = Server::start([
        refuses("Cannot use custom grammar constraints with tools."),
        hello(),
    ])
    .await;
    let models = models_at("openai", &server.address);
    ask(&models, &rich("openai", "m")).await.answer();
    ask(&models, &rich("openai", "m")).await.answer();
    ask(&models, &typed("openai", "m")).await.answer();
    let with_schema: Vec<bool> = server
        .seen()
        .iter()
        .map(|seen| seen.json().get("response_format").is_some())
        .collect();
    assert_eq!(with_schema, [true, false, false, true]);
}

#[tokio::test]
async fn structured_output_that_was_insisted_on_is_never_left_out() {
    let server = Server::start([refuses("Unsupported parameter: response_format"), hello()]).await;
    let models = models_at("openai", &server.address);
    let on = settings(&[("llm.structuredOutput", "on")]);
    let failure = ask_under(&models, &typed("openai", "m"), &on).await.failure();
    assert_eq!(failure.kind, AskFailureKind::Rejected);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn structured_output_that_is_off_is_never_asked_for() {
    let server = Server::start([hello()]).await;
    let models = models_at("openai", &server.address);
    let off = settings(&[("llm.structuredOutput", "off")]);
    ask_under(&models, &typed("openai", "m"), &off).await.answer();
    assert_eq!(server.seen()[0].json().get("response_format"), None);
}

#[tokio::test]
async fn a_refused_temperature_is_left_out_at_once_and_from_then_on() {
    let server = Server::start([
        refuses("Unsupported value: 'temperature' does not support 0.8 with this model."),
        refuses("Unsupported parameter: response_format"),
        hello(),
    ])
    .await;
    let models = models_at("openai", &server.address);
    assert_eq!(ask(&models, &typed("openai", "m")).await.answer().tries, 3);
    ask(&models, &typed("openai", "m")).await.answer();
    let fields: Vec<(bool, bool)> = server
        .seen()
        .iter()
        .map(|seen| seen.json())
        .map(|body| {
            (
                body.get("temperature").is_some(),
                body.get("response_format").is_some(),
            )
        })
        .collect();
    assert_eq!(
        fields,
        [(true, true), (false, true), (false, false), (false, false)]
    );
}
