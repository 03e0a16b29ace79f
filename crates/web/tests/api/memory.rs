//! Looking into memory over the pages' API.

use serde_json::{Value, json};

use crate::driver::{open, open_with};
use crate::remembered::{found, ids, remembering};
use crate::stand_ins::MemoryStore;

#[tokio::test]
async fn the_status_says_what_there_is_and_what_does_not_work() {
    let house = remembering().await;
    let status = house.caller.get("/api/memory/status").await.ok(200);
    assert_eq!(status["enabled"], true);
    assert_eq!(status["extractor"], "auto");
    assert_eq!(status["stats"]["gems"], 4);
    assert_eq!(status["stats"]["superseded"], 1);
    assert_eq!(status["stats"]["turns"], 4);
    assert_eq!(status["waiting"], json!({"waiting": 0, "held": 0, "keptBack": 0}));
    assert_eq!(
        (&status["embedder"], &status["trouble"]),
        (&Value::Null, &Value::Null)
    );
    house.memory.cut_off(true);
    let status = house.caller.get("/api/memory/status").await.ok(200);
    assert!(
        status["trouble"].as_str().unwrap().contains("connection refused"),
        "{status}"
    );
}

#[tokio::test]
async fn gems_are_listed_in_pages_and_by_person_room_and_session() {
    let house = remembering().await;
    let list = async |query: &str| {
        house
            .caller
            .get(&format!("/api/memory/gems?{query}"))
            .await
            .ok(200)
    };
    assert_eq!(ids(&list("").await), ["g-oolong", "g-walnuts", "g-key"]);
    assert_eq!(
        ids(&list("current=false").await),
        ["g-oolong", "g-walnuts", "g-key", "g-darjeeling"]
    );
    assert_eq!(ids(&list("person=local:bob").await), ["g-key"]);
    assert_eq!(ids(&list("room=vault").await), ["g-key"]);
    assert_eq!(ids(&list("session=local/vault/2026-02-23").await), ["g-key"]);
    assert_eq!(ids(&list("community=elsewhere").await), [""; 0]);
    let first = list("limit=2").await;
    assert_eq!(ids(&first), ["g-oolong", "g-walnuts"]);
    let rest = list(&format!("limit=2&after={}", first["next"].as_str().unwrap())).await;
    assert_eq!((ids(&rest), &rest["next"]), (vec!["g-key"], &Value::Null));
    for bad in ["limit=0", "limit=201", "current=perhaps"] {
        let answer = house.caller.get(&format!("/api/memory/gems?{bad}")).await;
        answer.refused(400, "bad_query");
    }
}

#[tokio::test]
async fn a_gem_is_shown_with_its_turns_and_its_life() {
    let house = remembering().await;
    let old = house.caller.get("/api/memory/gems/g-darjeeling").await.ok(200);
    assert_eq!(old["turns"][0]["text"], "my favourite tea is darjeeling");
    assert_eq!(old["supersededBy"]["gem_id"], "g-oolong");
    assert_eq!(old["supersedes"], json!([]));
    let new = house.caller.get("/api/memory/gems/g-oolong").await.ok(200);
    assert_eq!(new["supersedes"][0]["gem_id"], "g-darjeeling");
    assert_eq!(new["supersededBy"], Value::Null);
    let refusal = house.caller.get("/api/memory/gems/nothing").await;
    assert!(refusal.refused(404, "unknown_gem").contains("nothing"));
}

#[tokio::test]
async fn a_search_sees_everything_or_what_a_room_would_see() {
    let house = remembering().await;
    let search = async |query: &str| {
        house
            .caller
            .get(&format!("/api/memory/search?{query}"))
            .await
            .ok(200)
    };
    let everything = search("q=walnuts").await;
    let mut all = found(&everything);
    all.sort_unstable();
    assert_eq!(all, ["g-key", "g-walnuts", "t1", "t3"]);
    assert_eq!(everything["threshold"], 0.4);
    assert!(
        everything["remark"].as_str().unwrap().contains("words alone"),
        "{everything}"
    );
    assert_eq!(everything["found"][0]["matched"], json!(["walnuts"]));
    assert_eq!(
        found(&search("q=walnuts&kinds=gems&room=lounge").await),
        ["g-walnuts"]
    );
    assert_eq!(
        found(&search("q=walnuts&kinds=gems&room=lounge&community=other").await),
        [""; 0]
    );
    assert_eq!(
        found(&search("q=walnuts&kinds=turns&person=local:bob").await),
        ["t3"]
    );
    assert_eq!(found(&search("q=darjeeling&kinds=gems").await), ["g-darjeeling"]);
    assert_eq!(
        found(&search("q=darjeeling&kinds=gems&superseded=false").await),
        [""; 0]
    );
    assert_eq!(found(&search("q=walnuts&limit=1").await).len(), 1);
    for (query, status, code) in [
        ("q=", 422, "invalid_field"),
        ("kinds=gems", 400, "bad_query"),
        ("q=x&kinds=songs", 422, "invalid_field"),
        ("q=x&limit=101", 400, "bad_query"),
    ] {
        let answer = house.caller.get(&format!("/api/memory/search?{query}")).await;
        answer.refused(status, code);
    }
}

#[tokio::test]
async fn people_are_counted_and_followed_along_time() {
    let house = remembering().await;
    let people = house.caller.get("/api/memory/people").await.ok(200);
    assert_eq!(people["partial"], false);
    let alice = &people["people"][0];
    assert_eq!(
        (&alice["id"], &alice["name"]),
        (&json!("local:alice"), &json!("Alice"))
    );
    assert_eq!((&alice["gems"], &alice["turns"]), (&json!(3), &json!(3)));
    assert_eq!(alice["firstAt"], 1_771_860_001_000_u64);
    assert_eq!(people["people"][1]["id"], "local:bob");

    let path = "/api/memory/people/local:alice/timeline";
    let whole = house.caller.get(path).await.ok(200);
    let told = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().unwrap().iter();
        let name = |item: &Value| {
            item["gem"]["gem_id"]
                .as_str()
                .or(item["turn"]["id"].as_str())
                .map(str::to_owned)
        };
        items.map(|item| name(item).unwrap()).collect()
    };
    let expected = ["g-oolong", "g-walnuts", "g-darjeeling", "t4", "t2", "t1"];
    assert_eq!(
        told(&whole),
        expected,
        "newest first, with what does not hold any more"
    );
    assert_eq!(whole["next"], Value::Null);
    for size in 1..=4 {
        let mut seen = Vec::new();
        let mut after = String::new();
        loop {
            let page = house
                .caller
                .get(&format!("{path}?limit={size}{after}"))
                .await
                .ok(200);
            assert!(page["items"].as_array().unwrap().len() <= size);
            seen.extend(told(&page));
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => break,
            }
        }
        assert_eq!(seen, expected, "in pages of {size}");
    }
    let bad = house.caller.get(&format!("{path}?after=nonsense")).await;
    assert!(bad.refused(400, "bad_query").contains("after=nonsense"));
}

#[tokio::test]
async fn everything_is_downloaded_line_by_line() {
    let house = remembering().await;
    let answer = house.caller.get("/api/memory/export").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.header("content-type"), "application/x-ndjson");
    assert!(
        answer
            .header("content-disposition")
            .contains("denizen-memory.ndjson")
    );
    let lines: Vec<Value> = answer
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0], json!({"format": "denizen-memory", "version": 1}));
    assert_eq!(lines.len(), 9);
    assert_eq!(lines.iter().filter(|line| line["gem"].is_object()).count(), 4);
    assert_eq!(lines.iter().filter(|line| line["turn"].is_object()).count(), 4);
}

#[tokio::test]
async fn a_memory_that_cannot_be_reached_is_no_defect() {
    let house = remembering().await;
    house.memory.cut_off(true);
    for path in [
        "/api/memory/gems",
        "/api/memory/gems/g-key",
        "/api/memory/search?q=tea",
        "/api/memory/people",
        "/api/memory/people/local:alice/timeline",
        "/api/memory/export",
    ] {
        let answer = house.caller.get(path).await;
        let message = answer.refused(503, "memory_unreachable");
        assert!(
            message.contains("127.0.0.1:6333") && message.contains("Start it"),
            "{message}"
        );
        assert_eq!(answer.header("retry-after"), "5", "{path}");
    }
    house.memory.cut_off(false);
    house.caller.get("/api/memory/gems").await.ok(200);
}

#[tokio::test]
async fn runs_are_told_from_the_journal() {
    let line = |seq: u64, name: &str, data: Value| {
        serde_json::from_value(json!({
            "seq": seq, "moment": seq * 100, "wall": 1_000 + seq, "community": "local", "room": "lounge", "messages": [],
            "name": name, "data": data
        }))
        .unwrap()
    };
    let session = "local/lounge/2026-02-23";
    let prepare = |store: &MemoryStore| {
        let started = |extraction: u64, reason: &str| json!({"extraction": extraction, "session": session, "reason": reason, "turns": 5, "waiting": 7, "contextShare": null});
        store.kept().journal = vec![
            line(1, "memory_extraction_started", started(1, "turn_end")),
            line(
                2,
                "memory_extraction_failed",
                json!({"extraction": 1, "session": session, "ask": 8, "error": "timed_out", "detail": "the model took too long",
                    "turns": 5, "retryIn": null, "fallsBack": true}),
            ),
            line(
                3,
                "memory_extraction_completed",
                json!({"extraction": 1, "session": session, "ask": null, "by": "offline", "gems": 3, "rejected": {"no_source": 2}, "took": 4}),
            ),
            line(
                9,
                "memory_gems_stored",
                json!({"extraction": 1, "session": session, "added": ["a", "b"], "strengthened": ["c"], "superseded": ["d"],
                    "alreadyThere": 0, "turns": 5, "took": 6}),
            ),
            line(10, "memory_extraction_started", started(2, "idle")),
            line(
                11,
                "memory_extraction_failed",
                json!({"extraction": 2, "session": session, "ask": 9, "error": "timed_out", "detail": "the model took too long",
                    "turns": 5, "retryIn": 60000, "fallsBack": false}),
            ),
            line(12, "memory_extraction_started", started(3, "context")),
        ];
    };
    let house = open_with(prepare, 100, false).await;
    let runs = house.caller.get("/api/memory/runs").await.ok(200)["runs"].clone();
    let told: Vec<(u64, &str)> = runs
        .as_array()
        .unwrap()
        .iter()
        .map(|run| {
            (
                run["extraction"].as_u64().unwrap(),
                run["state"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(told, [(3, "under_way"), (2, "failed"), (1, "stored")]);
    let stored = &runs[2];
    assert_eq!(stored["rejected"], json!([{"reason": "no_source", "count": 2}]));
    assert_eq!(
        (&stored["added"], &stored["strengthened"], &stored["superseded"]),
        (&json!(2), &json!(1), &json!(1))
    );
    assert_eq!(
        (&stored["by"], &stored["ask"], &stored["took"]),
        (&json!("offline"), &json!(8), &json!(8))
    );
    assert_eq!(
        (&stored["room"], &stored["reason"]),
        (&json!("lounge"), &json!("turn_end"))
    );
    assert_eq!(runs[1]["failure"], "the model took too long");
    assert_eq!(
        house.caller.get("/api/memory/runs?limit=1").await.ok(200)["runs"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    open()
        .await
        .caller
        .get("/api/memory/runs?limit=0")
        .await
        .refused(400, "bad_query");
}
