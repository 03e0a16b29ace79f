//! How many requests are under way, by where they count.

use std::collections::BTreeMap;

use super::route::RouteKey;

/// A bucket's name, or the route's while that is not known; and what its limit is counted by.
pub(super) type Lane = (String, String);

/// What is under way, by where it counts.
#[derive(Default)]
pub(super) struct Counts {
    lanes: BTreeMap<Lane, u32>,
    /// On routes whose bucket nobody knows yet, by what limits are counted by: each might be any bucket of those.
    strangers: BTreeMap<String, u32>,
}

impl Counts {
    pub(super) fn add(&mut self, name: Option<&Option<String>>, lane: Lane) {
        if name.is_none() {
            *self.strangers.entry(lane.1.clone()).or_default() += 1;
        }
        *self.lanes.entry(lane).or_default() += 1;
    }

    /// A route that nobody knows is only counted by itself: it may well be in no other bucket.
    pub(super) fn of(&self, lane: &Lane) -> u32 {
        let here = self.lanes.get(lane).copied().unwrap_or_default();
        let strangers = self.strangers.get(&lane.1).copied().unwrap_or_default();
        match RouteKey::is_name(&lane.0) {
            true => here,
            false => here + strangers,
        }
    }
}
