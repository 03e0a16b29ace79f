//! What goes wrong in the file, as memory tells it.

use runtime::ports::{MemoryFault, StoreError};

/// A failure of the store, in memory's words.
pub(crate) fn told(error: StoreError) -> MemoryFault {
    match error {
        StoreError::Failed { doing, detail } => MemoryFault::Failed { doing, detail },
        other => MemoryFault::Failed {
            doing: "using the database",
            detail: other.to_string(),
        },
    }
}
