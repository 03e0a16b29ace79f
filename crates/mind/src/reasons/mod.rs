//! Why something was, or was not, done: the answers that journal lines, inputs and effects carry.

mod ask;

pub use ask::CancelReason;
