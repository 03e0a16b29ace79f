//! Qdrant goes away and comes back.

use std::sync::Arc;

use runtime::ports::{Embedder, GemStore, MemoryFault, WhoseTurns};
use stand_ins::QdrantServer;
use vocabulary::Record;

use crate::given::{turn, turns};
use crate::known::{Heaps, gems, holding, looking_for};

const HEAPS: Heaps = Heaps(32);

#[tokio::test]
async fn what_was_put_is_there_after_a_power_cut() {
    let mut server = QdrantServer::start();
    let records = turns(1..30).into_iter().map(Record::Turn).collect();
    let store = holding(&server, &HEAPS, records).await;
    server.kill();
    let fault = store.search(&looking_for("turn", &HEAPS)).await.unwrap_err();
    assert!(matches!(fault, MemoryFault::Unreachable { .. }), "{fault}");
    let told = fault.to_string();
    assert!(
        told.contains("memory.store.qdrantUrl") && told.contains(&server.url()),
        "{told}"
    );
    let put = store.put(vec![HEAPS.embedded(Record::Turn(turn(30)))]).await;
    assert!(matches!(put, Err(MemoryFault::Unreachable { .. })), "{put:?}");
    server.restart();
    assert_eq!(store.stats(&WhoseTurns::All).await.unwrap().turns, 29);
    store
        .put(vec![HEAPS.embedded(Record::Turn(turn(30)))])
        .await
        .unwrap();
    assert_eq!(store.last_number(&turn(1).session).await.unwrap(), 30);
    assert!(
        !store
            .search(&looking_for("turn 30", &HEAPS))
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_store_may_be_made_before_qdrant_runs() {
    let mut server = QdrantServer::start();
    server.kill();
    let store = gems(&server);
    assert!(matches!(
        store.set_embedder(&HEAPS.identity(), false).await.unwrap_err(),
        MemoryFault::Unreachable { .. }
    ));
    server.restart();
    store.set_embedder(&HEAPS.identity(), false).await.unwrap();
    store
        .put(vec![HEAPS.embedded(Record::Turn(turn(1)))])
        .await
        .unwrap();
    assert_eq!(store.embedder().await.unwrap(), Some(HEAPS.identity()));
}

#[tokio::test]
async fn processes_may_write_and_read_at_the_same_time() {
    let server = QdrantServer::start();
    gems(&server)
        .set_embedder(&HEAPS.identity(), false)
        .await
        .unwrap();
    let tasks = (0..4_u64).map(|n| {
        let store = Arc::new(gems(&server));
        tokio::spawn(async move {
            for round in 0..10 {
                // Every process also puts what the others put.
                let some = [turn(n * 100 + round), turn(1_000 + round)];
                let some = some
                    .into_iter()
                    .map(|it| HEAPS.embedded(Record::Turn(it)))
                    .collect();
                store.put(some).await.unwrap();
                store.search(&looking_for("turn", &HEAPS)).await.unwrap();
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    assert_eq!(gems(&server).stats(&WhoseTurns::All).await.unwrap().turns, 50);
}

#[tokio::test]
async fn two_processes_that_begin_at_once_make_one_collection() {
    let server = QdrantServer::start();
    let (one, other) = (gems(&server), gems(&server));
    let embedder = HEAPS.identity();
    let (first, second) = tokio::join!(
        one.set_embedder(&embedder, false),
        other.set_embedder(&embedder, false)
    );
    first.unwrap();
    second.unwrap();
    one.put(vec![HEAPS.embedded(Record::Turn(turn(1)))])
        .await
        .unwrap();
    assert_eq!(other.stats(&WhoseTurns::All).await.unwrap().turns, 1);
}
