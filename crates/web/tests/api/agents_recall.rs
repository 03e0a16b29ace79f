//! What other agents are told, and what they are not.

use serde_json::{Value, json};

use crate::agents::post;
use crate::remembered::{found, remembering};

#[tokio::test]
async fn recall_sees_what_its_scope_may_see() {
    let house = remembering().await;
    post(
        &house,
        "/v1/gems",
        json!({"content": "Carol hates walnuts.", "person": "Carol", "session": "helper/1"}),
    )
    .await
    .ok(201);
    let private = json!({"content": "Carol hides walnuts.", "session": "helper/1", "scope": {"room": "den", "private": true}});
    post(&house, "/v1/gems", private).await.ok(201);
    let contents = async |mut body: Value| {
        body["query"] = json!("walnuts");
        body["kinds"] = json!("gems");
        let answer = post(&house, "/v1/recall", body).await.ok(200);
        let found = answer["found"].as_array().unwrap().iter();
        let mut contents: Vec<String> = found
            .map(|found| found["record"]["gem"]["content"].as_str().unwrap().to_owned())
            .collect();
        contents.sort();
        contents
    };
    assert_eq!(
        contents(json!({})).await,
        ["Carol hates walnuts."],
        "without a scope: the agents' own, in the open"
    );
    assert_eq!(
        contents(json!({"scope": {"room": "den"}})).await,
        ["Carol hates walnuts.", "Carol hides walnuts."]
    );
    assert_eq!(
        contents(json!({"scope": {"room": "den", "reach": "room"}})).await,
        ["Carol hides walnuts."]
    );
    assert_eq!(
        contents(json!({"scope": {"community": "local"}})).await,
        ["Alice is allergic to walnuts."],
        "what is private to the vault stays there"
    );
    assert_eq!(
        contents(json!({"person": "carol"})).await,
        ["Carol hates walnuts."]
    );
    assert_eq!(
        contents(json!({"scope": {"reach": "everywhere", "people": ["local:alice"]}})).await,
        ["Alice is allergic to walnuts.", "Carol hates walnuts."]
    );
}

#[tokio::test]
async fn what_is_too_unsure_is_counted_and_not_told() {
    let house = remembering().await;
    let ask = async |more: Value| {
        let mut body = json!({"query": "walnuts elephants giraffes zebras", "scope": {"community": "local"}});
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        post(&house, "/v1/recall", body).await.ok(200)
    };
    let usual = ask(json!({})).await;
    assert_eq!((found(&usual).len(), &usual["belowThreshold"]), (0, &json!(2)));
    let all = ask(json!({"minConfidence": 0})).await;
    assert_eq!((found(&all).len(), &all["belowThreshold"]), (2, &json!(0)));
    assert!(all["tookMs"].is_u64() && all["remark"].is_string(), "{all}");
    let tea = json!({"query": "darjeeling", "kinds": "gems", "scope": {"community": "local"}});
    assert_eq!(
        found(&post(&house, "/v1/recall", tea.clone()).await.ok(200)),
        [""; 0]
    );
    let mut with_old = tea;
    with_old["superseded"] = json!(true);
    assert_eq!(
        found(&post(&house, "/v1/recall", with_old).await.ok(200)),
        ["g-darjeeling"]
    );
    for (body, words) in [
        (json!({"query": ""}), "query is empty"),
        (json!({"query": "x", "limit": 51}), "limit is 51"),
        (json!({"query": "x", "minConfidence": 2}), "minConfidence is 2"),
        (json!({"query": "x", "kinds": "songs"}), "kinds is “songs”"),
        (
            json!({"query": "x", "scope": {"reach": "moon"}}),
            "scope.reach is “moon”",
        ),
        (
            json!({"query": "x", "scope": {"reach": "room"}}),
            "scope.room is missing",
        ),
        (json!({"query": "x", "person": " "}), "person has 0"),
    ] {
        let message = post(&house, "/v1/recall", body)
            .await
            .refused(422, "invalid_field");
        assert!(message.contains(words), "{message}");
    }
}
