//! Prompts: wording in template files, everything else typed.

mod ambient;
mod classifier;
mod compaction;
mod conversation;
pub mod memory;
mod output;
mod realtime;
mod reply;
mod screen;
mod screen_commentary;
mod screen_note;
mod templates;
mod tools;
mod transcript;

pub(crate) use ambient::{AmbientBrief, HeldBrief, ambient_request};
pub(crate) use classifier::{classifier_request, read_confidence};
pub(crate) use compaction::{CompactionBrief, compaction_request, folded_line, summariser_model};
pub use realtime::{INSTRUCTIONS_CHARS_MAX, Instructions, RealtimeBrief, realtime_instructions};
pub(crate) use reply::{CHARS_PER_TOKEN, ReplyBrief, reply_request};
pub(crate) use screen::{ScreenShown, note_lines};
pub(crate) use screen_commentary::{CommentaryBrief, commentary_request};
pub(crate) use screen_note::{NoteBrief, note_request};
pub use tools::{LOOK_TOOL, MEMORY_TOOL, SEARCH_TOOL};
pub(crate) use tools::{Needed, needed_argument, tools_offered};
pub(crate) use transcript::speaker;

#[cfg(test)]
mod prompt_tests;
#[cfg(test)]
mod realtime_tests;
#[cfg(test)]
mod screen_tests;
