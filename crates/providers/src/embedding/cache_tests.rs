use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Semaphore;

use super::*;

/// Counts calls, waits to be let on, and fails while it is told to.
struct Counting {
    calls: AtomicUsize,
    failures: AtomicUsize,
    gate: Semaphore,
}

impl Counting {
    fn new(failures: usize, open: bool) -> Arc<Self> {
        Arc::new(Self {
            calls: AtomicUsize::new(0),
            failures: AtomicUsize::new(failures),
            gate: Semaphore::new(if open { Semaphore::MAX_PERMITS } else { 0 }),
        })
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Embedder for Counting {
    fn identity(&self) -> EmbedderIdentity {
        EmbedderIdentity {
            name: "test:counting".to_owned(),
            dimensions: 1,
        }
    }

    async fn embed(&self, texts: &[String], _role: EmbedRole) -> Result<Vec<Vec<f32>>, MemoryFault> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let _let_on = self.gate.acquire().await.expect("open");
        let left = self
            .failures
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        match left {
            Ok(_) => Err(MemoryFault::Refused("told to".to_owned())),
            Err(_) => Ok(texts.iter().map(|text| vec![text.len() as f32]).collect()),
        }
    }
}

async fn ask(cached: &CachedQueries, text: &str) -> Result<Vec<f32>, MemoryFault> {
    let vectors = cached.embed(&[text.to_owned()], EmbedRole::Query).await?;
    assert_eq!(vectors.len(), 1);
    Ok(vectors.into_iter().next().expect("one"))
}

#[tokio::test]
async fn the_same_query_is_asked_once_and_passages_every_time() {
    let inner = Counting::new(0, true);
    let cached = CachedQueries::new(inner.clone(), 4);
    assert_eq!(cached.identity(), inner.identity());
    for _ in 0..3 {
        assert_eq!(ask(&cached, "boat").await, Ok(vec![4.0]));
    }
    assert_eq!(inner.calls(), 1);
    for _ in 0..2 {
        let passages = cached.embed(&["boat".to_owned()], EmbedRole::Passage).await;
        assert_eq!(passages, Ok(vec![vec![4.0]]));
    }
    assert_eq!(inner.calls(), 3);
    assert_eq!(cached.embed(&[], EmbedRole::Query).await, Ok(vec![]));
}

#[tokio::test]
async fn two_who_ask_at_once_share_one_answer() {
    let inner = Counting::new(0, false);
    let cached = CachedQueries::new(inner.clone(), 4);
    let both = async { tokio::join!(ask(&cached, "boat"), ask(&cached, "boat")) };
    let open = async {
        tokio::task::yield_now().await;
        inner.gate.add_permits(10);
    };
    let ((first, second), ()) = tokio::join!(both, open);
    assert_eq!((first, second), (Ok(vec![4.0]), Ok(vec![4.0])));
    assert_eq!(inner.calls(), 1);
}

#[tokio::test]
async fn a_failure_is_not_kept_and_nor_is_an_ask_given_up() {
    let inner = Counting::new(1, true);
    let cached = CachedQueries::new(inner.clone(), 4);
    assert!(ask(&cached, "boat").await.is_err());
    assert_eq!(ask(&cached, "boat").await, Ok(vec![4.0]));

    let inner = Counting::new(0, false);
    let cached = CachedQueries::new(inner.clone(), 4);
    {
        let asking = ask(&cached, "boat");
        let mut asking = std::pin::pin!(asking);
        assert!(futures_util::poll!(asking.as_mut()).is_pending());
    }
    inner.gate.add_permits(10);
    assert_eq!(ask(&cached, "boat").await, Ok(vec![4.0]));
    assert_eq!(inner.calls(), 2);
}

#[tokio::test]
async fn the_query_used_longest_ago_goes_first() {
    let inner = Counting::new(0, true);
    let cached = CachedQueries::new(inner.clone(), 2);
    for text in ["a", "bb", "a", "ccc"] {
        ask(&cached, text).await.expect("a vector");
    }
    assert_eq!(inner.calls(), 3);
    ask(&cached, "a").await.expect("a vector");
    assert_eq!(inner.calls(), 3, "`a` was used after `bb`");
    ask(&cached, "bb").await.expect("a vector");
    assert_eq!(inner.calls(), 4);
    let shown = format!("{cached:?}");
    assert!(shown.contains("kept: 2") && !shown.contains("bb"), "{shown}");
}

#[tokio::test]
async fn a_very_long_query_is_not_kept() {
    let inner = Counting::new(0, true);
    let cached = CachedQueries::new(inner.clone(), 2);
    let long = "x".repeat(CACHED_BYTES_MAX + 1);
    for _ in 0..2 {
        ask(&cached, &long).await.expect("a vector");
    }
    assert_eq!(inner.calls(), 2);
    assert!(format!("{cached:?}").contains("kept: 0"));
}
