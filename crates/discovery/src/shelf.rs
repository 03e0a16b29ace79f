//! What is known of every source: what it had, when it may be asked again, and how it failed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use fetching::FetchPolicy;
use tokio::sync::Mutex;
use tokio::time::Instant;
use vocabulary::FeedSource;

use crate::endpoint::Endpoint;
use crate::reading::{Read, ReadFault, Remembered};
use crate::story::Stories;

/// A source is not asked again within this time.
pub(crate) const FRESH_FOR: Duration = Duration::from_secs(5 * 60);

/// How long a source that fails is left alone: first, and at most. It doubles from one to the other.
pub(crate) const FIRST_PAUSE: Duration = Duration::from_secs(5 * 60);
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(6 * 60 * 60);

/// How long a source that fails is spoken for by what it had, and a way in is believed to be the best one.
const STALE_FOR: Duration = Duration::from_secs(6 * 60 * 60);

/// Sources that are remembered.
const MOST_SOURCES: usize = 400;

/// All sources, those that were looked at last.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    places: BTreeMap<FeedSource, (u64, Arc<Mutex<Kept>>)>,
    looks: u64,
}

impl Shelf {
    /// What is known of a source; whoever holds the lock is the one who reads it.
    pub(crate) fn kept(&mut self, source: &FeedSource) -> Arc<Mutex<Kept>> {
        self.looks += 1;
        if !self.places.contains_key(source) && self.places.len() >= MOST_SOURCES {
            let oldest = self.places.iter().min_by_key(|(_, (look, _))| *look);
            if let Some(oldest) = oldest.map(|(source, _)| source.clone()) {
                self.places.remove(&oldest);
            }
        }
        let (look, kept) = self.places.entry(source.clone()).or_default();
        *look = self.looks;
        kept.clone()
    }
}

/// What is known of one source.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    place: Option<Endpoint>,
    policy: FetchPolicy,
    stories: Arc<Stories>,
    read_at: Option<Instant>,
    remembered: Remembered,
    /// When the way in was found.
    way_in_since: Option<Instant>,
    trouble: Option<Trouble>,
}

/// How a source failed last.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    pub(crate) words: String,
    failures: u32,
    /// Until when it is left alone.
    pub(crate) until: Instant,
    /// The server asked for that itself.
    pub(crate) asked_for: bool,
}

impl Kept {
    /// Forgets what was learnt of another place, and failures that other permissions may have mended.
    pub(crate) fn settle(&mut self, place: &Endpoint, policy: &FetchPolicy, now: Instant) {
        if self.place.as_ref() != Some(place) {
            *self = Self {
                place: Some(place.clone()),
                policy: policy.clone(),
                ..Self::default()
            };
        }
        if self.policy != *policy {
            self.policy = policy.clone();
            self.trouble = None;
        }
        // The first way in tells more than the second; it may be open again.
        if self.way_in_since.is_some_and(|since| now - since >= STALE_FOR) {
            self.remembered.way_in = None;
            self.way_in_since = None;
        }
    }

    pub(crate) fn is_fresh(&self, now: Instant) -> bool {
        self.trouble.is_none() && self.read_at.is_some_and(|at| now - at < FRESH_FOR)
    }

    /// The failure because of which it is left alone for now.
    pub(crate) fn pause(&self, now: Instant) -> Option<&Trouble> {
        self.trouble.as_ref().filter(|trouble| trouble.until > now)
    }

    /// What it had when it was read last, unless that is long ago.
    pub(crate) fn stories(&self, now: Instant) -> Arc<Stories> {
        match self.read_at {
            Some(at) if now - at < STALE_FOR => self.stories.clone(),
            _ => Arc::default(),
        }
    }

    pub(crate) fn remembered(&self) -> &Remembered {
        &self.remembered
    }

    /// Takes in what came; whether it was something else than before.
    pub(crate) fn succeed(&mut self, read: Read, now: Instant) -> bool {
        if read.remembered.way_in != self.remembered.way_in {
            self.way_in_since = read.remembered.way_in.is_some().then_some(now);
        }
        self.remembered = read.remembered;
        self.read_at = Some(now);
        self.trouble = None;
        match read.stories {
            Some(stories) => {
                self.stories = Arc::new(stories);
                true
            }
            None => false,
        }
    }

    /// Takes in a failure, and decides until when it is left alone.
    pub(crate) fn fail(&mut self, fault: ReadFault, now: Instant) -> &Trouble {
        let failures = self
            .trouble
            .as_ref()
            .map_or(1, |trouble| trouble.failures.saturating_add(1));
        let pause = pause_after(failures);
        let asked = fault.retry_after.filter(|asked| *asked > pause);
        // A second way in that fails is no way in.
        self.remembered = Remembered::default();
        self.way_in_since = None;
        self.trouble.insert(Trouble {
            words: fault.words,
            failures,
            until: now + asked.unwrap_or(pause),
            asked_for: fault.retry_after.is_some(),
        })
    }
}

fn pause_after(failures: u32) -> Duration {
    let doubled = 2u32.saturating_pow(failures.saturating_sub(1));
    FIRST_PAUSE.saturating_mul(doubled).min(LONGEST_PAUSE)
}

#[cfg(test)]
#[path = "shelf_tests.rs"]
mod tests;
