//! The settings: every knob with its value, and changes that nobody else's change is lost to.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use runtime::ports::{LayeredSettings, StoreError};
use runtime::{InForce, SettingsLayer, SettingsRefused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use settings::{
    Document, Knob, KnobValue, Layer, Layers, SettingError, Settings, is_of_the_process, only_on_the_machine,
    refused_from_afar,
};
use vocabulary::CommunityId;

use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

/// One setting with its value.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct KnobView {
    #[serde(flatten)]
    knob: Knob,
    #[schemars(with = "KnobValue")]
    value: Value,
    /// Where the value comes from.
    source: Layer,
    /// It has a value in the layer that changes go to.
    set_here: bool,
    /// What it is taken back to: in a community the value of the base, in the base the default.
    #[schemars(with = "KnobValue")]
    inherited: Value,
    /// It holds for the whole process, so only the base has it.
    of_the_process: bool,
    /// Why it is changed only where Denizen runs, by command line or file; none if it can be changed here.
    #[serde(skip_serializing_if = "Option::is_none")]
    only_on_the_machine: Option<&'static str>,
}

/// Every setting of a community.
#[derive(Serialize, JsonSchema)]
struct SettingsView {
    version: u64,
    /// Where changes go: into the base, which holds for every community, or into this community alone.
    layer: Layer,
    knobs: Vec<KnobView>,
}

/// Changes by full key; `null` takes a key back to what it has below: the base's value, or its default.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettingsChange {
    changes: BTreeMap<String, Value>,
}

/// Read every setting.
///
/// Each says where its value comes from. The ETag is the version; a change must name it.
#[utoipa::path(
    get, path = "/api/settings", tag = "settings",
    responses((
        status = 200, description = "Every knob with its value", body = ref(answer::<SettingsView>()),
        headers(("ETag" = String, description = "The version in quotes")),
        example = json!({"version": 3, "layer": "base", "knobs": [{
            "key": "activity.minSecondsBetweenMessages", "section": "activity", "sectionDoc": "How often and how quickly it writes.",
            "doc": "Shortest time between two of its messages in a room.", "default": 5,
            "limits": {"type": "whole", "min": 0, "max": 300}, "unit": "seconds", "former": [], "value": 8, "source": "base",
            "setHere": true, "inherited": 5, "ofTheProcess": false
        }]})
    ))
)]
pub(crate) async fn settings(State(shared): State<Shared>) -> Result<Response, Refusal> {
    Ok(view(&shared, &saved(&shared).await?))
}

/// Change settings.
///
/// All changes are made, or none. Under `/api/communities/{community}/` they are that community's own and no other has
/// them; without a name, or in the default community, they are the base's, which holds wherever a community has no value
/// of its own. `null` takes a key back: to the base's value, or to the default.
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
    change(&shared, based_on, changes.collect()).await?;
    Ok(view(&shared, &saved(&shared).await?))
}

/// The newest settings of this community, both layers.
pub(crate) async fn saved(shared: &Shared) -> Result<LayeredSettings, Refusal> {
    let handle = shared.handle();
    Ok(handle.store().settings(handle.community()).await?)
}

/// Changes settings of the layer that this community's addresses lead to, in a task of its own: a caller who hangs up halfway must not leave a saved version that never
/// came into force.
pub(crate) async fn change(
    shared: &Shared,
    based_on: u64,
    changes: Vec<(String, Option<Value>)>,
) -> Result<InForce, Refusal> {
    let handle = shared.handle().clone();
    let guarded = guarded(&handle.in_force().layers.effective(), &changes);
    if !guarded.is_empty() {
        return Err(SettingsRefused::Invalid(guarded).into());
    }
    let layer = if shared.is_home() {
        let hidden = hidden(&handle.in_force().layers, &changes, handle.community());
        if !hidden.is_empty() {
            return Err(SettingsRefused::Invalid(hidden).into());
        }
        SettingsLayer::Base
    } else {
        SettingsLayer::Own
    };
    let changing = tokio::spawn(async move { handle.change_settings(layer, based_on, changes).await });
    let done = changing.await.map_err(|_| {
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "The change was cut off. Read the settings again and see whether it was made.",
        )
    })?;
    Ok(done?)
}

/// Changes that can be made only where Denizen runs; what stays as it is is no change.
pub(crate) fn guarded(saved: &Document, changes: &[(String, Option<Value>)]) -> Vec<SettingError> {
    let changed = changes.iter().filter(|(key, value)| match value {
        None => saved.get(key).is_some(),
        Some(value) => {
            let now = saved.get(key).cloned();
            let now = now.or_else(|| Settings::knob(key).ok().map(|knob| knob.default));
            now.as_ref() != Some(value)
        }
    });
    changed.filter_map(|(key, _)| refused_from_afar(key)).collect()
}

/// Changes of the base that would not be seen in the default community, since it has values of its own.
fn hidden(
    layers: &Layers,
    changes: &[(String, Option<Value>)],
    community: &CommunityId,
) -> Vec<SettingError> {
    let own = |key: &String| layers.own.get(key).map(|value| (key.clone(), value));
    let hidden = changes.iter().filter_map(|(key, _)| own(key));
    let hidden = hidden.map(|(key, value)| SettingError {
        problem: format!(
            "it is {value} for community {community} alone, which a change for all does not reach"
        ),
        remedy: format!("Take that out first: `denizen settings reset {key} --community {community}`"),
        key,
    });
    hidden.collect()
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
    let saved = saved(shared).await?;
    if saved.version() != based_on {
        return Err(StoreError::StaleSettings {
            yours: based_on,
            newest: saved.version(),
        }
        .into());
    }
    Ok(view(shared, &saved))
}

fn view(shared: &Shared, saved: &LayeredSettings) -> Response {
    let layer = if shared.is_home() {
        Layer::Base
    } else {
        Layer::Community
    };
    let (layers, document) = (&saved.layers, saved.layers.effective());
    let knobs = Settings::knobs().into_iter().map(|knob| {
        let or_default = |value: Option<&Value>| value.unwrap_or(&knob.default).clone();
        KnobView {
            value: or_default(document.get(&knob.key)),
            source: layers.layer_of(&knob.key),
            set_here: layers.value_in(layer, &knob.key).is_some(),
            inherited: or_default(layers.value_in(layer.below(), &knob.key)),
            of_the_process: is_of_the_process(&knob.key),
            only_on_the_machine: only_on_the_machine(&knob.key),
            knob,
        }
    });
    let view = SettingsView {
        version: saved.version(),
        layer,
        knobs: knobs.collect(),
    };
    let about = [
        (header::ETAG, format!("\"{}\"", view.version)),
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
