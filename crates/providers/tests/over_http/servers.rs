//! Servers of one's own: which model is theirs, how much it reads, and what their templates leave in an answer.

use runtime::ports::Language;
use serde_json::{Value, json};
use vocabulary::{AskFailureKind, AskOutcome, Finish};

use crate::openai::{answer_of, ending, say};
use crate::requests::{ask_under, models_with, settings, simple};
use crate::server::{Answer, Server};

/// A list of models as vLLM gives it.
fn listing(ids: &[&str], window: Option<u64>) -> Answer {
    let data: Vec<Value> = ids
        .iter()
        .map(|id| json!({"id": id, "object": "model", "created": 1_790_000_000, "owned_by": "vllm", "root": id, "parent": null, "max_model_len": window}))
        .collect();
    Answer::json(200, &json!({"object": "list", "data": data}).to_string())
}

fn gone(model: &str) -> Answer {
    let error = json!({"error": {"message": format!("model '{model}' not found"), "type": "not_found_error", "param": null, "code": null}});
    Answer::json(404, &error.to_string())
}

fn at(server: &Server) -> settings::Settings {
    settings(&[("llm.compatibleBaseUrl", &server.address)])
}

#[tokio::test]
async fn a_model_that_a_server_has_no_more_is_replaced_by_the_first_it_lists_and_the_move_is_told() {
    let server = Server::start([
        listing(&["first", "second"], None),
        gone("first"),
        listing(&["second", "third"], None),
        Answer::stream(&[&answer_of(&["Hello"])]),
    ])
    .await;
    let models = models_with(|_| None, &[]);
    let (request, settings) = (simple("auto", ""), at(&server));
    models.configure(&settings).await;
    let prepared = models
        .prepare(&request, &Default::default(), &settings)
        .expect("prepared");
    let failure = ask_under(&models, &request, &settings).await.failure();
    assert_eq!(failure.kind, AskFailureKind::UnknownModel, "{failure}");
    let outcome = AskOutcome::Failed(failure);
    assert!(models.moved_on(&request, &prepared, &outcome).await);
    assert_eq!(models.status(&settings).model, "second");
    let (count, moves) = models.moves_since(0, &settings);
    assert_eq!((count, moves.len()), (1, 1));
    assert_eq!(
        (
            moves[0].provider.as_str(),
            moves[0].from.as_str(),
            moves[0].to.as_str()
        ),
        ("compatible", "first", "second")
    );
    assert!(
        moves[0].because.contains("does not list it any more"),
        "{moves:?}"
    );
    let answer = ask_under(&models, &request, &settings).await.answer();
    assert_eq!(answer.text, "Hello");
    assert_eq!(server.seen()[3].json()["model"], "second");
}

#[tokio::test]
async fn models_that_a_server_lists_and_does_not_have_are_passed_over_one_after_the_other() {
    let list = || listing(&["first", "second", "third"], None);
    let server = Server::start([
        list(),
        gone("first"),
        list(),
        gone("second"),
        list(),
        gone("third"),
        list(),
    ])
    .await;
    let models = models_with(|_| None, &[]);
    let (request, settings) = (simple("auto", ""), at(&server));
    models.configure(&settings).await;
    for next in [Some("second"), Some("third"), None] {
        let prepared = models
            .prepare(&request, &Default::default(), &settings)
            .expect("prepared");
        let failure = ask_under(&models, &request, &settings).await.failure();
        let outcome = AskOutcome::Failed(failure);
        let moved = models.moved_on(&request, &prepared, &outcome).await;
        assert_eq!(moved, next.is_some(), "{outcome:?}");
        assert_eq!(models.status(&settings).model, next.unwrap_or("third"));
    }
    let (_, moves) = models.moves_since(0, &settings);
    let words = moves
        .iter()
        .map(|told| told.because.contains("lists it and does not have it"));
    assert_eq!(words.collect::<Vec<_>>(), [true, true], "{moves:?}");
}

#[tokio::test]
async fn a_server_that_lists_another_model_first_after_a_restart_has_moved() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start([
        listing(&["first", "second"], None),
        listing(&["second", "first"], None),
        listing(&["second", "first"], None),
    ])
    .await;
    for expected in [0, 1, 0] {
        let models = models_with(|_| None, &[]).keeping_in(folder.path());
        models.get_ready(&at(&server)).await;
        let (_, moves) = models.moves_since(0, &at(&server));
        assert_eq!(moves.len(), expected, "{moves:?}");
        for moved in moves {
            assert!(moved.because.contains("lists another one first"), "{moved:?}");
        }
        let elsewhere = settings(&[("llm.provider", "offline")]);
        assert_eq!(models.moves_since(0, &elsewhere).1, [], "it is nobody else's");
    }
}

#[tokio::test]
async fn how_much_a_model_of_vllm_reads_stands_in_its_list() {
    let server = Server::start([listing(&["qwen"], Some(2_048))]).await;
    let models = models_with(|_| None, &[]);
    let settings = at(&server);
    models.configure(&settings).await;
    let told = models.reply_model(&settings).expect("it is told");
    assert_eq!(told.context_tokens, Some(2_048));
    let mut request = simple("auto", "");
    request.system = "You are Denizen. ".repeat(600);
    let failure = ask_under(&models, &request, &settings).await.failure();
    assert_eq!(failure.kind, AskFailureKind::ContextTooLong, "{failure}");
    let warnings = models.status(&settings).warnings;
    assert!(
        warnings[0].text.contains("reads 2048 tokens of qwen"),
        "{warnings:?}"
    );
}

#[tokio::test]
async fn marks_of_a_models_template_are_not_said_and_end_its_answer() {
    let pieces = [
        "It is",
        " Friday.<|im",
        "_end|>\n<|im_start|>",
        "user\nAnd tomorrow?",
    ];
    let spoken: String = pieces.iter().map(|piece| say(piece)).collect();
    let server = Server::start([
        listing(&["qwen"], None),
        Answer::stream(&[&(spoken + &ending("length"))]),
    ])
    .await;
    let models = models_with(|_| None, &[]);
    models.configure(&at(&server)).await;
    let asked = ask_under(&models, &simple("auto", ""), &at(&server)).await;
    assert_eq!(asked.deltas.concat(), "It is Friday.");
    let answer = asked.answer();
    assert_eq!(answer.text, "It is Friday.");
    assert_eq!(
        answer.finish,
        Finish::Complete,
        "it was whole before the cap was hit"
    );
}
