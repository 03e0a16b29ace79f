//! What a model is asked about a message: whether it was meant for Denizen, and for a reply.

mod classifier;
mod plain;
mod reply;

pub(crate) use classifier::{classifier_request, read_confidence};
pub(super) use plain::BY_WORDS;
pub(crate) use plain::{plain_request, shown_messages};
pub(crate) use reply::{ReplyBrief, reply_request};

#[cfg(test)]
mod plain_tests;
#[cfg(test)]
pub(crate) mod prompt_tests;
#[cfg(test)]
mod shared_beginning_tests;
