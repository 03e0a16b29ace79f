//! The runs in which gems were made of turns, as the journal tells them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use mind::memory::triggers::ExtractionTrigger;
use mind::{JournalEntry, JournalEvent};
use runtime::ports::JournalQuery;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use vocabulary::{AskId, ExtractionId, RoomId, SessionId, WallTime};

use crate::openapi::{answer, refusal};
use crate::parameters::{InQuery, limit};
use crate::refusal::Refusal;
use crate::site::Shared;

const RUNS_USUAL: usize = 50;
const RUNS_MAX: usize = 200;
/// Lines that a run may have of a kind: it can fail and be tried again.
const LINES_A_RUN: usize = 4;
const STARTED: &str = "memory_extraction_started";
const LATER: [&str; 5] = [
    "memory_extraction_completed",
    "memory_extraction_failed",
    "memory_extraction_dropped",
    "memory_gems_stored",
    "memory_storing_failed",
];

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RunsQuery {
    /// How many, 1 to 200; usually 50.
    limit: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct MemoryRuns {
    runs: Vec<MemoryRun>,
}

/// One run in which gems were made of turns.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MemoryRun {
    extraction: ExtractionId,
    session: SessionId,
    #[serde(skip_serializing_if = "Option::is_none")]
    room: Option<RoomId>,
    /// `turn_end`, `idle`, `context`, `session_end`, `new` or `reset`.
    reason: ExtractionTrigger,
    /// Unix milliseconds.
    started_at: WallTime,
    turns: usize,
    /// `under_way`, `storing`, `stored`, `failed`, or `dropped`: it ended without gems, and what is left of its turns is
    /// read by another one.
    state: &'static str,
    /// The model call.
    #[serde(skip_serializing_if = "Option::is_none")]
    ask: Option<AskId>,
    /// Who read the turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    gems: usize,
    added: usize,
    strengthened: usize,
    superseded: usize,
    already_there: usize,
    rejected: Vec<RejectedGems>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// Milliseconds from the start to the newest line.
    #[serde(skip_serializing_if = "Option::is_none")]
    took: Option<i64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RejectedGems {
    reason: String,
    count: usize,
}

/// List the runs in which gems were made.
///
/// Newest first: what started each, who read the turns, what came of it, and what was rejected and why.
#[utoipa::path(
    get, path = "/api/memory/runs", tag = "memory", params(RunsQuery),
    responses(
        (status = 200, description = "Runs, newest first", body = ref(answer::<MemoryRuns>()), example = json!({"runs": [{
            "extraction": 4, "session": "local/lounge/2026-02-23", "room": "lounge", "reason": "turn_end", "startedAt": 1763000000000_u64,
            "turns": 5, "state": "stored", "ask": 17, "by": "ollama qwen3", "gems": 2, "added": 1, "strengthened": 1, "superseded": 0,
            "alreadyThere": 0, "rejected": [{"reason": "no_source", "count": 1}], "took": 2400
        }]})),
        (status = 400, description = "`bad_query`", body = ref(refusal()),
            example = json!({"error": {"code": "bad_query", "message": "limit=0 is out of range. Give a number from 1 to 200."}})),
    )
)]
pub(crate) async fn runs(
    State(shared): State<Shared>,
    InQuery(query): InQuery<RunsQuery>,
) -> Result<Json<MemoryRuns>, Refusal> {
    let limit = limit(query.limit, RUNS_USUAL, 1..=RUNS_MAX)?;
    let mut lines = newest(&shared, STARTED, limit).await?;
    for name in LATER {
        lines.extend(newest(&shared, name, limit * LINES_A_RUN).await?);
    }
    lines.sort_by_key(|line| line.seq);
    Ok(Json(MemoryRuns {
        runs: gathered(&lines),
    }))
}

async fn newest(shared: &Shared, name: &str, limit: usize) -> Result<Vec<JournalEntry>, Refusal> {
    let handle = shared.handle();
    let asked = JournalQuery {
        name: Some(name.to_owned()),
        newest: true,
        limit,
        ..JournalQuery::default()
    };
    Ok(handle.store().journal(handle.community(), asked).await?)
}

/// Runs out of lines that are in order; newest run first.
fn gathered(lines: &[JournalEntry]) -> Vec<MemoryRun> {
    let mut runs: BTreeMap<ExtractionId, MemoryRun> = BTreeMap::new();
    for line in lines {
        match &line.event {
            JournalEvent::MemoryExtractionStarted {
                extraction,
                session,
                reason,
                turns,
                ..
            } => {
                let run = MemoryRun {
                    extraction: *extraction,
                    session: session.clone(),
                    room: line.scope.room.clone(),
                    reason: *reason,
                    started_at: line.wall,
                    turns: *turns,
                    state: "under_way",
                    ask: None,
                    by: None,
                    gems: 0,
                    added: 0,
                    strengthened: 0,
                    superseded: 0,
                    already_there: 0,
                    rejected: Vec::new(),
                    failure: None,
                    took: None,
                };
                runs.entry(*extraction).or_insert(run);
            }
            other => {
                if let Some(run) = extraction_of(other).and_then(|extraction| runs.get_mut(&extraction)) {
                    run.took = Some(line.wall.0 - run.started_at.0);
                    run.go_on(other);
                }
            }
        }
    }
    let mut runs: Vec<MemoryRun> = runs.into_values().rev().collect();
    // One is under way at a time: an older one that does not say how it ended is of a version that did not tell.
    for older in runs.iter_mut().skip(1) {
        if matches!(older.state, "under_way" | "storing") {
            older.state = "dropped";
        }
    }
    runs
}

fn extraction_of(event: &JournalEvent) -> Option<ExtractionId> {
    match event {
        JournalEvent::MemoryExtractionCompleted { extraction, .. }
        | JournalEvent::MemoryExtractionFailed { extraction, .. }
        | JournalEvent::MemoryExtractionDropped { extraction, .. }
        | JournalEvent::MemoryGemsStored { extraction, .. }
        | JournalEvent::MemoryStoringFailed { extraction, .. } => Some(*extraction),
        _ => None,
    }
}

impl MemoryRun {
    fn go_on(&mut self, event: &JournalEvent) {
        match event {
            JournalEvent::MemoryExtractionCompleted {
                ask,
                by,
                gems,
                rejected,
                ..
            } => {
                self.state = "storing";
                self.ask = ask.or(self.ask);
                self.by = Some(by.clone());
                self.gems = *gems;
                let rejected = rejected.iter();
                self.rejected = rejected
                    .map(|(reason, count)| RejectedGems {
                        reason: reason.clone(),
                        count: *count,
                    })
                    .collect();
            }
            JournalEvent::MemoryExtractionFailed { ask, detail, .. } => {
                self.state = "failed";
                self.ask = ask.or(self.ask);
                self.failure = Some(detail.clone());
            }
            JournalEvent::MemoryGemsStored {
                added,
                strengthened,
                superseded,
                already_there,
                ..
            } => {
                self.state = "stored";
                // Whatever failed before is made good.
                self.failure = None;
                self.added = added.len();
                self.strengthened = strengthened.len();
                self.superseded = superseded.len();
                self.already_there = *already_there;
            }
            JournalEvent::MemoryExtractionDropped { .. } => self.state = "dropped",
            JournalEvent::MemoryStoringFailed { detail, .. } => {
                self.state = "storing";
                self.failure = Some(detail.clone());
            }
            _ => {}
        }
    }
}
