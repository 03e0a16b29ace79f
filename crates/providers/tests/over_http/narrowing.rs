//! Servers that refuse a question without a word of why: what it can do without is left out until it is taken.

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use providers::Models;
use runtime::ports::Language;
use serde_json::{Value, json};
use vocabulary::{AskFailureKind, AskOutcome, AttachmentId, ModelRequest};

use crate::lacking::{ask_showing, bodies, hello, served, with_pictures};
use crate::requests::{ask, models_at, rich, settings, simple, typed};
use crate::server::{Answer, Server};

fn wordless() -> Answer {
    Answer::json(400, "")
}

/// Ways to say nothing.
fn ways() -> Vec<Answer> {
    let bodies = [
        "".to_owned(),
        "{}".to_owned(),
        "null".to_owned(),
        "Bad Request".to_owned(),
        "<html><head><title>400 Bad Request</title></head><body><center><h1>400 Bad Request</h1></center><hr><center>nginx/1.25.3</center></body></html>".to_owned(),
        json!({"error": {"message": "Invalid request", "type": "invalid_request_error", "param": null, "code": null}}).to_string(),
        json!({"error": {"code": 400, "message": "Request contains an invalid argument.", "status": "INVALID_ARGUMENT"}}).to_string(),
        json!({"error": {"message": "Provider returned error", "code": 400}}).to_string(),
        json!({"error": "E17"}).to_string(),
    ];
    bodies.iter().map(|body| Answer::json(400, body)).collect()
}

/// What a question is written with, of what it can do without.
fn written_with(body: &Value) -> Vec<&'static str> {
    let streams = body["stream"] == true;
    let parts = [
        ("schema", body.get("response_format").is_some()),
        ("tools", body.get("tools").is_some()),
        ("picture", body.to_string().contains("image_url")),
        ("usage", body.get("stream_options").is_some()),
        ("temperature", body.get("temperature").is_some()),
        ("pieces", streams),
    ];
    parts
        .into_iter()
        .filter(|(_, is)| *is)
        .map(|(name, _)| name)
        .collect()
}

const EVERYTHING: [&str; 5] = ["tools", "picture", "usage", "temperature", "pieces"];

fn lacks(models: &Models) -> Vec<String> {
    let lacks = models.status(&settings(&[])).lacks.into_iter();
    lacks.map(|lack| lack.what).collect()
}

/// A server that takes a question once these parts are not in it, and says nothing of that.
async fn that_takes_no(refused: &[&str]) -> (Server, Models) {
    // What is left out in turn: the picture first, for a picture is what is refused most often. A compatible server is given
    // the schema once no tools go along.
    let turns: [&[&str]; 8] = [
        &[],
        &["picture"],
        &["tools"],
        &["tools", "schema"],
        &["usage"],
        &["temperature"],
        &["usage", "pieces"],
        &["tools", "schema", "picture", "usage", "temperature", "pieces"],
    ];
    let before = turns
        .iter()
        .take_while(|left_out| !refused.iter().all(|part| left_out.contains(part)));
    let answers = before.map(|_| wordless()).chain([hello()]);
    served(answers.collect()).await
}

#[tokio::test]
async fn what_a_server_refuses_without_a_word_is_found_and_left_out_from_then_on() {
    let schema = "perhaps a schema for its answer beside tools";
    for (refused, tries, lacking, with) in [
        (
            &["tools"][..],
            3,
            &["perhaps tools"][..],
            &["schema", "picture", "usage", "temperature", "pieces"][..],
        ),
        (
            &["tools", "schema"],
            4,
            &[schema, "perhaps tools"],
            &["picture", "usage", "temperature", "pieces"],
        ),
        (
            &["usage"],
            5,
            &["perhaps the parameter stream_options"],
            &["tools", "picture", "temperature", "pieces"],
        ),
        (
            &["temperature"],
            6,
            &["perhaps a temperature"],
            &["tools", "picture", "usage", "pieces"],
        ),
        (
            &["pieces"],
            7,
            &["perhaps the parameter stream"],
            &["tools", "picture", "temperature"],
        ),
    ] {
        let (server, models) = that_takes_no(refused).await;
        let answer = ask(&models, &rich("compatible", "m")).await.answer();
        assert_eq!(
            (answer.text.as_str(), answer.tries),
            ("Hello", tries),
            "{refused:?}"
        );
        let again = ask(&models, &rich("compatible", "m")).await.answer();
        assert_eq!(again.tries, 1, "{refused:?}");
        let sent = bodies(&server);
        assert_eq!(written_with(&sent[0]), EVERYTHING);
        for body in sent.iter().rev().take(2) {
            assert_eq!(written_with(body), with, "{refused:?}");
        }
        assert_eq!(lacks(&models), lacking);
    }
}

#[tokio::test]
async fn however_a_server_says_nothing_the_answer_comes() {
    for way in ways() {
        let (server, models) = served(vec![way.clone(), hello()]).await;
        let answer = ask(&models, &typed("compatible", "m")).await.answer();
        assert_eq!((answer.text.as_str(), answer.tries), ("Hello", 2), "{way:?}");
        let sent = bodies(&server);
        assert!(sent[0].get("response_format").is_some() && sent[1].get("response_format").is_none());
    }
}

#[tokio::test]
async fn who_says_what_is_wrong_is_not_asked_again_and_again() {
    for said in [
        "I do not like this",
        "The conversation must begin with a user message",
        "prompt contains words that are not welcome here",
    ] {
        let refusal = Answer::json(400, &json!({"error": {"message": said}}).to_string());
        let (server, models) = served(vec![refusal]).await;
        let failure = ask(&models, &typed("compatible", "m")).await.failure();
        assert_eq!(
            (failure.kind, failure.tries),
            (AskFailureKind::Rejected, 1),
            "{said}"
        );
        assert_eq!(bodies(&server).len(), 1);
    }
}

#[tokio::test]
async fn where_nothing_helps_it_is_tried_once_and_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = Answer::json(200, r#"{"object":"list","data":[{"id":"m"}]}"#);
    let server = Server::start([list, wordless()]).await;
    let started = async |folder: &Path| {
        let models = models_at("compatible", &server.address).keeping_in(folder);
        models.get_ready(&settings(&[])).await;
        models
    };
    let models = started(folder.path()).await;
    let failure = ask(&models, &rich("compatible", "m")).await.failure();
    assert_eq!(failure.tries, 8, "one for each, and one without all of it");
    assert!(
        failure.detail.contains("It gives no reason")
            && failure.detail.contains("without tools, a schema for its answer,"),
        "{failure}"
    );
    let all = bodies(&server).pop().expect("a request");
    assert_eq!(written_with(&all), Vec::<&str>::new());
    assert_eq!(lacks(&models), Vec::<String>::new(), "nothing is held against it");
    // Also by whoever starts anew.
    for models in [&models, &started(folder.path()).await] {
        let failure = ask(models, &simple("compatible", "m")).await.failure();
        assert_eq!(failure.tries, 1);
        assert!(failure.detail.contains("It gives no reason"), "{failure}");
    }
}

#[tokio::test]
async fn what_only_helps_together_is_left_out_together() {
    let (server, models) = that_takes_no(&["tools", "temperature"]).await;
    assert_eq!(ask(&models, &rich("compatible", "m")).await.answer().tries, 8);
    assert_eq!(ask(&models, &rich("compatible", "m")).await.answer().tries, 1);
    let last = bodies(&server).pop().expect("a request");
    let with = written_with(&last);
    assert!(
        !with.contains(&"tools") && !with.contains(&"temperature"),
        "{with:?}"
    );
}

#[tokio::test]
async fn a_picture_is_still_the_first_that_is_left_out() {
    let pictures = BTreeMap::from([(AttachmentId::from("cat"), Bytes::from_static(b"\x89PNG cat"))]);
    let request = ModelRequest {
        output: typed("compatible", "m").output,
        ..with_pictures("compatible", "m", &["cat"])
    };
    let (server, models) = served(vec![wordless(), hello()]).await;
    for tries in [2, 1] {
        let outcome = ask_showing(&models, &request, &pictures).await;
        assert!(
            matches!(&outcome, AskOutcome::Answered(answer) if answer.tries == tries),
            "{outcome:?}"
        );
    }
    let last = bodies(&server).pop().expect("a request");
    assert!(last.get("response_format").is_some() && !last.to_string().contains("image_url"));
}
