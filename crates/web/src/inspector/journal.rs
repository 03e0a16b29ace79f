//! The journal, and what its lines mean.

use axum::Json;
use axum::extract::State;
use mind::JournalEntry;
use mind::journal::{EventDoc, event_docs};
use runtime::ports::JournalQuery;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use vocabulary::{JournalSeq, RoomId};

use crate::openapi::{answer, refusal};
use crate::parameters::{InQuery, limit};
use crate::refusal::Refusal;
use crate::site::Shared;

const LINES_USUAL: usize = 200;
const LINES_MAX: usize = 1_000;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LinesQuery {
    /// Only lines with a greater number.
    #[serde(default)]
    #[param(required = false)]
    after: u64,
    /// Only lines about this room.
    room: Option<String>,
    /// Only lines of this name; GET /api/journal/events lists them.
    #[param(example = "reply_skipped")]
    name: Option<String>,
    /// How many, 1 to 1000; usually 200.
    limit: Option<usize>,
    /// The newest lines instead of the oldest after `after`; in ascending order all the same.
    #[serde(default)]
    #[param(required = false)]
    newest: bool,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct JournalPage {
    entries: Vec<JournalEntry>,
    /// What to give as `after` for the lines that follow.
    next: JournalSeq,
}

/// Read the journal.
///
/// Every decision is a line. `next` is what to give as `after` for the lines that follow.
#[utoipa::path(
    get, path = "/api/journal", tag = "inspector",
    params(LinesQuery),
    responses(
        (status = 200, description = "JournalPage in order", body = ref(answer::<JournalPage>()), example = json!({"entries": [{
            "seq": 7, "moment": 1200, "wall": 1763000000000_u64, "community": "local", "room": "lounge", "turn": 2, "cause": 6,
            "messages": ["alice-000017"], "name": "reply_skipped", "data": {"reason": "llm_skip", "detail": ""}
        }], "next": 7})),
        (status = 400, description = "`bad_query` or `unknown_event`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_event", "message": "No journal line is named “reply”. GET /api/journal/events lists them all."}})),
    )
)]
pub(crate) async fn journal(
    State(shared): State<Shared>,
    InQuery(query): InQuery<LinesQuery>,
) -> Result<Json<JournalPage>, Refusal> {
    let handle = shared.handle();
    let name = query.name.filter(|name| !name.is_empty());
    if let Some(name) = name
        .as_deref()
        .filter(|name| event_docs().iter().all(|doc| doc.name != *name))
    {
        return Err(Refusal::bad_request(
            "unknown_event",
            format!("No journal line is named “{name}”. GET /api/journal/events lists them all."),
        ));
    }
    let asked = JournalQuery {
        after: JournalSeq(query.after),
        room: query.room.filter(|room| !room.is_empty()).map(RoomId::new),
        name,
        limit: limit(query.limit, LINES_USUAL, 1..=LINES_MAX)?,
        newest: query.newest,
    };
    let entries = handle.store().journal(handle.community(), asked).await?;
    let next = entries.last().map_or(JournalSeq(query.after), |entry| entry.seq);
    Ok(Json(JournalPage { entries, next }))
}

/// Every kind of journal line.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EventDocs {
    events: Vec<EventDoc>,
}

/// Read what each kind of journal line means.
#[utoipa::path(
    get, path = "/api/journal/events", tag = "inspector",
    responses((status = 200, description = "Every kind of line", body = ref(answer::<EventDocs>()), example = json!({"events": [
        {"name": "reply_skipped", "meaning": "No reply was made, and this is why.", "fields": ["reason", "detail"]}
    ]})))
)]
pub(crate) async fn journal_events() -> Json<EventDocs> {
    Json(EventDocs {
        events: event_docs().to_vec(),
    })
}
