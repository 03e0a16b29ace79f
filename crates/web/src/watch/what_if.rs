//! When a screen would have been looked at with other settings: the mind's own rules over what was just seen.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use explain::what_if::{PastFrame, WhatIf, what_if};
use mind::watch::view::MarkKind;
use runtime::SettingsRefused;
use runtime::screens::Sample;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use settings::{Settings, StreamWatchSettings};
use vocabulary::{Moment, WallTime};

use super::view::look;
use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// Settings to try out, by full key, over those in force; `null` takes a key back to its default.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TriedSettings {
    #[serde(default)]
    changes: BTreeMap<String, Value>,
}

/// Try settings out on what was just seen.
///
/// When notes would have been taken of the frames of the last ten minutes. Nothing is saved, and no model is asked.
#[utoipa::path(
    post, path = "/api/rooms/{room}/watch/what-if", tag = "watch",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    request_body(content = ref(question::<TriedSettings>()), example = json!({"changes": {"voice.streamWatch.changeThreshold": 0.02}})),
    responses(
        (status = 200, description = "What would have been done", body = ref(answer::<WhatIf>()), example = json!({
            "looks": [{"at": 1763000090000_u64, "trigger": "scene_cut", "frame": 198}], "lines": []
        })),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 422, description = "`invalid_settings`, `unknown_field` or `invalid_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_settings", "message": "Nothing was changed, because of voice.streamWatch.staticFloor. The details say what each of them takes.",
                "details": [{"key": "voice.streamWatch.staticFloor", "problem": "7 is out of range", "remedy": "Give a number from 0 to 1"}]}})),
    )
)]
pub(crate) async fn try_settings(
    State(shared): State<Shared>,
    InPath(room): InPath<String>,
    SmallJson(tried): SmallJson<TriedSettings>,
) -> Result<Json<WhatIf>, Refusal> {
    let room = shared.room(&room)?.clone();
    let settings = tried.over(&shared)?;
    let samples = shared.handle().screens().samples(&room, None);
    let marks = look(&shared, room)
        .await?
        .map(|view| view.marks)
        .unwrap_or_default();
    let starts: Vec<WallTime> = marks
        .iter()
        .filter(|mark| mark.kind == MarkKind::WatchStarted)
        .map(|mark| mark.at)
        .collect();
    let frames = frames(&samples, &starts);
    let until = moment(runtime::wall());
    Ok(Json(what_if(&frames, until, &settings)))
}

impl TriedSettings {
    /// The settings in force with these over them.
    fn over(self, shared: &Shared) -> Result<StreamWatchSettings, Refusal> {
        let mut document = shared.handle().in_force().saved.document;
        for (key, value) in self.changes {
            if value.is_null() {
                document.reset(&key);
            } else {
                document.set(key, value);
            }
        }
        let settings = Settings::read(&document).map_err(SettingsRefused::Invalid)?;
        Ok(settings.stream_watch)
    }
}

fn frames(samples: &[Sample], starts: &[WallTime]) -> Vec<PastFrame> {
    let mut before = WallTime(i64::MIN);
    let frame = |sample: &Sample| {
        let begins_watch = starts.iter().any(|start| *start > before && *start <= sample.at);
        before = sample.at;
        PastFrame {
            at: moment(sample.at),
            frame: sample.glimpse.frame,
            change: sample.glimpse.change,
            begins_watch,
        }
    };
    samples.iter().map(frame).collect()
}

/// Only differences count here, so that the clock of people will do.
fn moment(at: WallTime) -> Moment {
    Moment(u64::try_from(at.0).unwrap_or(0))
}
