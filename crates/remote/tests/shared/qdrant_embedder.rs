//! Whose vectors a collection holds, and how they are exchanged.

use runtime::ports::{Embedded, Embedder, GemStore, Listing, MemoryFault, WhoseTurns};
use stand_ins::QdrantServer;
use vocabulary::Record;

use crate::given::{turn, turns};
use crate::known::{COLLECTION, Heaps, every_point, gem, gems, holding, looking_for};

const SMALL: Heaps = Heaps(16);
const LARGE: Heaps = Heaps(48);

fn records() -> Vec<Record> {
    let mut records: Vec<Record> = turns(1..450).into_iter().map(Record::Turn).collect();
    records.push(Record::Gem(Box::new(gem(
        1,
        "Alice drinks jasmine tea",
        &turn(1),
    ))));
    records
}

async fn call(server: &QdrantServer, method: &str, path: &str, body: &str) -> serde_json::Value {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = http
        .request(method.parse().unwrap(), format!("{}{path}", server.url()))
        .header("content-type", "application/json")
        .body(body.to_owned());
    let answer = request.send().await.unwrap();
    serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
}

#[tokio::test]
async fn another_embedder_is_refused_while_vectors_of_one_are_there() {
    let server = QdrantServer::start();
    let store = holding(&server, &SMALL, vec![Record::Turn(turn(1))]).await;
    assert_eq!(store.embedder().await.unwrap(), Some(SMALL.identity()));
    store.set_embedder(&SMALL.identity(), false).await.unwrap();
    let refused = store.set_embedder(&LARGE.identity(), false).await.unwrap_err();
    let MemoryFault::OtherEmbedder {
        stored_dimensions,
        wanted_dimensions,
        ..
    } = &refused
    else {
        panic!("{refused}");
    };
    assert_eq!((*stored_dimensions, *wanted_dimensions), (16, 48));
    assert!(refused.to_string().contains("denizen memory reembed"));
    let put = store.put(vec![LARGE.embedded(Record::Turn(turn(2)))]).await;
    assert!(matches!(put, Err(MemoryFault::Refused(_))), "{put:?}");
    let search = store.search(&looking_for("tea", &LARGE)).await;
    assert!(matches!(search, Err(MemoryFault::Refused(_))), "{search:?}");
    assert_eq!(store.stats(&WhoseTurns::All).await.unwrap().turns, 1);
}

#[tokio::test]
async fn a_store_without_records_takes_any_embedder() {
    let server = QdrantServer::start();
    let store = gems(&server);
    store.set_embedder(&SMALL.identity(), false).await.unwrap();
    store.set_embedder(&LARGE.identity(), false).await.unwrap();
    let record = LARGE.embedded(Record::Turn(turn(1)));
    store.put(vec![record]).await.unwrap();
    assert_eq!(store.embedder().await.unwrap(), Some(LARGE.identity()));
}

#[tokio::test]
async fn embedding_anew_keeps_every_record_findable_by_its_words_until_it_is_embedded_again() {
    let server = QdrantServer::start();
    let store = holding(&server, &SMALL, records()).await;
    // Twice, so that the name stands for a collection of another name the second time.
    for embedder in [&LARGE, &SMALL] {
        store.set_embedder(&embedder.identity(), true).await.unwrap();
        assert_eq!(
            store.embedder().await.unwrap(),
            None,
            "there are no vectors of it yet"
        );
        let stats = store.stats(&WhoseTurns::All).await.unwrap();
        assert_eq!((stats.gems, stats.turns), (1, 449));
        let mut search = looking_for("jasmine tea", embedder);
        let found = store.search(&search).await.unwrap();
        assert_eq!(found[0].record.text(), "Alice drinks jasmine tea");
        search.vector = None;
        assert_eq!(store.search(&search).await.unwrap()[0].record, found[0].record);

        let mut rounds = 0;
        loop {
            let some = store.unembedded(200).await.unwrap();
            if some.is_empty() {
                break;
            }
            store
                .put(some.into_iter().map(|it| embedder.embedded(it)).collect())
                .await
                .unwrap();
            rounds += 1;
        }
        assert_eq!(rounds, 3);
    }
    let mut all = store
        .turns(&Listing {
            limit: 1_000,
            ..Listing::default()
        })
        .await
        .unwrap()
        .items;
    all.reverse();
    assert_eq!(all, turns(1..450));
    // Nothing is left behind.
    let collections = call(&server, "GET", "/collections", "").await;
    assert_eq!(collections["result"]["collections"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_same_embedder_anew_drops_every_vector_too() {
    let server = QdrantServer::start();
    let store = holding(&server, &SMALL, vec![Record::Turn(turn(1))]).await;
    assert_eq!(store.unembedded(9).await.unwrap(), []);
    store.set_embedder(&SMALL.identity(), true).await.unwrap();
    assert_eq!(store.unembedded(9).await.unwrap(), [Record::Turn(turn(1))]);
}

#[tokio::test]
async fn a_record_without_a_vector_is_kept_and_waits_for_one() {
    let server = QdrantServer::start();
    let store = gems(&server);
    store.set_embedder(&SMALL.identity(), false).await.unwrap();
    let bare = Embedded {
        record: Record::Turn(turn(1)),
        vector: Vec::new(),
    };
    store.put(vec![bare]).await.unwrap();
    assert_eq!(store.unembedded(9).await.unwrap(), [Record::Turn(turn(1))]);
    store
        .put(vec![SMALL.embedded(Record::Turn(turn(1)))])
        .await
        .unwrap();
    assert_eq!(store.unembedded(9).await.unwrap(), []);
}

#[tokio::test]
async fn records_may_come_before_any_embedder_and_are_found_by_their_words() {
    let server = QdrantServer::start();
    let store = gems(&server);
    let bare = Embedded {
        record: Record::Turn(turn(7)),
        vector: Vec::new(),
    };
    store.put(vec![bare]).await.unwrap();
    assert_eq!(store.embedder().await.unwrap(), None);
    let mut search = looking_for("alice", &SMALL);
    search.vector = None;
    assert_eq!(
        store.search(&search).await.unwrap()[0].record,
        Record::Turn(turn(7))
    );
    store.set_embedder(&SMALL.identity(), false).await.unwrap();
    assert_eq!(store.unembedded(9).await.unwrap(), [Record::Turn(turn(7))]);
    // Even a text that means nothing has a vector.
    let meaningless = Embedded {
        record: Record::Turn(turn(7)),
        vector: vec![0.0; 16],
    };
    store.put(vec![meaningless]).await.unwrap();
    assert_eq!(store.unembedded(9).await.unwrap(), []);
    assert_eq!(store.embedder().await.unwrap(), Some(SMALL.identity()));
}

#[tokio::test]
async fn a_change_that_ended_before_the_copy_was_whole_is_begun_again() {
    let server = QdrantServer::start();
    let store = holding(&server, &SMALL, records()).await;
    // As it is left behind: half a copy, and the old collection told that it is being copied.
    let meta = every_point(&server).await;
    assert!(meta.contains("\"is_whole\":true"));
    call(
        &server,
        "PUT",
        "/collections/neuralstream-2",
        r#"{"vectors": {"size": 48, "distance": "Cosine"}, "sparse_vectors": {"words": {"modifier": "idf"}}}"#,
    )
    .await;
    call(
        &server,
        "POST",
        &format!("/collections/{COLLECTION}/points/payload?wait=true"),
        r#"{"payload": {"moving_to": "neuralstream-2"}, "filter": {"must": [{"key": "kind", "match": {"value": "meta"}}]}}"#,
    )
    .await;
    let put = store.put(vec![SMALL.embedded(Record::Turn(turn(900)))]).await;
    assert!(
        matches!(put, Err(MemoryFault::Unreachable { .. })),
        "what is put now might be lost: {put:?}"
    );
    assert_eq!(store.stats(&WhoseTurns::All).await.unwrap().turns, 449);
    store.set_embedder(&LARGE.identity(), true).await.unwrap();
    assert_eq!(store.stats(&WhoseTurns::All).await.unwrap().turns, 449);
    store
        .put(vec![LARGE.embedded(Record::Turn(turn(900)))])
        .await
        .unwrap();
    // Going back to the embedder there was ends a move as well.
    call(
        &server,
        "POST",
        &format!("/collections/{COLLECTION}/points/payload?wait=true"),
        r#"{"payload": {"moving_to": "neuralstream-9"}, "filter": {"must": [{"key": "kind", "match": {"value": "meta"}}]}}"#,
    )
    .await;
    store.set_embedder(&LARGE.identity(), false).await.unwrap();
    store
        .put(vec![LARGE.embedded(Record::Turn(turn(901)))])
        .await
        .unwrap();
    assert_eq!(store.stats(&WhoseTurns::All).await.unwrap().turns, 451);
}

#[tokio::test]
async fn a_change_that_ended_before_the_copy_had_its_name_is_completed_by_whoever_comes_next() {
    let server = QdrantServer::start();
    let store = holding(&server, &SMALL, records()).await;
    store.set_embedder(&LARGE.identity(), true).await.unwrap();
    // As it is left behind: the copy is whole, the old collection is gone, and nothing has the name.
    call(
        &server,
        "POST",
        "/collections/aliases",
        &format!(r#"{{"actions": [{{"delete_alias": {{"alias_name": "{COLLECTION}"}}}}]}}"#),
    )
    .await;
    let next = gems(&server);
    assert_eq!(
        next.turns(&Listing {
            limit: 5,
            ..Listing::default()
        })
        .await
        .unwrap()
        .items
        .len(),
        5
    );
    next.set_embedder(&LARGE.identity(), false).await.unwrap();
    assert_eq!(next.stats(&WhoseTurns::All).await.unwrap().turns, 449);
}

#[tokio::test]
async fn a_collection_of_another_program_is_not_taken_over_where_it_does_not_fit() {
    let server = QdrantServer::start();
    let store = gems(&server);
    let path = format!("/collections/{COLLECTION}");
    call(
        &server,
        "PUT",
        &path,
        r#"{"vectors": {"size": 16, "distance": "Cosine"}}"#,
    )
    .await;
    let fault = store.set_embedder(&SMALL.identity(), false).await.unwrap_err();
    assert!(
        matches!(&fault, MemoryFault::Refused(told) if told.contains("memory.store.qdrantCollection")),
        "{fault}"
    );
}

#[tokio::test]
async fn points_of_other_programs_are_left_alone() {
    let server = QdrantServer::start();
    let store = holding(&server, &SMALL, vec![Record::Turn(turn(1))]).await;
    let point = r#"{"points": [{"id": 7, "vector": {}, "payload": {"content": "somebody else's"}}]}"#;
    call(
        &server,
        "PUT",
        &format!("/collections/{COLLECTION}/points?wait=true"),
        point,
    )
    .await;
    assert_eq!(store.stats(&WhoseTurns::All).await.unwrap().turns, 1);
    assert_eq!(store.unembedded(9).await.unwrap(), []);
    let fault = store.set_embedder(&LARGE.identity(), true).await.unwrap_err();
    assert!(
        matches!(&fault, MemoryFault::Refused(told) if told.contains("1 points of other programs")),
        "{fault}"
    );
    assert!(every_point(&server).await.contains("somebody else's"));
}
