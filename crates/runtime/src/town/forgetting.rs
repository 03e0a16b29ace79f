//! Forgetting in a town: one memory, and every community that something was said in.

use std::collections::BTreeMap;

use vocabulary::{CommunityId, Forget};

use super::Town;
use crate::forgetting::{self, Went};
use crate::handle::{ForgetRefused, Handle};
use crate::memory::Wanted;
use crate::ports::Removed;

impl Town {
    /// Forgets for good, in memory and in every community that it concerns: messages, summaries and recordings too.
    pub async fn forget(&self, what: &Forget) -> Result<Removed, ForgetRefused> {
        let home = self.home().handle;
        forgetting::forget(home.memory(), what, |wanted| self.concerned(wanted, what)).await
    }

    /// Forgets what is remembered, and nothing that was said in rooms.
    pub async fn forget_remembered(&self, what: &Forget) -> Result<Went, ForgetRefused> {
        let home = self.home().handle;
        forgetting::forget_remembered(home.memory(), what, |wanted| self.concerned(wanted, what)).await
    }

    /// The communities that must forget something: those it was said in or is about, and home for those that are not here.
    fn concerned(&self, wanted: &Wanted, what: &Forget) -> Vec<Handle> {
        let mut of = wanted.communities().clone();
        match what {
            Forget::Person { community: None, .. } => {
                of.extend(self.list().iter().map(|hosted| hosted.id().clone()));
            }
            Forget::Person {
                community: Some(its), ..
            }
            | Forget::Room { community: its, .. }
            | Forget::Community(its) => {
                of.insert(its.clone());
            }
            Forget::Gems(_) | Forget::Turns(_) | Forget::Session(_) => {}
        }
        if of.is_empty() {
            // What nothing is found of may still wait to be read there.
            of.insert(self.home().id().clone());
        }
        let hosts: BTreeMap<CommunityId, Handle> = of
            .iter()
            .map(|id| self.community(id).unwrap_or_else(|| self.home()).handle)
            .map(|handle| (handle.community().clone(), handle))
            .collect();
        hosts.into_values().collect()
    }
}
