//! Far more messages at once than can be taken in.

use std::collections::BTreeSet;

use serde_json::json;
use tokio::task::JoinSet;

use crate::driver::open_with;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_messages_are_each_stored_or_refused_as_busy() {
    let house = open_with(|_| {}, 32, false).await;
    let mut senders = JoinSet::new();
    for sender in 0..100 {
        let caller = house.caller.clone();
        senders.spawn(async move {
            let mut accepted = Vec::new();
            for number in 0..100 {
                let id = format!("burst-{sender}-{number}");
                let body = json!({"author": format!("Person {sender}"), "text": "now", "id": id});
                let answer = caller.post("/api/rooms/lounge/messages", &body).await;
                match answer.status {
                    201 => accepted.push(id),
                    _ => {
                        answer.refused(503, "busy");
                        assert_eq!(answer.header("retry-after"), "1");
                    }
                }
            }
            accepted
        });
    }
    let accepted: BTreeSet<String> = senders.join_all().await.into_iter().flatten().collect();
    let kept = house.store.kept();
    let stored: BTreeSet<String> = kept
        .messages
        .iter()
        .map(|stored| stored.message.id.as_str().to_owned())
        .collect();
    assert!(!accepted.is_empty());
    assert_eq!(accepted, stored, "what was accepted is stored, and nothing else");
}

#[tokio::test]
async fn a_full_queue_is_busy_and_recovers() {
    let house = open_with(|_| {}, 1, false).await;
    house.held.send(true).unwrap();
    let write = |number: usize| {
        let caller = house.caller.clone();
        let body = json!({"author": "Alice", "text": "hi", "id": format!("message-{number}")});
        async move { caller.post("/api/rooms/lounge/messages", &body).await }
    };
    let mut waiting: JoinSet<_> = (0..10).map(write).collect();
    // One waits, and one more is with the driver if it was quick enough to take it; all others are refused.
    for _ in 0..8 {
        waiting.join_next().await.unwrap().unwrap().refused(503, "busy");
    }
    house.held.send(false).unwrap();
    let statuses: Vec<u16> = waiting
        .join_all()
        .await
        .iter()
        .map(|answer| answer.status)
        .collect();
    let accepted = statuses.iter().filter(|status| **status == 201).count();
    assert!(accepted >= 1, "{statuses:?}");
    write(99).await.ok(201);
    assert_eq!(house.store.kept().messages.len(), accepted + 1);
}
