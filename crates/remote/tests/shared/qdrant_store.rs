//! What is put is there, and is listed in order.

use remote::{QdrantGems, QdrantSettings};
use runtime::ports::{Embedder, GemStore, Listing, MemoryFault, StoreStats, WhoseTurns};
use stand_ins::QdrantServer;
use vocabulary::{GemId, Record, RecordId, SessionId, TurnKey, WallTime};

use crate::given::{said_by, turn, turns};
use crate::known::{COLLECTION, Heaps, every_point, gem, gems, holding, keys, looking_for, person, place};

const HEAPS: Heaps = Heaps(32);

fn all_turns(range: std::ops::Range<u64>) -> Vec<Record> {
    turns(range).into_iter().map(Record::Turn).collect()
}

fn listing(limit: usize) -> Listing {
    Listing {
        limit,
        ..Listing::default()
    }
}

#[tokio::test]
async fn a_store_that_was_never_used_is_empty_and_says_so_in_every_way() {
    let server = QdrantServer::start();
    let store = gems(&server);
    assert_eq!(store.embedder().await.unwrap(), None);
    assert_eq!(
        store.stats(&WhoseTurns::All).await.unwrap(),
        StoreStats::default()
    );
    assert_eq!(store.gems(&listing(5)).await.unwrap().items, []);
    assert_eq!(store.turns(&listing(5)).await.unwrap().items, []);
    assert_eq!(store.search(&looking_for("tea", &HEAPS)).await.unwrap(), []);
    assert_eq!(store.get(&[RecordId::Turn(turn(1).id)]).await.unwrap(), []);
    assert_eq!(store.last_number(&turn(1).session).await.unwrap(), 0);
    assert_eq!(store.unembedded(5).await.unwrap(), []);
    let put = store.put(vec![HEAPS.embedded(Record::Turn(turn(1)))]).await;
    assert!(matches!(put, Err(MemoryFault::Refused(_))), "{put:?}");
}

#[tokio::test]
async fn records_come_back_whole_in_the_order_asked_for() {
    let server = QdrantServer::start();
    let mut old = gem(2, "Alice drank coffee", &turn(1));
    old.valid_until = Some(WallTime(1_771_870_000_123));
    old.superseded_by = Some(GemId::new("g1"));
    old.person = None;
    let new = gem(1, "Alice drinks tea", &turn(1));
    let records = vec![
        Record::Gem(Box::new(new.clone())),
        Record::Gem(Box::new(old.clone())),
        Record::Turn(turn(1)),
    ];
    let store = holding(&server, &HEAPS, records.clone()).await;
    let asked = [
        RecordId::Turn(turn(1).id),
        RecordId::Gem(GemId::new("nobody")),
        RecordId::Gem(old.gem_id.clone()),
        RecordId::Gem(new.gem_id.clone()),
    ];
    let found = store.get(&asked).await.unwrap();
    assert_eq!(found, [&records[2], &records[1], &records[0]].map(Clone::clone));
    assert_eq!(
        store.stats(&WhoseTurns::All).await.unwrap(),
        StoreStats {
            gems: 2,
            superseded: 1,
            turns: 1,
            disk_bytes: None,
            memory_bytes: None
        }
    );
    // The payload is the gem format as it is published, for whoever else looks into the collection.
    let points = every_point(&server).await;
    for part in [
        r#""content":"Alice drinks tea""#,
        r#""turn_range":"1-1""#,
        r#""topics":["tea","ünïcode"]"#,
    ] {
        assert!(points.contains(part), "{part} is not in {points}");
    }
}

#[tokio::test]
async fn a_record_of_the_same_id_is_replaced_whole() {
    let server = QdrantServer::start();
    let first = gem(1, "Alice drinks tea", &turn(1));
    let store = holding(&server, &HEAPS, vec![Record::Gem(Box::new(first.clone()))]).await;
    let mut second = gem(1, "Alice drinks maté", &turn(2));
    second.attribute = None;
    second.person = None;
    let records = vec![HEAPS.embedded(Record::Gem(Box::new(second.clone())))];
    store.put(records.clone()).await.unwrap();
    store.put(records).await.unwrap();
    assert_eq!(store.gems(&listing(9)).await.unwrap().items, [second]);
    assert_eq!(store.gems_of(&keys(&["m1"])).await.unwrap(), []);
    let about_alice = Listing {
        person: Some(person("alice")),
        ..listing(9)
    };
    assert_eq!(store.gems(&about_alice).await.unwrap().items, []);
    let found = store.search(&looking_for("tea", &HEAPS)).await.unwrap();
    assert!(found.iter().all(|found| found.matched.is_empty()), "{found:?}");
}

#[tokio::test]
async fn pages_go_on_where_the_one_before_ended_even_among_turns_of_one_moment() {
    let server = QdrantServer::start();
    let mut all = turns(1..24);
    for turn in &mut all {
        turn.at = WallTime(1_771_860_000_000 + (turn.number / 9) as i64);
    }
    let store = holding(&server, &HEAPS, all.iter().cloned().map(Record::Turn).collect()).await;
    let mut seen = Vec::new();
    let mut next = None;
    let mut pages = 0;
    loop {
        let page = Listing {
            after: next,
            ..listing(5)
        };
        let page = store.turns(&page).await.unwrap();
        seen.extend(page.items);
        pages += 1;
        next = page.next;
        if next.is_none() {
            break;
        }
    }
    assert_eq!((pages, seen.len()), (5, 23));
    assert!(seen.windows(2).all(|two| two[0].at >= two[1].at), "newest first");
    seen.sort_by_key(|turn| turn.number);
    assert_eq!(seen, all);
    let nonsense = Listing {
        after: Some("page 2".to_owned()),
        ..listing(5)
    };
    assert!(matches!(
        store.turns(&nonsense).await.unwrap_err(),
        MemoryFault::Refused(_)
    ));
}

#[tokio::test]
async fn listings_keep_to_what_they_are_asked_for() {
    let server = QdrantServer::start();
    let mut kitchen = said_by("bob", 2);
    kitchen.place = place("local", "kitchen");
    let mut elsewhere = said_by("alice", 3);
    elsewhere.place = place("other", "lounge");
    elsewhere.session = SessionId::new("other/lounge");
    let mut gone = gem(4, "Alice drinks coffee", &turn(1));
    gone.superseded_by = Some(GemId::new("g1"));
    let records = vec![
        Record::Turn(turn(1)),
        Record::Turn(kitchen.clone()),
        Record::Turn(elsewhere.clone()),
        Record::Gem(Box::new(gem(1, "Alice drinks tea", &turn(1)))),
        Record::Gem(Box::new(gone)),
    ];
    let store = holding(&server, &HEAPS, records).await;
    let turns = async |listing: Listing| store.turns(&listing).await.unwrap().items;
    let in_room = Listing {
        room: Some(kitchen.place.room.clone()),
        ..listing(9)
    };
    assert_eq!(turns(in_room).await, [kitchen.clone()]);
    let in_community = Listing {
        community: Some(elsewhere.place.community.clone()),
        ..listing(9)
    };
    assert_eq!(turns(in_community).await, [elsewhere.clone()]);
    let by_alice = Listing {
        person: Some(person("alice")),
        ..listing(9)
    };
    assert_eq!(turns(by_alice).await, [elsewhere.clone(), turn(1)]);
    let of_session = Listing {
        session: Some(elsewhere.session.clone()),
        ..listing(9)
    };
    assert_eq!(turns(of_session).await, [elsewhere]);
    let current = Listing {
        current_only: true,
        ..listing(9)
    };
    assert_eq!(store.gems(&current).await.unwrap().items.len(), 1);
    assert_eq!(store.gems(&listing(9)).await.unwrap().items.len(), 2);
}

#[tokio::test]
async fn history_is_what_was_said_before_oldest_first_as_far_back_as_there_is_room() {
    let server = QdrantServer::start();
    let mut records = all_turns(1..300);
    let mut elsewhere = turn(298);
    elsewhere.id = TurnKey::new("elsewhere");
    elsewhere.session = SessionId::new("other");
    records.push(Record::Turn(elsewhere));
    let store = holding(&server, &HEAPS, records).await;
    let session = turn(1).session;
    assert_eq!(store.last_number(&session).await.unwrap(), 299);
    assert_eq!(
        store.history(&session, 250, usize::MAX).await.unwrap(),
        turns(1..250)
    );
    let size = |n: u64| turn(n).text.chars().count();
    let room_for_three = size(97) + size(98) + size(99);
    assert_eq!(
        store.history(&session, 100, room_for_three).await.unwrap(),
        turns(97..100)
    );
    assert_eq!(
        store.history(&session, 100, room_for_three - 1).await.unwrap(),
        turns(98..100)
    );
    assert_eq!(store.history(&session, 1, 1_000).await.unwrap(), []);
}

#[tokio::test]
async fn gems_are_found_by_the_turns_they_cite() {
    let server = QdrantServer::start();
    let mut of_two = gem(2, "They met in Lyon", &turn(2));
    of_two.source.turns.push(turn(3).id);
    let records = vec![
        Record::Gem(Box::new(gem(1, "Alice drinks tea", &turn(1)))),
        Record::Gem(Box::new(of_two.clone())),
    ];
    let store = holding(&server, &HEAPS, records).await;
    assert_eq!(store.gems_of(&keys(&["m3"])).await.unwrap(), [of_two]);
    assert_eq!(store.gems_of(&keys(&["m1", "m2", "m3"])).await.unwrap().len(), 2);
    assert_eq!(store.gems_of(&[]).await.unwrap(), []);
}

#[tokio::test]
async fn a_key_is_needed_where_qdrant_wants_one() {
    let server = QdrantServer::with_api_key("let me in");
    let fault = gems(&server).stats(&WhoseTurns::All).await.unwrap_err();
    assert!(
        matches!(&fault, MemoryFault::Refused(told) if told.contains("QDRANT_API_KEY")),
        "{fault}"
    );
    let settings = QdrantSettings {
        url: server.url(),
        collection: COLLECTION.to_owned(),
        api_key: Some("let me in".into()),
    };
    assert!(!format!("{settings:?}").contains("let me in"));
    let store = QdrantGems::new(settings).unwrap();
    store.set_embedder(&HEAPS.identity(), false).await.unwrap();
    store
        .put(vec![HEAPS.embedded(Record::Turn(turn(1)))])
        .await
        .unwrap();
    assert_eq!(store.stats(&WhoseTurns::All).await.unwrap().turns, 1);
}

#[test]
fn settings_that_name_no_place_are_refused() {
    for (url, collection, says) in [
        ("127.0.0.1:6333", COLLECTION, "memory.store.qdrantUrl"),
        ("http://name:secret@127.0.0.1:6333", COLLECTION, "QDRANT_API_KEY"),
        ("http://127.0.0.1:6333", "a/b", "memory.store.qdrantCollection"),
    ] {
        let settings = QdrantSettings {
            url: url.to_owned(),
            collection: collection.to_owned(),
            api_key: None,
        };
        let fault = QdrantGems::new(settings).unwrap_err().to_string();
        assert!(fault.contains(says) && !fault.contains("secret"), "{fault}");
    }
}
