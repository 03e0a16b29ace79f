//! Forgetting reaches every community that it concerns, and an agent's token erases nothing that was said in rooms.

use reqwest::Method;
use runtime::ports::{Embedded, GemStore, OutboundServices};
use serde_json::{Value, json};
use stand_ins::{MemoryInRam, WasForgotten};
use vocabulary::{Forget, Record};

use crate::caller::{Caller, answer};
use crate::driver::{House, Neighbour, neighbour, open_beside};
use crate::remembered::{gem, turn};
use crate::roles::as_role;

/// A house with a neighbour, in which Alice was heard in both.
async fn town() -> (House, Neighbour) {
    let memory = MemoryInRam::default();
    let team = neighbour("team", &memory).await;
    let (outbound, beside) = (OutboundServices::none(), Some(team.hosted.clone()));
    let house = open_beside(|_| {}, 100, false, outbound, memory, beside).await;
    let mut there = turn("team/m1", "attic", "Alice", "I live in Oslo", 1);
    there["turn"]["place"]["community"] = json!("team");
    there["turn"]["session"] = json!("team/attic/2026-02-23");
    let mut learnt = gem("g-oslo", "Alice", "attic", "Alice lives in Oslo.", &["team/m1"]);
    learnt["place"]["community"] = json!("team");
    learnt["source"]["session_id"] = json!("team/attic/2026-02-23");
    let here = turn("local/m1", "lounge", "Alice", "I like tea", 1);
    let records = [there, json!({ "gem": learnt }), here].map(|record| Embedded {
        record: serde_json::from_value::<Record>(record).unwrap(),
        vector: Vec::new(),
    });
    house.memory.put(records.into()).await.unwrap();
    (house, team)
}

async fn delete(caller: &Caller, path: &str) -> Value {
    answer(caller.request(Method::DELETE, path)).await.ok(200)
}

fn told(forgotten: &WasForgotten) -> Vec<Forget> {
    let told = forgotten.lock().unwrap();
    told.iter().map(|forgotten| forgotten.what.clone()).collect()
}

#[tokio::test]
async fn a_person_of_another_community_is_forgotten_by_that_community_too() {
    let (house, team) = town().await;
    let gone = delete(&house.caller, "/v1/people/local:alice?community=team&name=Alice").await;
    assert_eq!(gone["removed"]["turns"], json!(["team/m1"]));
    assert!(matches!(&told(&team.forgotten)[..], [Forget::Person { .. }]));
    assert!(told(&house.forgotten).is_empty(), "nothing of it was said here");
    let texts = team.forgotten.lock().unwrap()[0].texts.clone();
    assert!(texts.contains(&"I live in Oslo".to_owned()), "{texts:?}");
}

#[tokio::test]
async fn a_person_a_gem_or_a_turn_is_forgotten_wherever_it_was_said() {
    for (path, told_there) in [
        ("/v1/people/local:alice?community=*&name=Alice", 1),
        ("/api/memory/people/local:alice?name=Alice", 0),
        ("/api/communities/team/memory/people/local:alice?name=Alice", 1),
    ] {
        let (house, team) = town().await;
        delete(&house.caller, path).await;
        assert_eq!(told(&team.forgotten).len(), told_there, "{path}");
    }
    for path in ["/v1/gems/g-oslo", "/v1/turns/team%2Fm1"] {
        let (house, team) = town().await;
        let gone = delete(&house.caller, path).await;
        assert_eq!(gone["removed"]["turns"], json!(["team/m1"]), "{path}");
        assert_eq!(
            (told(&house.forgotten).len(), told(&team.forgotten).len()),
            (0, 1),
            "{path}"
        );
    }
}

#[tokio::test]
async fn an_agents_token_forgets_what_is_remembered_and_no_message() {
    let (house, team) = town().await;
    let agent = as_role(&house, "agent").await;
    let gone = delete(&agent, "/v1/people/local:alice?community=local&name=Alice").await;
    assert_eq!(gone["removed"]["turns"], json!(["local/m1"]));
    assert_eq!(gone["messages"], "kept");
    assert!(
        gone["remedy"].as_str().unwrap().contains("administrator"),
        "{gone}"
    );
    assert!(told(&house.forgotten).is_empty() && told(&team.forgotten).is_empty());
    let kept = delete(&house.caller, "/v1/gems/g-oslo?messages=keep").await;
    assert_eq!(kept["messages"], "kept", "whoever may do more can ask for less");
    assert!(told(&team.forgotten).is_empty());
    let other = answer(
        house
            .caller
            .request(Method::DELETE, "/v1/gems/g-oslo?messages=erase"),
    )
    .await;
    assert_eq!(other.status, 404);
}

#[tokio::test]
async fn what_an_agent_told_goes_from_the_recordings_too() {
    let (house, _team) = town().await;
    let agent = as_role(&house, "agent").await;
    let mut said = turn("agent:agents/helper/1:1", "helper", "Bob", "my code is 77", 1);
    said["turn"]["place"]["community"] = json!("agents");
    said["turn"]["session"] = json!("agent:agents/helper/1");
    let record = Embedded {
        record: serde_json::from_value::<Record>(said).unwrap(),
        vector: Vec::new(),
    };
    house.memory.put(vec![record]).await.unwrap();
    let gone = delete(&agent, "/v1/sessions/helper%2F1").await;
    assert_eq!(gone["removed"]["turns"].as_array().unwrap().len(), 1);
    assert_eq!(gone["messages"], Value::Null, "nobody said it in a room");
    assert_eq!(house.forgotten.lock().unwrap()[0].texts, ["my code is 77"]);
}
