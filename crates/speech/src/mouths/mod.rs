//! Mouths: sentences in, sound out, with the next sentence in the making while the last is heard.

mod as_speech;
mod bill;
mod built_in;
mod choosing;
mod elevenlabs;
mod espeak;
mod frames;
mod in_front;
mod kokoro;
mod kokoro_sounds;
mod openai;
mod parts;
mod passing;
mod phonemes;
mod piper;
mod piper_program;
mod program;
mod speaking;
mod unloaded;
mod voicebox;

pub use choosing::Mouth;
pub(crate) use choosing::voice_in;
pub(crate) use voicebox::{Sound, Voicebox};
