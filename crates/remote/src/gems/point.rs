//! A record as a point: its id, its payload with what it is looked up by, and its two vectors.

use runtime::ports::{Embedded, MemoryFault};
use serde_json::{Map, Value, json};
use uuid::Uuid;
use vocabulary::{CapturedTurn, Gem, PersonId, Place, Record, RecordId, SessionId, WallTime};

/// The same on every machine: what a record's id is derived with.
const NAMESPACE: Uuid = Uuid::from_u128(0x6e65_7572_616c_7374_7265_616d_0000_0001);

/// The sparse vector.
pub(super) const WORDS: &str = "words";
/// The plain one.
pub(super) const MEANING: &str = "";

pub(super) fn id(record: &RecordId) -> String {
    let name = match record {
        RecordId::Gem(gem) => format!("gem/{gem}"),
        RecordId::Turn(turn) => format!("turn/{turn}"),
    };
    Uuid::new_v5(&NAMESPACE, name.as_bytes()).to_string()
}

/// Where it is kept whose vectors these are.
pub(super) fn meta_id() -> String {
    Uuid::new_v5(&NAMESPACE, b"meta").to_string()
}

/// The whole point; without a vector of its own it is found by its words.
pub(super) fn of(embedded: &Embedded) -> Result<Value, MemoryFault> {
    let record = &embedded.record;
    let (indices, values): (Vec<u32>, Vec<f32>) = recall::terms(record.text()).into_iter().unzip();
    let mut vectors = Map::new();
    vectors.insert(WORDS.to_owned(), json!({"indices": indices, "values": values}));
    if !embedded.vector.is_empty() {
        vectors.insert(MEANING.to_owned(), json!(embedded.vector));
    }
    Ok(json!({"id": id(&record.id()), "vector": vectors, "payload": payload(record)?}))
}

fn payload(record: &Record) -> Result<Value, MemoryFault> {
    match record {
        Record::Gem(gem) => {
            let looked_up = looked_up(
                &gem.place,
                gem.person.as_ref(),
                &gem.source.session_id,
                gem.created_at,
            );
            let mut payload = object(serde_json::to_value(gem))?;
            payload.extend(looked_up);
            payload.insert("kind".to_owned(), json!("gem"));
            payload.insert("turns".to_owned(), json!(gem.source.turns));
            payload.insert("current".to_owned(), json!(gem.is_current()));
            Ok(Value::Object(payload))
        }
        Record::Turn(turn) => {
            let mut payload = looked_up(&turn.place, Some(&turn.speaker.id), &turn.session, turn.at);
            payload.insert("kind".to_owned(), json!("turn"));
            payload.insert("turn_id".to_owned(), json!(turn.id));
            payload.insert("number".to_owned(), json!(turn.number));
            payload.insert("current".to_owned(), json!(true));
            payload.insert(
                "turn".to_owned(),
                Value::Object(object(serde_json::to_value(turn))?),
            );
            Ok(Value::Object(payload))
        }
    }
}

fn looked_up(
    place: &Place,
    person: Option<&PersonId>,
    session: &SessionId,
    at: WallTime,
) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("community".to_owned(), json!(place.community));
    fields.insert("room".to_owned(), json!(place.room));
    fields.insert("private".to_owned(), json!(place.private));
    fields.insert("session".to_owned(), json!(session));
    fields.insert("at".to_owned(), json!(at));
    if let Some(person) = person {
        fields.insert("person".to_owned(), json!(person));
    }
    fields
}

fn object(value: serde_json::Result<Value>) -> Result<Map<String, Value>, MemoryFault> {
    match value {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(unwritable("a record is not an object".to_owned())),
        Err(error) => Err(unwritable(error.to_string())),
    }
}

fn unwritable(detail: String) -> MemoryFault {
    MemoryFault::Failed {
        doing: "writing a record as JSON",
        detail,
    }
}

/// The record of a point that Qdrant sent.
pub(super) fn record(point: &Value) -> Result<Record, MemoryFault> {
    let payload = &point["payload"];
    let read = match payload["kind"].as_str() {
        Some("gem") => serde_json::from_value::<Gem>(payload.clone()).map(|gem| Record::Gem(Box::new(gem))),
        _ => serde_json::from_value::<CapturedTurn>(payload["turn"].clone()).map(Record::Turn),
    };
    read.map_err(|error| MemoryFault::Failed {
        doing: "reading a point of Qdrant",
        detail: format!("point {}: {error}", point["id"].as_str().unwrap_or("without id")),
    })
}

/// The points of an answer.
pub(super) fn points(result: &Value) -> &[Value] {
    let points = result.get("points").unwrap_or(result);
    points.as_array().map_or(&[], Vec::as_slice)
}
