//! Whether what is late can be written at all. Where it cannot, there is an end to what is taken in.

use runtime::ports::StoreError;

use crate::fault::Fault;

/// Where it failed so often in a row, nothing more is taken in.
const FAILED_MAX: u32 = 8;

/// How the last tries went.
#[derive(Debug, Default)]
pub(crate) struct Stuck {
    /// Tries that failed one after the other.
    tries: u32,
    why: String,
}

impl Stuck {
    pub fn note(&mut self, error: &StoreError) {
        tracing::warn!(%error, "what is late could not be written; it is tried again");
        self.tries = self.tries.saturating_add(1);
        self.why = error.to_string();
    }

    pub fn is_failing(&self) -> bool {
        self.tries > 0
    }

    /// Refuses what is to be taken in where nothing can be written any more, or where that has begun and much waits:
    /// whoever accepts messages hears of it.
    pub fn refuse(&self, is_much_waiting: bool) -> Result<(), Fault> {
        if self.tries < FAILED_MAX && !(self.is_failing() && is_much_waiting) {
            return Ok(());
        }
        Err(Fault::Told(format!(
            "what came before is kept, and cannot be written where it belongs: {}",
            self.why
        )))
    }
}
