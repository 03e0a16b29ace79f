//! The communities that run in this process, for the chores they share.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use vocabulary::CommunityId;

use crate::Handle;

/// Who lives here, by id. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Residents {
    /// The community that looks after what belongs to none of the others.
    home: CommunityId,
    handles: Arc<RwLock<BTreeMap<CommunityId, Handle>>>,
}

impl Residents {
    pub fn new(home: CommunityId) -> Self {
        Self {
            home,
            handles: Arc::default(),
        }
    }

    pub fn home(&self) -> &CommunityId {
        &self.home
    }

    pub fn add(&self, handle: Handle) {
        let mut handles = self.handles.write().unwrap_or_else(PoisonError::into_inner);
        handles.insert(handle.community().clone(), handle);
    }

    pub fn remove(&self, community: &CommunityId) {
        let mut handles = self.handles.write().unwrap_or_else(PoisonError::into_inner);
        handles.remove(community);
    }

    pub fn get(&self, community: &CommunityId) -> Option<Handle> {
        let handles = self.handles.read().unwrap_or_else(PoisonError::into_inner);
        handles.get(community).cloned()
    }

    /// Everybody, in the order of their ids.
    pub fn all(&self) -> Vec<Handle> {
        let handles = self.handles.read().unwrap_or_else(PoisonError::into_inner);
        handles.values().cloned().collect()
    }
}
