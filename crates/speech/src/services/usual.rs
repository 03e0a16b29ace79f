//! What a service is asked for where nobody names it: the first of those we know that its own list has; without a list, the
//! first that it does not refuse. Services retire their models and voices, and a default must not go with them.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::Value;
use tokio::time::Instant;

use super::exchange::Exchange;

/// A list is worth waiting for so long.
const LIST_TIME: Duration = Duration::from_secs(3);
const LIST_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A model or a voice, by its name or id.
#[derive(Debug)]
pub(crate) struct Usual {
    /// The one that the operator named; empty: none.
    named: String,
    /// Those we know, the best first.
    known: &'static [&'static str],
    /// What a name of the service's list has in it that will do as well.
    signs: &'static [&'static str],
    found: Mutex<Found>,
    /// Held by whoever looks into the list: several sentences are made at once, and one look is enough.
    looking: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Found {
    is_listed: bool,
    name: Option<String>,
}

impl Usual {
    pub(crate) fn new(named: &str, known: &'static [&'static str], signs: &'static [&'static str]) -> Self {
        Self {
            named: named.trim().to_owned(),
            known,
            signs,
            found: Mutex::default(),
            looking: tokio::sync::Mutex::default(),
        }
    }

    /// The one that is asked for, as far as is known by now.
    pub(crate) fn name(&self) -> String {
        if !self.named.is_empty() {
            return self.named.clone();
        }
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let first = || self.known.first().copied().unwrap_or_default().to_owned();
        found.name.clone().unwrap_or_else(first)
    }

    /// The one that is asked for; looks into the service's own list once. `ids` finds the names in the list.
    pub(crate) async fn find(
        &self,
        exchange: &Exchange<'_>,
        list: impl Fn() -> RequestBuilder,
        ids: fn(&Value) -> Vec<String>,
    ) -> String {
        if self.is_known() {
            return self.name();
        }
        let _looking = self.looking.lock().await;
        if self.is_known() {
            return self.name();
        }
        let asking = Exchange {
            deadline: exchange.deadline.min(Instant::now() + LIST_TIME),
            ..*exchange
        };
        let listed = asking.json(list, LIST_BYTES_MAX).await;
        let listed = listed.map(|answer| ids(&answer)).unwrap_or_default();
        let best = self.best_of(&listed);
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.is_listed = true;
        if best.is_some() {
            found.name = best;
        }
        drop(found);
        self.name()
    }

    fn is_known(&self) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.is_listed || !self.named.is_empty()
    }

    fn best_of(&self, listed: &[String]) -> Option<String> {
        let known = self
            .known
            .iter()
            .find(|known| listed.iter().any(|listed| listed == *known));
        let alike = || {
            listed.iter().find(|listed| {
                let lower = listed.to_lowercase();
                self.signs.iter().any(|sign| lower.contains(sign))
            })
        };
        known
            .map(|known| (*known).to_owned())
            .or_else(|| alike().cloned())
    }

    /// The service does not have this one: whether another is asked for from now on.
    pub(crate) fn refused(&self, name: &str) -> bool {
        if !self.named.is_empty() {
            return false;
        }
        let behind = match self.known.iter().position(|known| *known == name) {
            Some(place) => self.known.get(place + 1),
            None => self.known.first(),
        };
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.name = behind.map(|next| (*next).to_owned());
        found.name.is_some()
    }
}

/// The names in a list as OpenAI's servers give it.
pub(crate) fn model_ids(answer: &Value) -> Vec<String> {
    let models = answer["data"].as_array().into_iter().flatten();
    models
        .filter_map(|model| model["id"].as_str().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 3] = ["new", "old", "oldest"];

    #[test]
    fn the_best_that_the_list_has_is_taken_and_else_one_alike() {
        let usual = Usual::new("", &KNOWN, &["transcribe"]);
        let best = |listed: &[&str]| {
            let listed: Vec<String> = listed.iter().map(|name| (*name).to_owned()).collect();
            usual.best_of(&listed)
        };
        assert_eq!(best(&["oldest", "old", "chat"]).as_deref(), Some("old"));
        assert_eq!(
            best(&["chat", "next-Transcribe-2"]).as_deref(),
            Some("next-Transcribe-2")
        );
        assert_eq!(best(&["chat"]), None);
    }

    #[test]
    fn one_that_is_refused_gives_way_to_the_next_and_a_named_one_to_none() {
        let usual = Usual::new("", &KNOWN, &[]);
        assert_eq!(usual.name(), "new");
        assert!(usual.refused("new"));
        assert_eq!(usual.name(), "old");
        assert!(usual.refused("old") && !usual.refused("oldest"));
        assert_eq!(
            usual.name(),
            "new",
            "and from the beginning, when all were refused"
        );
        let named = Usual::new(" mine ", &KNOWN, &[]);
        assert!(!named.refused("mine"));
        assert_eq!(named.name(), "mine");
    }
}
