//! The settings: every knob with its value, and changes that nobody else's change is lost to.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use runtime::ports::{SavedSettings, StoreError};
use runtime::{InForce, SettingsLayer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use settings::{Knob, KnobValue, Settings};

use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

/// One setting with its value.
#[derive(Serialize, JsonSchema)]
struct KnobView {
    #[serde(flatten)]
    knob: Knob,
    #[schemars(with = "KnobValue")]
    value: Value,
    /// `default` or `saved`.
    source: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct SettingsView {
    version: u64,
    knobs: Vec<KnobView>,
}

/// Changes by full key; `null` takes a key back to its default.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettingsChange {
    changes: BTreeMap<String, Value>,
}

/// Read every setting.
///
/// The ETag is the version; a change must name it.
#[utoipa::path(
    get, path = "/api/settings", tag = "settings",
    responses((
        status = 200, description = "Every knob with its value", body = ref(answer::<SettingsView>()),
        headers(("ETag" = String, description = "The version in quotes")),
        example = json!({"version": 3, "knobs": [{
            "key": "activity.minSecondsBetweenMessages", "section": "activity", "sectionDoc": "How often and how quickly it writes.",
            "doc": "Shortest time between two of its messages in a room.", "default": 5,
            "limits": {"type": "whole", "min": 0, "max": 300}, "unit": "seconds", "former": [], "value": 8, "source": "saved"
        }]})
    ))
)]
pub(crate) async fn settings(State(shared): State<Shared>) -> Result<Response, Refusal> {
    let handle = shared.handle();
    Ok(view(&handle.store().settings(handle.community()).await?.saved()))
}

/// Change settings.
///
/// All changes are made, or none. `null` takes a key back to its default.
#[utoipa::path(
    put, path = "/api/settings", tag = "settings",
    params(("If-Match" = String, Header, description = "The version the change is based on, as the ETag gave it", example = "\"3\"")),
    request_body(content = ref(question::<SettingsChange>()), example = json!({"changes": {"activity.minSecondsBetweenMessages": 8, "llm.model": null}})),
    responses(
        (status = 200, description = "Saved and in force", body = ref(answer::<SettingsView>()), headers(("ETag" = String, description = "The new version in quotes"))),
        (status = 409, description = "`stale_settings`: somebody else changed them meanwhile; the error has `newestVersion`", body = ref(refusal()),
            example = json!({"error": {"code": "stale_settings", "message": "The settings were changed meanwhile: you have version 3, the newest is 4. Read them again and repeat the change.", "newestVersion": 4}})),
        (status = 422, description = "`invalid_settings`: what is wrong with which key, and what it takes", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_settings", "message": "Nothing was changed, because of llm.temperature. The details say what each of them takes.",
                "details": [{"key": "llm.temperature", "problem": "7 is out of range", "remedy": "Give a number from 0 to 2"}]}})),
        (status = 428, description = "`version_required`: the If-Match header is missing", body = ref(refusal()),
            example = json!({"error": {"code": "version_required", "message": "Say which version the change is based on: send the ETag of GET /api/settings as the header If-Match."}})),
    )
)]
pub(crate) async fn change_settings(
    State(shared): State<Shared>,
    headers: HeaderMap,
    SmallJson(body): SmallJson<SettingsChange>,
) -> Result<Response, Refusal> {
    let based_on = version_asked_for(&headers)?;
    if body.changes.is_empty() {
        return unchanged(&shared, based_on).await;
    }
    let changes = body
        .changes
        .into_iter()
        .map(|(key, value)| (key, Some(value).filter(|value| !value.is_null())));
    let in_force = change(&shared, based_on, changes.collect()).await?;
    Ok(view(&in_force.saved))
}

/// Changes settings in a task of its own: a caller who hangs up halfway must not leave a saved version that never
/// came into force.
pub(crate) async fn change(
    shared: &Shared,
    based_on: u64,
    changes: Vec<(String, Option<Value>)>,
) -> Result<InForce, Refusal> {
    let handle = shared.handle().clone();
    let changing = tokio::spawn(async move {
        handle
            .change_settings(SettingsLayer::Base, based_on, changes)
            .await
    });
    let done = changing.await.map_err(|_| {
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "The change was cut off. Read the settings again and see whether it was made.",
        )
    })?;
    Ok(done?)
}

/// Read the JSON schema of a settings document.
#[utoipa::path(
    get, path = "/api/settings/schema", tag = "settings",
    responses((status = 200, description = "JSON schema (2020-12)", body = Object, example = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "properties": {"llm": {"type": "object", "properties": {"temperature": {"type": "number", "minimum": 0.0, "maximum": 2.0}}}}
    })))
)]
pub(crate) async fn settings_schema() -> Json<Value> {
    Json(settings::schema())
}

/// An empty change saves nothing, and still says whether its version is current.
async fn unchanged(shared: &Shared, based_on: u64) -> Result<Response, Refusal> {
    let handle = shared.handle();
    let saved = handle.store().settings(handle.community()).await?.saved();
    if saved.version != based_on {
        return Err(StoreError::StaleSettings {
            yours: based_on,
            newest: saved.version,
        }
        .into());
    }
    Ok(view(&saved))
}

fn view(saved: &SavedSettings) -> Response {
    let knobs = Settings::knobs().into_iter().map(|knob| {
        let explicit = saved.document.get(&knob.key).cloned();
        let source = if explicit.is_some() { "saved" } else { "default" };
        let value = explicit.unwrap_or_else(|| knob.default.clone());
        KnobView { knob, value, source }
    });
    let view = SettingsView {
        version: saved.version,
        knobs: knobs.collect(),
    };
    let about = [
        (header::ETAG, format!("\"{}\"", saved.version)),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (about, Json(view)).into_response()
}

pub(crate) fn version_asked_for(headers: &HeaderMap) -> Result<u64, Refusal> {
    let Some(given) = headers.get(header::IF_MATCH) else {
        return Err(Refusal::new(
            StatusCode::PRECONDITION_REQUIRED,
            "version_required",
            "Say which version the change is based on: send the ETag of GET /api/settings as the header If-Match.",
        ));
    };
    let version = given
        .to_str()
        .ok()
        .map(|tag| tag.trim().trim_start_matches("W/").trim_matches('"'));
    version.and_then(|version| version.parse().ok()).ok_or_else(|| {
        Refusal::bad_request(
            "bad_version",
            "The If-Match header is not a version of the settings. Send the ETag of GET /api/settings as it came, such as \"3\".",
        )
    })
}
