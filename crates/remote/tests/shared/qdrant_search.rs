//! What fits is found, by words and by meaning, and only by whoever may see it.

use runtime::ports::GemStore;
use stand_ins::QdrantServer;
use vocabulary::{
    CapturedTurn, CommunityId, Found, GemId, Kinds, Reach, Record, RecordId, RoomId, Search, Viewpoint,
};

use crate::given::{said_by, turn};
use crate::known::{Heaps, gem, holding, keys, looking_for, person, place, saying};

const HEAPS: Heaps = Heaps(64);

fn texts(found: &[Found]) -> Vec<&str> {
    found.iter().map(|found| found.record.text()).collect()
}

fn conversation() -> Vec<CapturedTurn> {
    let said = [
        ("alice", "Good morning everybody"),
        ("bob", "Did you sleep well?"),
        ("alice", "My cat Pixel kept me awake all night"),
        ("bob", "Oh dear, what a rascal"),
        ("carol", "The deployment failed again because of the certificate"),
        ("bob", "I renewed the certificate in March"),
        ("alice", "Then it must be the clock of that machine"),
        ("carol", "Let us have lunch at noon"),
    ];
    let numbered = said.into_iter().zip(1..);
    numbered
        .map(|((who, text), n)| saying(said_by(who, n), text))
        .collect()
}

fn records() -> Vec<Record> {
    let turns = conversation();
    let pixel = gem(1, "Alice has a cat called Pixel", &turns[2]);
    let renewal = gem(2, "Bob renewed the certificate in March", &turns[5]);
    let mut records: Vec<Record> = turns.into_iter().map(Record::Turn).collect();
    records.extend([pixel, renewal].map(|gem| Record::Gem(Box::new(gem))));
    records
}

#[tokio::test]
async fn what_has_the_words_comes_first_with_the_words_it_has() {
    let server = QdrantServer::start();
    let store = holding(&server, &HEAPS, records()).await;
    let search = Search {
        kinds: Kinds::Turns,
        ..looking_for("certificate renewed", &HEAPS)
    };
    let found = store.search(&search).await.unwrap();
    assert_eq!(found[0].record.text(), "I renewed the certificate in March");
    assert_eq!(found[0].matched, ["certificate", "renewed"]);
    assert_eq!(found[0].through, [GemId::new("g2")], "the gem leads to its turn");
    assert!(found[0].scores.lexical > 0.0 && found[0].scores.dense > 0.0);
    assert!(
        found
            .windows(2)
            .all(|two| two[0].scores.total >= two[1].scores.total)
    );
    let gems = Search {
        kinds: Kinds::Gems,
        ..looking_for("cat called Pixel", &HEAPS)
    };
    let found = store.search(&gems).await.unwrap();
    assert_eq!(found[0].record.text(), "Alice has a cat called Pixel");
}

#[tokio::test]
async fn without_a_vector_words_alone_find_and_without_words_the_vector_alone() {
    let server = QdrantServer::start();
    let store = holding(&server, &HEAPS, records()).await;
    let by_words = Search {
        vector: None,
        ..looking_for("certificate", &HEAPS)
    };
    let found = store.search(&by_words).await.unwrap();
    assert!(
        found.len() >= 2 && found[0].record.text().contains("certificate"),
        "{found:?}"
    );
    let by_meaning = Search {
        words: String::new(),
        ..looking_for("Let us have lunch at noon", &HEAPS)
    };
    let found = store.search(&by_meaning).await.unwrap();
    assert_eq!(found[0].record.text(), "Let us have lunch at noon");
}

#[tokio::test]
async fn a_search_keeps_to_kinds_person_limit_and_what_is_in_view_anyway() {
    let server = QdrantServer::start();
    let store = holding(&server, &HEAPS, records()).await;
    let search = looking_for("certificate", &HEAPS);
    let gems = Search {
        kinds: Kinds::Gems,
        ..search.clone()
    };
    let found = store.search(&gems).await.unwrap();
    assert!(found.iter().all(|found| matches!(found.record, Record::Gem(_))) && !found.is_empty());
    let of_bob = Search {
        person: Some(person("bob")),
        ..search.clone()
    };
    let found = store.search(&of_bob).await.unwrap();
    assert!(!found.is_empty());
    for found in &found {
        let whose = match &found.record {
            Record::Gem(gem) => gem.person.clone(),
            Record::Turn(turn) => Some(turn.speaker.id.clone()),
        };
        assert_eq!(whose, Some(person("bob")), "{:?}", found.record);
    }
    let one = Search {
        limit: 1,
        ..search.clone()
    };
    assert_eq!(store.search(&one).await.unwrap().len(), 1);
    let none = Search {
        limit: 0,
        ..search.clone()
    };
    assert_eq!(store.search(&none).await.unwrap(), []);
    let elsewhere = Search {
        exclude: keys(&["m6"]),
        ..search
    };
    let found = store.search(&elsewhere).await.unwrap();
    assert!(found.iter().all(|found| {
        found.record.id() != RecordId::Turn(turn(6).id)
            && found.record.id() != RecordId::Gem(GemId::new("g2"))
    }));
    assert!(!found.is_empty());
}

#[tokio::test]
async fn what_does_not_hold_any_more_is_found_only_on_request() {
    let server = QdrantServer::start();
    let mut old = gem(1, "Alice lives in Paris", &turn(1));
    old.superseded_by = Some(GemId::new("g2"));
    let new = gem(2, "Alice lives in Lyon", &turn(2));
    let records = [old, new].map(|gem| Record::Gem(Box::new(gem))).to_vec();
    let store = holding(&server, &HEAPS, records).await;
    let search = looking_for("Alice lives", &HEAPS);
    assert_eq!(
        texts(&store.search(&search).await.unwrap()),
        ["Alice lives in Lyon"]
    );
    let all = Search {
        superseded: true,
        ..search
    };
    assert_eq!(store.search(&all).await.unwrap().len(), 2);
}

#[tokio::test]
async fn nobody_finds_what_their_viewpoint_does_not_see() {
    let server = QdrantServer::start();
    let mut records = Vec::new();
    let mut n = 0;
    for community in ["here", "there"] {
        for room in ["lounge", "kitchen"] {
            for private in [false, true] {
                for who in ["alice", "bob"] {
                    n += 1;
                    let mut turn = saying(said_by(who, n), &format!("the secret number is {n}"));
                    turn.place = place(community, room);
                    turn.place.private = private;
                    let gem = gem(n, &format!("the secret number {n} was told"), &turn);
                    records.extend([Record::Turn(turn), Record::Gem(Box::new(gem))]);
                }
            }
        }
    }
    let store = holding(&server, &HEAPS, records.clone()).await;
    let mut seen_by_views = Vec::new();
    for reach in [Reach::Room, Reach::Community, Reach::Everywhere] {
        let view = Viewpoint::Room {
            community: CommunityId::new("here"),
            room: RoomId::new("lounge"),
            reach,
            people: vec![person("bob")],
        };
        for kinds in [Kinds::Gems, Kinds::Turns] {
            let search = Search {
                view: view.clone(),
                kinds,
                limit: 100,
                ..looking_for("secret number", &HEAPS)
            };
            let mut found: Vec<RecordId> = store
                .search(&search)
                .await
                .unwrap()
                .iter()
                .map(|found| found.record.id())
                .collect();
            found.sort();
            let mut wanted: Vec<RecordId> = records
                .iter()
                .filter(|record| match record {
                    Record::Gem(gem) => kinds == Kinds::Gems && view.sees(&gem.place, gem.person.as_ref()),
                    Record::Turn(turn) => {
                        kinds == Kinds::Turns && view.sees(&turn.place, Some(&turn.speaker.id))
                    }
                })
                .map(Record::id)
                .collect();
            wanted.sort();
            assert_eq!(found, wanted, "{reach:?} {kinds:?}");
            seen_by_views.push(found.len());
        }
    }
    assert_eq!(seen_by_views, [4, 4, 6, 6, 8, 8]);
}

#[tokio::test]
async fn what_was_said_around_a_turn_speaks_for_it() {
    let server = QdrantServer::start();
    let mut turns: Vec<CapturedTurn> = (1..40)
        .map(|n| saying(turn(n * 10), &format!("small talk number {n} about nothing")))
        .collect();
    turns.push(saying(
        said_by("bob", 1_000),
        "Which city did your sister move to?",
    ));
    turns.push(saying(said_by("alice", 1_001), "Valparaíso, last winter"));
    let store = holding(&server, &HEAPS, turns.into_iter().map(Record::Turn).collect()).await;
    let search = Search {
        vector: None,
        ..looking_for("sister city", &HEAPS)
    };
    let found = store.search(&search).await.unwrap();
    assert!(
        texts(&found).contains(&"Valparaíso, last winter"),
        "it has none of the words, but stands beside them: {found:?}"
    );
}
