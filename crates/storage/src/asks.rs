//! Model calls: what each was given and what it gave, for the context inspector.

use runtime::ports::{AskEnding, AskFilter, AskRecord, AskSummary, AskTotals, KeptInstead};
use rusqlite::{Connection, Row, params};
use vocabulary::{AskFailure, AskFailureKind, AskId, AskOutcome, CommunityId, RoomId, TurnId, WallTime};

use crate::community::{self, Key, Numbers, Used};
use crate::fault::Fault;
use crate::number::{bounded, counted, stored};
use crate::packed;

/// Asks in one list at most.
const LIST_MAX: usize = 1_000;
const UNDER_WAY: &str = "under_way";

/// Keeps an ask as it starts; one that is started again begins anew.
pub(crate) fn start(connection: &Connection, record: &AskRecord, numbers: &mut Numbers) -> Result<(), Fault> {
    let key = community::find_or_add(connection, &record.community)?;
    let request = serde_json::to_string(&record.request).map_err(Fault::json("a model request"))?;
    let sent = Sent::new(&request, &record.raw_request);
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO asks (community, ask, room, turn, started_at, purpose, provider,
                 model, previous, size, state, url, request, raw_request, packed, raw_response)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?
        .execute(params![
            key.0,
            stored(record.ask.0),
            record.room.as_str(),
            stored(record.turn.0),
            record.started_at.0,
            record.request.purpose.name(),
            record.provider,
            record.model,
            record.previous.map(|ask| stored(ask.0)),
            sent.size() + size(&record.raw_response),
            UNDER_WAY,
            record.url,
            sent.request,
            sent.raw_request,
            sent.packed,
            record.raw_response,
        ])?;
    numbers.note(key, Used::by_ask(record.ask, record.turn));
    match &record.outcome {
        Some(outcome) => complete(connection, key, record.ask, outcome, None, &record.raw_response),
        None => Ok(()),
    }
}

/// What was asked, as it is kept: packed together where it is long.
struct Sent<'a> {
    request: &'a str,
    raw_request: &'a str,
    packed: Option<Vec<u8>>,
}

impl<'a> Sent<'a> {
    fn new(request: &'a str, raw_request: &'a str) -> Self {
        let packed = packed::pack(&[request, raw_request]);
        let (request, raw_request) = if packed.is_some() {
            ("", "")
        } else {
            (request, raw_request)
        };
        Self {
            request,
            raw_request,
            packed,
        }
    }

    fn size(&self) -> i64 {
        let packed = self.packed.as_ref().map_or(0, Vec::len);
        size(self.request) + size(self.raw_request) + stored(packed as u64)
    }
}

/// The request and its body, of three columns: as they are, or packed.
pub(crate) fn sent(row: &Row<'_>, first: usize) -> Result<[String; 2], Fault> {
    match packed::column(row, first + 2)? {
        Some(bytes) => packed::unpack(bytes).map_err(Fault::Told),
        None => Ok([row.get(first)?, row.get(first + 1)?]),
    }
}

/// What came of it and the body of the answer, of three columns: as they are, or packed. Nothing came of one that is under way.
pub(crate) fn answered(row: &Row<'_>, first: usize) -> Result<(Option<String>, String), Fault> {
    match packed::column(row, first + 2)? {
        Some(bytes) => {
            let [outcome, response] = packed::unpack(bytes).map_err(Fault::Told)?;
            Ok((Some(outcome), response))
        }
        None => Ok((row.get(first)?, row.get(first + 1)?)),
    }
}

/// Something else was sent than what was prepared first.
fn send_instead(
    connection: &Connection,
    community: Key,
    ask: AskId,
    instead: &KeptInstead,
) -> Result<(), Fault> {
    let mut one = connection
        .prepare_cached("SELECT request, raw_request, packed FROM asks WHERE community = ?1 AND ask = ?2")?;
    let mut rows = one.query(params![community.0, stored(ask.0)])?;
    let Some(row) = rows.next()? else {
        return Ok(());
    };
    let [request, _] = sent(row, 0)?;
    let sent = Sent::new(&request, &instead.raw_request);
    connection
        .prepare_cached(
            "UPDATE asks SET request = ?3, raw_request = ?4, packed = ?5, url = ?6 WHERE community = ?1 AND ask = ?2",
        )?
        .execute(params![
            community.0,
            stored(ask.0),
            sent.request,
            sent.raw_request,
            sent.packed,
            instead.url
        ])?;
    Ok(())
}

/// Completes an ask that was started.
pub(crate) fn finish(
    connection: &Connection,
    community: &CommunityId,
    ask: AskId,
    outcome: &AskOutcome,
    sent_instead: Option<&KeptInstead>,
    raw_response: &str,
) -> Result<(), Fault> {
    let key = community::find_or_add(connection, community)?;
    complete(connection, key, ask, outcome, sent_instead, raw_response)
}

/// The process is back: what was under way when it ended is not any more.
pub(crate) fn interrupt(connection: &Connection, community: &CommunityId) -> Result<(), Fault> {
    let key = community::find_or_add(connection, community)?;
    let mut open = connection
        .prepare_cached("SELECT ask, raw_response FROM asks WHERE community = ?1 AND state = ?2")?;
    let open = open.query_map(params![key.0, UNDER_WAY], |row| {
        Ok((AskId(counted(row.get(0)?)), row.get::<_, String>(1)?))
    })?;
    let open: Vec<(AskId, String)> = open.collect::<Result<_, _>>()?;
    let detail = "the process ended before the answer came";
    let outcome = AskOutcome::Failed(AskFailure::new(AskFailureKind::Interrupted, detail));
    for (ask, response) in open {
        complete(connection, key, ask, &outcome, None, &response)?;
    }
    Ok(())
}

fn complete(
    connection: &Connection,
    community: Key,
    ask: AskId,
    outcome: &AskOutcome,
    sent_instead: Option<&KeptInstead>,
    raw_response: &str,
) -> Result<(), Fault> {
    let json = serde_json::to_string(outcome).map_err(Fault::json("an answer"))?;
    let (state, took, usage) = match outcome {
        AskOutcome::Answered(answer) => ("answered", Some(stored(answer.took.0)), answer.usage),
        AskOutcome::Failed(failure) => (failure.kind.name(), None, failure.usage.unwrap_or_default()),
    };
    if let Some(instead) = sent_instead {
        send_instead(connection, community, ask, instead)?;
    }
    let packed = packed::pack(&[&json, raw_response]);
    let (plain, response) = match packed {
        Some(_) => (None, ""),
        None => (Some(json.as_str()), raw_response),
    };
    let length = match &packed {
        Some(packed) => stored(packed.len() as u64),
        None => size(&json) + size(raw_response),
    };
    let changed = connection
        .prepare_cached(
            "UPDATE asks SET outcome = ?3, raw_response = ?4, packed_answer = ?11, state = ?5, took_ms = ?6,
                 input_tokens = ?7, output_tokens = ?8, cost = ?9,
                 size = octet_length(request) + octet_length(raw_request) + ifnull(octet_length(packed), 0) + ?10
             WHERE community = ?1 AND ask = ?2",
        )?
        .execute(params![
            community.0,
            stored(ask.0),
            plain,
            response,
            state,
            took,
            stored(usage.input_tokens),
            stored(usage.output_tokens),
            usage.cost_micro_dollars.map(stored),
            length,
            packed,
        ])?;
    if changed == 0 {
        return Err(Fault::Told(format!(
            "ask {ask} is not kept: it was never started, or is swept away"
        )));
    }
    Ok(())
}

pub(crate) fn read(
    connection: &Connection,
    community: &CommunityId,
    ask: AskId,
) -> Result<Option<AskRecord>, Fault> {
    let Some(key) = community::find(connection, community)? else {
        return Ok(None);
    };
    let mut one = connection.prepare_cached(
        "SELECT room, turn, started_at, provider, model, url, previous, request, raw_request, packed, outcome,
             raw_response, packed_answer
         FROM asks WHERE community = ?1 AND ask = ?2",
    )?;
    let mut rows = one.query(params![key.0, stored(ask.0)])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let unreadable = |part: &str| Fault::json(format!("the {part} of ask {ask}"));
    let [request, raw_request] = sent(row, 7)?;
    let (outcome, raw_response) = answered(row, 10)?;
    Ok(Some(AskRecord {
        community: community.clone(),
        ask,
        room: RoomId::new(row.get::<_, String>(0)?),
        turn: TurnId(counted(row.get(1)?)),
        started_at: WallTime(row.get(2)?),
        provider: row.get(3)?,
        model: row.get(4)?,
        url: row.get(5)?,
        previous: row.get::<_, Option<i64>>(6)?.map(|ask| AskId(counted(ask))),
        request: serde_json::from_str(&request).map_err(unreadable("request"))?,
        raw_request,
        raw_response,
        outcome: outcome
            .map(|json| serde_json::from_str(&json).map_err(unreadable("outcome")))
            .transpose()?,
    }))
}

/// A call that went wrong. What the built-in model cannot do is done without one, and nothing went wrong.
const FAILED: &str = "(state NOT IN ('answered', 'under_way')
     AND NOT (provider = 'offline' AND state = 'unavailable'))";

pub(crate) fn list(
    connection: &Connection,
    community: &CommunityId,
    filter: &AskFilter,
) -> Result<Vec<AskSummary>, Fault> {
    let Some(key) = community::find(connection, community)? else {
        return Ok(Vec::new());
    };
    let mut some = connection.prepare_cached(&format!(
        "SELECT ask, room, turn, started_at, purpose, provider, model, state, took_ms, input_tokens, output_tokens,
             cost
         FROM asks WHERE {} AND ask < ?5 ORDER BY ask DESC LIMIT ?6",
        fitting(filter)
    ))?;
    let rows = some.query_map(
        params![
            key.0,
            filter.room.as_ref().map(RoomId::as_str),
            filter.turn.map(|turn| stored(turn.0)),
            filter.purpose,
            filter.before.map_or(i64::MAX, |ask| stored(ask.0)),
            bounded(filter.limit, LIST_MAX),
        ],
        read_summary,
    )?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What all that fit come to, by purpose.
pub(crate) fn totals(
    connection: &Connection,
    community: &CommunityId,
    filter: &AskFilter,
) -> Result<Vec<AskTotals>, Fault> {
    let Some(key) = community::find(connection, community)? else {
        return Ok(Vec::new());
    };
    let mut sums = connection.prepare_cached(&format!(
        "SELECT purpose, count(*), sum({FAILED}), sum(state = 'under_way'),
             CAST(total(input_tokens) AS INTEGER), CAST(total(output_tokens) AS INTEGER), CAST(total(cost) AS INTEGER),
             sum(state = 'answered' AND cost IS NULL)
         FROM asks WHERE {} GROUP BY purpose ORDER BY purpose",
        fitting(filter)
    ))?;
    let rows = sums.query_map(
        params![
            key.0,
            filter.room.as_ref().map(RoomId::as_str),
            filter.turn.map(|turn| stored(turn.0)),
            filter.purpose,
        ],
        |row| {
            Ok(AskTotals {
                purpose: row.get(0)?,
                calls: counted(row.get(1)?),
                failed: counted(row.get(2)?),
                under_way: counted(row.get(3)?),
                input_tokens: counted(row.get(4)?),
                output_tokens: counted(row.get(5)?),
                cost_micro_dollars: counted(row.get(6)?),
                unpriced: counted(row.get(7)?),
            })
        },
    )?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The condition of a filter; of its parameters, those that are not given are named all the same.
fn fitting(filter: &AskFilter) -> String {
    let room = filter.room.as_ref().map_or("?2 IS NULL", |_| "room = ?2");
    let turn = filter.turn.map_or("?3 IS NULL", |_| "turn = ?3");
    let purpose = filter.purpose.as_ref().map_or("?4 IS NULL", |_| "purpose = ?4");
    let ending = match filter.ending {
        None => "TRUE",
        Some(AskEnding::Answered) => "state = 'answered'",
        Some(AskEnding::UnderWay) => "state = 'under_way'",
        Some(AskEnding::Failed) => FAILED,
    };
    format!("community = ?1 AND {room} AND {turn} AND {purpose} AND {ending}")
}

fn read_summary(row: &Row<'_>) -> rusqlite::Result<AskSummary> {
    Ok(AskSummary {
        ask: AskId(counted(row.get(0)?)),
        room: RoomId::new(row.get::<_, String>(1)?),
        turn: TurnId(counted(row.get(2)?)),
        started_at: WallTime(row.get(3)?),
        purpose: row.get(4)?,
        provider: row.get(5)?,
        model: row.get(6)?,
        state: row.get(7)?,
        took_ms: row.get::<_, Option<i64>>(8)?.map(counted),
        input_tokens: counted(row.get(9)?),
        output_tokens: counted(row.get(10)?),
        cost_micro_dollars: row.get::<_, Option<i64>>(11)?.map(counted),
    })
}

fn size(text: &str) -> i64 {
    stored(text.len() as u64)
}
