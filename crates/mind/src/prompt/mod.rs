//! Prompts: wording in template files, everything else typed.

mod classifier;
mod compaction;
mod conversation;
pub mod memory;
mod realtime;
mod reply;
mod screen;
mod templates;
mod tools;
mod transcript;

pub(crate) use classifier::{classifier_request, read_confidence};
pub(crate) use compaction::{CompactionBrief, compaction_request, folded_line, summariser_model};
pub use realtime::{INSTRUCTIONS_CHARS_MAX, Instructions, RealtimeBrief, realtime_instructions};
pub(crate) use reply::{CHARS_PER_TOKEN, ReplyBrief, reply_request};
pub(crate) use screen::{
    CommentaryBrief, NoteBrief, ScreenShown, commentary_request, note_lines, note_request,
};
pub use tools::{LOOK_TOOL, MEMORY_TOOL};
pub(crate) use tools::{Needed, needed_argument, tools_offered};

#[cfg(test)]
mod prompt_tests;
#[cfg(test)]
mod realtime_tests;
