//! Ears: what one person says, cut into clips, as words; and a reason for everything of which no words came.

mod awaited;
mod choosing;
mod din;
mod elevenlabs;
mod judging;
mod listening;
mod loudness;
mod moonshine;
mod open_bill;
mod openai;
mod passes;
mod phantoms;
mod rest;
mod smart_turn;
mod transcriber;
mod turn_end;
mod unloaded;
mod wording;

pub use choosing::Ears;
pub(crate) use moonshine::{AT_ONCE, Moonshine};
pub(crate) use smart_turn::SmartTurn;
pub(crate) use transcriber::{Transcriber, Transcript};
