//! Memory on shared servers that are not always there: nothing is lost, and it is said what waits and why.

use std::collections::BTreeSet;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use stand_ins::{QdrantServer, RedisServer};

use crate::support::{Home, ModelServer, Process, Rememberer, eventually};

/// A home that makes gems of every two turns.
fn home(model: &ModelServer) -> Home {
    let home = Home::remembering(model);
    for (key, value) in [
        ("memory.enabled", "true"),
        ("permissions.allowInitiativeReplies", "false"),
        ("addressing.followupEnabled", "false"),
        ("memory.batchSize", "2"),
        ("memory.extractor", "model"),
    ] {
        home.run(&["settings", "set", key, value]).succeeded();
    }
    home
}

fn on_redis(model: &ModelServer, redis: &RedisServer) -> Home {
    let home = home(model).with_env("DENIZEN_REDIS_URL", &redis.url());
    home.run(&["settings", "set", "memory.store.buffer", "redis"])
        .succeeded();
    home
}

fn on_qdrant(model: &ModelServer, qdrant: &QdrantServer) -> Home {
    let home = home(model);
    for (key, value) in [
        ("memory.store.gems", "qdrant"),
        ("memory.store.qdrantUrl", &qdrant.url()),
    ] {
        home.run(&["settings", "set", key, value]).succeeded();
    }
    home
}

/// So many people's messages, from this number on.
async fn write(process: &Process, numbers: std::ops::Range<usize>) {
    for number in numbers {
        process
            .say("Alice", &format!("Shelf {number} holds a lantern."))
            .await;
    }
}

/// The numbers of the shelves in texts, in order.
fn shelves<'a>(texts: impl IntoIterator<Item = &'a Value>) -> Vec<usize> {
    let mut numbers: Vec<usize> = texts
        .into_iter()
        .filter_map(|text| {
            text.as_str()?
                .split_once("Shelf ")?
                .1
                .split_once(' ')?
                .0
                .parse()
                .ok()
        })
        .collect();
    numbers.sort_unstable();
    numbers
}

/// Each of these was captured once and became a gem once.
async fn are_remembered(process: &Process, numbers: std::ops::Range<usize>) {
    let (turns, gems) = process.remembered().await;
    let expected: Vec<usize> = numbers.collect();
    assert_eq!(shelves(turns.values().map(|turn| &turn["text"])), expected);
    assert_eq!(shelves(gems.values().map(|gem| &gem["content"])), expected);
    for gem in gems
        .values()
        .filter(|gem| gem["content"].to_string().contains("Shelf"))
    {
        assert_eq!(gem["strength"], 1, "{gem}");
    }
}

/// Waits until so many turns are kept back, and the status says where they should be.
async fn kept_back(process: &Process, turns: usize, whose: &str) {
    let status = eventually("turns are kept back", async || {
        let status = process.memory().await;
        (status["waiting"]["keptBack"] == turns).then_some(status)
    })
    .await;
    let trouble = status["trouble"].as_str().unwrap_or_default();
    assert!(
        trouble.contains(whose),
        "it says why they are kept back: {status}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_turns_are_kept_back_and_handed_on_when_it_is_there() {
    let model = Rememberer::start().await;
    let mut redis = RedisServer::start();
    redis.kill();
    let home = on_redis(&model, &redis);
    let process = home.start().await;
    write(&process, 100..104).await;
    kept_back(&process, 4, "Redis").await;
    assert_eq!(Rememberer::asked(&model), 0, "nothing is made of them yet");
    redis.restart();
    process.memory_is_made().await;
    are_remembered(&process, 100..104).await;

    redis.kill();
    write(&process, 104..108).await;
    kept_back(&process, 4, "Redis").await;
    redis.restart();
    process.memory_is_made().await;
    are_remembered(&process, 100..108).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_and_denizen_may_be_killed_while_turns_are_on_their_way() {
    let model = Rememberer::pausing(std::time::Duration::from_millis(2)).await;
    let mut redis = RedisServer::start();
    let home = on_redis(&model, &redis);
    let mut process = home.start().await;
    let mut written = 100..100;
    for round in 0..4 {
        let asked = Rememberer::asked(&model);
        write(&process, written.end..written.end + 2).await;
        written.end += 2;
        // In every other round the model is at it.
        if round % 2 == 1 {
            eventually("gems are asked for", async || {
                (Rememberer::asked(&model) > asked).then_some(())
            })
            .await;
        }
        redis.kill();
        if round < 2 {
            process.kill();
            process = home.start().await;
        }
        write(&process, written.end..written.end + 2).await;
        written.end += 2;
        redis.restart();
    }
    process.memory_is_made().await;
    are_remembered(&process, written).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_share_a_buffer_and_no_turn_is_read_twice() {
    let model = Rememberer::pausing(std::time::Duration::from_millis(1)).await;
    let redis = RedisServer::start();
    let homes = [on_redis(&model, &redis), on_redis(&model, &redis)];
    let (one, mut other) = (homes[0].start().await, homes[1].start().await);
    for step in 0..6 {
        let number = 100 + step * 4;
        write(&one, number..number + 2).await;
        write(&other, number + 2..number + 4).await;
        if step == 3 {
            // What it holds stays its own until it is back.
            other.kill();
            other = homes[1].start().await;
        }
    }
    // Turns are shared out as they come; odd ones are left on either side until the conversation ends.
    let mut made: Vec<Value> = Vec::new();
    eventually("nothing waits", async || {
        one.end_session().await;
        other.end_session().await;
        let mut waiting = 0;
        for process in [&one, &other] {
            let status = process.memory().await;
            waiting += status["waiting"]["waiting"].as_u64()? + status["waiting"]["held"].as_u64()?;
            waiting += status["waiting"]["keptBack"].as_u64()?;
        }
        (waiting == 0).then_some(())
    })
    .await;
    let mut turns = Vec::new();
    for process in [&one, &other] {
        let (said, gems) = process.remembered().await;
        turns.extend(said.into_values().map(|turn| turn["text"].clone()));
        made.extend(gems.into_values().map(|gem| gem["content"].clone()));
    }
    let expected: Vec<usize> = (100..124).collect();
    assert_eq!(shelves(&turns), expected, "every turn is with one of the two");
    assert_eq!(shelves(&made), expected, "and so is its gem");
    let read: Vec<String> = model.asked().iter().filter_map(Rememberer::batch).collect();
    let lines: Vec<Value> = read
        .iter()
        .flat_map(|batch| batch.lines())
        .map(|line| json!(line))
        .collect();
    let read: BTreeSet<usize> = shelves(&lines).into_iter().collect();
    assert_eq!(read.len(), expected.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_qdrant_denizen_answers_and_keeps_turns_until_it_is_there() {
    let model = Rememberer::start().await;
    let mut qdrant = QdrantServer::start();
    qdrant.kill();
    let home = on_qdrant(&model, &qdrant);
    let mut process = home.start().await;
    write(&process, 100..104).await;
    let question = process.say("Alice", "Denizen, are you there?").await;
    assert_eq!(process.answer_to(&question).await, "Understood.");
    let status = process.memory().await;
    let trouble = status["trouble"].as_str().unwrap_or_default();
    assert!(trouble.contains("Qdrant"), "it says what is wrong: {status}");
    let turns = json!({"session": "helper/1", "turns": [{"speaker": {"name": "Bob"}, "text": "My boat is blue."},
        {"speaker": {"name": "Bob"}, "text": "My sail is red."}]});
    let (status, answer) = process.call(Method::POST, "/v1/turns", &turns).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    // A restart without it changes nothing.
    process.kill();
    let process = home.start().await;
    qdrant.restart();
    process.memory_is_made().await;
    are_remembered(&process, 100..104).await;
    assert!(process.search("boat").await.contains("My boat is blue."));
    let call = process.ask("Alice", "Denizen, what does shelf 102 hold?").await;
    let facts = &call["request"]["sections"];
    assert!(facts.to_string().contains("Alice says: Shelf 102"), "{facts}");

    process.memory_is_made().await;
    qdrant.kill();
    write(&process, 104..106).await;
    let question = process.say("Alice", "Denizen, are you still there?").await;
    assert_eq!(process.answer_to(&question).await, "Understood.");
    qdrant.restart();
    process.memory_is_made().await;
    are_remembered(&process, 100..106).await;
    assert!(process.search("lantern").await.contains("Shelf 105"));
}
