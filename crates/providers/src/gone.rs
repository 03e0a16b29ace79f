//! Default models of which a provider has said that it does not have them, whatever its list says: kept across restarts, so
//! that a dead default is moved away from once.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::catalogue::Provider;
use crate::defaults::Defaults;
use crate::kept_choice::KeptChoice;
use crate::lists::{ListProblem, ModelList};

/// Models that are remembered as not there.
const GONE_MAX: usize = 256;

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct GoneModels(BTreeMap<(Provider, String), Gone>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gone {
    since: Date,
    /// The provider's list had it all the same when it was last looked at.
    listed: bool,
}

/// One of them in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptGone {
    provider: String,
    model: String,
    since: String,
    listed: bool,
}

impl GoneModels {
    /// When its provider said so, where it did.
    pub(crate) fn since(&self, provider: Provider, model: &str) -> Option<Date> {
        self.0.get(&(provider, model.to_owned())).map(|gone| gone.since)
    }

    pub(crate) fn has(&self, provider: Provider, model: &str) -> bool {
        self.since(provider, model).is_some()
    }

    /// Its provider does not know it, although its list may have it.
    pub(crate) fn add(&mut self, provider: Provider, model: &str, listed: bool, since: Date) {
        if self.0.len() >= GONE_MAX {
            self.0.clear();
        }
        self.0
            .insert((provider, model.to_owned()), Gone { since, listed });
    }

    /// It has answered. Says whether that is news.
    pub(crate) fn is_there(&mut self, provider: Provider, model: &str) -> bool {
        self.0.remove(&(provider, model.to_owned())).is_some()
    }

    /// Takes a provider's list over: whatever it has again is there again. One that it never left out says nothing.
    pub(crate) fn heard(&mut self, provider: Provider, list: &ModelList) {
        self.0.retain(|(of, model), gone| {
            let listed = *of != provider || list.get(model).is_some();
            let is_back = *of == provider && listed && !gone.listed;
            if *of == provider {
                gone.listed = listed;
            }
            !is_back
        });
    }

    /// Somebody wants all of them tried again.
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }

    pub(crate) fn kept(&self) -> Vec<KeptGone> {
        let all = self.0.iter();
        all.map(|((provider, model), gone)| KeptGone {
            provider: provider.name().to_owned(),
            model: model.clone(),
            since: gone.since.to_string(),
            listed: gone.listed,
        })
        .collect()
    }

    pub(crate) fn of_kept(kept: Vec<KeptGone>) -> Self {
        let known = kept.into_iter().filter_map(|one| {
            let (provider, since) = (Provider::from_name(&one.provider)?, one.since.parse().ok()?);
            let listed = one.listed;
            Some(((provider, one.model), Gone { since, listed }))
        });
        Self(known.take(GONE_MAX).collect())
    }
}

impl Defaults {
    /// Knows which models the process of this folder found not to be there, and keeps nothing.
    pub(crate) fn as_found_in(path: &Path) -> Self {
        let found = Self::default();
        found.state().unknown = GoneModels::of_kept(KeptChoice::read(path).gone);
        found
    }

    /// A model has answered: whatever was said of it before, it is there.
    pub(crate) fn answered(&self, provider: Provider, model: &str) {
        let mut state = self.state();
        if let Some(looked) = state.lists.get_mut(&provider) {
            looked.shut_out = None;
        }
        if state.unknown.is_there(provider, model) {
            self.keep(&state);
        }
    }

    /// Why a provider will answer no question, where it said so when its list was looked at and has not answered since.
    pub(crate) fn shut_out(&self, provider: Provider) -> Option<ListProblem> {
        self.state().lists.get(&provider)?.shut_out.clone()
    }

    /// Whether a provider accepted the key when its list was last looked at; none where nothing is known of that.
    pub(crate) fn accepts_key(&self, provider: Provider) -> Option<bool> {
        let state = self.state();
        let looked = state.lists.get(&provider)?;
        match &looked.shut_out {
            Some(problem) => problem.key_refused().then_some(false),
            None => (!looked.in_vain).then_some(true),
        }
    }

    /// Has models tried again that were not there.
    pub(crate) fn try_all_again(&self) {
        self.state().unknown.forget();
    }
}

#[cfg(test)]
#[path = "gone_tests.rs"]
mod tests;
