//! Questions of other agents to memory.

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use runtime::memory::Question;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vocabulary::{Found, Kinds};

use super::check;
use super::scope::{AgentView, NAME_CHARS_MAX, QUERY_CHARS_MAX, host_of, kinds, person_id, reach_in};
use crate::body::SmallJson;
use crate::memory::access::memory_in_use;
use crate::openapi::{answer, question, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

const FOUND_USUAL: usize = 10;
const FOUND_MAX: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RecallQuestion {
    /// A question or plain words.
    #[schemars(length(min = 1, max = 1000))]
    query: String,
    #[serde(default)]
    scope: AgentView,
    /// Only what is about or by this person: an id, or a name of the community.
    person: Option<String>,
    /// `gems`, `turns` or `both` (without it).
    kinds: Option<String>,
    /// 10 without it.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<usize>,
    /// How sure a match must be; `memory.minConfidence` without it.
    #[schemars(range(min = 0.0, max = 1.0))]
    min_confidence: Option<f64>,
    /// Also what does not hold any more.
    #[serde(default)]
    superseded: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecallAnswer {
    found: Vec<Found>,
    took_ms: u64,
    /// How many more there were that are too unsure.
    below_threshold: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<String>,
}

/// Ask memory a question.
///
/// Best first, each with how sure the match is and why. Only what the scope may see: without one, whatever agents told
/// in the open. An empty answer means that nothing known fits well enough.
#[utoipa::path(
    post, path = "/v1/recall", tag = "agents",
    request_body(content = ref(question::<RecallQuestion>()), example = json!({"query": "What can Alice not eat?", "person": "Alice", "limit": 5})),
    responses(
        (status = 200, description = "What fits, best first", body = ref(answer::<RecallAnswer>())),
        (status = 404, description = "`unknown_community`: the scope names one that is not here", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_community", "message": "There is no community “team-blue” here. The communities are: local. Add it with `denizen community add` or POST /api/communities, or leave scope.community out."}})),
        (status = 422, description = "`invalid_field` or `unknown_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_field", "message": "limit is 99, and it must be from 1 to 50. Give a number in that range."}})),
        (status = 503, description = "`memory_off`, `memory_unreachable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_unreachable", "message": "Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded."}})),
    )
)]
pub(crate) async fn recall(
    State(shared): State<Shared>,
    SmallJson(asked): SmallJson<RecallQuestion>,
) -> Result<Json<RecallAnswer>, Refusal> {
    let hosted = host_of(&shared.site.town, &asked.scope.community()?)?;
    let service = memory_in_use(&hosted.handle)?;
    let settings = hosted.handle.in_force().settings;
    let threshold = asked.min_confidence.unwrap_or(settings.memory.min_confidence);
    check::share("minConfidence", threshold)?;
    let question = asked.read(reach_in(&settings))?;
    let started = Instant::now();
    let recalled = service.records().recall(&question).await?;
    let all = recalled.found.len();
    let mut found = recalled.found;
    found.retain(|found| found.scores.confidence >= threshold);
    Ok(Json(RecallAnswer {
        below_threshold: all - found.len(),
        found,
        took_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        remark: recalled
            .by_words_only
            .map(|why| format!("Searched by words alone: {why}")),
    }))
}

impl RecallQuestion {
    fn read(self, reach: vocabulary::Reach) -> Result<Question, Refusal> {
        check::text("query", &self.query, QUERY_CHARS_MAX)?;
        let limit = self.limit.unwrap_or(FOUND_USUAL);
        if !(1..=FOUND_MAX).contains(&limit) {
            return Err(check::refuse(
                "limit",
                &format!("is {limit}, and it must be from 1 to {FOUND_MAX}"),
                "Give a number in that range.",
            ));
        }
        let person = match &self.person {
            Some(given) => {
                check::person("person", given, NAME_CHARS_MAX)?;
                Some(person_id(given, &self.scope.community()?))
            }
            None => None,
        };
        Ok(Question {
            view: self.scope.viewpoint(reach, person.as_ref())?,
            words: self.query,
            person,
            kinds: self.kinds.as_deref().map_or(Ok(Kinds::Both), kinds)?,
            exclude: Vec::new(),
            superseded: self.superseded,
            limit,
        })
    }
}
