//! A trial of every purpose as it will be used: with the tools, the typed answer, the picture and the cap that the mind
//! puts into such a question.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use runtime::ports::{Language, RawResponse};
use serde_json::{Value, json};
use settings::{Settings, StructuredOutput};
use tokio::sync::mpsc;
use vocabulary::{
    AskFailure, AskOutcome, AskPurpose, AttachmentId, ChatRole, ChatTurn, ContentPart, ModelRequest,
    OutputShape, Span, ToolSpec, Usage,
};

use crate::Models;
use crate::catalogue::Provider;
use crate::purposes::{self, Wanted};

/// A red square: enough to look at.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsItz/VMYywi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywLvDoEAVSaz4wAAAABJRU5ErkJggg==";
const PICTURE_ID: &str = "doctor-picture";
/// Pieces of an answer that may wait; nobody reads them but to count.
const PIECES_MAX: usize = 1_024;

/// What came of trying one purpose.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Such as "notes on screens".
    pub purpose: &'static str,
    pub provider: String,
    pub model: String,
    /// What the question had: tools, a typed answer, a picture.
    pub with: Vec<&'static str>,
    pub outcome: Result<TrialAnswer, AskFailure>,
    /// What a usual question of this kind costs in millionths of a dollar; none where nobody can say.
    pub usual_cost: Option<u64>,
    /// The price is not known, and that of relatives is taken.
    pub cost_is_assumed: bool,
}

/// What an answer was like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialAnswer {
    pub took: Span,
    /// Pieces that came before the whole.
    pub pieces: usize,
    /// Something was refused and left out.
    pub lighter: bool,
    /// What was answered cannot be read as what was asked for.
    pub unusable: Option<String>,
    pub usage: Usage,
}

impl Trial {
    /// Whether the purpose works.
    pub fn works(&self) -> bool {
        matches!(&self.outcome, Ok(answer) if answer.unusable.is_none())
    }
}

/// Tries every purpose that the settings leave switched on, one after the other. What the built-in model does is not
/// tried: it cannot fail.
pub async fn try_purposes(models: &Models, settings: &Settings) -> Vec<Trial> {
    let mut trials = Vec::new();
    for wanted in purposes::wanted(settings) {
        trials.push(try_purpose(models, &wanted, settings).await);
    }
    trials
}

async fn try_purpose(models: &Models, wanted: &Wanted, settings: &Settings) -> Trial {
    let request = request(wanted, settings);
    let mut trial = Trial {
        purpose: purposes::name(wanted.purpose),
        provider: wanted.choice.provider.clone(),
        model: wanted.choice.model.clone(),
        with: parts_of(&request),
        outcome: Err(AskFailure::new(
            vocabulary::AskFailureKind::Unavailable,
            "it was not tried",
        )),
        usual_cost: None,
        cost_is_assumed: false,
    };
    let pictures = match STANDARD.decode(PICTURE) {
        Ok(bytes) => BTreeMap::from([(AttachmentId::new(PICTURE_ID), Bytes::from(bytes))]),
        Err(_) => BTreeMap::new(),
    };
    let mut prepared = match models.prepare(&request, &pictures, settings) {
        Ok(prepared) => prepared,
        Err(failure) => {
            trial.outcome = Err(failure);
            return trial;
        }
    };
    let mut asked = ask_once(models, &request, &prepared).await;
    if models.moved_on(&request, &prepared, &asked.0).await
        && let Ok(other) = models.prepare(&request, &pictures, settings)
    {
        prepared = other;
        asked = ask_once(models, &request, &prepared).await;
    }
    trial.provider = prepared.provider.clone();
    trial.model = prepared.model.clone();
    if let Some(provider) = Provider::from_name(&prepared.provider) {
        let usual = usual(wanted.purpose);
        let catalogue = models.catalogue();
        trial.usual_cost = catalogue.cost(provider, &prepared.url, &prepared.model, &usual);
        let (_, source) = catalogue.price_at(
            provider,
            &prepared.url,
            &prepared.model,
            crate::catalogue::today(),
        );
        trial.cost_is_assumed = source.is_assumed();
    }
    let (outcome, pieces, lighter) = asked;
    trial.outcome = match outcome {
        AskOutcome::Answered(answer) => Ok(TrialAnswer {
            took: answer.took,
            pieces,
            lighter,
            unusable: unusable(&request, &answer.text, answer.tool_calls.len()),
            usage: answer.usage,
        }),
        AskOutcome::Failed(failure) => Err(failure),
    };
    trial
}

async fn ask_once(
    models: &Models,
    request: &ModelRequest,
    prepared: &runtime::ports::Prepared,
) -> (AskOutcome, usize, bool) {
    let (deltas, mut received) = mpsc::channel(PIECES_MAX);
    let raw = RawResponse::default();
    let counting = async move {
        let mut pieces = 0;
        while received.recv().await.is_some() {
            pieces += 1;
        }
        pieces
    };
    let sending = models.send(request, prepared, deltas, raw.clone());
    let (outcome, pieces) = tokio::join!(sending, counting);
    (outcome, pieces, raw.sent_instead().is_some())
}

/// The question that stands for all of a purpose.
fn request(wanted: &Wanted, settings: &Settings) -> ModelRequest {
    let llm = &settings.llm;
    let purpose = wanted.purpose;
    let sees = matches!(
        purpose,
        AskPurpose::TextReply | AskPurpose::ScreenNote | AskPurpose::ScreenCommentary
    );
    let (max_output_tokens, temperature) = match purpose {
        AskPurpose::AddressClassifier | AskPurpose::VoiceReplyDecision => (60, 0.0),
        AskPurpose::ContextCompaction | AskPurpose::ScreenNote => (256, 0.2),
        AskPurpose::GemExtraction => (2_048, 0.1),
        _ => (
            u32::try_from(llm.max_output_tokens).unwrap_or(u32::MAX),
            llm.temperature,
        ),
    };
    let mut parts = vec![ContentPart::Text(
        "[12:03] Operator: this is a trial. Answer with the single word: ready".to_owned(),
    )];
    if sees {
        parts.insert(
            0,
            ContentPart::Image {
                id: AttachmentId::new(PICTURE_ID),
                mime: "image/png".to_owned(),
            },
        );
    }
    ModelRequest {
        purpose,
        choice: wanted.choice.clone(),
        system:
            "You are a member of a chat room. This is a trial of whether you can be reached; answer briefly."
                .to_owned(),
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts,
        }],
        tools: match purpose {
            AskPurpose::TextReply
            | AskPurpose::TextReplyFollowup
            | AskPurpose::VoiceReply
            | AskPurpose::VoiceReplyFollowup
            | AskPurpose::AmbientThought => vec![tool()],
            _ => Vec::new(),
        },
        output: output(purpose, settings),
        max_output_tokens,
        temperature,
        deadline: Span::seconds(llm.timeout_seconds),
        sections: Vec::new(),
    }
}

fn tool() -> ToolSpec {
    ToolSpec {
        name: "search_messages".to_owned(),
        description: "Looks for older messages of this room. Only for questions about the past.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"query": {"type": "string"}},
            "required": ["query"],
            "additionalProperties": false
        }),
    }
}

fn output(purpose: AskPurpose, settings: &Settings) -> OutputShape {
    let typed = settings.llm.structured_output != StructuredOutput::Off;
    let (name, properties) = match purpose {
        AskPurpose::AddressClassifier => (
            "address",
            json!({"addressed": {"type": "boolean"}, "confidence": {"type": "number"}}),
        ),
        AskPurpose::GemExtraction => (
            "gems",
            json!({"gems": {"type": "array", "items": {"type": "string"}}}),
        ),
        // What is spoken is spoken while it is written.
        AskPurpose::ContextCompaction
        | AskPurpose::VoiceReply
        | AskPurpose::VoiceReplyFollowup
        | AskPurpose::VoiceReplyDecision
        | AskPurpose::VoiceThought => return OutputShape::Text,
        _ if !typed => return OutputShape::Text,
        AskPurpose::ScreenNote => ("screen_note", json!({"note": {"type": "string"}})),
        AskPurpose::ScreenCommentary => ("screen_comment", json!({"text": {"type": "string"}})),
        AskPurpose::AmbientThought => ("thought", json!({"text": {"type": "string"}})),
        AskPurpose::TextReply | AskPurpose::TextReplyFollowup => {
            ("reply", json!({"text": {"type": "string"}}))
        }
    };
    let required: Vec<&String> = properties
        .as_object()
        .into_iter()
        .flat_map(|all| all.keys())
        .collect();
    OutputShape::Json {
        name: name.to_owned(),
        words: None,
        schema: json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false}),
    }
}

fn parts_of(request: &ModelRequest) -> Vec<&'static str> {
    let mut with = Vec::new();
    if !request.tools.is_empty() {
        with.push("tools");
    }
    if matches!(request.output, OutputShape::Json { .. }) {
        with.push("a typed answer");
    }
    let mut parts = request.turns.iter().flat_map(|turn| &turn.parts);
    if parts.any(|part| matches!(part, ContentPart::Image { .. })) {
        with.push("a picture");
    }
    with
}

/// Why an answer is of no use, where it is not.
fn unusable(request: &ModelRequest, text: &str, calls: usize) -> Option<String> {
    if calls > 0 {
        return None;
    }
    if text.trim().is_empty() {
        return Some("the answer is empty".to_owned());
    }
    // Beside tools a model may answer in words, and it is read.
    let strict = matches!(request.output, OutputShape::Json { .. }) && request.tools.is_empty();
    let start = text.find('{').unwrap_or(0);
    let value: Option<Value> = serde_json::Deserializer::from_str(&text[start..])
        .into_iter()
        .next()
        .and_then(Result::ok);
    match value {
        Some(Value::Object(_)) => None,
        _ if strict => Some("the answer is not of the shape that was asked for".to_owned()),
        _ => None,
    }
}

/// What a question of this kind usually takes: estimates for a room with a week of history.
fn usual(purpose: AskPurpose) -> Usage {
    let (input_tokens, output_tokens) = match purpose {
        AskPurpose::TextReply | AskPurpose::TextReplyFollowup => (4_000, 120),
        AskPurpose::AddressClassifier => (700, 20),
        AskPurpose::ContextCompaction => (2_500, 200),
        AskPurpose::GemExtraction => (3_500, 400),
        AskPurpose::ScreenNote => (2_200, 60),
        AskPurpose::ScreenCommentary => (4_000, 60),
        AskPurpose::AmbientThought => (5_000, 200),
        AskPurpose::VoiceReply | AskPurpose::VoiceReplyFollowup => (3_500, 60),
        AskPurpose::VoiceReplyDecision => (900, 5),
        AskPurpose::VoiceThought => (3_000, 60),
    };
    Usage {
        input_tokens,
        output_tokens,
        ..Usage::default()
    }
}
