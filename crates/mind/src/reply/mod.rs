//! Stage B: what the model's answer means — words to say, tools to run, or silence.

mod draft;
mod envelope;
mod outcome;
mod silence;

pub(crate) use draft::Draft;
pub use envelope::reply_schema;
pub use outcome::{Reading, ReplyOutcome, SkipReason, read_answer};
pub(crate) use silence::SILENCE_TOKEN;

#[cfg(test)]
mod reply_tests;
