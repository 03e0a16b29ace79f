//! Ears: what one person says, cut into clips, as words; and a reason for everything of which no words came.

mod choosing;
mod elevenlabs;
mod judging;
mod listening;
mod moonshine;
mod openai;
mod passes;
mod phantoms;
mod transcriber;

pub use choosing::Ears;
