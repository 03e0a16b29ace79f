//! The collector: all sources at once, each on its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use fetching::{FetchPolicy, Fetcher};
use futures_util::future::join_all;
use runtime::ports::Discovery;
use settings::Settings;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};
use vocabulary::{FeedHarvest, FeedSource, FeedWish, SourceReport};

use crate::endpoint::{Bases, Endpoint};
use crate::picking::{pick, together};
use crate::reading::Reading;
use crate::shelf::Shelf;
use crate::story::Stories;
use crate::telling;

/// Sources that are read at the same time.
const AT_ONCE: usize = 6;
/// How long gathering takes at most. Whoever gathers has a deadline of its own, a little later, at which it would get
/// nothing at all.
const GATHERING_TIMEOUT: Duration = Duration::from_secs(11);
/// Sources of one gathering.
const MOST_SOURCES: usize = 300;
/// Reports that are kept.
const MOST_REPORTS: usize = 400;

/// Collects what is new; what it learns of a source it keeps for the next time. Serves all communities.
#[derive(Debug)]
pub struct Feeds {
    bases: Bases,
    fetcher: Fetcher,
    shelf: Mutex<Shelf>,
    reports: Mutex<BTreeMap<FeedSource, SourceReport>>,
    at_once: Semaphore,
}

impl Default for Feeds {
    fn default() -> Self {
        Self::new()
    }
}

impl Feeds {
    pub fn new() -> Self {
        Self::with_bases(Bases::default())
    }

    /// With other servers in the place of Reddit, Hacker News and YouTube.
    pub fn with_bases(bases: Bases) -> Self {
        Self::with_fetcher(bases, Fetcher::new())
    }

    /// With a client of one's own, such as one that resolves names by a table.
    pub fn with_fetcher(bases: Bases, fetcher: Fetcher) -> Self {
        Self {
            bases,
            fetcher,
            shelf: Mutex::default(),
            reports: Mutex::default(),
            at_once: Semaphore::new(AT_ONCE),
        }
    }

    /// What a source has: as it was a moment ago, or as it is now.
    async fn consult(
        &self,
        source: &FeedSource,
        wish: &FeedWish,
        policy: &FetchPolicy,
        haste: Haste,
    ) -> Consulted {
        let endpoint = match Endpoint::of(source, &self.bases, &wish.x_bridge) {
            Ok(endpoint) => endpoint,
            Err(words) => return Consulted::failed(words),
        };
        let slot = locked(&self.shelf).kept(source);
        // Whoever comes second waits for the first, and finds what that one has read.
        let mut kept = slot.lock().await;
        let now = Instant::now();
        kept.settle(&endpoint, policy, now);
        if kept.is_fresh(now) {
            return Consulted::unchanged(kept.stories(now));
        }
        if let Some(trouble) = kept.pause(now)
            && (haste == Haste::Patient || trouble.asked_for)
        {
            let words = telling::trouble(&trouble.words, trouble.until - now, wish.now);
            return Consulted {
                failure: Some(words),
                ..Consulted::unchanged(kept.stories(now))
            };
        }
        let Ok(_turn) = self.at_once.acquire().await else {
            return Consulted::failed("nothing is read any more".to_owned());
        };
        let read = Reading::new(&self.fetcher, policy, kept.remembered())
            .of(&endpoint)
            .await;
        let now = Instant::now();
        match read {
            Ok(read) => {
                let unchanged = !kept.succeed(read, now);
                Consulted {
                    unchanged,
                    ..Consulted::unchanged(kept.stories(now))
                }
            }
            Err(fault) => {
                tracing::debug!(%source, why = %fault.words, "a source could not be read");
                let trouble = kept.fail(fault, now);
                let words = match haste {
                    Haste::Patient => telling::trouble(&trouble.words, trouble.until - now, wish.now),
                    Haste::Hasty => trouble.words.clone(),
                };
                Consulted {
                    stories: kept.stories(now),
                    unchanged: false,
                    failure: Some(words),
                }
            }
        }
    }

    /// The same, or what was read before where there is no time left for it.
    async fn consult_until(
        &self,
        until: Instant,
        source: &FeedSource,
        wish: &FeedWish,
        policy: &FetchPolicy,
    ) -> Consulted {
        let consulting = self.consult(source, wish, policy, Haste::Patient);
        if let Ok(consulted) = timeout_at(until, consulting).await {
            return consulted;
        }
        let slot = locked(&self.shelf).kept(source);
        let stories = slot.try_lock().map(|kept| kept.stories(Instant::now()));
        Consulted {
            failure: Some(
                "there was no time left for it, as other sources are slow; it is asked next time".to_owned(),
            ),
            ..Consulted::unchanged(stories.unwrap_or_default())
        }
    }

    fn remember(&self, reports: &[SourceReport]) {
        let mut kept = locked(&self.reports);
        for report in reports {
            kept.insert(report.source.clone(), report.clone());
        }
        let reported: BTreeSet<&FeedSource> = reports.iter().map(|report| &report.source).collect();
        let mut surplus = kept.len().saturating_sub(MOST_REPORTS);
        kept.retain(|source, _| {
            let goes = surplus > 0 && !reported.contains(source);
            surplus -= usize::from(goes);
            !goes
        });
    }
}

#[async_trait]
impl Discovery for Feeds {
    async fn gather(&self, wish: &FeedWish, settings: &Settings) -> FeedHarvest {
        let policy = policy_of(settings);
        let mut named = BTreeSet::new();
        let sources: Vec<&FeedSource> = wish
            .sources
            .iter()
            .filter(|source| named.insert(*source))
            .take(MOST_SOURCES)
            .collect();
        let until = Instant::now() + GATHERING_TIMEOUT;
        let consulting = sources
            .iter()
            .map(|source| self.consult_until(until, source, wish, &policy));
        let consulted = join_all(consulting).await;
        let mut lists = Vec::new();
        let mut reports = Vec::new();
        for (source, consulted) in sources.into_iter().zip(consulted) {
            let picked = pick(source, &consulted.stories, wish);
            reports.push(SourceReport {
                source: source.clone(),
                items: picked.all,
                fresh: picked.fresh.len(),
                unchanged: consulted.unchanged,
                failure: consulted.failure,
            });
            lists.push(picked.fresh);
        }
        self.remember(&reports);
        FeedHarvest {
            items: together(lists, wish.per_source),
            reports,
        }
    }

    async fn check(
        &self,
        source: &FeedSource,
        wish: &FeedWish,
        settings: &Settings,
    ) -> Result<String, String> {
        let consulted = self
            .consult(source, wish, &policy_of(settings), Haste::Hasty)
            .await;
        match consulted.failure {
            Some(failure) => Err(failure),
            None => {
                let picked = pick(source, &consulted.stories, wish);
                telling::verdict(source, &consulted.stories.title, &picked, wish)
            }
        }
    }

    fn reports(&self) -> Vec<SourceReport> {
        locked(&self.reports).values().cloned().collect()
    }
}

/// Whether a source that failed is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Haste {
    Patient,
    /// Somebody wants to know now; only what the server itself asked for is kept to.
    Hasty,
}

/// What a source had to say.
struct Consulted {
    stories: Arc<Stories>,
    unchanged: bool,
    failure: Option<String>,
}

impl Consulted {
    fn unchanged(stories: Arc<Stories>) -> Self {
        Self {
            stories,
            unchanged: true,
            failure: None,
        }
    }

    fn failed(words: String) -> Self {
        Self {
            stories: Arc::default(),
            unchanged: false,
            failure: Some(words),
        }
    }
}

fn policy_of(settings: &Settings) -> FetchPolicy {
    FetchPolicy {
        allowed_private_hosts: settings.tools.allowed_private_hosts.clone(),
    }
}

/// Nothing that is held under these locks can panic half-way.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
