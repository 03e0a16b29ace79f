//! What is forgotten is gone for good.

use remote::QdrantGems;
use runtime::ports::{GemStore, Listing};
use stand_ins::QdrantServer;
use vocabulary::{CommunityId, Forget, GemId, Record, RoomId, SessionId, TurnKey};

use crate::given::{said_by, turn};
use crate::known::{Heaps, every_point, gem, holding, keys, looking_for, person, place, saying};

const HEAPS: Heaps = Heaps(32);

/// Three turns of Alice and Bob, a gem of each, one of both, and one about Carol that Bob told.
async fn given(server: &QdrantServer) -> QdrantGems {
    let alice = saying(turn(1), "canary one: I am allergic to nuts");
    let mut bob = saying(said_by("bob", 2), "canary two: Carol moved to Lyon");
    bob.place = place("local", "kitchen");
    bob.session = SessionId::new("local/kitchen");
    let mut elsewhere = saying(turn(3), "canary three: I like hiking");
    elsewhere.place = place("other", "lounge");
    elsewhere.session = SessionId::new("other/lounge");
    let mut of_both = gem(4, "canary of both", &alice);
    of_both.person = None;
    of_both.person_name = String::new();
    of_both.source.turns.push(bob.id.clone());
    let mut carol = gem(5, "canary of carol", &bob);
    carol.person = Some(person("carol"));
    let gems = [
        gem(1, "canary gem one", &alice),
        gem(2, "canary gem two", &bob),
        gem(3, "canary gem three", &elsewhere),
        of_both,
        carol,
    ];
    let mut records: Vec<Record> = vec![alice, bob, elsewhere]
        .into_iter()
        .map(Record::Turn)
        .collect();
    records.extend(gems.map(|gem| Record::Gem(Box::new(gem))));
    holding(server, &HEAPS, records).await
}

async fn left(store: &QdrantGems) -> Vec<String> {
    let all = Listing {
        limit: 100,
        ..Listing::default()
    };
    let turns = store.turns(&all).await.unwrap().items;
    let gems = store.gems(&all).await.unwrap().items;
    let turns = turns.into_iter().map(|turn| turn.id.to_string());
    let mut left: Vec<String> = turns
        .chain(gems.into_iter().map(|gem| gem.gem_id.to_string()))
        .collect();
    left.sort();
    left
}

#[tokio::test]
async fn a_person_goes_everywhere_with_all_that_is_known_of_them() {
    let server = QdrantServer::start();
    let store = given(&server).await;
    let alice = Forget::Person {
        person: person("alice"),
        name: "alice".to_owned(),
        community: None,
    };
    let removed = store.forget(&alice).await.unwrap();
    assert_eq!(removed.turns, keys(&["m1", "m3"]));
    assert_eq!(removed.gems, ["g1", "g3"].map(GemId::new));
    assert_eq!(left(&store).await, ["g2", "g4", "g5", "m2"]);
    let points = every_point(&server).await;
    for word in [
        "canary one",
        "canary three",
        "gem one",
        "gem three",
        "local:alice",
    ] {
        assert!(!points.contains(word), "{word} is left");
    }
    assert_eq!(store.forget(&alice).await.unwrap().turns, []);
}

#[tokio::test]
async fn a_person_goes_from_one_community_only_where_that_is_asked_for() {
    let server = QdrantServer::start();
    let store = given(&server).await;
    let alice_there = Forget::Person {
        person: person("alice"),
        name: "alice".to_owned(),
        community: Some(CommunityId::new("other")),
    };
    store.forget(&alice_there).await.unwrap();
    assert_eq!(left(&store).await, ["g1", "g2", "g4", "g5", "m1", "m2"]);
}

#[tokio::test]
async fn what_was_known_of_somebody_goes_although_others_told_it() {
    let server = QdrantServer::start();
    let store = given(&server).await;
    let carol = Forget::Person {
        person: person("carol"),
        name: "carol".to_owned(),
        community: None,
    };
    assert_eq!(store.forget(&carol).await.unwrap().gems, [GemId::new("g5")]);
    assert_eq!(left(&store).await, ["g1", "g2", "g3", "g4", "m1", "m2", "m3"]);
}

#[tokio::test]
async fn turns_take_the_gems_along_that_came_from_nothing_else() {
    let server = QdrantServer::start();
    let store = given(&server).await;
    let removed = store
        .forget(&Forget::Turns(keys(&["m2", "nobody"])))
        .await
        .unwrap();
    assert_eq!(removed.turns, keys(&["m2"]));
    assert_eq!(removed.gems, ["g2", "g5"].map(GemId::new));
    assert_eq!(left(&store).await, ["g1", "g3", "g4", "m1", "m3"]);
    let found = store
        .search(&looking_for("Carol moved to Lyon", &HEAPS))
        .await
        .unwrap();
    assert!(found.iter().all(|found| !found.record.text().contains("Lyon")));
    store.forget(&Forget::Turns(vec![])).await.unwrap();
    assert_eq!(left(&store).await.len(), 5);
}

#[tokio::test]
async fn gems_take_the_turns_along_that_they_came_from() {
    let server = QdrantServer::start();
    let store = given(&server).await;
    let removed = store.forget(&Forget::Gems(vec![GemId::new("g4")])).await.unwrap();
    assert_eq!(removed.turns, [TurnKey::new("m1"), TurnKey::new("m2")]);
    assert_eq!(left(&store).await, ["g3", "m3"]);
}

#[tokio::test]
async fn a_conversation_and_a_room_go_as_a_whole() {
    let server = QdrantServer::start();
    let store = given(&server).await;
    store
        .forget(&Forget::Session(SessionId::new("other/lounge")))
        .await
        .unwrap();
    assert_eq!(left(&store).await, ["g1", "g2", "g4", "g5", "m1", "m2"]);
    let kitchen = Forget::Room {
        community: CommunityId::new("local"),
        room: RoomId::new("kitchen"),
    };
    store.forget(&kitchen).await.unwrap();
    assert_eq!(left(&store).await, ["g1", "g4", "m1"]);
}
