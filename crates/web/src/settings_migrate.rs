//! Settings of an older version, brought up to date and laid over the saved ones; first only shown, if wanted.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use settings::{Document, KnobValue, Layers, MigrationNote, SettingError, Settings, take_what_fits};

use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::parameters::InQuery;
use crate::refusal::{Refusal, sentence};
use crate::settings_page::{change, guarded, saved, version_asked_for};
use crate::site::Shared;

/// Settings of an older version.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Migration {
    /// A settings document, nested or flat.
    document: Value,
    /// Keys, as they are after the migration, to do without.
    #[serde(default)]
    leave_out: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct MigrationQuery {
    #[serde(default)]
    dry_run: bool,
}

/// What a migration did or, in a dry run, would do.
#[derive(Serialize, JsonSchema)]
struct MigrationView {
    /// The version of the settings in force.
    version: u64,
    saved: bool,
    notes: Vec<MigrationNote>,
    /// Values that are other than before.
    changes: Vec<SettingChange>,
    /// What was not understood or cannot be used, and is left out; the rest is taken.
    problems: Vec<SettingError>,
}

#[derive(Serialize, JsonSchema)]
struct SettingChange {
    key: String,
    #[schemars(with = "KnobValue")]
    from: Value,
    #[schemars(with = "KnobValue")]
    to: Value,
}

/// Import settings of an older version.
///
/// Old keys are brought up to date, then all values are laid over the saved ones: keys that the document does not
/// name stay as they are. What is not understood is listed and left out. With `dryRun=true` nothing is saved.
#[utoipa::path(
    post, path = "/api/settings/migrate", tag = "settings",
    params(
        ("dryRun" = Option<bool>, Query, description = "Only say what would be done", example = true),
        ("If-Match" = Option<String>, Header, description = "The version it is based on, as the ETag of GET /api/settings gave it; not needed for a dry run", example = "\"3\""),
    ),
    request_body(content = ref(question::<Migration>()), example = json!({
        "document": {"voice": {"streamWatch": {"brainContextMode": "direct", "directMinIntervalSeconds": 2}}}, "leaveOut": []
    })),
    responses(
        (status = 200, description = "What became of each old key, and which values change", body = ref(answer::<MigrationView>()), example = json!({
            "version": 4, "saved": true,
            "notes": [{"oldKey": "voice.streamWatch.directMinIntervalSeconds", "newKeys": ["voice.streamWatch.commentaryIntervalSeconds"],
                "remark": "the key has a new name; 2 became 5, since it takes a whole number from 5 to 120"}],
            "changes": [{"key": "voice.streamWatch.commentaryIntervalSeconds", "from": 15, "to": 5}], "problems": []
        })),
        (status = 409, description = "`stale_settings`: somebody else changed them meanwhile", body = ref(refusal()),
            example = json!({"error": {"code": "stale_settings", "message": "The settings were changed meanwhile: you have version 3, the newest is 4. Read them again and repeat the change.", "newestVersion": 4}})),
        (status = 422, description = "`invalid_settings`: what was saved before is wrong by itself. `not_a_document`: not an object", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_settings", "message": "Nothing was changed, because of voice.volume. The details say what each of them takes.",
                "details": [{"key": "voice.volume", "problem": "there is no such setting", "remedy": "`denizen settings list` shows every key"}]}})),
        (status = 428, description = "`version_required`: the If-Match header is missing", body = ref(refusal()),
            example = json!({"error": {"code": "version_required", "message": "Say which version the change is based on: send the ETag of GET /api/settings as the header If-Match."}})),
    )
)]
pub(crate) async fn migrate_settings(
    State(shared): State<Shared>,
    InQuery(query): InQuery<MigrationQuery>,
    headers: HeaderMap,
    SmallJson(body): SmallJson<Migration>,
) -> Result<Response, Refusal> {
    let old = Document::from_value(body.document)
        .map_err(|problem| Refusal::unprocessable("not_a_document", sentence(&problem.to_string())))?;
    let (mut migrated, notes) = settings::migrate(&old);
    for key in &body.leave_out {
        migrated.reset(key);
    }
    let saved = saved(&shared).await?;
    let mut problems = problems(&shared, &saved.layers, &migrated);
    problems.extend(guarded(&saved.layers.effective(), &values(&migrated)));
    for problem in &problems {
        migrated.reset(&problem.key);
    }
    let changes = changes(&saved.layers.effective(), &migrated);
    let mut view = MigrationView {
        version: saved.version(),
        saved: false,
        notes,
        changes,
        problems,
    };
    if !query.dry_run {
        let based_on = version_asked_for(&headers)?;
        let in_force = change(&shared, based_on, values(&migrated)).await?;
        view.version = in_force.saved.version;
        view.saved = true;
    }
    let about = [
        (header::ETAG, format!("\"{}\"", view.version)),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((about, Json(view)).into_response())
}

fn values(document: &Document) -> Vec<(String, Option<Value>)> {
    document
        .iter()
        .map(|(key, value)| (key.clone(), Some(value.clone())))
        .collect()
}

/// What of the document is wrong once it is laid over the settings of the community's layer.
fn problems(shared: &Shared, layers: &Layers, migrated: &Document) -> Vec<SettingError> {
    let is_home = shared.is_home();
    let below = if is_home { &layers.base } else { &layers.own };
    let read = |document: &Document| {
        let mut layers = layers.clone();
        *(if is_home {
            &mut layers.base
        } else {
            &mut layers.own
        }) = document.clone();
        layers.read(shared.community.id().as_str()).map(|_| ())
    };
    take_what_fits(below, migrated.clone(), read).1
}

/// The knobs whose value will be another.
fn changes(saved: &Document, migrated: &Document) -> Vec<SettingChange> {
    let mut changes = Vec::new();
    for knob in Settings::knobs() {
        let Some(to) = migrated.get(&knob.key) else {
            continue;
        };
        let from = saved.get(&knob.key).unwrap_or(&knob.default);
        if from != to {
            changes.push(SettingChange {
                key: knob.key.clone(),
                from: from.clone(),
                to: to.clone(),
            });
        }
    }
    changes
}
