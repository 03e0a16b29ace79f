//! Many communities behind one address: each has every route, and none sees another's.

use reqwest::Method;
use runtime::ports::OutboundServices;
use serde_json::{Value, json};
use stand_ins::MemoryInRam;

use crate::caller::{Caller, answer};
use crate::driver::{House, Neighbour, TOKEN, neighbour, open_beside};

const CLUB: &str = "/api/communities/club";

async fn two() -> (House, Neighbour) {
    two_with(false).await
}

async fn two_with(token: bool) -> (House, Neighbour) {
    let memory = MemoryInRam::default();
    let club = neighbour("club", &memory).await;
    let (outbound, beside) = (OutboundServices::none(), Some(club.hosted.clone()));
    let house = open_beside(|_| {}, 100, token, outbound, memory, beside).await;
    (house, club)
}

async fn say(caller: &Caller, root: &str, room: &str, text: &str) -> Value {
    let body = json!({"author": "Alice", "text": text});
    let path = format!("{root}/rooms/{room}/messages");
    caller.post(&path, &body).await.ok(201)["message"].clone()
}

#[tokio::test]
async fn each_community_has_its_own_rooms_people_and_health() {
    let (house, _club) = two().await;
    let listed = house.caller.get("/api/communities").await.ok(200);
    assert_eq!(
        listed["communities"],
        json!([
            {"id": "local", "name": "local", "home": true, "rooms": ["lounge", "kitchen"]},
            {"id": "club", "name": "club", "home": false, "rooms": ["attic"]},
        ])
    );
    let rooms = house.caller.get(&format!("{CLUB}/rooms")).await.ok(200);
    assert_eq!(rooms["rooms"][0]["id"], "attic");
    let health = house.caller.get(&format!("{CLUB}/health")).await.ok(200);
    assert_eq!(health["community"], "club");
    let said = say(&house.caller, CLUB, "attic", "hello").await;
    assert_eq!(said["author"]["id"], "club:alice");
    let said = say(&house.caller, "/api/communities/local", "lounge", "hello").await;
    assert_eq!(
        said["author"]["id"], "local:alice",
        "the default one has its name, too"
    );
}

#[tokio::test]
async fn what_is_said_in_one_is_in_no_answer_of_the_other() {
    let (house, club) = two().await;
    let secret = "walnuts-in-the-attic";
    let said = say(&house.caller, CLUB, "attic", secret).await;
    let gem = json!({"content": format!("Alice hides {secret}."), "person": "Alice"});
    let made = house
        .caller
        .post(&format!("{CLUB}/memory/gems"), &gem)
        .await
        .ok(201);
    let (message, gem) = (
        said["id"].as_str().unwrap(),
        made["gem"]["gem_id"].as_str().unwrap(),
    );

    let description = house.caller.get("/api/openapi.json").await.ok(200);
    let mut asked = 0;
    for path in description["paths"].as_object().unwrap().keys() {
        let operations = &description["paths"][path];
        let streams = ["/api/events", "/api/watch/socket"].contains(&path.as_str());
        if operations["get"].is_null() || streams {
            continue;
        }
        let address = path
            .replace("/gems/{id}", &format!("/gems/{gem}"))
            .replace("{message}", message)
            .replace("/people/{id}", "/people/club:alice")
            .replace("{room}", "lounge")
            .replace("{id}", "1");
        let query = match path.as_str() {
            "/api/memory/search" => format!("?q={secret}&community=club&room=attic"),
            "/api/memory/gems" => "?community=club&current=false".to_owned(),
            "/api/rooms/{room}/fates" => format!("?messages={message}"),
            _ => String::new(),
        };
        let found = house.caller.get(&format!("{address}{query}")).await;
        assert!(!found.text.contains(secret), "{address}: {}", found.text);
        asked += 1;
    }
    assert!(asked > 20, "{asked} routes were asked");
    assert!(house.store.kept().messages.is_empty());
    assert_eq!(club.store.kept().messages.len(), 1);
    let found = house
        .caller
        .get(&format!("{CLUB}/memory/search?q={secret}"))
        .await
        .ok(200);
    assert_eq!(found["found"].as_array().unwrap().len(), 1, "its own find it");
}

#[tokio::test]
async fn memories_of_another_community_cannot_be_changed_or_forgotten() {
    let (house, _club) = two().await;
    let gem = json!({"content": "Alice lives in Porto.", "person": "Alice"});
    let made = house
        .caller
        .post(&format!("{CLUB}/memory/gems"), &gem)
        .await
        .ok(201);
    let path = format!("/api/memory/gems/{}", made["gem"]["gem_id"].as_str().unwrap());
    let edit = json!({"pinned": true});
    assert_eq!(house.caller.send(Method::PATCH, &path, &edit).await.status, 404);
    assert_eq!(
        answer(house.caller.request(Method::DELETE, &path)).await.status,
        404
    );
    let person = answer(
        house
            .caller
            .request(Method::DELETE, "/api/memory/people/club:alice"),
    )
    .await;
    assert_eq!(person.ok(200)["removed"]["gems"], json!([]));
    let elsewhere = json!({"content": "Planted.", "scope": {"community": "club"}});
    let planted = house.caller.post("/api/memory/gems", &elsewhere).await;
    assert_eq!(planted.status, 422);
    house.caller.get(&format!("{CLUB}/memory/gems")).await.ok(200)["items"][0]["gem_id"]
        .as_str()
        .expect("it is still there");
}

#[tokio::test]
async fn what_memory_holds_is_counted_for_each_community_alone() {
    let (house, _club) = two().await;
    let gem = json!({"content": "Alice lives in Porto.", "person": "Alice"});
    house
        .caller
        .post(&format!("{CLUB}/memory/gems"), &gem)
        .await
        .ok(201);
    let turns = json!({"session": "helper/1", "turns": [{"speaker": {"name": "Bob"}, "text": "hello"}]});
    house.caller.post("/v1/turns", &turns).await.ok(201);
    for (root, gems, waiting) in [(CLUB, 1, 0), ("/api", 0, 1)] {
        let status = house.caller.get(&format!("{root}/memory/status")).await.ok(200);
        assert_eq!(status["stats"]["gems"], gems, "{root}: {status}");
        assert_eq!(status["waiting"]["waiting"], waiting, "{root}: {status}");
    }
}

#[tokio::test]
async fn a_community_that_is_not_there_is_named_with_those_that_are() {
    let (house, _club) = two().await;
    let refused = house.caller.get("/api/communities/attic/rooms").await;
    assert_eq!(refused.status, 404);
    let error = &refused.json()["error"];
    assert_eq!(error["code"], "unknown_community");
    assert_eq!(
        error["message"],
        "There is no community “attic” here. The communities are: club, local."
    );
    let nested = house.caller.get("/api/communities/club/communities").await;
    assert_eq!(
        nested.status, 404,
        "what the process has once is not in a community"
    );
}

#[tokio::test]
async fn strangers_are_not_told_which_communities_there_are() {
    let (house, _club) = two_with(true).await;
    for path in ["/api/communities", "/api/communities/attic/rooms"] {
        let refused = house.caller.get(path).await;
        assert_eq!(refused.status, 401, "{path}");
        assert!(!refused.text.contains("club"), "{}", refused.text);
    }
    let stop = house
        .caller
        .request(Method::DELETE, "/api/communities/attic/watch/1");
    let refused = answer(stop.bearer_auth("guessed")).await;
    assert_eq!(refused.status, 404);
    assert!(!refused.text.contains("club"), "{}", refused.text);
    let known = house.caller.request(Method::GET, &format!("{CLUB}/rooms"));
    assert_eq!(answer(known.bearer_auth(TOKEN)).await.status, 200);
}

#[tokio::test]
async fn a_share_of_another_community_stays_within_its_addresses() {
    let (house, _club) = two().await;
    let new = json!({"name": "Alice"});
    let link = house
        .caller
        .post(&format!("{CLUB}/rooms/attic/shares"), &new)
        .await
        .ok(201);
    let frames = link["framesUrl"].as_str().unwrap();
    assert!(frames.starts_with("/api/communities/club/watch/"), "{frames}");
    assert!(
        link["url"]
            .as_str()
            .unwrap()
            .starts_with("/share?community=club#")
    );
    let share = link["share"].as_str().unwrap();
    let elsewhere = house
        .caller
        .request(Method::DELETE, &format!("/api/watch/{share}"))
        .bearer_auth(link["token"].as_str().unwrap());
    assert_eq!(
        answer(elsewhere).await.status,
        404,
        "the default community has no such share"
    );
}

#[tokio::test]
async fn the_default_community_stays_and_ids_must_fit_into_addresses() {
    let (house, _club) = two().await;
    let kept = answer(house.caller.request(Method::DELETE, "/api/communities/local")).await;
    assert_eq!(
        (kept.status, kept.json()["error"]["code"].clone()),
        (409, json!("default_community"))
    );
    for id in ["", "Book Club", "-a", "a/b", &"a".repeat(41)] {
        let refused = house.caller.post("/api/communities", &json!({"id": id})).await;
        assert_eq!(refused.status, 422, "{id}");
    }
    let fixed = house
        .caller
        .post("/api/communities", &json!({"id": "more"}))
        .await;
    assert_eq!(fixed.json()["error"]["code"], "communities_fixed");
    let taken = house
        .caller
        .post("/api/communities", &json!({"id": "club"}))
        .await;
    assert_eq!(taken.json()["error"]["code"], "community_taken");
}
