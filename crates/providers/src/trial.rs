//! A trial of every purpose as it will be used: the mind's own questions, with their tools, schema, pictures and caps.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use runtime::ports::{Language, Prepared, RawResponse};
use runtime::questions::{Surroundings, asked_under};
use serde::Serialize;
use serde_json::Value;
use settings::{ModelOrOffline, Settings, StructuredOutput};
use tokio::sync::mpsc;
use vocabulary::{
    AskFailure, AskFailureKind, AskOutcome, AskPurpose, AttachmentId, ContentPart, ModelRequest, OutputShape,
};

use crate::Models;
use crate::catalogue::Provider;
use crate::sight::is_about_a_picture;
use crate::trial_price::{TrialPrice, price, thought_tokens};
use crate::writing::Writing;

/// A red square: enough to look at.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsItz/VMYywi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywLvDoEAVSaz4wAAAABJRU5ErkJggg==";
/// Pieces of an answer that may wait; nobody reads them.
const PIECES_MAX: usize = 1_024;

/// What became of a part of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Questions of this purpose have no such part.
    Unused,
    /// It went along, and the answer came.
    Works,
    /// The model does not take it, so it is left out; the answer came without it.
    LeftOut,
    /// No answer came.
    Unknown,
}

/// What came of trying one purpose.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Trial {
    #[serde(skip)]
    pub asked_for: AskPurpose,
    /// Such as "notes on screens".
    pub purpose: &'static str,
    /// The community that asks somebody else for it than all do; none: it is what they have in common.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub community: Option<String>,
    pub provider: String,
    pub model: String,
    /// Whether what was answered can be used.
    pub works: bool,
    /// The built-in model does it, which cannot fail.
    pub built_in: bool,
    pub streaming: Part,
    pub tools: Part,
    pub schema: Part,
    pub picture: Part,
    pub price: TrialPrice,
    pub milliseconds: Option<u64>,
    /// It failed for a reason that tells of the model whatever it is asked: its key, its credit, its server.
    #[serde(skip)]
    pub model_failed: bool,
    /// What is wrong, where something is.
    pub problem: Option<String>,
    pub remedy: Option<String>,
    /// What is done without the model, so that nothing is broken; none where nobody else does it.
    pub instead: Option<&'static str>,
}

/// Tries every purpose that is in use under the settings, one after the other. What the built-in model does is not asked:
/// it cannot fail. What the mind is told of models is found out here, whatever the surroundings say.
pub async fn try_purposes(models: &Models, settings: &Settings, around: Surroundings) -> Vec<Trial> {
    try_others(models, settings, around, &[]).await
}

/// The same, without what was tried already with the same model.
pub async fn try_others(
    models: &Models,
    settings: &Settings,
    around: Surroundings,
    tried: &[Trial],
) -> Vec<Trial> {
    let around = Surroundings {
        reply_model: models.reply_model(settings),
        reads: models
            .allowances(settings)
            .into_iter()
            .filter_map(|(purpose, known)| Some((purpose, known.reads_tokens?)))
            .collect(),
        ..around
    };
    let mut trials = Vec::new();
    for request in asked_under(settings, &around) {
        let target = models.target(&request.choice, request.purpose, settings);
        // Where nobody can be chosen, a trial names whom the settings wish for.
        let (provider, model) = match &target {
            Ok(target) => (target.provider.name(), target.model.as_str()),
            Err(_) => (request.choice.provider.as_str(), request.choice.model.as_str()),
        };
        let is_it = |known: &Trial| {
            (known.asked_for, known.provider.as_str(), known.model.as_str())
                == (request.purpose, provider, model)
        };
        if !tried.iter().any(is_it) {
            trials.push(try_question(models, &request, settings).await);
        }
    }
    trials
}

/// The purposes whose model is well: it answered, and no other question to it failed for a reason that is not the
/// question's own.
pub fn well(trials: &[Trial]) -> Vec<&Trial> {
    let fails = |one: &Trial| {
        let is_same = |other: &&Trial| (&other.provider, &other.model) == (&one.provider, &one.model);
        trials.iter().filter(is_same).any(|other| other.model_failed)
    };
    let asked = trials.iter().filter(|one| one.works && !one.built_in);
    asked.filter(|one| !fails(one)).collect()
}

async fn try_question(models: &Models, request: &ModelRequest, settings: &Settings) -> Trial {
    let mut trial = Trial {
        asked_for: request.purpose,
        purpose: request.purpose.words(),
        community: None,
        provider: request.choice.provider.clone(),
        model: request.choice.model.clone(),
        works: false,
        built_in: false,
        streaming: Part::Unknown,
        tools: used(!request.tools.is_empty()),
        schema: used(wants_schema(request, settings)),
        picture: used(pictures(request).next().is_some()),
        price: TrialPrice {
            dollars: None,
            free: false,
            assumed: None,
            thought_tokens: 0,
            trial_dollars: None,
        },
        milliseconds: None,
        model_failed: false,
        problem: None,
        remedy: None,
        instead: None,
    };
    let bytes = Bytes::from(STANDARD.decode(PICTURE).unwrap_or_default());
    let images: BTreeMap<AttachmentId, Bytes> =
        pictures(request).map(|id| (id.clone(), bytes.clone())).collect();
    let mut prepared = match models.prepare(request, &images, settings) {
        Ok(prepared) => prepared,
        Err(failure) => {
            if let Ok(target) = models.target(&request.choice, request.purpose, settings) {
                trial.provider = target.provider.name().to_owned();
                trial.model = target.model;
            }
            // Of what this question has, only the picture can be too much before it is sent.
            let is_blind = failure.kind == AskFailureKind::Unavailable && is_about_a_picture(request.purpose);
            trial.failed(&failure, is_blind);
            return trial;
        }
    };
    if prepared.provider == Provider::Offline.name() {
        trial.built_in(&prepared);
        return trial;
    }
    let mut asked = ask_once(models, request, &prepared).await;
    if models.moved_on(request, &prepared, &asked.0).await
        && let Ok(other) = models.prepare(request, &images, settings)
    {
        prepared = other;
        asked = ask_once(models, request, &prepared).await;
    }
    trial.provider = prepared.provider.clone();
    trial.model = prepared.model.clone();
    trial.price = price(models, &prepared, request.purpose, 0);
    let answer = match asked {
        (AskOutcome::Answered(answer), streamed) => {
            trial.streaming = match streamed {
                true => Part::Works,
                false => Part::LeftOut,
            };
            answer
        }
        (AskOutcome::Failed(failure), _) => {
            trial.went_along(models, request, &prepared);
            let is_blind = is_about_a_picture(request.purpose) && trial.picture == Part::LeftOut;
            for part in [&mut trial.tools, &mut trial.schema, &mut trial.picture] {
                if *part == Part::Works {
                    *part = Part::Unknown;
                }
            }
            trial.failed(&failure, is_blind);
            return trial;
        }
    };
    trial.milliseconds = Some(answer.took.0);
    trial.went_along(models, request, &prepared);
    trial.price = price(models, &prepared, request.purpose, thought_tokens(&answer));
    let cost = answer.usage.cost_micro_dollars;
    trial.price.trial_dollars = cost.map(|cost| cost as f64 / 1_000_000.0);
    trial.problem = unusable(request, settings, &answer.text, answer.tool_calls.len());
    trial.works = trial.problem.is_none();
    trial.instead = match request.purpose {
        AskPurpose::GemExtraction if settings.memory.extractor == ModelOrOffline::Auto => {
            Some("memories are made by patterns")
        }
        AskPurpose::ContextCompaction if settings.compaction.summariser == ModelOrOffline::Auto => {
            Some("summaries are written without a model")
        }
        _ => None,
    }
    .filter(|_| !trial.works);
    trial.remedy = trial.problem.as_ref().map(|_| {
        let key = settings.keys_for(request.purpose).model;
        match trial.schema {
            Part::Works => format!("Use another model for this ({key}), or set llm.structuredOutput to off"),
            _ => format!("Use another model for this ({key})"),
        }
    });
    trial
}

impl Trial {
    /// What was tried, for people.
    pub fn label(&self) -> String {
        match &self.community {
            Some(community) => format!("{} in {community}", self.purpose),
            None => self.purpose.to_owned(),
        }
    }

    /// Whether something that is wanted does not work, and nobody else does it.
    pub fn is_broken(&self) -> bool {
        !self.works && self.instead.is_none()
    }

    fn failed(&mut self, failure: &AskFailure, is_blind: bool) {
        self.instead = is_blind.then_some("nothing is seen of shared screens until then");
        self.model_failed = tells_of_the_model(failure.kind);
        self.problem = Some(format!("fails ({})", failure.kind.name()));
        self.remedy = Some(failure.detail.clone());
    }

    fn built_in(&mut self, prepared: &Prepared) {
        self.provider = prepared.provider.clone();
        self.model = prepared.model.clone();
        self.works = true;
        self.built_in = true;
        self.price.free = true;
        self.price.dollars = Some(0.0);
        for part in [
            &mut self.streaming,
            &mut self.tools,
            &mut self.schema,
            &mut self.picture,
        ] {
            *part = Part::Unused;
        }
    }

    /// What of the question the model was really given in the end.
    fn went_along(&mut self, models: &Models, request: &ModelRequest, prepared: &Prepared) {
        let Some(provider) = Provider::from_name(&prepared.provider) else {
            return;
        };
        let writing = Writing::of_prepared(request, prepared, provider, models.surroundings());
        let given = writing.given();
        for (part, is_given) in [
            (&mut self.tools, given.tools),
            (&mut self.schema, given.schema),
            (&mut self.picture, given.pictures),
        ] {
            if *part != Part::Unused {
                *part = if is_given { Part::Works } else { Part::LeftOut };
            }
        }
    }
}

/// Whether another question to the same model would have failed, too.
fn tells_of_the_model(kind: AskFailureKind) -> bool {
    use AskFailureKind as Kind;
    match kind {
        Kind::KeyRefused
        | Kind::RegionRefused
        | Kind::QuotaSpent
        | Kind::UnknownModel
        | Kind::RateLimited
        | Kind::Unreachable
        | Kind::ServerError => true,
        // A longer question takes longer, and a typed one may come to something that cannot be read.
        Kind::TimedOut | Kind::NoFirstByte | Kind::StreamStalled | Kind::Malformed => false,
        Kind::Rejected
        | Kind::ContextTooLong
        | Kind::OutOfRoom
        | Kind::EmptyAnswer
        | Kind::Refused
        | Kind::Unavailable
        | Kind::BudgetSpent
        | Kind::Interrupted => false,
    }
}

fn used(is_used: bool) -> Part {
    if is_used { Part::Unknown } else { Part::Unused }
}

fn pictures(request: &ModelRequest) -> impl Iterator<Item = &AttachmentId> {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    parts.filter_map(|part| match part {
        ContentPart::Image { id, .. } => Some(id),
        _ => None,
    })
}

fn wants_schema(request: &ModelRequest, settings: &Settings) -> bool {
    matches!(request.output, OutputShape::Json { .. })
        && settings.llm.structured_output != StructuredOutput::Off
}

async fn ask_once(models: &Models, request: &ModelRequest, prepared: &Prepared) -> (AskOutcome, bool) {
    let (deltas, mut received) = mpsc::channel(PIECES_MAX);
    let letting_go = async move { while received.recv().await.is_some() {} };
    let raw = RawResponse::default();
    let sending = models.send(request, prepared, deltas, raw.clone());
    let (outcome, ()) = tokio::join!(sending, letting_go);
    (outcome, is_stream(&raw.bytes()))
}

/// Whether what came is events that can be read one by one. How many there are says nothing: a call of a tool is one.
fn is_stream(response: &[u8]) -> bool {
    let mut lines = response.split(|byte| *byte == b'\n');
    lines.any(|line| line.starts_with(b"data:") || line.starts_with(b"event:"))
}

/// Why an answer is of no use, where it is not.
fn unusable(request: &ModelRequest, settings: &Settings, text: &str, calls: usize) -> Option<String> {
    if calls > 0 {
        return None;
    }
    if text.trim().is_empty() {
        return Some("the answer is empty".to_owned());
    }
    // Beside tools a model may answer in words, and it is read; so may it where nothing else is asked of it.
    let reads_words = match request.purpose {
        AskPurpose::AddressClassifier | AskPurpose::GemExtraction => false,
        _ => !request.tools.is_empty() || !wants_schema(request, settings),
    };
    if reads_words || request.output == OutputShape::Text {
        return None;
    }
    let start = text.find(['{', '[']).unwrap_or(0);
    let value: Option<Value> = serde_json::Deserializer::from_str(&text[start..])
        .into_iter()
        .next()
        .and_then(Result::ok);
    match value {
        Some(Value::Object(_) | Value::Array(_)) => None,
        _ => Some("the answer is not of the shape that was asked for".to_owned()),
    }
}
