//! What ails a running community: its handle tells it to whoever asks how Denizen is.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is wrong at the moment, in words for an operator. Cheap to clone; all clones are of one community.
#[derive(Clone, Debug, Default)]
pub struct Ailments(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    storage: Option<String>,
    retention: Option<String>,
}

impl Ailments {
    /// Everything that is wrong; nothing where it is well.
    pub fn told(&self) -> Vec<String> {
        let known = self.known();
        [&known.storage, &known.retention]
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    }

    /// Whether writes fail, and why.
    pub fn set_storage(&self, trouble: Option<String>) {
        self.known().storage = trouble;
    }

    /// Whether retention deletes less than the settings say, and why.
    pub fn set_retention(&self, doubt: Option<String>) {
        self.known().retention = doubt;
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
