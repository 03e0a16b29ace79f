//! Prompts: wording in template files, everything else typed.

mod classifier;
mod compaction;
pub mod memory;
mod realtime;
mod reply;
mod templates;
mod transcript;

pub(crate) use classifier::{classifier_request, read_confidence};
pub(crate) use compaction::{CompactionBrief, compaction_request, folded_line, summariser_model};
pub use realtime::{INSTRUCTIONS_CHARS_MAX, Instructions, RealtimeBrief, realtime_instructions};
pub(crate) use reply::{ReplyBrief, SEARCH_TOOL, reply_request, search_tool};

#[cfg(test)]
mod prompt_tests;
#[cfg(test)]
mod realtime_tests;
