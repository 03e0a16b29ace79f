//! Which question came before another of the same room and purpose, for the inspector to set them beside each other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mind::Asking;
use vocabulary::{AskId, CommunityId, RoomId};

use crate::ports::{AskFilter, AskSummary, Store};

/// Asks looked through for the one before, the first time.
const LOOKBACK: usize = 20;
/// Rooms and purposes of which it is known; where there are more, the store is looked at again.
const KNOWN_MAX: usize = 1_024;

/// The newest question of each room and purpose, and the one before it. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct AskedBefore(Arc<Mutex<BTreeMap<(RoomId, &'static str), Newest>>>);

#[derive(Clone, Copy, Debug)]
struct Newest {
    ask: AskId,
    before: Option<AskId>,
}

impl AskedBefore {
    /// The one before this one, which is the newest from now on. One that is begun again is the same one.
    pub async fn of(&self, store: &dyn Store, community: &CommunityId, asking: &Asking) -> Option<AskId> {
        let place = (asking.room.clone(), asking.request.purpose.name());
        let known = self.lock().get(&place).copied();
        let before = match known {
            Some(newest) if newest.ask == asking.ask => newest.before,
            Some(newest) => Some(newest.ask),
            None => stored(store, community, asking).await,
        };
        let mut known = self.lock();
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        let newest = Newest {
            ask: asking.ask,
            before,
        };
        known.insert(place, newest);
        before
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(RoomId, &'static str), Newest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn stored(store: &dyn Store, community: &CommunityId, asking: &Asking) -> Option<AskId> {
    let filter = AskFilter {
        room: Some(asking.room.clone()),
        limit: LOOKBACK,
        ..AskFilter::default()
    };
    let recent = store.asks(community, filter).await.unwrap_or_default();
    let same =
        |summary: &&AskSummary| summary.purpose == asking.request.purpose.name() && summary.ask != asking.ask;
    recent.iter().find(same).map(|summary| summary.ask)
}
