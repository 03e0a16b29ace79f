//! Looking inside: journal, why, model calls, recording, health and model.

use mind::JournalEntry;
use runtime::ports::{AskRecord, MessageChange, Segment};
use serde_json::{Value, json};
use settings::Document;
use vocabulary::WallTime;

use crate::driver::{House, open, open_with};
use crate::roles::as_role;
use crate::stand_ins::MemoryStore;

fn line(seq: u64, room: &str, turn: Option<u64>, messages: &[&str], name: &str, data: Value) -> JournalEntry {
    let mut line = json!({
        "seq": seq, "moment": seq * 100, "wall": 1_000 + seq, "community": "local", "room": room, "messages": messages,
        "name": name, "data": data
    });
    if let Some(turn) = turn {
        line["turn"] = json!(turn);
    }
    serde_json::from_value(line).unwrap()
}

fn record(ask: u64, previous: Option<u64>) -> AskRecord {
    serde_json::from_value(json!({
        "community": "local", "ask": ask, "room": "lounge", "turn": ask, "startedAt": 5,
        "provider": "openai", "model": "small", "url": "http://127.0.0.1/v1",
        "request": {
            "purpose": "text_reply", "choice": {"provider": "auto", "model": ""}, "system": "Be brief.",
            "turns": [{"role": "user", "parts": [{"text": "hello"}]}], "output": "text", "maxOutputTokens": 600,
            "temperature": 0.8, "deadline": 60000,
            "sections": [{"name": "persona", "fate": "kept", "priority": 9, "wantedChars": 9, "keptChars": 9,
                "capChars": 100, "remark": "", "text": "Be brief."}]
        },
        "rawRequest": "{}", "rawResponse": "{}",
        "outcome": {"answered": {
            "provider": "openai", "model": "small", "text": "Hi!", "finish": "complete",
            "usage": {"inputTokens": 9, "cachedInputTokens": 0, "outputTokens": 2, "costMicroDollars": null},
            "firstText": 100, "took": 900, "tries": 1
        }},
        "previous": previous
    }))
    .unwrap()
}

/// A room where Bob was ignored and Alice was answered.
pub fn lived_in(store: &MemoryStore) {
    let mut kept = store.kept();
    for (id, name, kind, text) in [
        ("bob-00001", "Bob", "person", "nice weather"),
        ("alice-001", "Alice", "person", "@Denizen hello"),
        ("d:2:1", "Denizen", "denizen", "Hi!"),
    ] {
        let message = serde_json::from_value(json!({
            "id": id, "room": "lounge", "author": {"id": format!("local:{name}"), "name": name, "kind": kind},
            "text": text, "at": 5
        }));
        kept.apply(MessageChange::Added {
            message: message.unwrap(),
            turn: None,
            ask: None,
        });
    }
    let received = |name: &str| json!({"author": "p", "authorName": name, "characters": 5, "images": 0});
    let denied = json!({
        "gate": "before_queueing", "allow": false, "reason": "not_in_recent_window", "address": "llm_decides", "rule": "",
        "confidence": 0.0, "forced": false, "botInRecentWindow": false, "eagerness": 25
    });
    let opened = json!({"author": "p", "triggerMessageIds": ["alice-001"], "forced": true, "waited": 6000});
    let sent = json!({
        "message": "d:2:1", "replyTo": "alice-001", "triggerMessageIds": ["alice-001"], "characters": 3, "part": 1, "parts": 1
    });
    kept.journal = vec![
        line(
            1,
            "lounge",
            None,
            &["bob-00001"],
            "text_message_received",
            received("Bob"),
        ),
        line(
            2,
            "lounge",
            None,
            &["bob-00001"],
            "text_admission_decided",
            denied,
        ),
        line(
            3,
            "lounge",
            None,
            &["alice-001"],
            "text_message_received",
            received("Alice"),
        ),
        line(4, "lounge", Some(2), &["alice-001"], "text_turn_opened", opened),
        line(5, "lounge", Some(2), &["d:2:1"], "sent_reply", sent),
        line(
            6,
            "kitchen",
            None,
            &[],
            "settings_changed",
            json!({"version": 1, "changed": []}),
        ),
    ];
    kept.asks = vec![record(1, None), record(2, Some(1))];
    kept.segment = Some(Segment {
        community: "local".into(),
        version: "9.9.9".into(),
        started_at: WallTime(77),
        first_input: 1,
        state: serde_json::value::RawValue::from_string("{}".into()).unwrap(),
        settings_version: 0,
        settings: Document::default(),
    });
}

async fn inspected() -> House {
    open_with(lived_in, 100, false).await
}

#[tokio::test]
async fn the_journal_is_read_in_pages_and_by_room_and_name() {
    let house = inspected().await;
    let read = async |query: &str| {
        let page = house.caller.get(&format!("/api/journal?{query}")).await.ok(200);
        let lines: Vec<u64> = page["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line["seq"].as_u64().unwrap())
            .collect();
        (lines, page["next"].as_u64().unwrap())
    };
    assert_eq!(read("").await, (vec![1, 2, 3, 4, 5, 6], 6));
    assert_eq!(read("after=2&limit=2").await, (vec![3, 4], 4));
    assert_eq!(read("newest=true&limit=2").await, (vec![5, 6], 6));
    assert_eq!(read("room=kitchen").await, (vec![6], 6));
    assert_eq!(read("name=text_message_received").await, (vec![1, 3], 3));
    assert_eq!(read("after=6").await, (vec![], 6));
    house
        .caller
        .get("/api/journal?name=nonsense")
        .await
        .refused(400, "unknown_event");
    house
        .caller
        .get("/api/journal?limit=1001")
        .await
        .refused(400, "bad_query");
    house
        .caller
        .get("/api/journal?newest=perhaps")
        .await
        .refused(400, "bad_query");
}

#[tokio::test]
async fn every_kind_of_line_is_explained() {
    let house = inspected().await;
    let events = house.caller.get("/api/journal/events").await.ok(200);
    assert_eq!(
        events["events"].as_array().unwrap().len(),
        mind::journal::event_docs().len()
    );
    assert!(
        events["events"]
            .to_string()
            .contains("No reply was made, and this is why.")
    );
}

#[tokio::test]
async fn why_tells_what_became_of_a_message() {
    let house = inspected().await;
    let bob = house.caller.get("/api/why/bob-00001").await.ok(200);
    assert_eq!(bob["verdict"]["outcome"], "silent");
    assert!(
        bob["verdict"]["sentence"]
            .as_str()
            .unwrap()
            .starts_with("Not addressed to Denizen")
    );
    assert_eq!(bob["chain"].as_array().unwrap().len(), 2);
    assert_eq!(bob["chain"][0]["sentence"], "Bob wrote 5 characters.");
    assert_eq!((&bob["asks"], &bob["replies"]), (&json!([]), &json!([])));

    let alice = house.caller.get("/api/why/alice-001").await.ok(200);
    assert_eq!(alice["verdict"]["outcome"], "answered");
    assert_eq!(alice["replies"], json!(["d:2:1"]));
    assert_eq!(alice["asks"][0]["ask"], 2);
    assert_eq!(alice["message"]["text"], "@Denizen hello");

    let own = house.caller.get("/api/why/d:2:1").await.ok(200);
    assert_eq!(own["verdict"]["outcome"], "own");
    house
        .caller
        .get("/api/why/nothing")
        .await
        .refused(404, "unknown_message");
}

#[tokio::test]
async fn model_calls_are_listed_and_shown_whole() {
    let house = inspected().await;
    let numbers = async |query: &str| {
        let asks = house.caller.get(&format!("/api/asks?{query}")).await.ok(200);
        asks["asks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|ask| ask["ask"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers("").await, [2, 1]);
    assert_eq!(numbers("limit=1").await, [2]);
    assert_eq!(numbers("turn=1&room=lounge").await, [1]);
    assert_eq!(numbers("room=kitchen").await, [0_u64; 0]);
    assert_eq!(numbers("before=2").await, [1]);
    assert_eq!(numbers("purpose=gem_extraction").await, [0_u64; 0]);
    assert_eq!(numbers("state=failed").await, [0_u64; 0]);
    let totals = house.caller.get("/api/asks?limit=1").await.ok(200);
    assert_eq!(totals["totals"][0]["calls"], 2);
    house
        .caller
        .get("/api/asks?state=lost")
        .await
        .refused(400, "bad_query");
    house
        .caller
        .get("/api/asks?limit=0")
        .await
        .refused(400, "bad_query");

    let ask = house.caller.get("/api/asks/2").await.ok(200);
    assert_eq!(
        (&ask["ask"]["ask"], &ask["previous"]["ask"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(ask["ask"]["request"]["sections"][0]["name"], "persona");
    assert_eq!(
        house.caller.get("/api/asks/1").await.ok(200)["previous"],
        Value::Null
    );
    house.caller.get("/api/asks/9").await.refused(404, "unknown_ask");
    house
        .caller
        .get("/api/asks/newest")
        .await
        .refused(400, "bad_path");
}

#[tokio::test]
async fn the_recording_is_downloaded_as_a_file() {
    let house = inspected().await;
    let answer = house.caller.get("/api/recording").await;
    assert_eq!(answer.header("content-type"), "application/x-ndjson");
    assert_eq!(
        answer.header("content-disposition"),
        "attachment; filename=\"denizen-local-77.ndjson\""
    );
    assert_eq!(answer.ok(200)["version"], "9.9.9");
    open()
        .await
        .caller
        .get("/api/recording")
        .await
        .refused(404, "no_recording");
}

#[tokio::test]
async fn health_and_model_are_told() {
    let house = inspected().await;
    let health = house.caller.get("/api/health").await.ok(200);
    assert_eq!(
        (&health["status"], &health["version"], &health["journalSeq"]),
        (&json!("ok"), &json!("9.9.9"), &json!(6))
    );
    assert_eq!(health["denizen"], json!({"id": "denizen", "name": "Denizen"}));
    let status = house.caller.get("/api/model").await.ok(200);
    assert_eq!(
        (&status["provider"], &status["because"]),
        (&json!("offline"), &json!("looked 0 times"))
    );
    assert_eq!(
        house.caller.post("/api/model/detect", &json!({})).await.ok(200)["because"],
        "looked 1 times"
    );
}

#[tokio::test]
async fn whoever_is_no_administrator_sees_no_model_calls_through_why() {
    let house = inspected().await;
    let started = json!({"ask": 2, "purpose": "text_reply", "provider": "openai", "model": "small", "promptCharacters": 9, "attempt": 1, "sectionsTrimmed": [], "sectionsDropped": []});
    let started = line(7, "lounge", Some(2), &["alice-001"], "ask_started", started);
    house.store.kept().journal.push(started);
    let names = |why: &Value| -> Vec<String> {
        let chain = why["chain"].as_array().unwrap().iter();
        chain
            .map(|link| link["entry"]["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = house.caller.get("/api/why/alice-001").await.ok(200);
    assert!(
        names(&all).contains(&"ask_started".to_owned()) && all["asks"][0]["model"] == "small",
        "{all}"
    );
    for role in ["reader", "participant"] {
        let why = as_role(&house, role)
            .await
            .get("/api/why/alice-001")
            .await
            .ok(200);
        assert_eq!(why["asks"], json!([]), "{role}");
        assert_eq!(
            names(&why),
            ["text_message_received", "text_turn_opened", "sent_reply"],
            "{role}"
        );
        assert_eq!(why["verdict"]["outcome"], all["verdict"]["outcome"], "{role}");
    }
}
