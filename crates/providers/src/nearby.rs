//! Waiting for a model server in the house, which may be slow: it is waited for by what it took before, and as long as it
//! shows that it is there. Nobody has to know how slow it is.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use reqwest::Client;
use tokio::time::{Instant, timeout, timeout_at};

use crate::attempt::authorised;
use crate::http::below;
use crate::trouble::Party;

/// So often it is looked after while it is waited for.
const LOOKS_EVERY: Duration = Duration::from_secs(10);
/// Whoever is there shows that within this time.
const SHOWS_WITHIN: Duration = Duration::from_secs(5);
/// It may take so many times as long as before: its machine may have other work by now.
const SPREAD: u32 = 6;
/// And, for a prompt that is longer, so many times as long at most.
const LONGER_MAX: usize = 8;
/// So much longer than usual one is waited for that said nothing the last time, or stands still in the midst of an answer.
const SILENT_ONES: u32 = 2;
const STALLS: u32 = 4;
/// Models whose pace is known.
const KNOWN_MAX: usize = 256;

/// How long models of servers in the house took to begin an answer.
#[derive(Debug, Default)]
pub(crate) struct Paces(Mutex<BTreeMap<(String, String), Pace>>);

/// What one took, and for how long a prompt.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pace {
    took: Duration,
    bytes: usize,
}

/// A server in the house that was asked.
#[derive(Clone, Copy)]
pub(crate) struct Nearby<'a> {
    pub(crate) paces: &'a Paces,
    pub(crate) client: &'a Client,
    pub(crate) party: Party<'a>,
    pub(crate) base_url: &'a str,
    /// How long the prompt is.
    pub(crate) bytes: usize,
    /// How long the whole answer may take.
    pub(crate) whole: Duration,
}

/// What is waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    /// Not looked after before.
    pub(crate) by: Instant,
    pub(crate) since: Instant,
    /// How long it may take by the settings.
    pub(crate) usual: Duration,
    /// It is in the midst of an answer.
    pub(crate) begun: bool,
}

impl Paces {
    /// An answer has begun. One that is slow once may be so again; one that was quick once need not be.
    fn began(&self, place: (String, String), took: Duration, bytes: usize) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pace = match known.get(&place) {
            Some(before) if before.took > took => Pace {
                took: (before.took + took) / 2,
                bytes: before.bytes.max(bytes),
            },
            _ => Pace { took, bytes },
        };
        if known.len() < KNOWN_MAX || known.contains_key(&place) {
            known.insert(place, pace);
        }
    }

    /// Nothing came to the very end.
    fn was_silent(&self, place: (String, String)) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < KNOWN_MAX || known.contains_key(&place) {
            let (took, bytes) = (Duration::ZERO, 1);
            known.insert(place, Pace { took, bytes });
        }
    }

    /// How long it can be expected to take.
    fn expected(&self, place: &(String, String), bytes: usize) -> Option<Duration> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pace = known.get(place)?;
        let longer = (bytes / pace.bytes.max(1)).clamp(1, LONGER_MAX);
        Some(pace.took * longer as u32)
    }
}

impl Nearby<'_> {
    fn place(&self) -> (String, String) {
        (self.base_url.to_owned(), self.party.model.to_owned())
    }

    /// Its answer has begun.
    pub(crate) fn began(&self, took: Duration) {
        self.paces.began(self.place(), took, self.bytes);
    }

    /// How long it is waited for in all.
    fn most(&self, wait: Wait, shows: bool) -> Duration {
        if wait.begun {
            return wait.usual * if shows { STALLS } else { 1 };
        }
        let expected = self.paces.expected(&self.place(), self.bytes);
        let by_pace = expected.unwrap_or_default() * SPREAD;
        let anyhow = match (expected, shows) {
            // It is there, and said nothing to the very end the last time.
            (Some(Duration::ZERO), true) => wait.usual * SILENT_ONES,
            // It may have to load its model, and then reads the prompt for as long as it takes.
            (_, true) => self.whole,
            (_, false) => wait.usual,
        };
        anyhow.max(by_pace).min(self.whole)
    }

    /// Whether it answers anything at all meanwhile.
    async fn shows_itself(&self, wait: Wait) -> bool {
        let list = below(self.base_url, "", "/models");
        let asking = authorised(self.client.get(list), self.party).send();
        matches!(timeout(SHOWS_WITHIN.min(wait.usual), asking).await, Ok(Ok(_)))
    }
}

/// Waits for something; none where it does not come. Whoever is not in the house has the time of the settings.
pub(crate) async fn patiently<T>(
    work: impl Future<Output = T>,
    wait: Wait,
    nearby: Option<Nearby<'_>>,
) -> Option<T> {
    let mut work = pin!(work);
    let mut by = wait.by;
    loop {
        if let Ok(done) = timeout_at(by, &mut work).await {
            return Some(done);
        }
        let nearby = nearby?;
        let shows = tokio::select! {
            biased;
            done = &mut work => return Some(done),
            shows = nearby.shows_itself(wait) => shows,
        };
        let end = wait.since + nearby.most(wait, shows);
        let now = Instant::now();
        if end <= now {
            if !wait.begun && shows {
                // Next time it is not waited for as long as others.
                nearby.paces.was_silent(nearby.place());
            }
            return None;
        }
        tracing::debug!(
            model = nearby.party.model,
            shows,
            "a model server is waited for on"
        );
        by = end.min(now + LOOKS_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn most(paces: &Paces, bytes: usize, shows: bool) -> u64 {
        let clients = fetching::service::ServiceClients::default();
        let nearby = Nearby {
            paces,
            client: clients.for_address("http://127.0.0.1:1/v1"),
            party: Party {
                provider: crate::catalogue::Provider::Compatible,
                model: "small",
                url: "http://127.0.0.1:1/v1/chat/completions",
                key: None,
                keys: settings::ModelKeys::default(),
            },
            base_url: "http://127.0.0.1:1/v1",
            bytes,
            whole: 300 * SECOND,
        };
        let wait = Wait {
            by: Instant::now(),
            since: Instant::now(),
            usual: 45 * SECOND,
            begun: false,
        };
        nearby.most(wait, shows).as_secs()
    }

    #[test]
    fn a_server_is_waited_for_by_what_it_took_and_whether_it_is_there() {
        let paces = Paces::default();
        let place = || ("http://127.0.0.1:1/v1".to_owned(), "small".to_owned());
        assert_eq!((most(&paces, 9, true), most(&paces, 9, false)), (300, 45));
        paces.began(place(), SECOND, 1_000);
        assert_eq!((most(&paces, 1_000, true), most(&paces, 9, false)), (300, 45));
        // A prompt that is four times as long may take four times as long.
        paces.began(place(), 12 * SECOND, 1_000);
        assert_eq!((most(&paces, 1_000, true), most(&paces, 1_000, false)), (300, 72));
        assert_eq!(
            (most(&paces, 4_000, false), most(&paces, 40_000, false)),
            (288, 300)
        );
        // A quick answer does not make it quick at once.
        paces.began(place(), 2 * SECOND, 1_000);
        assert_eq!(most(&paces, 4_000, false), 168);
        // One that said nothing to the end, although it was there, is not waited for as long again.
        paces.was_silent(place());
        assert_eq!((most(&paces, 4_000, true), most(&paces, 4_000, false)), (90, 45));
        paces.began(place(), 3 * SECOND, 1_000);
        assert_eq!(most(&paces, 4_000, true), 300);
    }
}
