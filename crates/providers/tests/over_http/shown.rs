//! What servers of one's own tell of their models before these are asked anything, and who tells what.

use runtime::ports::Language;
use serde_json::{Value, json};
use vocabulary::ModelRequest;

use crate::lacking::{bodies, hello};
use crate::requests::{ask, models_at, rich, settings, simple};
use crate::server::{Answer, Server};

#[tokio::test]
async fn what_ollama_says_of_its_model_is_known_before_it_is_asked_anything() {
    let list = Answer::json(200, r#"{"object":"list","data":[{"id":"m"}]}"#);
    let server = Server::start([list, hello()]).await;
    let about = json!({"capabilities": ["completion", "thinking"], "parameters": "stop \"x\"\nnum_ctx    2048",
        "model_info": {"qwen3.context_length": 40960}});
    server.tell("/api/show", &about);
    let models = models_at("compatible", &server.address);
    models.get_ready(&settings(&[])).await;
    let answer = ask(&models, &rich("compatible", "m")).await.answer();
    assert_eq!(answer.tries, 1);
    let sent = bodies(&server)[0].clone();
    assert_eq!(sent.get("tools"), None);
    assert_eq!(sent["reasoning_effort"], "low");
    let most = sent["max_tokens"].as_u64().expect("a cap");
    assert!(
        (601..2_048).contains(&most),
        "there is room for thoughts, within what the server reads: {most}"
    );
    assert!(!sent.to_string().contains("image_url"), "{sent}");

    let mut long = simple("compatible", "m");
    long.system = "You are Denizen. ".repeat(600);
    let failure = ask(&models, &long).await.failure();
    assert_eq!(failure.kind, vocabulary::AskFailureKind::ContextTooLong);
    assert!(
        failure.detail.contains("2048") && failure.detail.contains("llm.contextTokens"),
        "{failure}"
    );
    assert_eq!(bodies(&server).len(), 1, "nothing is cut in silence");
    let warnings = models.status(&settings(&[])).warnings;
    assert!(
        warnings.iter().any(|warning| warning.text.contains("2048")),
        "{warnings:?}"
    );
}

#[tokio::test]
async fn how_much_a_model_of_ollama_reads_is_known_once_it_is_loaded() {
    let list = Answer::json(200, r#"{"object":"list","data":[{"id":"m"}]}"#);
    let server = Server::start([list, hello()]).await;
    server.tell("/api/show", &json!({"details": {"parameter_size": "70B"}}));
    server.tell("/api/ps", &json!({"models": []}));
    let models = models_at("compatible", &server.address);
    models.get_ready(&settings(&[])).await;
    let reads = || {
        let model = models.reply_model(&settings(&[]));
        let status = models.status(&settings(&[]));
        let warned: String = status.warnings.into_iter().map(|warning| warning.text).collect();
        let tokens = model.and_then(|model| model.context_tokens);
        (tokens, status.in_use[0].reads_guessed, warned)
    };
    let (tokens, guessed, warned) = reads();
    assert_eq!(
        (tokens, guessed),
        (Some(4_096), true),
        "what Ollama gives a model unless it is told otherwise"
    );
    assert!(
        warned.contains("is not known before it is loaded") && !warned.contains("the server reads"),
        "{warned}"
    );
    let long = ModelRequest {
        system: "You are Denizen. ".repeat(1_000),
        ..simple("compatible", "m")
    };
    let failure = ask(&models, &long).await.failure();
    assert!(
        failure.detail.contains("unless it is told otherwise"),
        "{failure}"
    );
    server.tell(
        "/api/ps",
        &json!({"models": [{"model": "m", "context_length": 32_768}]}),
    );
    ask(&models, &simple("compatible", "m")).await.answer();
    let (tokens, guessed, warned) = reads();
    assert_eq!((tokens, guessed, warned.as_str()), (Some(32_768), false, ""));
}

#[tokio::test]
async fn how_large_a_model_is_is_told_by_its_server_whatever_it_is_called() {
    let list = r#"{"object":"list","data":[{"id":"m","meta":{"n_params":1777088000,"n_ctx":8192}}]}"#;
    for (path, told, millions) in [
        (
            "/api/show",
            json!({"details": {"parameter_size": "1.5B"}}),
            Some(1_500),
        ),
        (
            "/api/show",
            json!({"details": {"parameter_size": "134.52M"}}),
            Some(134),
        ),
        (
            "/api/show",
            json!({"details": {"parameter_size": "7B"}, "model_info": {"general.parameter_count": 7_615_616_512_u64}}),
            Some(7_615),
        ),
        ("/api/show", json!({"details": {"parameter_size": ""}}), None),
        (
            "/props",
            json!({"default_generation_settings": {"n_ctx": 8192}}),
            Some(1_777),
        ),
    ] {
        let server = Server::start([Answer::json(200, list)]).await;
        server.tell(path, &told);
        let models = models_at("compatible", &server.address);
        models.get_ready(&settings(&[])).await;
        let model = models
            .reply_model(&settings(&[]))
            .expect("a model that may be small");
        assert_eq!(model.parameters_millions, millions, "{told}");
    }
}

#[tokio::test]
async fn what_llama_cpp_says_of_its_model_is_known_too() {
    let list = Answer::json(200, r#"{"object":"list","data":[{"id":"m"}]}"#);
    let server = Server::start([list, hello()]).await;
    server.tell(
        "/props",
        &json!({"default_generation_settings": {"n_ctx": 4096}, "modalities": {"vision": false, "audio": false}}),
    );
    let models = models_at("compatible", &server.address);
    models.get_ready(&settings(&[])).await;
    ask(&models, &rich("compatible", "m")).await.answer();
    let sent = bodies(&server)[0].to_string();
    assert!(
        !sent.contains("image_url") && sent.contains("search_messages"),
        "{sent}"
    );
    let warnings = models.status(&settings(&[])).warnings;
    assert!(
        warnings.iter().any(|warning| warning.text.contains("4096")),
        "{warnings:?}"
    );
}

#[tokio::test]
async fn whoever_answers_anything_when_asked_as_ollama_is_asked_is_not_taken_for_it() {
    for anything in [
        json!({}),
        json!({"status": "ok"}),
        json!([]),
        json!("Hello"),
        json!({"error": "no route", "details": {"path": "/api/show"}}),
        json!({"capabilities": []}),
    ] {
        let list = Answer::json(200, r#"{"object":"list","data":[{"id":"m"}]}"#);
        let server = Server::start([list, hello()]).await;
        server.tell("/api/show", &anything);
        server.tell("/api/ps", &anything);
        server.tell("/props", &anything);
        let models = models_at("compatible", &server.address);
        models.get_ready(&settings(&[])).await;
        let status = models.status(&settings(&[]));
        assert_eq!(status.in_use[0].reads_tokens, None, "{anything}");
        assert_eq!(status.warnings, [], "{anything}");
        ask(&models, &rich("compatible", "m")).await.answer();
        let sent = bodies(&server)[0].clone();
        assert!(
            sent.get("tools").is_some() && sent.to_string().contains("image_url"),
            "{anything}: {sent}"
        );
    }
}

/// As llama.cpp answers, which says of every model that it can complete texts.
fn llama_cpp_as_ollama() -> Value {
    json!({"template": "", "modelfile": "", "parameters": "", "model_info": "",
        "details": {"parent_model": "", "format": "gguf", "family": "", "families": [""], "parameter_size": "",
            "quantization_level": ""},
        "capabilities": ["completion"]})
}

#[tokio::test]
async fn llama_cpp_is_known_as_such_although_it_answers_as_ollama_too() {
    let list = Answer::json(200, r#"{"object":"list","data":[{"id":"m"}]}"#);
    let server = Server::start([list.clone(), list, hello()]).await;
    server.tell("/api/show", &llama_cpp_as_ollama());
    server.tell(
        "/props",
        &json!({"default_generation_settings": {"n_ctx": 16_384}, "modalities": {"vision": true}}),
    );
    let models = models_at("compatible", &server.address);
    models.get_ready(&settings(&[])).await;
    let told = models.reply_model(&settings(&[])).expect("it is told");
    assert_eq!((told.context_tokens, told.refuses_tools), (Some(16_384), false));
    ask(&models, &rich("compatible", "m")).await.answer();
    let sent = bodies(&server)[0].clone();
    assert!(sent.get("tools").is_some(), "{sent}");
}

#[tokio::test]
async fn what_is_usual_for_ollama_is_not_said_of_whoever_else_answers_as_it_does() {
    let list = r#"{"object":"list","data":[{"id":"m","max_model_len":9000}]}"#;
    for (list, ps, reads) in [
        (r#"{"object":"list","data":[{"id":"m"}]}"#, false, None),
        (list, false, Some(9_000)),
        // What a server lists counts for more than what is usual.
        (list, true, Some(9_000)),
    ] {
        let server = Server::start([Answer::json(200, list)]).await;
        server.tell(
            "/api/show",
            &json!({"model_info": {}, "capabilities": ["completion", "tools"]}),
        );
        if ps {
            server.tell("/api/ps", &json!({"models": []}));
        }
        let models = models_at("compatible", &server.address);
        models.get_ready(&settings(&[])).await;
        let status = models.status(&settings(&[]));
        let known = (status.in_use[0].reads_tokens, status.in_use[0].reads_guessed);
        assert_eq!(known, (reads, false), "{list}");
    }
}
