//! How much a model reads: told by its server for whatever it is asked, or learnt from one refusal, and kept.

use std::path::Path;

use providers::Models;
use runtime::ports::Language;
use serde_json::json;
use settings::Settings;
use vocabulary::{AskFailureKind, AskPurpose, ModelRequest};

use crate::lacking::{bodies, hello};
use crate::parameters::ready;
use crate::requests::{KEY, ask, ask_under, models_at, models_with, settings, simple};
use crate::server::{Answer, Server};

fn list() -> Answer {
    Answer::json(200, r#"{"object":"list","data":[{"id":"m"},{"id":"small"}]}"#)
}

/// A question of about 2,550 tokens, and 600 for the answer.
fn long(provider: &str, model: &str) -> ModelRequest {
    ModelRequest {
        system: "You are Denizen. ".repeat(600),
        ..simple(provider, model)
    }
}

fn reads(models: &Models, purpose: AskPurpose, settings: &Settings) -> Option<u64> {
    let allowances = models.allowances(settings);
    allowances.get(&purpose).and_then(|known| known.reads_tokens)
}

#[tokio::test]
async fn whatever_a_server_is_asked_for_it_is_asked_how_much_that_model_reads() {
    for (purpose, provider, model) in [
        (
            AskPurpose::ContextCompaction,
            "context.compaction.provider",
            "context.compaction.model",
        ),
        (AskPurpose::GemExtraction, "memory.provider", "memory.model"),
        (
            AskPurpose::ScreenNote,
            "voice.streamWatch.noteProvider",
            "voice.streamWatch.noteModel",
        ),
        (
            AskPurpose::VoiceReply,
            "voice.generationLlm.provider",
            "voice.generationLlm.model",
        ),
    ] {
        let server = Server::start([list(), hello()]).await;
        server.tell(
            "/api/show",
            &json!({"parameters": "num_ctx 2048", "capabilities": ["completion", "vision"], "details": {"format": "gguf"}}),
        );
        // Nobody lives there: no test may ask a provider for its list.
        let models = models_with(
            |name| match name {
                "ANTHROPIC_API_KEY" => Some(KEY.to_owned()),
                "ANTHROPIC_BASE_URL" => Some("http://127.0.0.1:1".to_owned()),
                _ => None,
            },
            &[],
        );
        let settings = settings(&[
            ("llm.compatibleBaseUrl", &server.address),
            (provider, "compatible"),
            (model, "small"),
        ]);
        models.configure(&settings).await;
        assert_eq!(reads(&models, purpose, &settings), Some(2_048), "{provider}");
        assert_eq!(reads(&models, AskPurpose::TextReply, &settings), None);
        let request = ModelRequest {
            purpose,
            turns: crate::requests::rich("compatible", "small").turns,
            ..long("compatible", "small")
        };
        let failure = ask_under(&models, &request, &settings).await.failure();
        assert_eq!(
            failure.kind,
            AskFailureKind::ContextTooLong,
            "{provider}: {failure}"
        );
        assert!(
            bodies(&server).is_empty(),
            "nothing is cut in silence: {provider}"
        );
        let warnings = models.status(&settings).warnings;
        assert!(
            warnings
                .iter()
                .any(|warning| warning.text.contains("reads 2048 tokens of small")),
            "{provider}: {warnings:?}"
        );
    }
}

#[tokio::test]
async fn what_is_not_written_in_english_letters_takes_more_of_a_window() {
    for (text, fits) in [("tide ", true), ("潮汐正在上涨", false), ("прилив ", false)] {
        let server = Server::start([list(), hello()]).await;
        let shown = json!({"parameters": "num_ctx 2048", "details": {"format": "gguf"}});
        server.tell("/api/show", &shown);
        let models = models_with(|_| None, &[]);
        let settings = settings(&[
            ("llm.provider", "compatible"),
            ("llm.model", "small"),
            ("llm.compatibleBaseUrl", &server.address),
        ]);
        models.configure(&settings).await;
        let request = ModelRequest {
            system: text.chars().cycle().take(4_000).collect(),
            ..simple("compatible", "small")
        };
        let answered = ask_under(&models, &request, &settings).await;
        assert_eq!(bodies(&server).len(), usize::from(fits), "{text}: {answered:?}");
    }
}

#[tokio::test]
async fn how_much_a_model_reads_is_learnt_from_one_refusal_and_known_after_a_restart() {
    let refusals = [
        (
            json!({"error": {"message": "This model's maximum context length is 2048 tokens. However, you requested 3151 tokens (2551 in the messages, 600 in the completion).", "code": "context_length_exceeded"}}),
            (2_048, ""),
        ),
        (
            json!({"error": {"code": 400, "message": "the request exceeds the available context size, try increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 2551, "n_ctx": 1536}}),
            (1_536, ""),
        ),
        // Nobody says how much: a quarter less is tried.
        (
            json!({"error": {"message": "input is too long for this model"}}),
            (2_366, "perhaps "),
        ),
    ];
    for (refusal, (tokens, guess)) in refusals {
        let folder = tempfile::tempdir().expect("a folder");
        let refused = Answer::json(400, &refusal.to_string());
        let server = Server::start([list(), refused, list(), hello(), list(), hello()]).await;
        let started = async |folder: &Path| {
            let models = models_at("compatible", &server.address).keeping_in(folder);
            models.get_ready(&settings(&[])).await;
            models
        };
        let told = |models: &Models| {
            let model = models.reply_model(&settings(&[])).expect("a server's model");
            (
                model.context_tokens,
                reads(models, AskPurpose::TextReply, &settings(&[])),
            )
        };
        let models = started(folder.path()).await;
        assert_eq!(told(&models), (None, None));
        let failure = ask(&models, &long("compatible", "m")).await.failure();
        assert_eq!(failure.kind, AskFailureKind::ContextTooLong, "{refusal}");
        assert_eq!(told(&models), (Some(tokens), Some(tokens)), "{refusal}");

        let again = started(folder.path()).await;
        assert_eq!(told(&again), (Some(tokens), Some(tokens)), "{refusal}");
        let lacks = again.status(&settings(&[])).lacks;
        assert_eq!(lacks[0].what, format!("it reads {guess}{tokens} tokens"));
        let status = again.status(&settings(&[]));
        assert_eq!(status.in_use[0].reads_guessed, !guess.is_empty(), "{refusal}");
        let warned = status.warnings.iter().any(|warning| match guess.is_empty() {
            true => warning.text.contains("the server reads"),
            false => warning.text.contains("which is a guess"),
        });
        assert!(warned, "{:?}", status.warnings);
        assert!(lacks[0].habit, "it is not said that it refuses that");
        let failure = ask(&again, &long("compatible", "m")).await.failure();
        assert_eq!(failure.kind, AskFailureKind::ContextTooLong);
        assert_eq!(bodies(&server).len(), 1, "it is not asked in vain again");
        ask(&again, &simple("compatible", "m")).await.answer();

        again.detect(&settings(&[])).await;
        assert_eq!(told(&again), (None, None), "somebody had it look again");
        ask(&again, &long("compatible", "m")).await.answer();
    }
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_not_sent_again_with_less_room_for_thoughts() {
    let error = json!({"error": {"message": "Its wording can change.", "type": "invalid_request_error",
        "param": "input", "code": "context_length_exceeded"}});
    for (provider, model, param) in [
        ("openai", "gpt-6-luna", "input"),
        ("openai", "gpt-5-mini", "messages"),
        ("compatible", "m", "messages"),
    ] {
        let mut error = error.clone();
        error["error"]["param"] = json!(param);
        for request in [simple(provider, model), long(provider, model)] {
            let (server, models) = ready(provider, [Answer::json(400, &error.to_string())]).await;
            let before = server.seen().len();
            let failure = ask(&models, &request).await.failure();
            assert_eq!(failure.kind, AskFailureKind::ContextTooLong, "{model}: {failure}");
            assert_eq!(server.seen().len() - before, 1, "requests to {model}");
            assert_eq!(failure.tries, 1);
        }
    }
}
