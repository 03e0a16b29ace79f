//! Turns for memory are captured in the very write that stores what they came from.

use std::sync::Arc;

use runtime::ports::{Batch, MessageChange, Store, TurnBuffer, WhoseTurns};
use settings::Settings;
use storage::{Sqlite, SqliteBuffer};
use tempfile::TempDir;
use vocabulary::{CapturedTurn, Forget, MessageId, Span, TurnKey, WallTime};

use crate::given::{DAY_MS, community, count, input, look_into, turn};

struct Home {
    store: Arc<Sqlite>,
    buffer: SqliteBuffer,
    folder: TempDir,
}

fn home() -> Home {
    let folder = TempDir::new().unwrap();
    let store = Arc::new(Sqlite::open(folder.path()).unwrap());
    Home {
        buffer: SqliteBuffer::new(store.clone()),
        store,
        folder,
    }
}

impl Home {
    async fn commit(&self, captures: Vec<CapturedTurn>, changes: Vec<MessageChange>) {
        let batch = Batch {
            captures,
            changes,
            ..Batch::default()
        };
        self.store.commit(&community(), batch).await.unwrap();
    }

    async fn waiting(&self) -> Vec<(String, String)> {
        let turns = self.buffer.peek_waiting(1_000).await.unwrap();
        let shown = |turn: CapturedTurn| (turn.id.to_string(), turn.text);
        turns.into_iter().map(shown).collect()
    }
}

fn edited(id: &str, text: &str) -> MessageChange {
    MessageChange::Edited {
        id: MessageId::new(id),
        text: text.to_owned(),
        at: WallTime(2_000),
    }
}

fn deleted(id: &str) -> MessageChange {
    MessageChange::Deleted {
        id: MessageId::new(id),
        at: WallTime(2_000),
    }
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(id, text): &(&str, &str)| ((*id).to_owned(), (*text).to_owned());
    expected.iter().map(owned).collect()
}

#[tokio::test]
async fn a_capture_waits_once_however_often_it_is_delivered() {
    let home = home();
    home.commit(vec![turn("m1", "one"), turn("m2", "two")], vec![])
        .await;
    home.commit(vec![turn("m2", "two"), turn("m3", "three")], vec![])
        .await;
    assert_eq!(
        home.waiting().await,
        pairs(&[("m1", "one"), ("m2", "two"), ("m3", "three")])
    );
}

#[tokio::test]
async fn a_capture_of_a_settled_turn_stays_away() {
    let home = home();
    home.commit(vec![turn("m1", "one")], vec![]).await;
    assert_eq!(
        home.buffer.claim(&WhoseTurns::All, 10).await.unwrap(),
        [turn("m1", "one")]
    );
    home.buffer.settle(&[TurnKey::new("m1")]).await.unwrap();
    home.commit(vec![turn("m1", "one"), turn("m2", "two")], vec![])
        .await;
    assert_eq!(home.waiting().await, pairs(&[("m2", "two")]));
}

#[tokio::test]
async fn what_is_edited_or_taken_back_is_so_in_the_buffer_too() {
    let home = home();
    home.commit(
        vec![turn("m1", "one"), turn("m2", "two"), turn("m3", "three")],
        vec![edited("m1", "won"), deleted("m2")],
    )
    .await;
    assert_eq!(home.waiting().await, pairs(&[("m1", "won"), ("m3", "three")]));
    home.buffer.claim(&WhoseTurns::All, 1).await.unwrap();
    home.commit(vec![], vec![edited("m1", "once"), deleted("m3")])
        .await;
    assert_eq!(
        home.buffer.held(&WhoseTurns::All).await.unwrap(),
        [turn("m1", "once")]
    );
    // A copy that comes after its author took it back is not remembered.
    home.commit(vec![turn("m2", "two"), turn("m3", "three")], vec![])
        .await;
    assert!(home.waiting().await.is_empty());
}

#[tokio::test]
async fn a_batch_that_fails_captures_nothing() {
    let home = home();
    let batch = |seq: u64, id: &str| Batch {
        inputs: vec![input(seq, 1)],
        captures: vec![turn(id, "words")],
        ..Batch::default()
    };
    home.store.commit(&community(), batch(1, "m1")).await.unwrap();
    // Input 3 does not follow input 1.
    home.store.commit(&community(), batch(3, "m3")).await.unwrap_err();
    assert_eq!(home.waiting().await, pairs(&[("m1", "words")]));
}

#[tokio::test]
async fn what_a_shared_buffer_took_over_leaves_and_stays_away() {
    let home = home();
    home.buffer
        .push(&[turn("m1", "one"), turn("m2", "two")])
        .await
        .unwrap();
    home.buffer.remove(&[TurnKey::new("m1")]).await.unwrap();
    home.buffer.push(&[turn("m1", "one")]).await.unwrap();
    assert_eq!(home.waiting().await, pairs(&[("m2", "two")]));
}

#[tokio::test]
async fn ids_of_settled_turns_are_swept_after_thirty_days_and_turns_never() {
    let home = home();
    home.commit(vec![turn("m1", "one"), turn("m2", "two")], vec![deleted("m1")])
        .await;
    let look = look_into(home.folder.path());
    let rows = || {
        (
            count(&look, "SELECT count(*) FROM settled_turns"),
            count(&look, "SELECT count(*) FROM captured_turns"),
        )
    };
    let sweep_at = |days: i64| {
        let keep = Settings::default().storage;
        let store = home.store.clone();
        async move {
            store
                .sweep(
                    &[(community(), keep)],
                    WallTime(2_001 + days * DAY_MS),
                    Span::ZERO,
                )
                .await
                .unwrap()
        }
    };
    sweep_at(29).await;
    assert_eq!(rows(), (1, 1));
    sweep_at(30).await;
    assert_eq!(rows(), (0, 1));
}

#[tokio::test]
async fn forgetting_by_id_keeps_a_late_capture_away() {
    let home = home();
    let forgotten = Forget::Turns(vec![TurnKey::new("m1")]);
    assert_eq!(home.buffer.forget(&forgotten).await.unwrap(), 0);
    home.commit(vec![turn("m1", "one")], vec![]).await;
    assert!(home.waiting().await.is_empty());
}
