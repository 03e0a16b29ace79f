//! Everything that goes wrong between here and a vector, and what a person is told.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use providers::embedding::{EmbedderOptions, open_with};
use runtime::ports::{EmbedRole, MemoryFault};
use settings::EmbeddingSettings;

use crate::embedding::{embedder, keys, ollama, open, openai, options, texts};
use crate::requests::KEY;
use crate::server::{Answer, Server};

const PRIVATE: &str = "Alice hid the spare key under the third flowerpot";

async fn open_fault(settings: &EmbeddingSettings) -> MemoryFault {
    open(settings).await.err().expect("it cannot be opened")
}

/// What embedding one private text ends with, after a good first answer.
async fn embed_fault(answer: Answer) -> (MemoryFault, Server) {
    let server = Server::start([openai(&[(0, &[1.0, 0.0])]), answer]).await;
    let embedder = open(&embedder("openai", &server.address))
        .await
        .expect("it answers");
    let fault = embedder
        .embed(&texts(&[PRIVATE]), EmbedRole::Passage)
        .await
        .expect_err("no vector came");
    (fault, server)
}

#[tokio::test]
async fn a_rate_limit_and_a_moment_of_trouble_are_waited_out() {
    let limited = Answer::json(
        429,
        r#"{"error": {"message": "Rate limit reached", "type": "test"}}"#,
    )
    .with_header("retry-after", "0.01");
    let server = Server::start([
        limited,
        Answer::json(503, "{}"),
        openai(&[(0, &[1.0])]),
        openai(&[(0, &[1.0])]).then_broken(),
        openai(&[(0, &[2.0])]),
    ])
    .await;
    let embedder = open(&embedder("openai", &server.address))
        .await
        .expect("it answers in the end");
    assert_eq!(server.seen().len(), 3);
    let vectors = embedder.embed(&texts(&["boat"]), EmbedRole::Query).await;
    assert_eq!(vectors, Ok(vec![vec![1.0]]));
}

#[tokio::test]
async fn half_an_answer_is_asked_for_again() {
    let half = Answer::json(200, r#"{"object":"list","data":[{"index":0,"embed"#);
    let server = Server::start([half.clone(), half.then_broken(), openai(&[(0, &[1.0])])]).await;
    open(&embedder("openai", &server.address))
        .await
        .expect("it answers in the end");
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn trouble_that_stays_is_given_up_and_a_long_wait_is_not_begun() {
    let (fault, server) = embed_fault(Answer::json(500, r#"{"error": "oops"}"#)).await;
    assert_eq!(server.seen().len(), 1 + 4);
    assert_eq!(
        fault.to_string(),
        format!(
            "the embeddings server cannot be reached at {}/v1: it is in trouble (500: oops). Start the server, or correct memory.embedding.url",
            server.address
        )
    );
    let (fault, server) = embed_fault(Answer::json(429, "{}").with_header("retry-after", "3600")).await;
    assert_eq!(server.seen().len(), 1 + 1);
    assert!(matches!(fault, MemoryFault::Unreachable { .. }), "{fault}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named_with_the_remedy() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let fault = open_fault(&embedder("ollama", &address)).await;
    let MemoryFault::Unreachable {
        what,
        place,
        remedy,
        detail,
    } = &fault
    else {
        panic!("{fault}");
    };
    assert_eq!((*what, place.as_str()), ("Ollama", address.as_str()));
    assert_eq!(
        remedy,
        "Start it with `ollama serve`, or correct memory.embedding.url"
    );
    assert!(detail.to_lowercase().contains("refused"), "{detail}");
}

#[tokio::test]
async fn a_slow_server_is_given_up_after_the_patience() {
    let stuck = Answer::json(200, r#"{"data": ["#).then_nothing();
    let server = Server::start([stuck]).await;
    let hurried = EmbedderOptions {
        passage_patience: Duration::from_millis(1_500),
        ..options()
    };
    let fault = open_with(&embedder("openai", &server.address), &keys(&[]), hurried)
        .await
        .err()
        .expect("it never ends");
    assert!(
        fault
            .to_string()
            .contains("no answer within 1.5 s. Start the server"),
        "{fault}"
    );
    server.hung_up().await;
}

#[tokio::test]
async fn a_model_that_ollama_does_not_have_is_to_be_pulled() {
    let missing = Answer::json(
        404,
        r#"{"error":"model \"nomic-embed-text\" not found, try pulling it first"}"#,
    );
    let server = Server::start([missing]).await;
    let fault = open_fault(&embedder("ollama", &server.address)).await;
    assert!(
        fault.to_string().contains("Run `ollama pull nomic-embed-text`"),
        "{fault}"
    );
    assert_eq!(server.seen().len(), 1, "asking again does not pull it");
}

#[tokio::test]
async fn a_wrong_key_is_told_and_not_repeated() {
    let echo = format!(r#"{{"error": {{"message": "Incorrect API key provided: {KEY}", "type": "test"}}}}"#);
    let (fault, server) = embed_fault(Answer::json(401, &echo)).await;
    let text = fault.to_string();
    assert!(
        text.contains("rejected the key") && text.contains("COMPATIBLE_API_KEY"),
        "{text}"
    );
    assert!(!text.contains(KEY), "{text}");
    assert_eq!(server.seen().len(), 2, "a key does not become right");
}

#[tokio::test]
async fn answers_that_do_not_fit_are_refused_with_what_is_wrong() {
    for (answer, expected) in [
        (
            openai(&[(0, &[1.0, 0.0, 0.0])]),
            "a vector has 3 dimensions and not 2",
        ),
        (openai(&[(0, &[0.0, 0.0])]), "a vector is nothing but zeros"),
        (openai(&[]), "1 texts were sent, and 0 vectors came back"),
        (
            openai(&[(1, &[1.0, 0.0])]),
            "a vector has the index 1, which no text has",
        ),
        (ollama(&[&[1.0, 0.0]]), "has no list of vectors in `data`"),
        (
            Answer::json(200, "<html>a login page</html>"),
            "it did not send JSON",
        ),
        (Answer::json(200, ""), "it sent nothing"),
    ] {
        let (fault, server) = embed_fault(answer).await;
        let text = fault.to_string();
        assert!(matches!(fault, MemoryFault::Failed { .. }), "{text}");
        assert!(text.contains(expected), "{expected}: {text}");
        assert!(text.contains("Check memory.embedding.url"), "{text}");
        assert_eq!(server.seen().len(), 2, "{expected}");
    }
}

#[tokio::test]
async fn nothing_of_a_text_is_in_an_error() {
    let echo = |status: u16| Answer::json(status, &serde_json::json!({"error": PRIVATE}).to_string());
    let page = Answer::json(502, &format!("<p>cannot forward {PRIVATE}</p>"))
        .with_header("content-type", "text/html");
    let answers = [
        echo(400),
        echo(404),
        echo(413),
        echo(422),
        echo(500),
        echo(200),
        page,
    ];
    for answer in answers {
        let (fault, server) = embed_fault(answer).await;
        assert!(server.seen()[1].body.contains(PRIVATE), "the text was sent");
        for text in [fault.to_string(), format!("{fault:?}")] {
            assert!(!text.contains("flowerpot") && !text.contains(KEY), "{text}");
        }
    }
}

#[tokio::test]
async fn nothing_of_a_text_or_a_key_is_logged_at_any_level() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(log.clone())
        .finish();
    {
        let _listening = tracing_subscriber::util::SubscriberInitExt::set_default(subscriber);
        embed_fault(Answer::json(
            500,
            &serde_json::json!({"error": PRIVATE}).to_string(),
        ))
        .await;
        embed_fault(Answer::json(413, "{}")).await;
    }
    let written = String::from_utf8(log.0.lock().expect("not poisoned").clone()).expect("text");
    assert!(
        written.contains("an embeddings server could not answer"),
        "it was listened to: {written}"
    );
    assert!(
        !written.contains("flowerpot") && !written.contains(KEY),
        "{written}"
    );
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("not poisoned").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl tracing_subscriber::fmt::MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Server::start([openai(&[(0, &[1.0])])]).await;
    let away = Answer::json(307, "").with_header("location", &format!("{}/v1/embeddings", other.address));
    let server = Server::start([away]).await;
    let fault = open_fault(&embedder("openai", &server.address)).await;
    assert!(fault.to_string().contains("points elsewhere (307)"), "{fault}");
    assert!(other.seen().is_empty());
}

#[tokio::test]
async fn settings_that_cannot_work_are_named() {
    for (settings, expected) in [
        (
            embedder("openai", ""),
            "memory.embedding.provider is openai, and there is no key. Set OPENAI_API_KEY or `openai` in keys.toml; or name a server that needs none in memory.embedding.url",
        ),
        (
            embedder("openai", "localhost:8080"),
            "memory.embedding.url is not an http or https address but localhost:. Write something like http://127.0.0.1:8080/v1",
        ),
        (
            embedder("ollama", "http://me:secret@host"),
            "memory.embedding.url is an address with a name or password in it, which would be shown in the inspector. Write something like http://127.0.0.1:8080/v1",
        ),
        (
            embedder("onnx", ""),
            "memory.embedding.provider is onnx, and memory.embedding.path is empty. Get a model with `denizen models install memory`, or name a folder with model.onnx and tokenizer.json there",
        ),
    ] {
        assert_eq!(open_fault(&settings).await.to_string(), expected);
    }
}

#[tokio::test]
async fn a_model_folder_without_a_model_or_a_library_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = embedder("onnx", "");
    settings.path = folder.path().display().to_string();
    let text = open_fault(&settings).await.to_string();
    assert!(
        text.starts_with(&format!(
            "memory.embedding.path ({}) cannot be used: there is no model.onnx",
            settings.path
        )),
        "{text}"
    );

    std::fs::write(folder.path().join("model.onnx"), "weights").expect("a file");
    let tokenizer = r#"{"version": "1.0", "added_tokens": [], "truncation": null, "padding": null,
        "normalizer": null, "pre_tokenizer": null, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "unk_token": "[UNK]", "vocab": {"[UNK]": 0}}}"#;
    std::fs::write(folder.path().join("tokenizer.json"), tokenizer).expect("a file");
    let library = folder.path().join("no-such-library.so");
    let options = EmbedderOptions {
        onnx_library: Some(library.clone()),
        ..options()
    };
    let fault = open_with(&settings, &keys(&[]), options)
        .await
        .err()
        .expect("there is no library");
    let text = fault.to_string();
    assert!(text.contains("ONNX Runtime was not found"), "{text}");
    assert!(text.contains(&library.display().to_string()), "{text}");
    assert!(text.contains("set ORT_DYLIB_PATH"), "{text}");
}
