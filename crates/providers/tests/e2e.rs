//! One real conversation with a real OpenAI-compatible server, run only where `E2E_MODEL_URL` names one
//! (such as `http://127.0.0.1:8080/v1`).

use std::collections::BTreeMap;
use std::path::Path;

use providers::{Keys, Models, try_purposes};
use runtime::ports::{Language, RawResponse};
use runtime::questions::Surroundings;
use serde_json::json;
use settings::{Document, Settings};
use tokio::sync::mpsc;
use vocabulary::{
    AskFailureKind, AskOutcome, AskPurpose, ChatRole, ChatTurn, ContentPart, ModelChoice, ModelRequest,
    OutputShape, Span,
};

/// Models that know the server, or none where there is none.
async fn real_models() -> Option<(Models, Settings)> {
    let Ok(url) = std::env::var("E2E_MODEL_URL") else {
        println!("E2E_MODEL_URL is not set: there is no real model server to talk to");
        return None;
    };
    let models = Models::new(Keys::from_env_and_file(|_| None, Path::new("/nonexistent")).expect("no keys"));
    let mut document = Document::default();
    document.set("llm.compatibleBaseUrl", json!(url));
    let settings = Settings::read(&document).expect("settings");
    models.configure(&settings).await;
    Some((models, settings))
}

#[tokio::test]
async fn a_real_server_says_when_a_prompt_is_too_long() {
    let Some((models, settings)) = real_models().await else {
        return;
    };
    let mut request = request();
    request.turns[0].parts = vec![ContentPart::Text("all work and no play ".repeat(40_000))];
    let prepared = models
        .prepare(&request, &BTreeMap::new(), &settings)
        .expect("prepared");
    let outcome = models
        .send(&request, &prepared, mpsc::channel(1).0, RawResponse::default())
        .await;
    println!("{outcome:?}");
    assert!(matches!(outcome, AskOutcome::Failed(failure) if failure.kind == AskFailureKind::ContextTooLong));
}

#[tokio::test]
async fn a_real_server_streams_a_typed_answer() {
    let Some((models, settings)) = real_models().await else {
        return;
    };
    println!("{:?}", models.status(&settings));
    for finding in models.examine(&settings).await {
        println!("{finding:?}");
        assert!(finding.ok);
    }
    for trial in try_purposes(&models, &settings, Surroundings::default()).await {
        println!("{trial:?}");
    }

    let request = request();
    let prepared = models
        .prepare(&request, &BTreeMap::new(), &settings)
        .expect("prepared");
    let (sender, mut receiver) = mpsc::channel(64);
    let listening = tokio::spawn(async move {
        let mut pieces = 0;
        while receiver.recv().await.is_some() {
            pieces += 1;
        }
        pieces
    });
    let outcome = models
        .send(&request, &prepared, sender, RawResponse::default())
        .await;
    println!("{outcome:#?}");
    let AskOutcome::Answered(answer) = outcome else {
        panic!("no answer came");
    };
    assert!(
        listening.await.expect("the listener ends") > 1,
        "the answer came in pieces"
    );
    let typed: serde_json::Value = serde_json::from_str(&answer.text).expect("a typed answer");
    assert!(typed["text"].is_string());
    assert!(
        answer.text.find("\"action\"") < answer.text.find("\"text\""),
        "in the order of the schema"
    );
    assert!(answer.usage.input_tokens > 0 && answer.usage.output_tokens > 0);
    assert_eq!(answer.usage.cost_micro_dollars, Some(0));
}

fn request() -> ModelRequest {
    ModelRequest {
        purpose: AskPurpose::TextReply,
        choice: ModelChoice {
            provider: "auto".to_owned(),
            model: String::new(),
        },
        system: "You are Denizen, one of the people in the text channel \"lounge\". Answer with one JSON object: {\"action\": \"reply\" or \"skip\", \"text\": what you say, \"reason\": why, in a few words}.".to_owned(),
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: vec![ContentPart::Text("[12:03] Alice: Denizen, say hello to Bob.\nReply required: yes".to_owned())],
        }],
        tools: Vec::new(),
        output: OutputShape::Json {
            name: "reply".to_owned(),
            words: None,
            schema: json!({
                "type": "object",
                "properties": {
                    "action": {"type": "string", "enum": ["reply", "skip"]},
                    "text": {"type": "string"},
                    "reason": {"type": "string"}
                },
                "required": ["action", "text", "reason"],
                "additionalProperties": false
            }),
        },
        max_output_tokens: 120,
        temperature: 0.2,
        deadline: Span::seconds(120),
        sections: Vec::new(),
    }
}
