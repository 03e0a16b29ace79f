//! Power cuts while memories are made: what was accepted is remembered, once, whatever the moment.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{Home, ModelServer, Process, Rememberer, eventually};

/// When the process is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// So many milliseconds after the writers began: turns are captured.
    WhileWriting(u64),
    /// … after the first message was accepted: turns are archived and told to the mind.
    AfterAccepting(u64),
    /// … after the model was asked for gems: it is answering.
    WhileExtracting(u64),
    /// … after the model has said its last word: gems are read, stored, and their turns leave the buffer.
    WhileStoring(u64),
}

const WRITERS: [&str; 3] = ["Alice", "Bob", "Carol"];
const MESSAGES_EACH: usize = 2;

#[tokio::test(flavor = "multi_thread")]
async fn kill_at_any_moment_loses_no_turn_and_makes_no_gem_twice() {
    let model = Rememberer::pausing(Duration::from_millis(1)).await;
    let home = Home::remembering(&model);
    for (key, value) in [
        ("memory.enabled", "true"),
        ("permissions.allowInitiativeReplies", "false"),
        ("memory.batchSize", "3"),
        // However often it is interrupted, it is the model that makes the gems.
        ("memory.extractor", "model"),
    ] {
        home.run(&["settings", "set", key, value]).succeeded();
    }
    let mut written = BTreeMap::new();
    let mut accepted = BTreeSet::new();
    for (round, moment) in moments().into_iter().enumerate() {
        let mut process = home.start().await;
        let bodies = messages(round);
        written.extend(bodies.iter().map(|body| (text_of(&body["id"]), body.clone())));
        accepted.extend(live_through(&mut process, &model, bodies, moment).await);
    }

    let process = home.start().await;
    let before: BTreeSet<String> = process
        .messages()
        .await
        .iter()
        .map(|m| text_of(&m["id"]))
        .collect();
    assert!(accepted.is_subset(&before), "what was answered with 201 is there");
    // People repeat what they got no answer to, under the same id.
    for body in written.values() {
        post(process.client.clone(), process.url.clone(), body.clone())
            .await
            .expect("a process that lives takes it");
    }
    process.end_session().await;
    process.memory_is_made().await;
    check(&process, &written).await;
    let (turns, gems) = process.remembered().await;
    let mut process = process;
    process.kill();
    let process = home.start().await;
    assert_eq!(process.remembered().await, (turns, gems), "and it stays so");
}

fn moments() -> Vec<Moment> {
    let mut moments = Vec::new();
    for wait in [0, 3, 9, 27] {
        moments.push(Moment::WhileWriting(wait));
        moments.push(Moment::AfterAccepting(wait));
        moments.push(Moment::WhileExtracting(wait));
        moments.push(Moment::WhileStoring(wait));
    }
    moments.extend([1, 2, 5, 14, 50].map(Moment::WhileStoring));
    moments
}

fn messages(round: usize) -> Vec<Value> {
    let mut bodies = Vec::new();
    for (number, writer) in WRITERS.into_iter().enumerate() {
        for index in 0..MESSAGES_EACH {
            let shelf = 1000 + round * 10 + number * MESSAGES_EACH + index;
            bodies.push(
                json!({"author": writer, "text": format!("Shelf {shelf} holds a lantern."), "id": format!("shelf-{shelf}")}),
            );
        }
    }
    bodies
}

/// One life of the process: people write, and at the given moment it is over. The ids that are known to be taken.
async fn live_through(
    process: &mut Process,
    model: &ModelServer,
    bodies: Vec<Value>,
    moment: Moment,
) -> Vec<String> {
    model.forget_finished();
    let asked_before = Rememberer::asked(model);
    let mut accepted = Vec::new();
    let mut writers = JoinSet::new();
    for body in bodies {
        writers.spawn(post(process.client.clone(), process.url.clone(), body));
    }
    let wait = match moment {
        Moment::WhileWriting(wait) => wait,
        Moment::AfterAccepting(wait) => {
            let first = writers.join_next().await.expect("somebody writes");
            accepted.extend(first.expect("a writer"));
            wait
        }
        Moment::WhileExtracting(wait) => {
            eventually("gems are asked for", async || {
                (Rememberer::asked(model) > asked_before).then_some(())
            })
            .await;
            wait
        }
        Moment::WhileStoring(wait) => {
            model.finished_one().await;
            wait
        }
    };
    tokio::time::sleep(Duration::from_millis(wait)).await;
    process.kill();
    while let Some(writer) = writers.join_next().await {
        accepted.extend(writer.expect("a writer"));
    }
    accepted
}

/// Writes a message; its id once it is known to be taken.
async fn post(client: reqwest::Client, url: String, body: Value) -> Option<String> {
    let request = client
        .post(format!("{url}/api/rooms/lounge/messages"))
        .header("content-type", "application/json")
        .body(body.to_string());
    // A connection that breaks says nothing about whether the message was taken.
    match request.send().await.ok()?.status() {
        StatusCode::CREATED | StatusCode::OK => Some(text_of(&body["id"])),
        StatusCode::SERVICE_UNAVAILABLE => None,
        other => panic!("{body} was answered with {other}"),
    }
}

/// Every message is one turn and one gem.
async fn check(process: &Process, written: &BTreeMap<String, Value>) {
    let (turns, gems) = process.remembered().await;
    let shelf = |turn: &&Value| text_of(&turn["id"]).starts_with("shelf-");
    let said: BTreeMap<String, String> = turns
        .values()
        .filter(shelf)
        .map(|turn| (text_of(&turn["id"]), text_of(&turn["text"])))
        .collect();
    let expected: BTreeMap<String, String> = written
        .iter()
        .map(|(id, body)| (id.clone(), text_of(&body["text"])))
        .collect();
    assert_eq!(said, expected, "every message is a captured turn");
    let mut numbers: Vec<(String, u64)> = turns
        .values()
        .map(|turn| {
            (
                text_of(&turn["session"]),
                turn["number"].as_u64().expect("a number"),
            )
        })
        .collect();
    numbers.sort();
    let all = numbers.len();
    numbers.dedup();
    assert_eq!(
        numbers.len(),
        all,
        "no two turns of a conversation have the same number"
    );

    let mut of_turns: Vec<String> = Vec::new();
    for gem in gems.values() {
        let sources = gem["source"]["turns"].as_array().expect("sources");
        of_turns.extend(sources.iter().map(text_of));
        assert_eq!(gem["strength"], 1, "nothing was said twice: {gem}");
        assert_eq!(gem["made_by"], "test-model", "{gem}");
        assert!(gem["superseded_by"].is_null(), "nothing was taken back: {gem}");
    }
    of_turns.sort();
    let expected: Vec<String> = expected.into_keys().collect();
    assert_eq!(of_turns, expected, "every turn became one gem");
    let contents: BTreeSet<String> = gems.values().map(|gem| text_of(&gem["content"])).collect();
    assert_eq!(contents.len(), gems.len(), "no content is there twice");
}

fn text_of(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_before_a_restart_and_before_new_is_known_after() {
    let model = Rememberer::start().await;
    let home = Home::remembering(&model);
    for (key, value) in [
        ("memory.enabled", "true"),
        ("permissions.allowInitiativeReplies", "false"),
        ("addressing.followupEnabled", "false"),
        ("memory.batchSize", "1"),
    ] {
        home.run(&["settings", "set", key, value]).succeeded();
    }
    let mut process = home.start().await;
    process.say("Alice", "The green garden is called Wumper.").await;
    process.memory_is_made().await;
    process.terminate().await;
    let mut process = home.start().await;
    let known = async |process: &Process| {
        let call = process
            .ask("Alice", "Denizen, what is the green garden called?")
            .await;
        let sections = call["request"]["sections"].as_array().expect("sections");
        let facts = sections.iter().find(|section| section["name"] == "user_facts");
        let facts = facts.expect("every prompt has it");
        assert_eq!(facts["fate"], "kept", "{facts}");
        let text = text_of(&facts["text"]);
        assert!(
            text.contains("Alice says: The green garden is called Wumper."),
            "{text}"
        );
        assert!(text_of(&call["rawRequest"]).contains("Alice says: The green garden is called Wumper."));
        call
    };
    known(&process).await;
    process.say("Alice", "/new").await;
    eventually("the new conversation has begun", async || {
        let said = process.said().await;
        said.last()?
            .starts_with("A new conversation begins")
            .then_some(())
    })
    .await;
    let call = known(&process).await;
    // What was found stands behind the conversation, in a part of its own.
    let turns = call["request"]["turns"].as_array().expect("turns");
    let said: Vec<String> = turns.iter().map(|turn| turn["parts"][0].to_string()).collect();
    assert!(
        !said.iter().any(|part| part.contains("Wumper")),
        "only memory knows: {said:?}"
    );
    process.kill();
    let process = home.start().await;
    known(&process).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_back_or_edited_right_before_a_power_cut_is_not_remembered_as_it_was() {
    let model = Rememberer::start().await;
    let home = Home::remembering(&model);
    for (key, value) in [
        ("memory.enabled", "true"),
        ("permissions.allowInitiativeReplies", "false"),
        ("memory.batchSize", "1"),
    ] {
        home.run(&["settings", "set", key, value]).succeeded();
    }
    let mut process = home.start().await;
    let gone = process.say("Alice", "The green garden is called Wumper.").await;
    let mended = process.say("Alice", "I work at Zeppo.").await;
    process.memory_is_made().await;
    let of = |id: &str| format!("/api/rooms/lounge/messages/{id}?author=Alice");
    let text = json!({"author": "Alice", "text": "I work at Quax."});
    let (status, answer) = process.call(Method::PATCH, &of(&mended), &text).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let (status, answer) = process.call(Method::DELETE, &of(&gone), &json!({})).await;
    assert!(status.is_success(), "{answer}");
    process.kill();
    let process = home.start().await;
    eventually("memory has them as they stand", async || {
        let turn = process.text("/api/memory/search?q=Wumper&kinds=turns").await;
        let gems = process.text("/api/memory/gems").await;
        (!turn.contains("Wumper") && !gems.contains("Wumper") && !gems.contains("Zeppo")).then_some(())
    })
    .await;
}
