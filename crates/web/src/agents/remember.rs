//! Gems that other agents, or an operator, put in as they are.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use runtime::memory::{GEM_CHARS_MAX, OPERATOR};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vocabulary::{Gem, GemTag};

use super::check;
use super::scope::{
    AgentScope, Defaults, NAME_CHARS_MAX, SESSION_CHARS_MAX, agent_of, host_of, person_id, session_id,
};
use crate::body::SmallJson;
use crate::memory::access::memory_in_use;
use crate::openapi::{answer, question, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

const SUMMARY_CHARS_MAX: usize = 200;
const TOPIC_CHARS_MAX: usize = 60;
const TOPICS_MAX: usize = 12;
/// The session of gems that come from none.
const NO_SESSION: &str = "agents/remembered";

/// One thing to remember.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewGem {
    /// A sentence that stands alone.
    #[schemars(length(min = 1, max = 2000))]
    content: String,
    #[schemars(length(max = 200))]
    summary: Option<String>,
    #[serde(default)]
    #[schemars(length(max = 12))]
    topics: Vec<String>,
    /// 0.5 without it.
    #[schemars(range(min = 0.0, max = 1.0))]
    importance: Option<f64>,
    /// Some of `decision`, `fact`, `preference`, `todo` and `code`; `fact` without it.
    #[serde(default)]
    tags: Vec<String>,
    /// Whom it is about: an id, or a name of the community.
    person: Option<String>,
    #[serde(default)]
    scope: AgentScope,
    /// The conversation it comes from.
    #[schemars(length(max = 200))]
    session: Option<String>,
}

/// Who puts a gem in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Author {
    Operator,
    /// Whoever the session belongs to.
    Agent,
}

/// A gem as it is kept now.
#[derive(Serialize, JsonSchema)]
pub(crate) struct GemOnly {
    pub(crate) gem: Gem,
}

/// Remember one thing.
///
/// Durable when it answers; the same content of the same session again is the same gem. Secrets are taken out, and what
/// tries to instruct the reader is kept as a claim.
#[utoipa::path(
    post, path = "/v1/gems", tag = "agents",
    request_body(content = ref(question::<NewGem>()), example = json!({"content": "Alice is allergic to walnuts.", "person": "Alice", "tags": ["fact"], "importance": 0.9, "session": "my-agent/42"})),
    responses(
        (status = 201, description = "Remembered, and durable", body = ref(answer::<GemOnly>())),
        (status = 404, description = "`unknown_community`: the scope names one that is not here", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_community", "message": "There is no community “team-blue” here. The communities are: local. Add it with `denizen community add` or POST /api/communities, or leave scope.community out."}})),
        (status = 422, description = "`invalid_field`, `unknown_field` or `memory_refused`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_field", "message": "importance is 7, and it must be from 0 to 1. Give a number in that range."}})),
        (status = 503, description = "`memory_off`, `memory_unreachable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_off", "message": "Memory is switched off, so nothing is captured and nothing is recalled. Set memory.enabled to true."}})),
    )
)]
pub(crate) async fn remember(
    State(shared): State<Shared>,
    SmallJson(new): SmallJson<NewGem>,
) -> Result<(StatusCode, Json<GemOnly>), Refusal> {
    let hosted = host_of(&shared.site.town, &new.scope.community()?)?;
    let service = memory_in_use(&hosted.handle)?;
    let defaults = Defaults::of_agents(&hosted.handle.in_force().settings);
    let gem = service
        .records()
        .remember(new.read(&defaults, Author::Agent)?)
        .await?;
    Ok((StatusCode::CREATED, Json(GemOnly { gem })))
}

impl NewGem {
    pub fn read(self, defaults: &Defaults, author: Author) -> Result<runtime::memory::NewGem, Refusal> {
        check::text("content", &self.content, GEM_CHARS_MAX)?;
        if let Some(summary) = &self.summary {
            check::text("summary", summary, SUMMARY_CHARS_MAX)?;
        }
        check::count("topics", self.topics.len(), TOPICS_MAX)?;
        for topic in &self.topics {
            check::text("topics", topic, TOPIC_CHARS_MAX)?;
        }
        if let Some(importance) = self.importance {
            check::share("importance", importance)?;
        }
        let session = self.session.as_deref().unwrap_or(NO_SESSION);
        check::name("session", session, SESSION_CHARS_MAX)?;
        let place = self.scope.place(session, defaults)?;
        let (person, person_name) = match &self.person {
            Some(given) => {
                check::person("person", given, NAME_CHARS_MAX)?;
                let name = given.rsplit(':').next().unwrap_or(given).trim();
                (Some(person_id(given, &place.community)), name.to_owned())
            }
            None => (None, String::new()),
        };
        let made_by = match author {
            Author::Operator => OPERATOR.to_owned(),
            Author::Agent => signature(agent_of(session)),
        };
        Ok(runtime::memory::NewGem {
            tags: tags(&self.tags)?,
            session: session_id(session, &place.community),
            content: self.content,
            summary: self.summary,
            topics: self.topics,
            importance: self.importance,
            person,
            person_name,
            place,
            standing: false,
            made_by,
        })
    }
}

/// Who made it. No agent passes for the operator, whose word is not looked at for planted orders, or for the patterns.
fn signature(agent: &str) -> String {
    match agent.to_lowercase().as_str() {
        OPERATOR | "offline" => format!("agent:{agent}"),
        _ => agent.to_owned(),
    }
}

fn tags(given: &[String]) -> Result<Vec<GemTag>, Refusal> {
    let mut tags = Vec::new();
    for name in given {
        let tag = GemTag::named(name).ok_or_else(|| {
            let known: Vec<&str> = GemTag::ALL.iter().map(|tag| tag.name()).collect();
            let remedy = format!("Give some of {}.", known.join(", "));
            check::refuse("tags", &format!("has “{name}”, which is none"), &remedy)
        })?;
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    Ok(tags)
}
