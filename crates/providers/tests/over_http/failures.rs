//! Everything that goes wrong between here and an answer.

use serde_json::json;
use vocabulary::{AskFailureKind, Span};

use crate::openai::{chunk, say};
use crate::requests::{Asked, ask, ask_within, models_at, simple};
use crate::responses;
use crate::server::{Answer, Server, event};

async fn ask_openai(server: &Server) -> Asked {
    ask(
        &models_at("openai", &server.address),
        &simple("openai", "gpt-4.1-mini"),
    )
    .await
}

fn error(status: u16, message: &str) -> Answer {
    let body = serde_json::json!({"error": {"message": message, "type": "test"}});
    Answer::json(status, &body.to_string())
}

#[tokio::test]
async fn one_ask_is_one_request_however_it_fails() {
    for (status, kind) in [
        (429, AskFailureKind::RateLimited),
        (500, AskFailureKind::ServerError),
        (502, AskFailureKind::ServerError),
        (503, AskFailureKind::ServerError),
    ] {
        for wait in ["0", "0.01"] {
            let server = Server::start([error(status, "oops").with_header("retry-after", wait)]).await;
            let failure = ask_openai(&server).await.failure();
            assert_eq!((failure.kind, failure.tries), (kind, 1), "{failure}");
            assert_eq!(server.seen().len(), 1, "to try again is the mind's business");
        }
    }
}

#[tokio::test]
async fn a_server_that_has_trouble_is_not_called_unreachable() {
    let server = Server::start([error(500, "oops")]).await;
    let failure = ask_openai(&server).await.failure();
    assert!(!failure.detail.contains("reached"), "{failure}");
    assert!(failure.detail.contains("is in trouble (500: oops)"), "{failure}");
}

#[tokio::test]
async fn a_wait_that_is_asked_for_is_told() {
    let server = Server::start([error(429, "Later").with_header("retry-after", "3600")]).await;
    let failure = ask_openai(&server).await.failure();
    assert_eq!(failure.kind, AskFailureKind::RateLimited);
    assert_eq!(failure.retry_after, Some(Span::seconds(3600)));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn half_a_stream_is_no_answer() {
    let half = say("Hello, I was ab");
    for answer in [Answer::stream(&[&half]), Answer::stream(&[&half]).then_broken()] {
        let server = Server::start([answer]).await;
        let asked = ask_openai(&server).await;
        assert_eq!(asked.deltas, ["Hello, I was ab"]);
        assert_eq!(asked.failure().kind, AskFailureKind::Malformed);
        assert_eq!(
            server.seen().len(),
            1,
            "what people have seen is not written anew"
        );
    }
}

#[tokio::test]
async fn garbage_is_malformed_and_not_quoted() {
    for answer in [
        Answer::stream(&["data: {\"choices\": [{\"delta\": {\"content\": \"private wor\n\n"]),
        Answer::stream(&["data: {\"private words\": 1}\n\n"]),
        Answer::stream(&["private words\n\n"]),
        Answer::stream(&[""]),
        Answer::json(200, "{\"private words\": true}"),
        Answer::json(200, "<html>private words</html>").with_header("content-type", "text/html"),
    ] {
        let server = Server::start([answer.clone()]).await;
        let failure = ask_openai(&server).await.failure();
        assert_eq!(failure.kind, AskFailureKind::Malformed, "{answer:?}: {failure}");
        assert!(!failure.detail.contains("private"), "{failure}");
    }
}

#[tokio::test]
async fn an_event_without_end_is_malformed() {
    let endless = format!("data: {}", "x".repeat(2 << 20));
    let server = Server::start([Answer::stream(&[&endless])]).await;
    assert_eq!(
        ask_openai(&server).await.failure().kind,
        AskFailureKind::Malformed
    );
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up_at_the_deadline() {
    let server = Server::start([Answer::stream(&[]).then_nothing()]).await;
    let mut request = simple("openai", "gpt-4.1-mini");
    request.deadline = Span(300);
    let failure = ask(&models_at("openai", &server.address), &request)
        .await
        .failure();
    assert_eq!(failure.kind, AskFailureKind::TimedOut);
    assert!(failure.detail.contains("llm.timeoutSeconds"), "{failure}");
    server.hung_up().await;
}

#[tokio::test]
async fn a_server_that_stops_in_the_middle_is_given_up_at_the_deadline() {
    let server = Server::start([Answer::stream(&[&say("Well, ")]).then_nothing()]).await;
    let mut request = simple("openai", "gpt-4.1-mini");
    request.deadline = Span(300);
    let asked = ask(&models_at("openai", &server.address), &request).await;
    assert_eq!(asked.failure().kind, AskFailureKind::TimedOut);
    server.hung_up().await;
}

#[tokio::test]
async fn a_server_that_takes_the_question_and_says_nothing_is_given_up_long_before_the_deadline() {
    let server = Server::start([Answer::stream(&[]).then_nothing()]).await;
    let models = models_at("openai", &server.address);
    let failure = ask_within(&models, &simple("openai", "gpt-4.1-mini"), (60, 60_000))
        .await
        .failure();
    assert_eq!(failure.kind, AskFailureKind::NoFirstByte);
    assert!(failure.detail.contains("llm.localFirstByteSeconds"), "{failure}");
    server.hung_up().await;
}

#[tokio::test]
async fn an_answer_that_stands_still_is_given_up_long_before_the_deadline() {
    let server = Server::start([Answer::stream(&[&say("Well, ")]).then_nothing()]).await;
    let models = models_at("openai", &server.address);
    let asked = ask_within(&models, &simple("openai", "gpt-4.1-mini"), (60_000, 60)).await;
    assert_eq!(asked.deltas, ["Well, "]);
    let failure = asked.failure();
    assert_eq!(failure.kind, AskFailureKind::StreamStalled);
    assert!(failure.detail.contains("llm.stallSeconds"), "{failure}");
    server.hung_up().await;
}

#[tokio::test]
async fn a_model_that_thinks_is_left_to_think_and_one_that_stops_speaking_is_not() {
    let begun = event(&responses::begun());
    let words = event(&responses::word("Well, "));
    let quiet = Answer::stream(&[&begun]).then_nothing();
    let silenced = Answer::stream(&[&begun, &words]).then_nothing();
    for (answer, kind) in [
        (quiet, AskFailureKind::TimedOut),
        (silenced, AskFailureKind::StreamStalled),
    ] {
        let server = Server::start([answer]).await;
        let models = models_at("openai", &server.address);
        let mut request = simple("openai", "gpt-6-luna");
        request.deadline = Span(900);
        let failure = ask_within(&models, &request, (60_000, 200)).await.failure();
        assert_eq!(failure.kind, kind, "{failure}");
    }
}

#[tokio::test]
async fn an_answer_that_was_whole_is_taken_though_the_connection_stays_open() {
    let chat = say("Hello") + &chunk(json!({}), Some("stop"));
    let gemini = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hello\"}]},\"finishReason\":\"STOP\"}]}\n\n";
    for (provider, model, stream) in [
        ("openai", "gpt-4.1-mini", chat.as_str()),
        ("gemini", "gemini-2.5-flash", gemini),
    ] {
        let server = Server::start([Answer::stream(&[stream]).then_nothing()]).await;
        let models = models_at(provider, &server.address);
        let asked = ask_within(&models, &simple(provider, model), (60_000, 60)).await;
        assert_eq!(asked.answer().text, "Hello", "{provider}");
    }
}

#[tokio::test]
async fn a_connection_that_breaks_before_a_word_is_no_fault_of_the_model() {
    let server = Server::start([Answer::stream(&[]).then_broken()]).await;
    let failure = ask_openai(&server).await.failure();
    assert_eq!(failure.kind, AskFailureKind::Unreachable, "{failure}");
}

#[tokio::test]
async fn a_line_without_end_is_given_up_with_the_name_of_the_provider() {
    let endless = "x".repeat(1 << 20);
    let pieces: Vec<&str> = std::iter::once("data: ")
        .chain(std::iter::repeat_n(endless.as_str(), 50))
        .collect();
    let page = Answer::stream(&pieces).with_header("content-type", "application/json");
    for answer in [Answer::stream(&pieces), page] {
        for (provider, model) in [
            ("openai", "gpt-4.1-mini"),
            ("openai", "gpt-6-luna"),
            ("anthropic", "claude-haiku-5-5"),
            ("gemini", "gemini-3.8-flash"),
        ] {
            let server = Server::start([answer.clone()]).await;
            let asked = ask(&models_at(provider, &server.address), &simple(provider, model)).await;
            assert!(asked.raw.len() <= 16 << 20, "{}", asked.raw.len());
            let failure = asked.failure();
            assert_eq!(failure.kind, AskFailureKind::Malformed, "{failure}");
            assert!(failure.detail.contains(provider), "{failure}");
        }
    }
}

#[tokio::test]
async fn nobody_listening_is_unreachable() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let failure = ask(
        &models_at("anthropic", &address),
        &simple("anthropic", "claude-sonnet-4-5"),
    )
    .await
    .failure();
    assert_eq!(failure.kind, AskFailureKind::Unreachable);
    assert!(
        failure.detail.contains(&address) && failure.detail.contains("ANTHROPIC_BASE_URL"),
        "{failure}"
    );
}

#[tokio::test]
async fn what_trying_again_cannot_mend_is_not_tried_again() {
    for (answer, kind) in [
        (
            error(400, "this is no way to begin a conversation"),
            AskFailureKind::Rejected,
        ),
        (error(401, "bad key"), AskFailureKind::KeyRefused),
        (error(404, "no such page"), AskFailureKind::Rejected),
        (
            error(404, "model `gpt-4.1-mini` not found"),
            AskFailureKind::UnknownModel,
        ),
        (
            error(400, "maximum context length is 8192 tokens"),
            AskFailureKind::ContextTooLong,
        ),
        (
            error(308, "").with_header("location", "http://127.0.0.1:1/elsewhere"),
            AskFailureKind::Rejected,
        ),
    ] {
        let server = Server::start([answer]).await;
        let failure = ask_openai(&server).await.failure();
        assert_eq!(failure.kind, kind, "{failure}");
        assert_eq!(server.seen().len(), 1);
    }
}
