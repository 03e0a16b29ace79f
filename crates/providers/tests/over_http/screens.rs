//! Questions about shared screens: the picture travels on every wire, and a model that cannot see is found out once.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use runtime::ports::{Language, RawResponse, ReadLine, TextReader, Undecodable};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use vocabulary::{
    AskFailureKind, AskOutcome, AskPurpose, AttachmentId, ChatRole, ChatTurn, ContentPart, FrameId,
    ModelRequest, PictureKind,
};

use crate::lacking::ask_showing;
use crate::openai::answer_of;
use crate::requests::{models_at, settings, simple, typed};
use crate::server::{Answer, Server};

const PICTURE: &[u8] = &[
    0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, b'J', b'F', b'I', b'F', 0x00, 0xff, 0xd9,
];

fn about_a_screen(provider: &str, model: &str, purpose: AskPurpose) -> ModelRequest {
    ModelRequest {
        purpose,
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: vec![
                ContentPart::Image {
                    id: FrameId(41).attachment(),
                    mime: "image/jpeg".to_owned(),
                },
                ContentPart::Text("What is on the screen?".to_owned()),
            ],
        }],
        ..simple(provider, model)
    }
}

fn pictures() -> BTreeMap<AttachmentId, Bytes> {
    BTreeMap::from([(FrameId(41).attachment(), Bytes::from_static(PICTURE))])
}

async fn ask(models: &impl Language, request: &ModelRequest) -> AskOutcome {
    match models.prepare(request, &pictures(), &settings(&[])) {
        Ok(prepared) => {
            let (deltas, _pieces) = mpsc::channel(256);
            models
                .send(request, &prepared, deltas, RawResponse::default())
                .await
        }
        Err(failure) => AskOutcome::Failed(failure),
    }
}

fn failure(outcome: AskOutcome) -> vocabulary::AskFailure {
    match outcome {
        AskOutcome::Failed(failure) => failure,
        AskOutcome::Answered(answer) => panic!("it answered {}", answer.text),
    }
}

fn refuses(status: u16, message: &str) -> Answer {
    Answer::json(
        status,
        &json!({"error": {"message": message, "type": "test"}}).to_string(),
    )
}

/// Where each wire carries the first part of the first message.
fn travelled(provider: &str, body: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match provider {
        "anthropic" => {
            let source = &body["messages"][0]["content"][0]["source"];
            assert_eq!(source["type"], "base64");
            (text(&source["media_type"]), text(&source["data"]))
        }
        "gemini" => {
            let inline = &body["contents"][0]["parts"][0]["inlineData"];
            (text(&inline["mimeType"]), text(&inline["data"]))
        }
        _ => {
            let messages = body["messages"].as_array().expect("messages");
            let person = messages.last().expect("a message");
            let url = text(&person["content"][0]["image_url"]["url"]);
            let (head, data) = url.split_once(";base64,").expect("a data URL");
            (head.trim_start_matches("data:").to_owned(), data.to_owned())
        }
    }
}

#[tokio::test]
async fn the_picture_of_a_frame_travels_whole_on_every_wire() {
    for provider in ["anthropic", "openai", "gemini", "compatible"] {
        for purpose in [AskPurpose::ScreenNote, AskPurpose::ScreenCommentary] {
            let server = Server::start([refuses(401, "no such key")]).await;
            let models = models_at(provider, &server.address);
            models.configure(&settings(&[])).await;
            let before = server.seen().len();
            ask(&models, &about_a_screen(provider, "m", purpose)).await;
            let sent = server.seen()[before].json();
            let (mime, data) = travelled(provider, &sent);
            assert_eq!(mime, "image/jpeg", "{provider}");
            assert_eq!(STANDARD.decode(data).expect("base64"), PICTURE, "{provider}");
        }
    }
}

#[tokio::test]
async fn a_frame_that_is_gone_is_not_asked_about() {
    let server = Server::start([Answer::stream(&[&answer_of(&["A cat"])])]).await;
    let models = models_at("openai", &server.address);
    for purpose in [AskPurpose::ScreenNote, AskPurpose::ScreenCommentary] {
        let request = about_a_screen("openai", "m", purpose);
        let failure = models
            .prepare(&request, &BTreeMap::new(), &settings(&[]))
            .expect_err("there is nothing to see");
        assert_eq!(failure.kind, AskFailureKind::Unavailable);
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_model_that_cannot_see_is_asked_once_and_the_remedy_is_named() {
    let wordings = [
        (
            400,
            "Invalid content type. image_url is only supported by certain models.",
        ),
        (400, "This model does not support image inputs"),
        (400, "claude-x does not support image input."),
        (
            400,
            "Image input modality is not enabled for models/gemma-3-1b-it",
        ),
        (400, "this model does not support image input (ref: 1f2e)"),
        (
            500,
            "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        ),
        (500, "image input is not supported by this server"),
        (
            500,
            "Failed to parse messages: Unsupported content part type: \"image_url\"; messages = []",
        ),
        (
            500,
            "Failed to process inputs: this model is missing data required for image input",
        ),
        (404, "No endpoints found that support image input"),
        (
            400,
            "Model does not support images. Please use a model that does.",
        ),
        (400, "At most 0 image(s) may be provided in one request."),
        (400, "Qwen/Qwen2.5-7B is not a multimodal model"),
        (
            400,
            "Failed to deserialize the JSON body: messages[0]: unknown variant `image_url`, expected `text`",
        ),
        (400, "messages[1].content must be a string"),
    ];
    for (status, words) in wordings {
        let server = Server::start([refuses(status, words)]).await;
        let models = models_at("openai", &server.address);
        let note = about_a_screen("openai", "m", AskPurpose::ScreenNote);
        let first = failure(ask(&models, &note).await);
        assert_eq!(first.kind, AskFailureKind::Unavailable, "{words}");
        assert!(
            first.detail.contains("voice.streamWatch.noteModel"),
            "{}",
            first.detail
        );
        assert_eq!(server.seen().len(), 1, "{words}: it was asked again");
        let second = failure(ask(&models, &note).await);
        assert_eq!(second.kind, AskFailureKind::Unavailable);
        assert!(second.detail.contains("`m`") && second.detail.contains("noteModel"));
        let comment = about_a_screen("openai", "m", AskPurpose::ScreenCommentary);
        let third = failure(ask(&models, &comment).await);
        assert!(third.detail.contains("commentaryModel"), "{}", third.detail);
        assert_eq!(server.seen().len(), 1, "{words}: what is known was tried again");
    }
}

/// Reads the same on every picture.
struct Reader;

#[async_trait]
impl TextReader for Reader {
    async fn read(&self, _kind: PictureKind, _bytes: Bytes) -> Result<Vec<ReadLine>, Undecodable> {
        Ok(vec![ReadLine {
            text: "Build failed: 3 errors".to_owned(),
            left: 0.4,
            top: 0.1,
            width: 0.2,
            height: 0.03,
            confidence: 0.95,
        }])
    }

    fn name(&self) -> String {
        "the reader".to_owned()
    }
}

#[tokio::test]
async fn what_stands_on_a_screen_is_read_where_the_model_cannot_see() {
    let server = Server::start([refuses(400, "this model does not support images")]).await;
    let models = models_at("openai", &server.address).reading_with(Box::new(|_| Some(Arc::new(Reader))));
    let note = about_a_screen("openai", "m", AskPurpose::ScreenNote);
    for time in ["when it is found out", "when it is known"] {
        match ask(&models, &note).await {
            AskOutcome::Answered(answer) => {
                assert_eq!(answer.provider, "offline", "{time}");
                assert!(
                    answer.text.contains("Build failed: 3 errors"),
                    "{time}: {}",
                    answer.text
                );
            }
            AskOutcome::Failed(failure) => panic!("{time}: {failure}"),
        }
    }
    assert_eq!(server.seen().len(), 1, "it is asked once");
    // There is nothing to say about what is only read.
    let comment = about_a_screen("openai", "m", AskPurpose::ScreenCommentary);
    let third = failure(ask(&models, &comment).await);
    assert_eq!(third.kind, AskFailureKind::Unavailable);
}

#[tokio::test]
async fn a_model_that_refuses_a_screen_in_words_of_its_own_has_it_read_and_is_not_shown_a_fourth() {
    let server = Server::start([refuses(400, "I do not like this")]).await;
    let models = models_at("openai", &server.address).reading_with(Box::new(|_| Some(Arc::new(Reader))));
    for number in 0..5 {
        let id = AttachmentId::new(format!("frame-{number}"));
        let mut note = about_a_screen("openai", "m", AskPurpose::ScreenNote);
        for part in note.turns.iter_mut().flat_map(|turn| &mut turn.parts) {
            if let ContentPart::Image { id: shown, .. } = part {
                *shown = id.clone();
            }
        }
        let bytes = pictures().into_values().next().expect("a picture");
        let images = BTreeMap::from([(id, bytes)]);
        let outcome = ask_showing(&models, &note, &images).await;
        assert!(
            matches!(&outcome, AskOutcome::Answered(answer) if answer.text.contains("Build failed")),
            "{number}: {outcome:?}"
        );
    }
    assert_eq!(server.seen().len(), 3, "three are enough to know");
    // Where nobody reads it is told, and nothing is learnt of it.
    let models = models_at("openai", &server.address);
    let note = about_a_screen("openai", "m", AskPurpose::ScreenNote);
    assert_eq!(failure(ask(&models, &note).await).kind, AskFailureKind::Rejected);
}

#[tokio::test]
async fn when_somebody_looks_again_it_is_tried_again() {
    let server = Server::start([
        refuses(400, "this model does not support images"),
        Answer::stream(&[&answer_of(&["A lobby"])]),
    ])
    .await;
    let models = models_at("openai", &server.address);
    let note = about_a_screen("openai", "m", AskPurpose::ScreenNote);
    failure(ask(&models, &note).await);
    // Saving settings, of whatever community, unlearns nothing.
    models.configure(&settings(&[("llm.provider", "openai")])).await;
    failure(ask(&models, &note).await);
    let seen = server.seen();
    assert_eq!(
        seen.iter().filter(|seen| seen.method.as_str() == "POST").count(),
        1
    );
    models.detect(&settings(&[("llm.provider", "openai")])).await;
    assert!(matches!(ask(&models, &note).await, AskOutcome::Answered(answer) if answer.text == "A lobby"));
}

#[tokio::test]
async fn a_reply_goes_on_without_the_picture() {
    let server = Server::start([
        refuses(400, "this model does not support images"),
        refuses(400, "Unsupported parameter: response_format"),
        Answer::stream(&[&answer_of(&["I cannot see it"])]),
    ])
    .await;
    let models = models_at("openai", &server.address);
    let reply = ModelRequest {
        output: typed("openai", "m").output,
        ..about_a_screen("openai", "m", AskPurpose::TextReply)
    };
    let answer = match ask(&models, &reply).await {
        AskOutcome::Answered(answer) => answer,
        AskOutcome::Failed(failure) => panic!("{failure}"),
    };
    assert_eq!((answer.text.as_str(), answer.tries), ("I cannot see it", 3));
    let sent: Vec<String> = server.seen().into_iter().map(|seen| seen.body).collect();
    assert!(sent[0].contains("image_url") && sent[0].contains("response_format"));
    assert!(!sent[1].contains("image_url") && sent[1].contains("response_format"));
    assert!(!sent[2].contains("image_url") && !sent[2].contains("response_format"));
    assert!(sent[2].contains("(A picture that you cannot see.)"));
    ask(&models, &reply).await;
    assert!(
        !server.seen()[3].body.contains("image_url"),
        "what is known is left out at once"
    );
}
