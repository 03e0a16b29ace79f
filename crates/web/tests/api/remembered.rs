//! A memory with something in it: what Alice said in the lounge, what was learnt of it, and a private word of Bob's.

use runtime::ports::{Embedded, GemStore};
use serde_json::{Value, json};
use vocabulary::Record;

use crate::driver::{House, open};

/// A room in which something was learnt.
pub async fn remembering() -> House {
    let house = open().await;
    fill(&house).await;
    house
}

pub async fn fill(house: &House) {
    let mut records = Vec::new();
    for (number, (id, room, name, text)) in [
        ("t1", "lounge", "Alice", "please no walnuts for me, I am allergic"),
        ("t2", "lounge", "Alice", "my favourite tea is darjeeling"),
        ("t3", "vault", "Bob", "the secret garden key is under the walnuts"),
        ("t4", "lounge", "Alice", "by now I prefer oolong tea"),
    ]
    .into_iter()
    .enumerate()
    {
        records.push(turn(id, room, name, text, number as u64 + 1));
    }
    let walnuts = gem(
        "g-walnuts",
        "Alice",
        "lounge",
        "Alice is allergic to walnuts.",
        &["t1"],
    );
    let mut darjeeling = gem(
        "g-darjeeling",
        "Alice",
        "lounge",
        "Alice likes darjeeling tea best.",
        &["t2"],
    );
    darjeeling["superseded_by"] = json!("g-oolong");
    darjeeling["valid_until"] = json!("2026-02-24T10:00:00Z");
    let mut oolong = gem(
        "g-oolong",
        "Alice",
        "lounge",
        "Alice prefers oolong tea.",
        &["t4"],
    );
    oolong["created_at"] = json!("2026-02-24T10:00:00Z");
    let key = gem(
        "g-key",
        "Bob",
        "vault",
        "Bob keeps a garden key under the walnuts.",
        &["t3"],
    );
    records.extend([walnuts, darjeeling, oolong, key].map(|gem| json!({ "gem": gem })));
    let records = records.into_iter().map(|record| Embedded {
        record: serde_json::from_value::<Record>(record).unwrap(),
        vector: Vec::new(),
    });
    house.memory.put(records.collect()).await.unwrap();
}

pub fn turn(id: &str, room: &str, name: &str, text: &str, number: u64) -> Value {
    json!({"turn": {
        "id": id, "place": {"community": "local", "room": room, "private": room == "vault"},
        "session": format!("local/{room}/2026-02-23"), "number": number,
        "speaker": {"id": format!("local:{}", name.to_lowercase()), "name": name, "kind": "person"},
        "kind": "typed", "text": text, "at": 1_771_860_000_000_u64 + number * 1_000
    }})
}

pub fn gem(id: &str, name: &str, room: &str, content: &str, turns: &[&str]) -> Value {
    let at = "2026-02-23T15:30:00Z";
    json!({
        "gem_id": id, "content": content, "summary": content, "importance": 0.6, "tags": ["fact"], "topics": [],
        "source": {"session_id": format!("local/{room}/2026-02-23"), "date": "2026-02-23", "turn_range": "1-4", "turns": turns},
        "created_at": at, "last_seen_at": at, "valid_from": at, "made_by": "offline",
        "place": {"community": "local", "room": room, "private": room == "vault"},
        "person": format!("local:{}", name.to_lowercase()), "person_name": name
    })
}

/// The ids of what was found, in order.
pub fn found(answer: &Value) -> Vec<&str> {
    let found = answer["found"].as_array().unwrap().iter();
    found
        .map(|found| {
            let record = &found["record"];
            record["gem"]["gem_id"]
                .as_str()
                .or(record["turn"]["id"].as_str())
                .unwrap()
        })
        .collect()
}

/// The ids of listed gems, in order.
pub fn ids(answer: &Value) -> Vec<&str> {
    let items = answer["items"].as_array().unwrap().iter();
    items.map(|gem| gem["gem_id"].as_str().unwrap()).collect()
}
