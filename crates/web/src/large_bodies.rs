//! Large bodies that may come in at once: few of all together, and fewer of one credential.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bodies with pictures that may be in memory at once.
const AT_ONCE_MAX: usize = 4;
/// Those of one credential, with all of its sessions: whoever is slow holds nobody else up.
const OF_ONE_MAX: usize = 2;

/// Counts large bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct LargeBodies(Arc<Mutex<BTreeMap<String, usize>>>);

/// One large body may come in while this is held.
#[derive(Debug)]
pub(crate) struct LargePermit {
    bodies: LargeBodies,
    root: String,
}

impl LargeBodies {
    /// Lets one more in of somebody, where there is room.
    pub fn take(&self, root: &str) -> Option<LargePermit> {
        let mut counted = self.counted();
        let all: usize = counted.values().sum();
        let theirs = counted.get(root).copied().unwrap_or(0);
        if all >= AT_ONCE_MAX || theirs >= OF_ONE_MAX {
            return None;
        }
        counted.insert(root.to_owned(), theirs + 1);
        Some(LargePermit {
            bodies: self.clone(),
            root: root.to_owned(),
        })
    }

    fn counted(&self) -> MutexGuard<'_, BTreeMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for LargePermit {
    fn drop(&mut self) {
        let mut counted = self.bodies.counted();
        match counted.get_mut(&self.root) {
            Some(theirs) if *theirs > 1 => *theirs -= 1,
            _ => {
                counted.remove(&self.root);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AT_ONCE_MAX, LargeBodies, OF_ONE_MAX};

    #[test]
    fn one_credential_cannot_take_all_places_and_gives_them_back() {
        let bodies = LargeBodies::default();
        let slow: Vec<_> = (0..10).filter_map(|_| bodies.take("slow")).collect();
        assert_eq!(slow.len(), OF_ONE_MAX);
        let others: Vec<_> = (0..10)
            .filter_map(|number| bodies.take(&number.to_string()))
            .collect();
        assert_eq!(others.len(), AT_ONCE_MAX - OF_ONE_MAX);
        drop((slow, others));
        assert!(bodies.take("slow").is_some() && bodies.counted().is_empty());
    }
}
