//! Agents that name a community: it is told itself, and one that is not here is refused.

use mind::{Input, MemoryEvent};
use runtime::ports::OutboundServices;
use serde_json::{Value, json};
use stand_ins::MemoryInRam;

use crate::driver::{neighbour, open, open_beside};

fn hello(scope: Value) -> Value {
    let turn = json!({"id": "1", "speaker": {"name": "Alice"}, "text": "hello"});
    json!({"session": "helper/42", "turns": [turn], "scope": scope, "ended": true})
}

#[tokio::test]
async fn turns_for_a_community_are_told_to_it_and_to_no_other() {
    let memory = MemoryInRam::default();
    let team = neighbour("team", &memory).await;
    let (outbound, beside) = (OutboundServices::none(), Some(team.hosted.clone()));
    let house = open_beside(|_| {}, 100, false, outbound, memory, beside).await;
    let ended = |heard: &[Input]| {
        let ended = |input: &&Input| matches!(input, Input::Memory(MemoryEvent::ConversationEnded { .. }));
        heard.iter().filter(ended).count()
    };
    let named = hello(json!({"community": "team"}));
    house.caller.post("/v1/turns", &named).await.ok(201);
    assert_eq!(house.memory.waiting()[0].place.community.as_str(), "team");
    assert_eq!(ended(&team.store.kept().heard), 1);
    assert_eq!(ended(&house.store.kept().heard), 0);

    house.caller.post("/v1/turns", &hello(json!({}))).await.ok(201);
    assert_eq!(house.memory.waiting()[1].place.community.as_str(), "agents");
    assert_eq!(ended(&team.store.kept().heard), 1);
    assert_eq!(
        ended(&house.store.kept().heard),
        1,
        "the default one looks after agents that name none"
    );
}

#[tokio::test]
async fn a_community_that_is_not_here_is_refused_with_those_that_are() {
    let house = open().await;
    let scope = json!({"community": "team"});
    for (path, body) in [
        ("/v1/turns", hello(scope.clone())),
        ("/v1/gems", json!({"content": "Alice likes tea.", "scope": scope})),
        ("/v1/recall", json!({"query": "tea", "scope": scope})),
    ] {
        let refused = house.caller.post(path, &body).await;
        refused.refused(404, "unknown_community");
        let message = refused.json()["error"]["message"].clone();
        let begins = "There is no community “team” here. The communities are: local. Add it";
        assert!(message.as_str().unwrap().starts_with(begins), "{path}: {message}");
    }
    assert!(house.memory.waiting().is_empty());
}
