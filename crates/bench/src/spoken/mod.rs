//! Whether it is told from what ears understand who is meant: rooms that local voices read aloud and local ears heard.
//!
//! `denizen-bench read-aloud` makes the transcripts; `denizen-bench spoken` judges by them, and needs no model.

mod heard;
pub mod judging;
mod kokoro;
pub mod listener;
pub mod making;
pub mod rooms;
pub mod words;
