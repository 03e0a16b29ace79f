//! Turns that other programs put into the list, in whatever shape they write theirs.

use std::collections::BTreeMap;

use serde_json::Value;
use uuid::Uuid;
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, PersonId, Place, RoomId, SessionId, TurnKey, TurnKind,
    WallTime, rfc3339,
};

/// Seconds since 1970 stay below this until the year 5138; milliseconds passed it in 1973.
const SECONDS_BELOW: f64 = 1e11;

/// Reads an entry of the list: a turn of ours as it is, another program's as well as it can be understood.
pub(super) enum Entry {
    Ours(CapturedTurn),
    Adopted(CapturedTurn),
    Unreadable,
}

/// Reads what need not even be text.
pub(super) fn read_bytes(raw: &[u8], place: &Place, now: WallTime) -> Entry {
    match std::str::from_utf8(raw) {
        Ok(raw) => read(raw, place, now),
        Err(_) => Entry::Unreadable,
    }
}

/// `place` is where turns belong that do not say so, `now` when they were said.
fn read(raw: &str, place: &Place, now: WallTime) -> Entry {
    if let Ok(turn) = serde_json::from_str::<CapturedTurn>(raw) {
        return Entry::Ours(turn);
    }
    let Ok(Value::Object(object)) = serde_json::from_str::<Value>(raw) else {
        return Entry::Unreadable;
    };
    let fields = Fields(
        object
            .into_iter()
            .map(|(name, value)| (folded(&name), value))
            .collect(),
    );
    match adopt(&fields, raw, place, now) {
        Some(turn) => Entry::Adopted(turn),
        None => Entry::Unreadable,
    }
}

fn adopt(fields: &Fields, raw: &str, place: &Place, now: WallTime) -> Option<CapturedTurn> {
    let text = fields
        .first(&["content", "text", "message", "body"])
        .and_then(text_of)?;
    let nested = fields.first(&["place"]).and_then(Value::as_object);
    let of_place = |names: &[&str]| {
        fields.string(names).or_else(|| {
            names
                .iter()
                .find_map(|name| nested?.get(*name)?.as_str())
                .map(str::to_owned)
        })
    };
    let place = Place {
        community: of_place(&["community", "communityid", "guildid"])
            .map_or_else(|| place.community.clone(), CommunityId::new),
        room: of_place(&["room", "roomid", "channel", "channelid"])
            .map_or_else(|| place.room.clone(), RoomId::new),
        private: fields
            .first(&["private"])
            .and_then(Value::as_bool)
            .unwrap_or(place.private),
    };
    let session = fields
        .string(&["sessionid", "session", "conversationid", "threadid", "chatid"])
        .unwrap_or_else(|| place.room.to_string());
    let said_at = fields
        .first(&["timestamp", "at", "ts", "time", "createdat", "date"])
        .and_then(time_of);
    let has_id = fields.string(&["id", "turnid", "messageid", "uuid"]).is_some();
    let key = if has_id || said_at.is_some() {
        // The whole entry tells a turn: ids that other programs count from 1 would meet those of the next session.
        Uuid::new_v5(&Uuid::NAMESPACE_OID, raw.as_bytes())
    } else {
        // "ok" may be said twice; which is which is settled by this being written back.
        Uuid::now_v7()
    };
    Some(CapturedTurn {
        id: TurnKey::new(format!("shared-{key}")),
        speaker: speaker_of(fields, &place),
        session: SessionId::new(session),
        number: fields
            .first(&["number", "turn", "turnnumber", "index"])
            .and_then(Value::as_u64)
            .unwrap_or(0),
        kind: fields
            .string(&["kind"])
            .and_then(|kind| kind_of(&kind))
            .unwrap_or(TurnKind::Typed),
        text,
        at: said_at.unwrap_or(now),
        place,
    })
}

fn speaker_of(fields: &Fields, place: &Place) -> Author {
    let object = fields
        .first(&["speaker", "author", "user"])
        .and_then(Value::as_object);
    let inner = |name: &str| object.and_then(|object| object.get(name)).and_then(plain);
    let role = fields
        .string(&["role"])
        .or_else(|| inner("role"))
        .unwrap_or_default()
        .to_lowercase();
    let is_program = matches!(
        role.as_str(),
        "assistant" | "ai" | "bot" | "agent" | "model" | "system" | "tool" | "function"
    );
    let name = fields
        .string(&["speaker", "author", "username", "name", "user", "sender"])
        .or_else(|| inner("name"))
        .or_else(|| (!role.is_empty()).then(|| role.clone()))
        .unwrap_or_else(|| "somebody".to_owned());
    // A program's turns carry the id of whom it talks to.
    let id = if is_program {
        inner("id")
    } else {
        fields
            .string(&["personid", "userid", "speakerid", "authorid"])
            .or_else(|| inner("id"))
    };
    Author {
        id: PersonId::new(id.unwrap_or_else(|| format!("{}:{}", place.community, name.to_lowercase()))),
        name,
        kind: if is_program {
            AuthorKind::OtherBot
        } else {
            AuthorKind::Person
        },
    }
}

/// The fields of an entry by their names, without regard to case and joints: `session_id` is `sessionId`.
struct Fields(BTreeMap<String, Value>);

impl Fields {
    fn first(&self, names: &[&str]) -> Option<&Value> {
        names
            .iter()
            .find_map(|name| self.0.get(*name).filter(|value| !value.is_null()))
    }

    fn string(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.0.get(*name).and_then(plain))
    }
}

fn folded(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A text, or the text parts of what a chat API takes.
fn text_of(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts
                .iter()
                .filter_map(|part| part.as_str().or_else(|| part.get("text")?.as_str()));
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Object(message) => {
            return message
                .get("content")
                .or_else(|| message.get("text"))
                .and_then(text_of);
        }
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

fn time_of(value: &Value) -> Option<WallTime> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => match rfc3339::parse(text) {
            Some(time) => return Some(time),
            None => text.trim().parse().ok()?,
        },
        _ => return None,
    };
    if !number.is_finite() || number <= 0.0 {
        return None;
    }
    let ms = if number < SECONDS_BELOW {
        number * 1_000.0
    } else {
        number
    };
    Some(WallTime(ms as i64))
}

fn kind_of(name: &str) -> Option<TurnKind> {
    [
        TurnKind::Typed,
        TurnKind::Spoken,
        TurnKind::Ambient,
        TurnKind::ScreenNote,
        TurnKind::Summary,
    ]
    .into_iter()
    .find(|kind| kind.name() == name)
}

#[cfg(test)]
#[path = "foreign_tests.rs"]
mod foreign_tests;
