//! Prompts: wording in template files, everything else typed.

pub mod budget;
pub(crate) mod conversation;
pub(crate) mod output;
pub(crate) mod outside;
mod profile;
pub(crate) mod request;
pub(crate) mod templates;
mod tool_specs;
mod tools;
pub(crate) mod transcript;

pub(crate) use outside::shown_result;
pub(crate) use profile::{BUILT_IN, PLAIN_REPLY_TOKENS_MAX, Profile};
pub(crate) use request::CHARS_PER_TOKEN;
pub use tool_specs::{
    BROWSE_TOOL, GIF_TOOL, LOOK_TOOL, MEMORY_TOOL, PICTURE_TOOL, SEARCH_TOOL, SOURCE_ADD_TOOL,
    SOURCE_LIST_TOOL, SOURCE_REMOVE_TOOL, WEB_SCRAPE_TOOL, WEB_SEARCH_TOOL,
};
pub(crate) use tool_specs::{is_own_tool, media_of};
pub(crate) use tools::{reply_tools, thought_tool_list, thought_tools};
pub(crate) use transcript::{date_and_time, speaker};

#[cfg(test)]
mod budget_tests;
