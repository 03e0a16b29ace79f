//! A process that is killed while it captures turns and makes gems of them loses none that it was told is stored, and
//! stores none twice.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use runtime::ports::{Batch, Embedded, GemStore, Store, TurnBuffer, WhoseTurns};
use stand_ins::contract::given;
use storage::{Sqlite, SqliteBuffer, SqliteGems};
use tempfile::TempDir;
use vocabulary::{CapturedTurn, Record, TurnKey};

use crate::given::{assert_sound, community, count, input, look_into, turn};
use crate::killed::{ACKNOWLEDGED, go_on, kill_after};

/// Set for the process that writes until it is killed.
const THIS_TEST: &str = "memory_crash::every_captured_turn_survives_a_kill_and_is_there_once";
const WRITER_FOLDER: &str = "DENIZEN_MEMORY_CRASH_TEST_FOLDER";

#[test]
fn every_captured_turn_survives_a_kill_and_is_there_once() {
    if let Some(folder) = std::env::var_os(WRITER_FOLDER) {
        runtime().block_on(write_until_killed(Path::new(&folder)));
    }
    let folder = TempDir::new().unwrap();
    for acknowledgements in [1, 23, 4, 50, 9, 31, 2, 17] {
        let acknowledged = kill_after(acknowledgements, THIS_TEST, WRITER_FOLDER, folder.path());
        check(folder.path(), acknowledged);
    }
    // Whoever comes next has all of it in its index.
    runtime().block_on(async {
        let store = Arc::new(Sqlite::open(folder.path()).unwrap());
        work_off(
            &SqliteBuffer::new(store.clone()),
            &SqliteGems::open(store.clone()).await.unwrap(),
        )
        .await;
        let gems = SqliteGems::open(store.clone()).await.unwrap();
        let captured = store.resume(&community()).await.unwrap().last_input;
        for seq in [1, captured / 2, captured] {
            let found = given::found_set(&gems, &given::search(&format!("serial{seq}"))).await;
            assert!(found.contains(&format!("t{seq}")), "{seq}: {found:?}");
        }
    });
}

fn check(folder: &Path, acknowledged: i64) {
    go_on(folder);
    let look = look_into(folder);
    assert_sound(&look);
    let last = count(&look, "SELECT max(seq) FROM inputs");
    assert!(
        last >= acknowledged,
        "{acknowledged} was acknowledged, {last} is stored"
    );
    let ids = |table: &str| -> BTreeSet<String> {
        let mut all = look.prepare(&format!("SELECT id FROM {table}")).unwrap();
        all.query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect()
    };
    let (waiting, settled) = (ids("captured_turns"), ids("settled_turns"));
    let (turns, gems) = (ids("memory_turns"), ids("memory_gems"));
    // Every turn either waits or was settled, and none is both.
    let expected: BTreeSet<String> = (1..=last).map(|seq| format!("t{seq}")).collect();
    assert_eq!(
        waiting.union(&settled).cloned().collect::<BTreeSet<_>>(),
        expected
    );
    assert!(waiting.is_disjoint(&settled));
    // None is settled before what was made of it is stored, and turns and gems are stored together.
    assert!(settled.is_subset(&turns), "{:?}", settled.difference(&turns));
    assert_eq!(gems, turns.iter().map(|id| format!("gem of {id}")).collect());
}

async fn write_until_killed(folder: &Path) {
    let store = Arc::new(Sqlite::open(folder).unwrap());
    let buffer = SqliteBuffer::new(store.clone());
    let gems = SqliteGems::open(store.clone()).await.unwrap();
    gems.set_embedder(&given::embedder(), false).await.unwrap();
    // What the one before left unfinished.
    make_gems(&buffer, &gems, buffer.held(&WhoseTurns::All).await.unwrap()).await;
    let mut seq = store.resume(&community()).await.unwrap().last_input;
    loop {
        seq += 1;
        let captures = |seq: u64| vec![turn(&format!("t{seq}"), &format!("words of serial{seq}"))];
        let batch = Batch {
            inputs: vec![input(seq, 1)],
            captures: captures(seq),
            ..Batch::default()
        };
        store.commit(&community(), batch).await.unwrap();
        println!("\n{ACKNOWLEDGED}{seq}");
        if seq.is_multiple_of(3) {
            work_off(&buffer, &gems).await;
            // A delivery that is repeated late.
            buffer.push(&captures(seq / 2)).await.unwrap();
        }
    }
}

async fn work_off(buffer: &SqliteBuffer, gems: &SqliteGems) {
    make_gems(buffer, gems, buffer.held(&WhoseTurns::All).await.unwrap()).await;
    let claimed = buffer.claim(&WhoseTurns::All, 10).await.unwrap();
    make_gems(buffer, gems, claimed).await;
}

async fn make_gems(buffer: &SqliteBuffer, gems: &SqliteGems, turns: Vec<CapturedTurn>) {
    let ids: Vec<TurnKey> = turns.iter().map(|turn| turn.id.clone()).collect();
    let records = turns.into_iter().flat_map(|turn| {
        let gem = given::gem(&format!("gem of {}", turn.id), &format!("A gem of {}", turn.text));
        [Record::Gem(Box::new(gem)), Record::Turn(turn)]
    });
    let embedded: Vec<Embedded> = records
        .map(|record| given::embedded(given::Kept(record)))
        .collect();
    gems.put(embedded).await.unwrap();
    buffer.settle(&ids).await.unwrap();
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}
