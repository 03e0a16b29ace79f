//! What is particular to gems and turns in the embedded store: its index, its file, and who else opens it.

use std::sync::Arc;

use runtime::ports::{GemStore, MemoryFault, WhoseTurns};
use stand_ins::contract::given::{embedded, embedder, found, gem, put, search, turn};
use storage::{Sqlite, SqliteGems};
use tempfile::TempDir;
use vocabulary::{Forget, Gem, PersonId};

use crate::given::look_into;

struct Home {
    gems: SqliteGems,
    folder: TempDir,
}

async fn home() -> Home {
    let folder = TempDir::new().unwrap();
    let gems = open(&folder).await;
    gems.set_embedder(&embedder(), false).await.unwrap();
    Home { gems, folder }
}

async fn open(folder: &TempDir) -> SqliteGems {
    let sqlite = Sqlite::open(folder.path()).unwrap();
    SqliteGems::open(Arc::new(sqlite)).await.unwrap()
}

#[tokio::test]
async fn a_reader_beside_the_server_finds_and_cannot_change() {
    let home = home().await;
    put(&home.gems, [turn("t1", "a garnet ring").into()]).await;
    let sqlite = Sqlite::open_read_only(home.folder.path()).unwrap();
    let reader = SqliteGems::open(Arc::new(sqlite)).await.unwrap();
    assert_eq!(found(&reader, &search("garnet")).await, ["t1"]);
    let refused = reader
        .put(vec![embedded(gem("g1", "an opal"))])
        .await
        .unwrap_err();
    assert!(refused.to_string().contains("reading only"), "{refused}");
}

#[tokio::test]
async fn a_change_whose_caller_stopped_waiting_is_in_tables_and_index_alike() {
    let home = home().await;
    for number in 0..20 {
        let id = format!("t{number}");
        let putting = home
            .gems
            .put(vec![embedded(turn(&id, &format!("serial{number}")))]);
        tokio::select! {
            biased;
            _ = putting => {}
            // It was begun, and is dropped here.
            () = std::future::ready(()) => {}
        }
    }
    // Changes are made one after another: after this one all before it are done.
    put(&home.gems, [turn("last", "the end").into()]).await;
    assert_eq!(home.gems.stats(&WhoseTurns::All).await.unwrap().turns, 21);
    for number in 0..20 {
        let found = found(&home.gems, &search(&format!("serial{number}"))).await;
        assert_eq!(found.first(), Some(&format!("t{number}")));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_changes_at_the_same_time_tables_and_index_keep_the_same_one() {
    let home = home().await;
    for round in 0..10 {
        let tasks: Vec<_> = (0..8)
            .map(|task| {
                let gems = home.gems.clone();
                let record = embedded(gem("g1", &format!("round{round}task{task}")));
                tokio::spawn(async move { gems.put(vec![record]).await.unwrap() })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        let kept = home
            .gems
            .get(&[stand_ins::contract::given::gem_id("g1")])
            .await
            .unwrap();
        for task in 0..8 {
            let word = format!("round{round}task{task}");
            let is_found = !found(&home.gems, &search(&word)).await.is_empty();
            assert_eq!(is_found, kept[0].text() == word, "{word}");
        }
    }
}

#[tokio::test]
async fn a_record_that_cannot_be_read_hides_no_other() {
    let home = home().await;
    put(
        &home.gems,
        [
            turn("t1", "a garnet ring").into(),
            turn("t2", "an opal ring").into(),
        ],
    )
    .await;
    look_into(home.folder.path())
        .execute(
            "UPDATE memory_turns SET turn = '{\"future\":1}' WHERE id = 't1'",
            [],
        )
        .unwrap();
    let again = open(&home.folder).await;
    assert_eq!(found(&again, &search("opal")).await, ["t2"]);
    assert!(found(&again, &search("garnet")).await.is_empty());
}

#[tokio::test]
async fn a_person_known_by_name_alone_is_forgotten_by_name() {
    let home = home().await;
    let called = |id: &str, name: &str, person: Option<&str>| Gem {
        person: person.map(PersonId::new),
        person_name: name.to_owned(),
        ..gem(id, "something of them")
    };
    put(
        &home.gems,
        [
            called("g1", " alice ", None).into(),
            called("g2", "Alice", Some("another-alice")).into(),
            called("g3", "", None).into(),
        ],
    )
    .await;
    let alice = |name: &str| Forget::Person {
        person: PersonId::new("alice"),
        name: name.to_owned(),
        community: None,
    };
    assert!(home.gems.forget(&alice("")).await.unwrap().gems.is_empty());
    let removed = home.gems.forget(&alice("Alice")).await.unwrap();
    assert_eq!(removed.gems, ["g1".into()]);
}

#[tokio::test]
async fn a_vector_needs_an_embedder_and_numbers() {
    let folder = TempDir::new().unwrap();
    let gems = open(&folder).await;
    let refused = gems.put(vec![embedded(gem("g1", "words"))]).await.unwrap_err();
    assert!(
        matches!(&refused, MemoryFault::Refused(told) if told.contains("gem g1")),
        "{refused}"
    );
    gems.set_embedder(&embedder(), false).await.unwrap();
    let mut broken = embedded(gem("g1", "words"));
    broken.vector[3] = f32::NAN;
    let refused = gems.put(vec![broken]).await.unwrap_err();
    assert!(refused.to_string().contains("no number"), "{refused}");
    let stats = gems.stats(&WhoseTurns::All).await.unwrap();
    assert_eq!(stats.gems, 0);
    assert!(stats.disk_bytes.is_some_and(|bytes| bytes > 0) && stats.memory_bytes.is_some());
}
