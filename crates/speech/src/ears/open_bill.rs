//! What ears were asked and have not answered: it is paid for, also where nobody waits for the words any more.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The questions of one track that are under way, each with its price. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenBill(Arc<Mutex<Open>>);

#[derive(Debug, Default)]
struct Open {
    last: u64,
    /// A price that is not known is none.
    asked: BTreeMap<u64, Option<u64>>,
}

impl OpenBill {
    /// A number for a question that will be asked.
    pub(crate) fn number(&self) -> u64 {
        let mut open = self.open();
        open.last += 1;
        open.last
    }

    /// The question is on its way.
    pub(crate) fn asked(&self, number: u64, price: Option<u64>) {
        self.open().asked.insert(number, price);
    }

    /// What came of the question is told, with what it cost.
    pub(crate) fn told(&self, number: u64) {
        self.open().asked.remove(&number);
    }

    /// What was given up costs, in millionths of a dollar; none where a price is not known.
    pub(crate) fn given_up(&self) -> Option<u64> {
        self.open().asked.values().copied().sum()
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
