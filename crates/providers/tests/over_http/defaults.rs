//! Which model is taken where none is named: by the lists of the providers, in their own shapes.

use providers::Models;
use runtime::ports::{Language, LanguageStatus};
use serde_json::json;
use vocabulary::AskOutcome;

use crate::openai::answer_of;
use crate::requests::{KEY, ask, models_at, settings, simple};
use crate::server::{Answer, Server};

/// Anthropic's list, two to a page.
fn anthropic_pages(models: &[(&str, &str, Option<&str>)]) -> Vec<Answer> {
    let pages = models.chunks(2);
    let count = pages.len();
    pages
        .enumerate()
        .map(|(number, page)| {
            let data: Vec<_> = page
                .iter()
                .map(|(id, lifecycle, retires_at)| {
                    json!({"type": "model", "id": id, "display_name": id, "created_at": "2026-01-01T00:00:00Z",
                        "lifecycle": lifecycle, "deprecated_at": null, "retires_at": retires_at,
                        "max_input_tokens": 1_000_000, "max_tokens": 128_000, "capabilities": null, "line": null})
                })
                .collect();
            let ends = [&page[0].0, &page[page.len() - 1].0];
            let body = json!({"data": data, "first_id": ends[0], "last_id": ends[1], "has_more": number + 1 < count});
            Answer::json(200, &body.to_string())
        })
        .collect()
}

fn openai_list(models: &[(&str, Option<&str>)]) -> Answer {
    let data: Vec<_> = models
        .iter()
        .map(|(id, ends)| json!({"id": id, "object": "model", "created": 1, "owned_by": "openai", "shutdown_date": ends}))
        .collect();
    Answer::json(200, &json!({"object": "list", "data": data}).to_string())
}

async fn configured(provider: &str, server: &Server) -> (Models, LanguageStatus) {
    let models = models_at(provider, &server.address);
    models.configure(&settings(&[])).await;
    let status = models.status(&settings(&[]));
    (models, status)
}

#[tokio::test]
async fn anthropics_list_is_read_to_its_last_page_and_what_is_ending_is_passed_over() {
    let server = Server::start(anthropic_pages(&[
        ("claude-opus-5-5", "active", None),
        ("claude-sonnet-5-5", "deprecated", Some("2027-06-01T00:00:00Z")),
        ("claude-haiku-4-5-20251001", "active", None),
        ("claude-haiku-5-5", "retired", Some("2026-01-01T00:00:00Z")),
        ("claude-sonnet-5", "active", None),
    ]))
    .await;
    let (_, status) = configured("anthropic", &server).await;
    assert_eq!(status.model, "claude-sonnet-5");
    assert_eq!(status.small_model, "claude-haiku-4-5");
    assert!(
        status.because.contains("that anthropic lists"),
        "{}",
        status.because
    );
    assert_eq!(status.warnings, []);
    let seen = server.seen();
    let paths: Vec<&str> = seen.iter().map(|seen| seen.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "/v1/models?limit=1000",
            "/v1/models?limit=1000&after_id=claude-sonnet-5-5",
            "/v1/models?limit=1000&after_id=claude-haiku-5-5"
        ]
    );
    assert_eq!(
        seen[2].header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(seen[2].header("anthropic-version"), Some("2026-10-21"));
}

#[tokio::test]
async fn openais_list_says_when_a_model_shuts_down() {
    let server = Server::start([openai_list(&[
        ("gpt-6.1-terra", Some("2027-01-31")),
        ("gpt-6-sol", None),
        ("gpt-6-luna", Some("2026-01-01")),
        ("gpt-5.6-luna", None),
    ])])
    .await;
    let (_, status) = configured("openai", &server).await;
    assert_eq!(
        (status.model.as_str(), status.small_model.as_str()),
        ("gpt-6-sol", "gpt-5.6-luna")
    );
}

#[tokio::test]
async fn geminis_list_is_read_to_its_last_page_by_the_stage_of_its_models() {
    let model = |name: &str, stage: &str| {
        json!({"name": format!("models/{name}"), "version": "1", "displayName": name, "inputTokenLimit": 1, "outputTokenLimit": 1,
            "supportedGenerationMethods": ["generateContent"], "modelStatus": {"modelStage": stage}})
    };
    let first = json!({"models": [model("gemini-3.8-flash", "DEPRECATED"), model("gemini-3.7-flash", "LEGACY")], "nextPageToken": "2 of 2"});
    let second =
        json!({"models": [model("gemini-3.6-flash", "STABLE"), model("gemini-3.1-flash-lite", "STABLE")]});
    let server = Server::start([
        Answer::json(200, &first.to_string()),
        Answer::json(200, &second.to_string()),
    ])
    .await;
    let (_, status) = configured("gemini", &server).await;
    assert_eq!(status.model, "gemini-3.6-flash");
    assert_eq!(
        server.seen()[1].path,
        "/v1beta/models?pageSize=1000&pageToken=2+of+2"
    );
    assert_eq!(server.seen()[1].header("x-goog-api-key"), Some(KEY));
}

#[tokio::test]
async fn where_the_list_cannot_be_had_the_catalogue_decides_and_says_so() {
    for answer in [
        Answer::json(500, "{}"),
        Answer::json(200, "<html>"),
        Answer::json(200, r#"{"data": 7}"#),
        Answer::json(401, r#"{"error": {"message": "no"}}"#),
    ] {
        let server = Server::start([answer]).await;
        let (_, status) = configured("openai", &server).await;
        assert_eq!(status.model, "gpt-6.1-terra");
        assert!(status.because.contains("could not be had"), "{}", status.because);
        assert!(!status.because.contains(KEY));
    }
}

#[tokio::test]
async fn a_list_that_never_ends_is_given_up() {
    let page = r#"{"data": [{"id": "gpt-6-sol"}], "has_more": true, "last_id": "gpt-6-sol"}"#;
    let server = Server::start([
        Answer::json(200, page),
        Answer::json(200, page),
        Answer::json(200, page),
    ])
    .await;
    let (_, status) = configured("openai", &server).await;
    assert!(
        status.because.contains("goes round in a circle"),
        "{}",
        status.because
    );
}

#[tokio::test]
async fn a_named_model_that_has_ended_or_is_not_listed_is_told_and_not_replaced() {
    let server = Server::start([openai_list(&[
        ("gpt-6-sol", None),
        ("gpt-4.1-mini", Some("2027-01-14")),
    ])])
    .await;
    let (models, _) = configured("openai", &server).await;
    for (model, broken, parts) in [
        ("gpt-4.1-nano", true, ["llm.model", "2026-10-23", "gpt-6-luna"]),
        (
            "gpt-7-nova",
            false,
            ["llm.model", "gpt-7-nova", "not among the models"],
        ),
    ] {
        let status = models.status(&settings(&[("llm.model", model)]));
        assert_eq!(status.model, model, "nothing moves behind an operator's back");
        let warning = &status.warnings[0];
        assert_eq!(warning.broken, broken, "{}", warning.text);
        for part in parts {
            assert!(warning.text.contains(part), "{}", warning.text);
        }
    }
    let named = settings(&[("voice.streamWatch.noteModel", "gpt-4.1-nano")]);
    let text = &models.status(&named).warnings[0].text;
    assert!(
        text.contains("voice.streamWatch.noteModel is set to `gpt-4.1-nano`"),
        "{text}"
    );
}

#[tokio::test]
async fn what_is_wrong_with_a_model_is_told_once_whatever_it_is_asked_for() {
    let server = Server::start([openai_list(&[("gpt-6-sol", None)])]).await;
    let (models, _) = configured("openai", &server).await;
    let told = |pairs: &[(&str, &str)]| {
        let warnings = models.status(&settings(pairs)).warnings.into_iter();
        let texts: Vec<String> = warnings.map(|warning| warning.text).collect();
        texts
    };
    // It writes replies, and so all else that names no model of its own.
    let named = told(&[("llm.model", "gpt-4.1-nano")]);
    assert_eq!(named.len(), 1, "{named:?}");
    assert!(
        named[0].starts_with("llm.model is set to `gpt-4.1-nano`, which openai shut down on"),
        "{named:?}"
    );
    let twice = told(&[
        ("memory.model", "gpt-4.1-nano"),
        ("context.compaction.model", "gpt-4.1-nano"),
    ]);
    assert_eq!(twice.len(), 1, "{twice:?}");
    let words = "context.compaction.model and memory.model are set to `gpt-4.1-nano`, which openai shut down";
    assert!(twice[0].starts_with(words), "{twice:?}");
    assert!(
        twice[0].contains("Set context.compaction.model and memory.model to gpt-6"),
        "{twice:?}"
    );
    let two = told(&[("llm.model", "gpt-7-nova"), ("memory.model", "gpt-4.1-nano")]);
    assert_eq!(two.len(), 2, "two models are two troubles: {two:?}");
}

#[tokio::test]
async fn a_default_that_the_provider_does_not_know_is_replaced_at_once_and_the_move_is_told() {
    let gone = r#"{"error": {"message": "The model `gpt-6.1-terra` does not exist or you do not have access to it.", "type": "invalid_request_error", "param": null, "code": "model_not_found"}}"#;
    let server = Server::start([
        openai_list(&[("gpt-6.1-terra", None), ("gpt-6-luna", None), ("gpt-6-sol", None)]),
        Answer::json(404, gone),
        Answer::stream(&[&answer_of(&["Hello"])]),
    ])
    .await;
    let (models, status) = configured("openai", &server).await;
    assert_eq!(status.model, "gpt-6.1-terra");
    let mut moved = models.moved().expect("it can move");
    moved.mark_unchanged();
    let request = simple("openai", "");
    let prepared = models
        .prepare(&request, &Default::default(), &settings(&[]))
        .expect("prepared");
    let failure = ask(&models, &request).await.failure();
    let outcome = AskOutcome::Failed(failure);
    assert!(models.moved_on(&request, &prepared, &outcome).await);
    assert!(moved.has_changed().expect("somebody tells"));
    assert_eq!(models.status(&settings(&[])).model, "gpt-6-sol");
    let (count, moves) = models.moves_since(0, &settings(&[]));
    assert_eq!((count, moves.len()), (1, 1));
    assert_eq!(
        (moves[0].from.as_str(), moves[0].to.as_str()),
        ("gpt-6.1-terra", "gpt-6-sol")
    );
    assert!(moves[0].because.contains("no such model"), "{}", moves[0].because);
    let named = settings(&[("llm.model", "gpt-6-sol")]);
    assert_eq!(
        models.moves_since(0, &named).1,
        [],
        "it is nobody's who named a model"
    );
    let named = simple("openai", "gpt-6.1-terra");
    assert!(!models.moved_on(&named, &prepared, &outcome).await);
}

#[tokio::test]
async fn a_default_moves_on_by_the_code_for_an_unknown_model_and_not_by_any_404() {
    let kept_from_us = r#"{"error": {"message": "Project `p` does not have access.", "type": "invalid_request_error", "param": null, "code": "model_not_found"}}"#;
    for (status, body, moves) in [
        (403, kept_from_us, true),
        (
            404,
            r#"{"error": {"message": "openai does not know this model or address", "type": "x", "param": null, "code": null}}"#,
            false,
        ),
        (404, "<html>Not Found</html>", false),
    ] {
        let server = Server::start([
            openai_list(&[("gpt-4.1-mini", None), ("gpt-4.1", None)]),
            Answer::json(status, body),
        ])
        .await;
        let (models, _) = configured("openai", &server).await;
        let request = simple("openai", "");
        let prepared = models
            .prepare(&request, &Default::default(), &settings(&[]))
            .expect("prepared");
        let outcome = AskOutcome::Failed(ask(&models, &request).await.failure());
        assert_eq!(
            models.moved_on(&request, &prepared, &outcome).await,
            moves,
            "{outcome:?}"
        );
    }
}

#[tokio::test]
async fn a_move_over_a_restart_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    for (listed, expected) in [
        (&["gpt-6.1-terra", "gpt-6-luna"][..], 0),
        (&["gpt-6-sol", "gpt-6-luna"][..], 1),
        (&["gpt-6-sol", "gpt-6-luna"][..], 0),
    ] {
        let listed: Vec<_> = listed.iter().map(|id| (*id, None)).collect();
        let server = Server::start([openai_list(&listed)]).await;
        let models = models_at("openai", &server.address).keeping_in(folder.path());
        models.get_ready(&settings(&[])).await;
        let (_, moves) = models.moves_since(0, &settings(&[]));
        assert_eq!(moves.len(), expected, "{moves:?}");
        for moved in moves {
            assert!(
                moved.because.contains("does not list it any more"),
                "{}",
                moved.because
            );
        }
    }
}
