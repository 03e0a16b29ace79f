//! Other ways to the same models, each as the guide to providers writes it: tokens, organisations, headers, Azure,
//! Bedrock, Vertex and OpenRouter. The server insists on the header, the path and the query.

use std::collections::BTreeMap;

use providers::Models;
use runtime::ports::Language;
use serde_json::json;

use crate::anthropic::text_answer;
use crate::openai::answer_of;
use crate::requests::{ask_under, models_with, settings, simple};
use crate::server::{Answer, Seen, Server};

/// The variables of a line of the guide; `{}` stands for where the server is.
fn models(server: &Server, variables: &[(&'static str, &str)]) -> Models {
    let variables: BTreeMap<&'static str, String> = variables
        .iter()
        .map(|(name, value)| (*name, value.replace("{}", &server.address)))
        .collect();
    models_with(move |name| variables.get(name).cloned(), &[])
}

/// Looks which models there are, asks one of them, and gives what was asked; the list was asked for by the same door.
async fn asked(answer: &str, variables: &[(&'static str, &str)], provider: &str, model: &str) -> Seen {
    let list = json!({"object": "list", "data": [{"id": model}], "has_more": false}).to_string();
    let server = Server::start([Answer::json(200, &list), Answer::stream(&[answer])]).await;
    let models = models(&server, variables);
    let settings = settings(&[("llm.provider", provider)]);
    models.configure(&settings).await;
    let request = simple(provider, model);
    ask_under(&models, &request, &settings).await.answer();
    let mut seen = server.seen();
    let (listed, asked) = (seen.remove(0), seen.remove(0));
    for name in [
        "authorization",
        "api-key",
        "x-api-key",
        "openai-organization",
        "x-team",
    ] {
        assert_eq!(listed.header(name), asked.header(name), "{name}");
    }
    asked
}

#[tokio::test]
async fn a_token_in_place_of_a_key_of_anthropics() {
    let seen = asked(
        &text_answer(&["Hello"], "end_turn"),
        &[("ANTHROPIC_AUTH_TOKEN", "token-1"), ("ANTHROPIC_BASE_URL", "{}")],
        "anthropic",
        "claude-sonnet-4-5",
    )
    .await;
    assert_eq!(seen.path, "/v1/messages");
    assert_eq!(seen.header("authorization"), Some("Bearer token-1"));
    assert_eq!(seen.header("x-api-key"), None);
}

#[tokio::test]
async fn organisation_project_and_headers_of_ones_own() {
    let seen = asked(
        &answer_of(&["Hello"]),
        &[
            ("OPENAI_API_KEY", "sk-1"),
            ("OPENAI_ORG_ID", "org-1"),
            ("OPENAI_PROJECT_ID", "proj_1"),
            ("OPENAI_CUSTOM_HEADERS", "X-Team: rooms"),
            ("OPENAI_BASE_URL", "{}/v1"),
        ],
        "openai",
        "gpt-4.1-mini",
    )
    .await;
    for (name, value) in [
        ("authorization", "Bearer sk-1"),
        ("openai-organization", "org-1"),
        ("openai-project", "proj_1"),
        ("x-team", "rooms"),
    ] {
        assert_eq!(seen.header(name), Some(value), "{name}");
    }
}

#[tokio::test]
async fn azure_with_its_own_header_and_a_version() {
    let seen = asked(
        &answer_of(&["Hello"]),
        &[
            ("OPENAI_BASE_URL", "{}/openai/v1/?api-version=preview"),
            ("OPENAI_CUSTOM_HEADERS", "api-key: azure-1"),
        ],
        "openai",
        "gpt-4.1-mini",
    )
    .await;
    assert_eq!(seen.path, "/openai/v1/chat/completions?api-version=preview");
    assert_eq!(seen.header("api-key"), Some("azure-1"));
    assert_eq!(seen.header("authorization"), None);
}

#[tokio::test]
async fn bedrock_vertex_and_openrouter_are_compatible_servers_with_a_token() {
    for (path, model) in [
        ("/openai/v1", "us.anthropic.claude-sonnet-5-5"),
        (
            "/v1/projects/p/locations/global/endpoints/openapi",
            "google/gemini-3.8-flash",
        ),
        ("/api/v1", "anthropic/claude-sonnet-5.5"),
    ] {
        let base_url = format!("{{}}{path}");
        let seen = asked(
            &answer_of(&["Hello"]),
            &[
                ("COMPATIBLE_API_KEY", "token-1"),
                (
                    "COMPATIBLE_CUSTOM_HEADERS",
                    "HTTP-Referer: https://rooms.example\nX-Title: Denizen",
                ),
                ("COMPATIBLE_BASE_URL", &base_url),
            ],
            "compatible",
            model,
        )
        .await;
        assert_eq!(seen.path, format!("{path}/chat/completions"));
        assert_eq!(seen.header("authorization"), Some("Bearer token-1"));
        assert_eq!(seen.header("x-title"), Some("Denizen"));
        assert_eq!(seen.json()["model"], model);
    }
}

#[tokio::test]
async fn a_header_that_a_server_repeats_is_kept_nowhere() {
    let server = Server::start([Answer::json(
        401,
        r#"{"error": {"message": "bad api-key azure-secret-1", "type": "invalid_request_error", "param": null, "code": null}}"#,
    )])
    .await;
    let models = models(
        &server,
        &[
            ("OPENAI_BASE_URL", "{}/openai/v1"),
            ("OPENAI_CUSTOM_HEADERS", "api-key: azure-secret-1"),
        ],
    );
    let asked = ask_under(&models, &simple("openai", "gpt-4.1-mini"), &settings(&[])).await;
    assert!(!asked.raw.contains("azure-secret-1"));
    let failure = asked.failure();
    assert!(!failure.detail.contains("azure-secret-1"), "{}", failure.detail);
    assert!(!format!("{models:?}").contains("azure-secret-1"));
}

#[tokio::test]
async fn headers_for_a_compatible_server_are_not_shown_to_whatever_listens_here() {
    let server = Server::start([Answer::json(200, r#"{"data": [{"id": "llama3"}]}"#)]).await;
    let models = models_with(
        |name| (name == "COMPATIBLE_CUSTOM_HEADERS").then(|| "api-key: secret-1".to_owned()),
        &[server.port],
    );
    models.configure(&settings(&[])).await;
    assert_eq!(server.seen()[0].header("api-key"), None);
}
