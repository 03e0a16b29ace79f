//! Servers that do not take a parameter: it is left out, the reply comes, and it is not sent again.

use std::path::Path;
use std::time::Duration;

use providers::Models;
use runtime::ports::Language;
use serde_json::{Value, json};
use vocabulary::{AskFailureKind, Finish};

use crate::openai::answer_of;
use crate::requests::{ask, ask_within, models_at, rich, settings, simple};
use crate::responses::{says, whole};
use crate::server::{Answer, Server};

fn refusal(param: &str, code: &str) -> Answer {
    let message = format!("Unsupported parameter: '{param}' is not supported with this model.");
    let body =
        json!({"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}});
    Answer::json(400, &body.to_string())
}

/// FastAPI's, with every parameter it does not know at once.
fn extra(names: &[&str]) -> Value {
    let items = names.iter().map(
        |name| json!({"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted", "input": 1}),
    );
    json!({"detail": items.collect::<Vec<_>>()})
}

pub fn hello() -> Answer {
    Answer::stream(&[&answer_of(&["Hello"])])
}

const GEMINI: &str = r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1}}"#;

fn listed() -> Answer {
    Answer::json(200, r#"{"object":"list","data":[{"id":"m"}]}"#)
}

/// A server that answers so, and models that have looked at it.
pub async fn ready(provider: &str, answers: impl IntoIterator<Item = Answer>) -> (Server, Models) {
    let looked_at = (provider == "compatible").then(listed);
    let server = Server::start(looked_at.into_iter().chain(answers)).await;
    let models = models_at(provider, &server.address);
    if provider == "compatible" {
        models.get_ready(&settings(&[])).await;
    }
    (server, models)
}

/// Bodies of the questions, without those about models.
pub fn bodies(server: &Server) -> Vec<Value> {
    let seen = server.seen();
    let posted = seen.iter().filter(|seen| seen.method == "POST");
    posted.map(|seen| seen.json()).collect()
}

#[tokio::test]
async fn what_a_field_names_is_left_out_and_the_reply_comes() {
    let mistral = json!({"object": "error", "message": extra(&["stream_options"]), "type": "invalid_request_error", "param": null, "code": null, "raw_status_code": 422});
    let google = json!({"error": {"code": 400, "message": "Invalid JSON payload received.", "status": "INVALID_ARGUMENT", "details": [
        {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"field": "generation_config", "description": "Invalid JSON payload received. Unknown name \"thinkingConfig\" at 'generation_config': Cannot find field."}]}]}});
    let gemini = Answer::stream(&[&format!("data: {GEMINI}\n\n")]);
    for (provider, model, refused, answered, left_out) in [
        (
            "openai",
            "gpt-4.1",
            refusal("stream_options", "unknown_parameter"),
            hello(),
            "/stream_options",
        ),
        (
            "openai",
            "gpt-4.1",
            refusal("prompt_cache_key", "unsupported_parameter"),
            hello(),
            "/prompt_cache_key",
        ),
        (
            "openai",
            "gpt-6-luna",
            refusal("include", "unsupported_parameter"),
            says(&["Hello"]),
            "/include",
        ),
        (
            "openai",
            "gpt-6-luna",
            refusal("store", "unknown_parameter"),
            says(&["Hello"]),
            "/store",
        ),
        (
            "openai",
            "gpt-6-luna",
            refusal("prompt_cache_key", "unknown_parameter"),
            says(&["Hello"]),
            "/prompt_cache_key",
        ),
        (
            "compatible",
            "m",
            Answer::json(422, &mistral.to_string()),
            hello(),
            "/stream_options",
        ),
        (
            "compatible",
            "m",
            Answer::json(422, &extra(&["stream_options"]).to_string()),
            hello(),
            "/stream_options",
        ),
        (
            "compatible",
            "m",
            Answer::json(
                400,
                r#"{"error":{"message":"property 'stream_options' is unsupported","type":"invalid_request_error"}}"#,
            ),
            hello(),
            "/stream_options",
        ),
        (
            "gemini",
            "gemini-3.8-flash",
            Answer::json(400, &google.to_string()),
            gemini,
            "/generationConfig/thinkingConfig",
        ),
    ] {
        let (server, models) = ready(provider, [refused, answered]).await;
        let answer = ask(&models, &simple(provider, model)).await.answer();
        assert_eq!(
            (answer.text.as_str(), answer.tries),
            ("Hello", 2),
            "{provider} {left_out}"
        );
        let again = ask(&models, &simple(provider, model)).await.answer();
        assert_eq!(again.tries, 1, "{provider} {left_out}");
        let sent: Vec<bool> = bodies(&server)
            .iter()
            .map(|body| body.pointer(left_out).is_some())
            .collect();
        assert_eq!(sent, [true, false, false], "{provider} {left_out}");
    }
}

#[tokio::test]
async fn a_server_that_names_one_thing_at_a_time_still_gets_its_question() {
    let refusals = [
        Answer::json(
            500,
            r#"{"error":{"message":"tools param requires --jinja flag","code":500}}"#,
        ),
        Answer::json(422, &extra(&["response_format"]).to_string()),
        Answer::json(400, r#"{"error":"temperature not allowed"}"#),
        Answer::json(
            400,
            r#"{"error":{"message":"Unknown parameter: stream_options","param":"stream_options"}}"#,
        ),
        refusal("max_tokens", "unsupported_parameter"),
    ];
    let (server, models) = ready("compatible", refusals.into_iter().chain([hello()])).await;
    let answer = ask(&models, &rich("compatible", "m")).await.answer();
    assert_eq!((answer.text.as_str(), answer.tries), ("Hello", 6));
    let last = bodies(&server).pop().expect("a question");
    let names: Vec<&str> = last
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(names, ["max_completion_tokens", "messages", "model", "stream"]);
    assert_eq!(last["max_completion_tokens"], 600);
}

#[tokio::test]
async fn what_was_left_out_is_known_after_a_restart_and_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = Answer::json(422, &extra(&["stream_options", "max_tokens"]).to_string());
    let server = Server::start([listed(), refused, hello(), listed(), hello()]).await;
    let started = async |folder: &Path| {
        let models = models_at("compatible", &server.address).keeping_in(folder);
        models.get_ready(&settings(&[])).await;
        models
    };
    ask(&started(folder.path()).await, &simple("compatible", "m"))
        .await
        .answer();
    let again = started(folder.path()).await;
    assert_eq!(ask(&again, &simple("compatible", "m")).await.answer().tries, 1);
    let last = bodies(&server).pop().expect("a question");
    assert_eq!((last.get("stream_options"), last.get("max_tokens")), (None, None));
    let lacks = again.status(&settings(&[])).lacks;
    let lacks: Vec<&str> = lacks.iter().map(|lack| lack.what.as_str()).collect();
    assert_eq!(
        lacks,
        ["the parameter max_tokens", "the parameter stream_options"]
    );
}

#[tokio::test]
async fn an_answer_is_read_whole_where_streaming_is_refused() {
    let chat = json!({"id": "c", "object": "chat.completion", "created": 1_790_000_000, "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}});
    let anthropic = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-5-5", "stop_reason": "tool_use", "stop_sequence": null,
        "content": [{"type": "thinking", "thinking": "hm", "signature": "sig"}, {"type": "text", "text": "Hello"}, {"type": "tool_use", "id": "toolu_1", "name": "search_messages", "input": {"words": "cat"}}],
        "usage": {"input_tokens": 9, "output_tokens": 2}});
    let unverified = json!({"error": {"message": "Your organization must be verified to stream this model.", "type": "invalid_request_error", "param": "stream", "code": "unsupported_value"}});
    let extra_input = json!({"type": "error", "error": {"type": "invalid_request_error", "message": "stream: Extra inputs are not permitted"}});
    for (provider, model, refused, answered, calls) in [
        ("openai", "gpt-4.1", unverified.clone(), chat.clone(), 0),
        ("openai", "gpt-6-luna", unverified, whole("Hello"), 0),
        ("compatible", "m", extra(&["stream", "stream_options"]), chat, 0),
        ("anthropic", "claude-haiku-5-5", extra_input, anthropic, 1),
    ] {
        let answered = Answer::json(200, &answered.to_string());
        let (server, models) = ready(provider, [Answer::json(400, &refused.to_string()), answered]).await;
        for tries in [2, 1] {
            let asked = ask(&models, &rich(provider, model)).await;
            assert_eq!(asked.deltas, ["Hello"], "{provider}");
            let answer = asked.answer();
            assert_eq!(
                (answer.text.as_str(), answer.tries),
                ("Hello", tries),
                "{provider}"
            );
            assert!(answer.usage.output_tokens > 0, "{provider}");
            assert_eq!(answer.tool_calls.len(), calls);
            if calls == 1 {
                assert_eq!(answer.finish, Finish::ToolCalls);
                assert_eq!(answer.tool_calls[0].arguments, json!({"words": "cat"}));
                let carried = answer.carried.expect("thoughts go back").pieces;
                assert_eq!(carried[2]["input"], json!({"words": "cat"}));
            }
        }
        let last = server.seen().pop().expect("a question");
        assert_eq!(last.header("accept"), Some("application/json"));
        assert_eq!(
            (last.json().get("stream"), last.json().get("stream_options")),
            (None, None)
        );
    }
}

/// An answer in one piece.
fn piece() -> Answer {
    let chat = json!({"object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}});
    Answer::json(200, &chat.to_string())
}

#[tokio::test]
async fn a_server_that_refuses_pieces_in_words_only_is_asked_for_one_piece_from_then_on() {
    let folder = tempfile::tempdir().expect("a folder");
    for (index, (status, body)) in [
        (
            400,
            r#"{"error":{"message":"Streaming is not supported for this model"}}"#,
        ),
        (
            501,
            r#"{"error":{"message":"streaming is not implemented","code":501}}"#,
        ),
        (501, "Streaming not implemented"),
        (
            400,
            r#"{"error":"tools are not supported in streaming mode, set stream to false"}"#,
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let refused = Answer::json(status, body);
        let server = Server::start([listed(), refused, piece(), piece(), listed(), piece()]).await;
        let folder = folder.path().join(index.to_string());
        std::fs::create_dir(&folder).expect("a folder");
        let started = async || {
            let models = models_at("compatible", &server.address).keeping_in(&folder);
            models.get_ready(&settings(&[])).await;
            models
        };
        let models = started().await;
        for tries in [2, 1] {
            let asked = ask(&models, &rich("compatible", "m")).await;
            assert_eq!(asked.deltas, ["Hello"], "{body}");
            assert_eq!(asked.answer().tries, tries, "{body}");
        }
        let sent = bodies(&server);
        let streamed: Vec<bool> = sent.iter().map(|body| body["stream"] == true).collect();
        assert_eq!(streamed, [true, false, false], "{body}");
        assert!(
            sent[2].get("tools").is_some(),
            "only the pieces were refused: {body}"
        );

        let later = started().await;
        assert_eq!(
            ask(&later, &simple("compatible", "m")).await.answer().tries,
            1,
            "{body}"
        );
        let lacks = later.status(&settings(&[])).lacks;
        let lacks: Vec<&str> = lacks.iter().map(|lack| lack.what.as_str()).collect();
        assert_eq!(lacks, ["the parameter stream"], "{body}");
    }
}

#[tokio::test]
async fn gemini_is_asked_at_its_other_address_where_pieces_are_refused() {
    let refused = json!({"error": {"code": 501, "message": "Streaming is not implemented for this model.", "status": "UNIMPLEMENTED"}});
    let (server, models) = ready(
        "gemini",
        [Answer::json(501, &refused.to_string()), Answer::json(200, GEMINI)],
    )
    .await;
    let answer = ask(&models, &simple("gemini", "gemini-3.8-flash")).await.answer();
    assert_eq!((answer.text.as_str(), answer.tries), ("Hello", 2));
    let last = server.seen().pop().expect("a question");
    assert!(
        last.path.ends_with("gemini-3.8-flash:generateContent"),
        "{}",
        last.path
    );
}

#[tokio::test]
async fn where_one_piece_is_refused_too_it_was_not_the_pieces() {
    let broken = Answer::json(
        500,
        r#"{"error":{"message":"internal stream: compression not supported"}}"#,
    );
    let (server, models) = ready("compatible", [broken.clone(), broken, hello()]).await;
    let failure = ask(&models, &simple("compatible", "m")).await.failure();
    assert_eq!((failure.kind, failure.tries), (AskFailureKind::ServerError, 2));
    ask(&models, &simple("compatible", "m")).await.answer();
    assert_eq!(bodies(&server)[2]["stream"], true);
}

#[tokio::test]
async fn what_is_not_implemented_does_not_pass_by_itself() {
    let (_server, models) = ready(
        "compatible",
        [Answer::json(501, r#"{"error":"no such operation"}"#)],
    )
    .await;
    let failure = ask(&models, &simple("compatible", "m")).await.failure();
    assert_eq!(failure.kind, AskFailureKind::Rejected, "{failure}");
}

#[tokio::test]
async fn an_answer_in_one_piece_takes_as_long_as_it_takes() {
    let chat = json!({"object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello"}}]});
    let late = Answer::json(200, &chat.to_string()).after(Duration::from_millis(2_500));
    let (_server, models) = ready("compatible", [refusal("stream", "unsupported_parameter"), late]).await;
    let asked = ask_within(&models, &simple("compatible", "m"), (2_000, 100)).await;
    assert_eq!(asked.answer().text, "Hello");
}

#[tokio::test]
async fn gemini_may_answer_in_one_piece_or_in_a_list() {
    for body in [GEMINI.to_owned(), format!("[{GEMINI}]")] {
        let server = Server::start([Answer::json(200, &body)]).await;
        let answer = ask(
            &models_at("gemini", &server.address),
            &simple("gemini", "gemini-3.8-flash"),
        )
        .await;
        assert_eq!(answer.answer().text, "Hello");
    }
}

#[tokio::test]
async fn what_makes_the_question_is_never_left_out_and_nobody_is_asked_for_ever() {
    for (param, tries) in [
        ("messages", 1),
        ("model", 1),
        ("messages[0].content", 1),
        ("nothing_of_ours", 1),
        ("stream_options", 2),
    ] {
        let (server, models) = ready("compatible", [refusal(param, "unsupported_parameter")]).await;
        let failure = ask(&models, &simple("compatible", "m")).await.failure();
        assert_eq!(
            (failure.kind, failure.tries),
            (AskFailureKind::Rejected, tries),
            "{param}"
        );
        assert!(failure.detail.contains(param), "{failure}");
        assert!(
            bodies(&server)
                .iter()
                .all(|body| body["messages"][1]["content"].is_string() && body["model"] == "m")
        );
    }
}
