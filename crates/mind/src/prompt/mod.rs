//! Prompts: wording in template files, everything else typed.

mod classifier;
mod reply;
mod templates;
mod transcript;

pub(crate) use classifier::{classifier_request, read_confidence};
pub(crate) use reply::{ReplyBrief, SEARCH_TOOL, reply_request, search_tool};

#[cfg(test)]
mod prompt_tests;
