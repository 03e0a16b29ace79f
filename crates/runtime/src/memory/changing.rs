//! Who may change what is remembered: one at a time in a community, or one alone everywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{
    Mutex as AsyncMutex, OwnedMutexGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock,
};
use vocabulary::CommunityId;

/// Held while turns are taken on, gems are stored or something is forgotten: what is forgotten must not come back.
#[derive(Debug, Default)]
pub(super) struct Changing {
    everywhere: Arc<RwLock<()>>,
    /// One a community that ever changed.
    of: Mutex<BTreeMap<CommunityId, Arc<AsyncMutex<()>>>>,
}

/// Nobody else changes it while this is held.
#[derive(Debug)]
pub(super) enum Quiet {
    #[expect(dead_code, reason = "held, not read")]
    In(OwnedRwLockReadGuard<()>, Vec<OwnedMutexGuard<()>>),
    #[expect(dead_code, reason = "held, not read")]
    Everywhere(OwnedRwLockWriteGuard<()>),
}

impl Changing {
    pub async fn quiet(&self, community: Option<&CommunityId>) -> Quiet {
        match community {
            Some(community) => self.quiet_in(BTreeSet::from([community])).await,
            None => Quiet::Everywhere(self.everywhere.clone().write_owned().await),
        }
    }

    /// The same in several communities at once. They are taken in their order, so that nobody waits for another in a circle.
    pub async fn quiet_in(&self, communities: BTreeSet<&CommunityId>) -> Quiet {
        let others = self.everywhere.clone().read_owned().await;
        let mut held = Vec::with_capacity(communities.len());
        for community in communities {
            let its = {
                let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
                of.entry(community.clone()).or_default().clone()
            };
            held.push(its.lock_owned().await);
        }
        Quiet::In(others, held)
    }
}
