//! What a model is asked about a message: whether it was meant for Denizen, and for a reply.

mod classifier;
mod reply;

pub(crate) use classifier::{classifier_request, read_confidence};
pub(crate) use reply::{ReplyBrief, reply_request};

#[cfg(test)]
pub(crate) mod prompt_tests;
#[cfg(test)]
mod shared_beginning_tests;
