//! How Denizen is, and which model answers.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use mind::reasons::RestCause;
use mind::{Input, OperatorWish};
use runtime::live::LiveEvent;
use runtime::ports::{JournalQuery, Language, LanguageStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskPurpose, CommunityId, JournalSeq, PersonId};

use crate::body::SmallJson;
use crate::openapi::{answer, question};
use crate::refusal::Refusal;
use crate::site::Shared;

/// Whoever asks whether Denizen is well does not wait long for its mind.
const LOOK_DEADLINE: Duration = Duration::from_secs(1);

/// How Denizen is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Health {
    /// `ok`, or `degraded` while something is wrong that `reasons` names. Whoever is worse does not answer.
    #[schemars(example = &"ok")]
    status: &'static str,
    /// What is wrong at the moment, and what to do: a disk that takes nothing, a clock not believed, a model that fails or rests,
    /// a budget used up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<String>,
    version: String,
    /// Which process answers: another one after each start.
    #[schemars(example = &"9f2c41aa03de")]
    instance: String,
    /// Milliseconds since the process started.
    uptime_ms: u64,
    community: CommunityId,
    denizen: Denizen,
    model: LanguageStatus,
    /// The version of the settings in force.
    settings_version: u64,
    /// The number of the newest journal line, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    journal_seq: Option<JournalSeq>,
    /// What became of a kept state that could not be read as a whole when this process started.
    #[serde(skip_serializing_if = "Option::is_none")]
    salvaged: Option<Salvaged>,
}

/// What an upgrade made of the state before it, part by part.
#[derive(Serialize, JsonSchema)]
struct Salvaged {
    /// Parts that were carried over.
    carried: Vec<String>,
    /// Parts that could not be, and were begun anew.
    lost: Vec<String>,
}

/// Who Denizen is here.
#[derive(Serialize, JsonSchema)]
struct Denizen {
    id: PersonId,
    name: String,
}

/// Ask whether Denizen is well.
///
/// Answers only if the store can be read; `degraded` where it cannot be written, while models fail or rest, and while nothing is left of the day's
/// budget for replies.
#[utoipa::path(
    get, path = "/api/health", tag = "health",
    responses((status = 200, description = "It runs, and its store answers", body = ref(answer::<Health>()), example = json!({
        "status": "ok", "version": "0.1.0", "instance": "9f2c41aa03de", "uptimeMs": 60000, "community": "local",
        "denizen": {"id": "denizen", "name": "Denizen"},
        "model": {"provider": "compatible", "model": "qwen2.5", "baseUrl": "http://127.0.0.1:11434/v1", "offline": false,
            "because": "a server answers on port 11434", "howToChange": "Set ANTHROPIC_API_KEY, or llm.provider"},
        "settingsVersion": 3, "journalSeq": 512
    })))
)]
pub(crate) async fn health(State(shared): State<Shared>) -> Result<Json<Health>, Refusal> {
    let handle = shared.handle();
    let newest = JournalQuery {
        limit: 1,
        newest: true,
        ..JournalQuery::default()
    };
    let journal = handle.store().journal(handle.community(), newest).await?;
    let in_force = handle.in_force();
    let mut reasons = handle.ailments().told();
    if shared.site.access.is_unwritten() {
        reasons.push("who may come in cannot be written to access.json, so what was changed there is undone by a restart; make room on the disk of the data folder, and it is written by itself".to_owned());
    }
    // A mind that is held up says nothing of itself; whether Denizen is well is answered all the same.
    if let Ok(Some(spent)) = tokio::time::timeout(LOOK_DEADLINE, handle.spending()).await {
        // Work that waits for tomorrow's budget is no ailment; a model that rests is one, whatever it serves.
        let ailing = explain::ailing(&spent).into_iter();
        let told = ailing.filter(|one| one.of_replies || one.what == "model");
        // What is known of such a model tells it with what to change.
        let told = told.filter(|one| one.rest != Some(RestCause::Mute));
        reasons.extend(told.map(|one| format!("{}: {}", one.detail, one.remedy)));
    }
    let model = handle.language().status(&in_force.settings);
    let broken = model.warnings.iter().filter(|warning| warning.broken);
    reasons.extend(broken.map(|warning| warning.text.clone()));
    Ok(Json(Health {
        status: if reasons.is_empty() { "ok" } else { "degraded" },
        reasons,
        version: shared.site.version.clone(),
        instance: shared.site.access.instance().to_owned(),
        uptime_ms: u64::try_from(shared.site.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        community: handle.community().clone(),
        denizen: Denizen {
            id: handle.denizen().clone(),
            name: in_force.settings.identity.name.clone(),
        },
        model,
        settings_version: in_force.saved.version,
        journal_seq: journal.last().map(|entry| entry.seq),
        salvaged: handle.salvaged().map(|found| Salvaged {
            carried: found.carried.clone(),
            lost: found.lost.clone(),
        }),
    }))
}

/// See which model answers.
#[utoipa::path(
    get, path = "/api/model", tag = "model",
    responses((status = 200, description = "The model in use, and why", body = ref(answer::<LanguageStatus>()), example = json!({
        "provider": "offline", "model": "built-in", "baseUrl": "", "offline": true,
        "because": "no key and no model server was found", "howToChange": "Start a model server, then look again"
    })))
)]
pub(crate) async fn model(State(shared): State<Shared>) -> Json<LanguageStatus> {
    let handle = shared.handle();
    Json(handle.language().status(&handle.in_force().settings))
}

/// Look for a model again.
///
/// Works out anew what `auto` means: keys in the environment, model servers on this machine.
#[utoipa::path(
    post, path = "/api/model/detect", tag = "model",
    responses((status = 200, description = "The model in use after looking", body = ref(answer::<LanguageStatus>()), example = json!({
        "provider": "compatible", "model": "qwen2.5", "baseUrl": "http://127.0.0.1:11434/v1", "offline": false,
        "because": "a server answers on port 11434", "howToChange": "Set llm.provider"
    })))
)]
pub(crate) async fn detect_model(State(shared): State<Shared>) -> Json<LanguageStatus> {
    let handle = shared.handle();
    let settings = handle.in_force().settings;
    handle.language().detect(&settings).await;
    try_again(&shared).await;
    let status = handle.language().status(&settings);
    handle.live().publish(LiveEvent::Model {
        status: status.clone(),
    });
    Json(status)
}

/// Try models that are left alone.
///
/// A model that is known to fail is left alone for up to an hour: one without credit, one that asked for a long wait, gives
/// no word, refuses its key or every prompt, or has trouble of its own. Whoever has paid or mended something need not wait:
/// the next question tries it, in every community, and where that is in vain it is left alone again.
#[utoipa::path(
    post, path = "/api/model/try", tag = "model",
    responses((status = 200, description = "The model in use", body = ref(answer::<LanguageStatus>()), example = json!({
        "provider": "openai", "model": "gpt-6-luna", "baseUrl": "https://api.openai.com/v1", "offline": false,
        "because": "OPENAI_API_KEY is set", "howToChange": "Set llm.provider"
    })))
)]
pub(crate) async fn try_model(State(shared): State<Shared>) -> Json<LanguageStatus> {
    try_again(&shared).await;
    model(State(shared)).await
}

/// Models that were seen to answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnsweredModels {
    answered: Vec<AnsweredModel>,
}

/// One of them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AnsweredModel {
    /// What it was asked for, as the journal names it.
    purpose: String,
    provider: String,
    model: String,
    /// Where it was asked.
    base_url: String,
    /// A mark of the key that it was asked with, out of which no key can be had; empty where there was none.
    key_mark: String,
}

/// Which of them this process asks, too.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct AnswersTaken {
    /// Purposes whose model is left alone no more.
    taken: Vec<AskPurpose>,
    /// Those that are asked otherwise here, so that nothing follows.
    otherwise: Vec<AskedOtherwise>,
}

/// In what it differs.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
struct AskedOtherwise {
    purpose: AskPurpose,
    /// `model`, `address`, `key`.
    differs: Vec<&'static str>,
}

/// Tell which models have answered.
///
/// Whoever has asked a model what Denizen would ask it, as `denizen doctor --deep` does, knows that it is well: where this
/// process asks the same model for that, at the same address and with the same key, it is left alone no more, and no failure
/// of before is told.
#[utoipa::path(
    post, path = "/api/model/answered", tag = "model",
    request_body(content = ref(question::<AnsweredModels>()), example = json!({
        "answered": [{"purpose": "text_reply", "provider": "openai", "model": "gpt-6-luna",
            "baseUrl": "https://api.openai.com/v1", "keyMark": "5f2a90c1d377"}]
    })),
    responses((status = 200, description = "Which of them are asked here, too", body = ref(answer::<AnswersTaken>()), example = json!({
        "taken": [], "otherwise": [{"purpose": "text_reply", "differs": ["key"]}]
    })))
)]
pub(crate) async fn models_answered(
    State(shared): State<Shared>,
    SmallJson(given): SmallJson<AnsweredModels>,
) -> Json<AnswersTaken> {
    let mut told = AnswersTaken::default();
    for hosted in shared.site.town.list() {
        let (handle, settings) = (&hosted.handle, hosted.handle.in_force().settings);
        let mut purposes: Vec<AskPurpose> = Vec::new();
        for (one, purpose) in given
            .answered
            .iter()
            .filter_map(|one| Some((one, AskPurpose::named(&one.purpose)?)))
        {
            let differs = one.differs(handle.language().as_ref(), purpose, &settings);
            let other = AskedOtherwise { purpose, differs };
            if other.differs.is_empty() {
                purposes.push(purpose);
            } else if !told.otherwise.contains(&other) {
                told.otherwise.push(other);
            }
        }
        for purpose in &purposes {
            handle.ailments().set_answered(*purpose);
            if !told.taken.contains(purpose) {
                told.taken.push(*purpose);
            }
        }
        let wish = OperatorWish::ModelsAnswered { purposes };
        if let Err(error) = handle.accept(Input::Operator(wish)).await {
            tracing::warn!(%error, community = %hosted.id(), "models that are left alone are not tried before their time");
        }
    }
    Json(told)
}

impl AnsweredModel {
    /// In what this process asks otherwise for a purpose.
    fn differs(
        &self,
        language: &dyn Language,
        purpose: AskPurpose,
        settings: &Settings,
    ) -> Vec<&'static str> {
        let asked = language.asked_of(purpose, settings);
        let is_asked =
            asked.is_some_and(|asked| asked.provider == self.provider && asked.model == self.model);
        let by = language.asked_by(purpose, settings).unwrap_or_default();
        let is_other = [
            ("model", !is_asked),
            ("address", by.base_url != self.base_url),
            ("key", by.key_mark != self.key_mark),
        ];
        let is_other = is_other.into_iter().filter(|(_, is_other)| *is_other);
        is_other.map(|(what, _)| what).collect()
    }
}

/// All communities of a process share its models, and their accounts.
async fn try_again(shared: &Shared) {
    for hosted in shared.site.town.list() {
        hosted.handle.tell_reply_model().await;
        let wish = Input::Operator(OperatorWish::ModelsTried);
        if let Err(error) = hosted.handle.accept(wish).await {
            tracing::warn!(%error, community = %hosted.id(), "models that are left alone are not tried before their time");
        }
    }
}
