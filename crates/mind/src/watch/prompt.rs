//! What models are asked about a shared screen, and what any prompt is told of it.

mod commentary;
mod note;
mod screen;

pub(crate) use commentary::{CommentaryBrief, commentary_request};
pub(crate) use note::{NoteBrief, note_request};
pub(crate) use screen::{SCREEN_NOTES_CHARS_MAX, ScreenShown, age, note_lines};

#[cfg(test)]
mod prompt_tests;
