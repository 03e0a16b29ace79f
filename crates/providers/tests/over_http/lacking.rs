//! Servers that lack something: the reply comes all the same, and what they lack is known from then on.

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use providers::Models;
use runtime::ports::{Language, RawResponse};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use vocabulary::{AskOutcome, AttachmentId, ChatRole, ChatTurn, ContentPart, ModelRequest};

use crate::anthropic;
use crate::openai::answer_of;
use crate::requests::{ask, models_at, rich, settings, simple};
use crate::server::{Answer, Server};

pub fn hello() -> Answer {
    Answer::stream(&[&answer_of(&["Hello"])])
}

/// A server, and models that have looked at it once, which is answered by a list.
pub async fn served(answers: Vec<Answer>) -> (Server, Models) {
    let list = Answer::json(200, r#"{"object":"list","data":[{"id":"m"}]}"#);
    let server = Server::start([list].into_iter().chain(answers)).await;
    let models = models_at("compatible", &server.address);
    models.get_ready(&settings(&[])).await;
    (server, models)
}

pub fn bodies(server: &Server) -> Vec<Value> {
    let seen = server.seen();
    let posted = seen
        .iter()
        .filter(|seen| seen.path.ends_with("/chat/completions"));
    posted.map(|seen| seen.json()).collect()
}

#[tokio::test]
async fn a_server_that_refuses_tools_is_asked_without_them_and_the_reply_comes() {
    for (status, refusal) in [
        (
            400,
            json!({"error": {"message": "registry.ollama.ai/library/gemma3:1b does not support tools", "type": "invalid_request_error", "param": null, "code": null}}),
        ),
        (
            400,
            json!({"object": "error", "message": "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set", "type": "BadRequestError", "param": null, "code": 400}),
        ),
        (
            500,
            json!({"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}),
        ),
        (
            404,
            json!({"error": {"message": "No endpoints found that support tool use.", "code": 404}}),
        ),
    ] {
        let (server, models) = served(vec![Answer::json(status, &refusal.to_string()), hello()]).await;
        let answer = ask(&models, &rich("compatible", "m")).await.answer();
        assert_eq!((answer.text.as_str(), answer.tries), ("Hello", 2), "{refusal}");
        assert_eq!(ask(&models, &rich("compatible", "m")).await.answer().tries, 1);
        let offered: Vec<bool> = bodies(&server)
            .iter()
            .map(|body| body.get("tools").is_some())
            .collect();
        assert_eq!(offered, [true, false, false], "{refusal}");
        let lacks = models.status(&settings(&[])).lacks;
        assert_eq!(lacks.len(), 1);
        assert_eq!(lacks[0].what, "tools");
        let told = models.reply_model(&settings(&[]));
        assert!(told.is_some_and(|model| model.refuses_tools), "{refusal}");
    }
}

#[tokio::test]
async fn what_was_learnt_is_known_after_a_restart_until_somebody_looks_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = || Answer::json(200, r#"{"object":"list","data":[{"id":"m"}]}"#);
    let refusal = Answer::json(400, r#"{"error":{"message":"m does not support tools"}}"#);
    let server = Server::start([list(), refusal, hello(), list(), hello(), list(), hello()]).await;
    let started = async |folder: &Path| {
        let models = models_at("compatible", &server.address).keeping_in(folder);
        models.get_ready(&settings(&[])).await;
        models
    };
    ask(&started(folder.path()).await, &rich("compatible", "m"))
        .await
        .answer();
    let again = started(folder.path()).await;
    ask(&again, &rich("compatible", "m")).await.answer();
    again.detect(&settings(&[])).await;
    ask(&again, &rich("compatible", "m")).await.answer();
    let offered: Vec<bool> = bodies(&server)
        .iter()
        .map(|body| body.get("tools").is_some())
        .collect();
    assert_eq!(offered, [true, false, false, true]);
}

/// A message after which the same pictures are sent again, as with every message of a room.
pub fn with_pictures(provider: &str, model: &str, ids: &[&str]) -> ModelRequest {
    let picture = |id: &&str| ContentPart::Image {
        id: AttachmentId::from(*id),
        mime: "image/png".to_owned(),
    };
    let words = ContentPart::Text("[12:03] Alice: look!".to_owned());
    ModelRequest {
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: ids.iter().map(picture).chain([words]).collect(),
        }],
        ..simple(provider, model)
    }
}

pub async fn ask_showing(
    models: &Models,
    request: &ModelRequest,
    pictures: &BTreeMap<AttachmentId, Bytes>,
) -> AskOutcome {
    let prepared = models
        .prepare(request, pictures, &settings(&[]))
        .expect("prepared");
    let (deltas, _pieces) = mpsc::channel(256);
    models
        .send(request, &prepared, deltas, RawResponse::default())
        .await
}

#[tokio::test]
async fn one_picture_that_is_not_taken_silences_nobody() {
    let anthropic = json!({"type": "error", "error": {"type": "invalid_request_error", "message": "Could not process image"}});
    let openai = json!({"error": {"message": "The image data you provided does not represent a valid image.", "type": "invalid_request_error", "param": null, "code": "invalid_image_format"}});
    let gemini = json!({"error": {"code": 400, "message": "Unable to process input image.", "status": "INVALID_ARGUMENT"}});
    for (provider, model, refusal) in [
        ("anthropic", "claude-haiku-5-5", anthropic),
        ("openai", "gpt-4.1", openai),
        ("gemini", "gemini-3.8-flash", gemini),
    ] {
        let good = match provider {
            "anthropic" => Answer::stream(&[&crate::anthropic::text_answer(&["Hi"], "end_turn")]),
            "gemini" => Answer::stream(&[
                "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"}]},\"finishReason\":\"STOP\"}]}\n\n",
            ]),
            _ => hello(),
        };
        let server = Server::start([Answer::json(400, &refusal.to_string()), good]).await;
        let models = models_at(provider, &server.address);
        let pictures = BTreeMap::from([(AttachmentId::from("cat"), Bytes::from_static(b"\x89PNG broken"))]);
        for message in 0..8 {
            let outcome = ask_showing(&models, &with_pictures(provider, model, &["cat"]), &pictures).await;
            let AskOutcome::Answered(answer) = outcome else {
                panic!("{provider}: message {message} is not answered: {outcome:?}");
            };
            assert_eq!(answer.tries, if message == 0 { 2 } else { 1 }, "{provider}");
        }
        let seen = server.seen();
        assert!(!seen[0].body.contains("could not be shown"), "{provider}");
        assert!(
            seen[1..]
                .iter()
                .all(|seen| seen.body.contains("[a picture that could not be shown")),
            "{provider}"
        );
        // Another one is still looked at.
        let other = BTreeMap::from([(AttachmentId::from("dog"), Bytes::from_static(b"\x89PNG other"))]);
        ask_showing(&models, &with_pictures(provider, model, &["dog"]), &other).await;
        let last = server.seen().pop().expect("a request").body;
        assert!(!last.contains("could not be shown"), "{provider}: {last}");
    }
}

#[tokio::test]
async fn a_picture_is_left_out_also_where_a_refusal_does_not_name_it() {
    let too_large = json!({"type": "error", "error": {"type": "request_too_large", "message": "Request exceeds the maximum size"}});
    let wordless = json!({"error": {"message": "I do not like this"}});
    let broken = json!({"error": {"message": "failed to process image"}});
    for (status, refusal) in [
        (
            413,
            "<html><h1>413 Request Entity Too Large</h1></html>".to_owned(),
        ),
        (413, too_large.to_string()),
        (400, wordless.to_string()),
        (500, broken.to_string()),
    ] {
        let server = Server::start([Answer::json(status, &refusal), hello()]).await;
        let models = models_at("openai", &server.address);
        let pictures = BTreeMap::from([(AttachmentId::from("cat"), Bytes::from_static(b"\x89PNG cat"))]);
        for tries in [2, 1] {
            let outcome =
                ask_showing(&models, &with_pictures("openai", "gpt-4.1", &["cat"]), &pictures).await;
            let AskOutcome::Answered(answer) = outcome else {
                panic!("{status} {refusal}: {outcome:?}");
            };
            assert_eq!(answer.tries, tries, "{status} {refusal}");
        }
    }
    // Without a picture there is nothing to leave out, nor is a wrong key mended so.
    for (status, ids) in [(400, &[][..]), (401, &["cat"][..])] {
        let server = Server::start([Answer::json(status, &wordless.to_string()), hello()]).await;
        let models = models_at("openai", &server.address);
        let pictures = BTreeMap::from([(AttachmentId::from("cat"), Bytes::from_static(b"\x89PNG cat"))]);
        let outcome = ask_showing(&models, &with_pictures("openai", "gpt-4.1", ids), &pictures).await;
        assert!(
            matches!(outcome, AskOutcome::Failed(failure) if failure.tries == 1),
            "{status}"
        );
    }
}

#[tokio::test]
async fn of_two_pictures_only_the_one_that_is_not_taken_is_left_out_from_then_on() {
    let refusal = Answer::json(
        400,
        &json!({"type": "error", "error": {"type": "invalid_request_error", "message": "Could not process image"}})
            .to_string(),
    );
    let good = || Answer::stream(&[&anthropic::text_answer(&["Hi"], "end_turn")]);
    // The older one is broken: leaving the newest out does not help, leaving the older one out does.
    let server = Server::start([refusal.clone(), refusal, good()]).await;
    let models = models_at("anthropic", &server.address);
    let pictures = BTreeMap::from([
        (
            AttachmentId::from("broken"),
            Bytes::from_static(b"\x89PNG broken"),
        ),
        (AttachmentId::from("good"), Bytes::from_static(b"\x89PNG good")),
    ]);
    let request = with_pictures("anthropic", "claude-haiku-5-5", &["broken", "good"]);
    let images = |body: &str| body.matches(r#""type":"image""#).count();
    for tries in [3, 1] {
        let outcome = ask_showing(&models, &request, &pictures).await;
        let AskOutcome::Answered(answer) = outcome else {
            panic!("no answer: {outcome:?}");
        };
        assert_eq!(answer.tries, tries);
        let last = server.seen().pop().expect("a request").body;
        assert_eq!(images(&last), 1, "{last}");
        let parts =
            serde_json::from_str::<serde_json::Value>(&last).expect("JSON")["messages"][0]["content"].clone();
        assert_eq!(parts[1]["type"], "image", "the newest is shown: {last}");
    }
}

#[tokio::test]
async fn a_type_that_is_not_taken_is_not_even_sent() {
    let server = Server::start([Answer::stream(&["data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"}]},\"finishReason\":\"STOP\"}]}\n\n"])]).await;
    let models = models_at("gemini", &server.address);
    let pictures = BTreeMap::from([(AttachmentId::from("cat"), Bytes::from_static(b"GIF89a...."))]);
    let request = with_pictures("gemini", "gemini-3.8-flash", &["cat"]);
    let outcome = ask_showing(&models, &request, &pictures).await;
    assert!(matches!(outcome, AskOutcome::Answered(answer) if answer.tries == 1));
    let parts = server.seen()[0].json()["contents"][0]["parts"].clone();
    assert_eq!(parts[0]["text"], "[a picture that could not be shown: GIF]");
}
