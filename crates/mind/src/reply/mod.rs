//! Stage B: what the model's answer means — words to say, tools to run, or silence.

mod cut;
mod draft;
mod emoji;
mod envelope;
mod outcome;
mod script;
mod tool_marks;

pub(crate) use cut::{is_cut, standing, whole_words};
pub(crate) use draft::Draft;
pub use envelope::reply_schema;
pub(crate) use envelope::{Envelope, is_silent, partial_string, read_envelope};
pub(crate) use gist::silence::{PLAIN_SILENCE, SILENCE_TOKEN, is_bare, without_tokens};
pub use outcome::{Reading, ReplyOutcome, SkipReason, read_answer, read_heard};
pub(crate) use outcome::{read_plain, read_typed, without_own_name, without_reasoning};
pub(crate) use script::Cast;

#[cfg(test)]
mod draft_tests;
#[cfg(test)]
mod reading_tests;
#[cfg(test)]
mod reply_tests;
