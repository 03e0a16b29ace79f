//! Memory moves from the embedded store to Qdrant and back, and a run that was cut short is taken up again.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use remote::{QdrantGems, QdrantSettings};
use runtime::memory::{Checkpoint, Migrated, Progress, Step, migrate};
use runtime::ports::{EmbedRole, Embedder, EmbedderIdentity, GemStore, Listing, MemoryFault, WhoseTurns};
use stand_ins::QdrantServer;
use stand_ins::contract::given::{Kept, embedder as first_embedder, from, gem, put, search, turn};
use storage::{Sqlite, SqliteGems};
use tempfile::TempDir;
use vocabulary::{CapturedTurn, Gem};

/// Embeds by length, and fails after so many calls.
struct Brittle {
    dimensions: usize,
    calls_left: AtomicUsize,
}

impl Brittle {
    fn lasting(dimensions: usize, calls: usize) -> Self {
        Self {
            dimensions,
            calls_left: AtomicUsize::new(calls),
        }
    }
}

#[async_trait]
impl Embedder for Brittle {
    fn identity(&self) -> EmbedderIdentity {
        EmbedderIdentity {
            name: format!("test:brittle-{}", self.dimensions),
            dimensions: self.dimensions,
        }
    }

    async fn embed(&self, texts: &[String], _: EmbedRole) -> Result<Vec<Vec<f32>>, MemoryFault> {
        let left = self.calls_left.load(Ordering::Relaxed);
        if left == 0 {
            return Err(MemoryFault::Unreachable {
                what: "the embedder",
                place: "a test".to_owned(),
                detail: "it broke".to_owned(),
                remedy: "Mend it".to_owned(),
            });
        }
        self.calls_left.store(left - 1, Ordering::Relaxed);
        let vector = |text: &String| {
            let mut vector = vec![0.0; self.dimensions];
            vector[text.len() % self.dimensions] = 1.0;
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}

async fn embedded(folder: &Path) -> SqliteGems {
    SqliteGems::open(Arc::new(Sqlite::open(folder).unwrap()))
        .await
        .unwrap()
}

fn shared(server: &QdrantServer) -> QdrantGems {
    QdrantGems::new(QdrantSettings {
        url: server.url(),
        collection: "neuralstream".to_owned(),
        api_key: None,
    })
    .unwrap()
}

/// So many turns, and a gem of every tenth.
fn memories(count: u32) -> Vec<Kept> {
    let turns = (0..count).map(|n| {
        let mut turn = turn(&format!("t{n:04}"), &format!("serial{n} of the conversation"));
        turn.number = u64::from(n) + 1;
        turn.at.0 += i64::from(n / 3);
        turn
    });
    let mut memories: Vec<Kept> = turns.map(Kept::from).collect();
    for n in (0..count).step_by(10) {
        let gem = from(
            &[&format!("t{n:04}")],
            gem(&format!("g{n:04}"), &format!("fact{n} is known")),
        );
        memories.push(gem.into());
    }
    memories
}

/// Everything a store has, in an order of its own.
async fn everything(store: &dyn GemStore) -> (Vec<CapturedTurn>, Vec<Gem>) {
    let (mut turns, mut gems) = (Vec::new(), Vec::new());
    let mut listing = Listing {
        limit: 100,
        ..Listing::default()
    };
    loop {
        let page = store.turns(&listing).await.unwrap();
        turns.extend(page.items);
        listing.after = page.next;
        if listing.after.is_none() {
            break;
        }
    }
    loop {
        let page = store.gems(&listing).await.unwrap();
        gems.extend(page.items);
        listing.after = page.next;
        if listing.after.is_none() {
            break;
        }
    }
    turns.sort_by(|one, other| one.id.cmp(&other.id));
    gems.sort_by(|one, other| one.gem_id.cmp(&other.gem_id));
    (turns, gems)
}

#[tokio::test]
async fn everything_moves_to_qdrant_and_back_with_an_embedder_of_another_length() {
    let server = QdrantServer::start();
    let (old_folder, new_folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let old = embedded(old_folder.path()).await;
    put(&old, memories(200)).await;
    let qdrant = shared(&server);
    let mark = old_folder.path().join("migration.json");

    let mut told: Vec<Progress> = Vec::new();
    let mut checkpoint = Checkpoint::open(&mark).unwrap();
    let embedder = Brittle::lasting(24, usize::MAX);
    let moved = migrate(&old, &qdrant, &embedder, &mut checkpoint, &mut |it| told.push(it))
        .await
        .unwrap();
    let all = Migrated {
        turns: 200,
        gems: 20,
        late: 0,
    };
    assert_eq!(moved, all);
    assert_eq!(everything(&qdrant).await, everything(&old).await);
    assert_eq!(qdrant.embedder().await.unwrap(), Some(embedder.identity()));
    assert_eq!(qdrant.unembedded(5).await.unwrap(), []);
    assert!(!mark.exists() && !checkpoint.is_begun());
    for step in [Step::Turns, Step::Gems, Step::CheckingTurns, Step::CheckingGems] {
        let last = told
            .iter()
            .rfind(|it| it.step == step)
            .expect("every step is told of");
        assert_eq!((last.done, last.total > 0), (last.total, true), "{step:?}");
    }
    let found = qdrant.search(&search("serial150")).await.unwrap();
    assert_eq!(found[0].record.text(), "serial150 of the conversation");

    let back = embedded(new_folder.path()).await;
    let embedder = Brittle::lasting(8, usize::MAX);
    let mut checkpoint = Checkpoint::open(&new_folder.path().join("migration.json")).unwrap();
    let moved = migrate(&qdrant, &back, &embedder, &mut checkpoint, &mut |_| {})
        .await
        .unwrap();
    assert_eq!(moved, all);
    assert_eq!(everything(&back).await, everything(&old).await);
}

#[tokio::test]
async fn a_run_that_was_cut_short_is_taken_up_where_it_was() {
    let server = QdrantServer::start();
    let folder = TempDir::new().unwrap();
    let old = embedded(folder.path()).await;
    put(&old, memories(300)).await;
    let qdrant = shared(&server);
    let mark = folder.path().join("migration.json");

    // Three pages of five, then the embedder breaks.
    let brittle = Brittle::lasting(24, 3);
    let mut checkpoint = Checkpoint::open(&mark).unwrap();
    let fault = migrate(&old, &qdrant, &brittle, &mut checkpoint, &mut |_| {})
        .await
        .unwrap_err();
    assert!(matches!(fault, MemoryFault::Unreachable { .. }), "{fault}");
    let there = qdrant.stats(&WhoseTurns::All).await.unwrap().turns;
    assert!(0 < there && there < 300, "{there}");

    let mut checkpoint = Checkpoint::open(&mark).unwrap();
    assert!(checkpoint.is_begun());
    // What comes meanwhile is newer than the page it goes on from, and is found when it is looked over.
    put(&old, [turn("t9999", "a latecomer").into()]).await;
    let mended = Brittle::lasting(24, 100);
    let mut first = None;
    let mut tell = |it: Progress| {
        first.get_or_insert(it);
    };
    let moved = migrate(&old, &qdrant, &mended, &mut checkpoint, &mut tell)
        .await
        .unwrap();
    assert_eq!(
        first.map(|first| first.done),
        Some(there),
        "it does not begin again"
    );
    assert_eq!((moved.turns + moved.late, moved.gems), (301, 30));
    assert_eq!(everything(&qdrant).await, everything(&old).await);
    assert!(!mark.exists());
}

#[tokio::test]
async fn a_mark_of_another_migration_or_of_none_is_not_gone_by() {
    let server = QdrantServer::start();
    let folder = TempDir::new().unwrap();
    let old = embedded(folder.path()).await;
    put(&old, memories(100)).await;
    let qdrant = shared(&server);
    let mark = folder.path().join("migration.json");
    std::fs::write(&mark, "not a mark").unwrap();
    let mut checkpoint = Checkpoint::open(&mark).unwrap();
    assert!(!checkpoint.is_begun());
    let brittle = Brittle::lasting(24, 1);
    assert!(
        migrate(&old, &qdrant, &brittle, &mut checkpoint, &mut |_| {})
            .await
            .is_err()
    );
    // Another embedder now: what was moved is refused to be mixed, and nothing is lost by it.
    let other = Brittle::lasting(12, 100);
    let fault = migrate(&old, &qdrant, &other, &mut checkpoint, &mut |_| {})
        .await
        .unwrap_err();
    assert!(matches!(fault, MemoryFault::OtherEmbedder { .. }), "{fault}");
    qdrant.set_embedder(&other.identity(), true).await.unwrap();
    let moved = migrate(&old, &qdrant, &other, &mut checkpoint, &mut |_| {})
        .await
        .unwrap();
    assert_eq!((moved.turns, moved.gems), (100, 10), "it began again");
    assert_eq!(qdrant.unembedded(5).await.unwrap(), []);
}

#[tokio::test]
async fn moving_to_where_it_is_already_is_refused() {
    let folder = TempDir::new().unwrap();
    let store = embedded(folder.path()).await;
    put(&store, memories(10)).await;
    let mut checkpoint = Checkpoint::open(&folder.path().join("migration.json")).unwrap();
    let embedder = Brittle::lasting(first_embedder().dimensions, 9);
    let fault = migrate(&store, &store, &embedder, &mut checkpoint, &mut |_| {})
        .await
        .unwrap_err();
    assert!(
        matches!(&fault, MemoryFault::Refused(told) if told.contains("memory.store")),
        "{fault}"
    );
}
