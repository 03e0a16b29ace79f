//! Turns of other agents' conversations: taken in durably, once each.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use gist::gems::redaction::redact;
use mind::memory::triggers::ContextUse;
use mind::{Input, MemoryEvent};
use runtime::ports::MemoryFault;
use runtime::wall;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, Place, SessionId, TurnKey, TurnKind, WallTime, rfc3339,
};

use super::check;
use super::scope::{AgentScope, Defaults, NAME_CHARS_MAX, SESSION_CHARS_MAX, host_of, person_id, session_id};
use crate::body::WideJson;
use crate::memory::access::memory_in_use;
use crate::openapi::{answer, question, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

const TURNS_MAX: usize = 100;
const TEXT_CHARS_MAX: usize = 20_000;
const ID_CHARS_MAX: usize = 100;
/// A clock that is ahead by more than this is wrong.
const AHEAD_MS_MAX: i64 = 24 * 3_600_000;

/// Turns of one conversation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewTurns {
    /// The conversation, by a name of the agent's own: `my-agent/42`.
    #[schemars(length(min = 1, max = 200), example = &"my-agent/42")]
    session: String,
    /// May be empty where `ended` or `contextUsage` is said.
    #[serde(default)]
    #[schemars(length(max = 100))]
    turns: Vec<NewTurn>,
    #[serde(default)]
    scope: AgentScope,
    context_usage: Option<ContextUsage>,
    /// The conversation is over: gems are made of what waits.
    #[serde(default)]
    ended: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewTurn {
    /// An id of the agent's own, unique within the session: the turn is taken once, however often it is sent.
    #[schemars(length(max = 100))]
    id: Option<String>,
    speaker: Speaker,
    #[schemars(length(min = 1, max = 20000))]
    text: String,
    /// A time like `2026-02-23T15:26:00Z`, or Unix milliseconds; now without it.
    at: Option<Value>,
    /// `typed` (without it), `spoken`, `ambient` or `screen_note`.
    kind: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Speaker {
    /// Whoever has the same id is the same person; the name is taken without it. One with a colon is taken as it is, any
    /// other belongs to the community.
    id: Option<String>,
    #[schemars(length(min = 1, max = 100), example = &"Alice")]
    name: String,
    /// `person` (without it) or `agent`.
    kind: Option<String>,
}

/// How full the agent's own context is: tokens and window, or a per cent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ContextUsage {
    tokens: Option<u64>,
    context_window: Option<u64>,
    #[schemars(range(min = 0.0, max = 100.0))]
    percent: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct TurnsAnswer {
    /// Turns that are new.
    accepted: usize,
    /// Turns that were taken in before.
    repeated: usize,
    /// The conversation as memory calls it.
    session: SessionId,
    /// The turns as memory calls them, in order.
    ids: Vec<TurnKey>,
}

/// Hand over turns of a conversation.
///
/// Durable when it answers; gems are made of them later, after 5 turns, after 15 idle minutes, once the context fills up,
/// or when the conversation ends. A turn with an id of its own is taken once, however often it is sent.
#[utoipa::path(
    post, path = "/v1/turns", tag = "agents",
    request_body(content = ref(question::<NewTurns>()), example = json!({
        "session": "my-agent/42",
        "turns": [
            {"id": "17", "speaker": {"name": "Alice"}, "text": "Please never put walnuts into anything for me.", "at": "2026-02-23T15:26:00Z"},
            {"id": "18", "speaker": {"name": "my-agent", "kind": "agent"}, "text": "Noted: no walnuts."}
        ],
        "contextUsage": {"tokens": 61000, "contextWindow": 200000}
    })),
    responses(
        (status = 201, description = "Taken in, and durable", body = ref(answer::<TurnsAnswer>()), example = json!({
            "accepted": 2, "repeated": 0, "session": "agent:agents/my-agent/42", "ids": ["agent:agents/my-agent/42:17", "agent:agents/my-agent/42:18"]
        })),
        (status = 200, description = "Nothing new: every turn was taken in before", body = ref(answer::<TurnsAnswer>())),
        (status = 404, description = "`unknown_community`: the scope names one that is not here", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_community", "message": "There is no community “team-blue” here. The communities are: local. Add it with `denizen community add` or POST /api/communities, or leave scope.community out."}})),
        (status = 422, description = "`invalid_field` or `unknown_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_field", "message": "turns[0].text is empty. Give 1 to 20000 characters."}})),
        (status = 503, description = "`memory_off`, `memory_unreachable` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "memory_off", "message": "Memory is switched off, so nothing is captured and nothing is recalled. Set memory.enabled to true."}})),
    )
)]
pub(crate) async fn take_turns(
    State(shared): State<Shared>,
    WideJson { value: new, .. }: WideJson<NewTurns>,
) -> Result<(StatusCode, Json<TurnsAnswer>), Refusal> {
    let hosted = host_of(&shared.site.town, &new.scope.community()?)?;
    let (handle, service) = (&hosted.handle, memory_in_use(&hosted.handle)?);
    let context = new.context_usage.as_ref().map(ContextUsage::read).transpose()?;
    let defaults = Defaults::of_agents(&handle.in_force().settings);
    let (session, turns) = new.read(context.is_some(), &defaults)?;
    let ids: Vec<TurnKey> = turns.iter().map(|turn| turn.id.clone()).collect();
    let known = match service.records().turns_of(&ids).await {
        Ok(turns) => turns.into_iter().map(|turn| turn.id).collect(),
        // What waits is kept in the buffer: turns are taken in while the store is away, and sorted out when it is back.
        Err(MemoryFault::Unreachable { .. }) => BTreeSet::new(),
        Err(fault) => return Err(fault.into()),
    };
    let mut seen: BTreeSet<TurnKey> = known;
    let fresh: Vec<CapturedTurn> = turns
        .into_iter()
        .filter(|turn| seen.insert(turn.id.clone()))
        .collect();
    if !fresh.is_empty() {
        service.intake().capture(&fresh).await?;
    }
    // The turns are safe by now: what else is told only decides when gems are made of them, so that it may be lost, and a
    // caller who is told of a failure would send the turns again.
    let used = context.map(|context| MemoryEvent::ContextUsed {
        session: session.clone(),
        context,
    });
    let ended = new.ended.then(|| MemoryEvent::ConversationEnded {
        session: session.clone(),
    });
    for event in [used, ended].into_iter().flatten() {
        if let Err(problem) = handle.accept(Input::Memory(event)).await {
            tracing::warn!(%problem, %session, "what an agent said of its conversation is lost; its turns are safe");
        }
    }
    let status = if fresh.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    let answer = TurnsAnswer {
        accepted: fresh.len(),
        repeated: ids.len() - fresh.len(),
        session,
        ids,
    };
    Ok((status, Json(answer)))
}

impl NewTurns {
    fn read(&self, says_more: bool, defaults: &Defaults) -> Result<(SessionId, Vec<CapturedTurn>), Refusal> {
        check::name("session", &self.session, SESSION_CHARS_MAX)?;
        if self.turns.is_empty() && !self.ended && !says_more {
            return Err(check::refuse(
                "turns",
                "is empty",
                &format!("Give 1 to {TURNS_MAX}, or say ended or contextUsage."),
            ));
        }
        check::count("turns", self.turns.len(), TURNS_MAX)?;
        let place = self.scope.place(&self.session, defaults)?;
        let session = session_id(&self.session, &place.community);
        let here = Here {
            place: &place,
            session: &session,
            now: wall(),
        };
        let turns = self
            .turns
            .iter()
            .enumerate()
            .map(|(index, turn)| turn.read(index, &here));
        let turns = turns.collect::<Result<_, _>>()?;
        Ok((session, turns))
    }
}

struct Here<'a> {
    place: &'a Place,
    session: &'a SessionId,
    now: WallTime,
}

impl NewTurn {
    fn read(&self, index: usize, here: &Here<'_>) -> Result<CapturedTurn, Refusal> {
        let field = |name: &str| format!("turns[{index}].{name}");
        check::text(&field("text"), &self.text, TEXT_CHARS_MAX)?;
        let id = match &self.id {
            Some(id) => {
                check::name(&field("id"), id, ID_CHARS_MAX)?;
                id.clone()
            }
            None => Uuid::now_v7().to_string(),
        };
        Ok(CapturedTurn {
            id: TurnKey::new(format!("{}:{id}", here.session)),
            place: here.place.clone(),
            session: here.session.clone(),
            number: 0,
            speaker: self.speaker.read(index, &here.place.community)?,
            kind: self
                .kind
                .as_deref()
                .map_or(Ok(TurnKind::Typed), |kind| kind_named(&field("kind"), kind))?,
            text: redact(&self.text).text,
            at: self
                .at
                .as_ref()
                .map_or(Ok(here.now), |at| time(&field("at"), at, here.now))?,
        })
    }
}

impl Speaker {
    fn read(&self, index: usize, community: &CommunityId) -> Result<Author, Refusal> {
        let field = |name: &str| format!("turns[{index}].speaker.{name}");
        check::person(&field("name"), &self.name, NAME_CHARS_MAX)?;
        if let Some(id) = &self.id {
            check::person(&field("id"), id, NAME_CHARS_MAX)?;
        }
        let kind = match self.kind.as_deref() {
            None | Some("person") => AuthorKind::Person,
            Some("agent") => AuthorKind::OtherBot,
            Some(other) => {
                let problem = format!("is “{other}”");
                return Err(check::refuse(&field("kind"), &problem, "Give person or agent."));
            }
        };
        Ok(Author {
            id: person_id(self.id.as_deref().unwrap_or(&self.name), community),
            name: self.name.split_whitespace().collect::<Vec<_>>().join(" "),
            kind,
        })
    }
}

impl ContextUsage {
    fn read(&self) -> Result<ContextUse, Refusal> {
        match (self.tokens, self.context_window, self.percent) {
            (Some(tokens), Some(window), None) if window > 0 => Ok(ContextUse { tokens, window }),
            (Some(_), Some(_), None) => Err(check::refuse(
                "contextUsage.contextWindow",
                "is 0",
                "Give the size of the model's window in tokens.",
            )),
            (None, None, Some(percent)) if (0.0..=100.0).contains(&percent) => Ok(ContextUse {
                // Hundredths of a per cent are fine enough.
                tokens: (percent * 100.0).round() as u64,
                window: 10_000,
            }),
            (None, None, Some(percent)) => Err(check::refuse(
                "contextUsage.percent",
                &format!("is {percent}, and it must be from 0 to 100"),
                "Give a number in that range.",
            )),
            _ => Err(check::refuse(
                "contextUsage",
                "is incomplete",
                "Give tokens and contextWindow together, or percent alone.",
            )),
        }
    }
}

fn kind_named(field: &str, name: &str) -> Result<TurnKind, Refusal> {
    match name {
        "typed" => Ok(TurnKind::Typed),
        "spoken" => Ok(TurnKind::Spoken),
        "ambient" => Ok(TurnKind::Ambient),
        "screen_note" => Ok(TurnKind::ScreenNote),
        other => Err(check::refuse(
            field,
            &format!("is “{other}”"),
            "Give typed, spoken, ambient or screen_note.",
        )),
    }
}

/// Milliseconds, or a time as people write it.
fn time(field: &str, given: &Value, now: WallTime) -> Result<WallTime, Refusal> {
    let read = match given {
        Value::Number(number) => number.as_i64().map(WallTime),
        Value::String(text) => rfc3339::parse(text),
        _ => None,
    };
    let sensible = read.filter(|at| at.0 > 0 && at.0 <= now.0 + AHEAD_MS_MAX);
    sensible.ok_or_else(|| {
        let problem = if read.is_some() {
            "is before 1970 or in the future"
        } else {
            "is no time"
        };
        check::refuse(
            field,
            &format!("is {given}, which {problem}"),
            "Give a time like 2026-02-23T15:26:00Z, or Unix milliseconds.",
        )
    })
}
