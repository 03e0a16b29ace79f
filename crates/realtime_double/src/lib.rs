//! Local realtime services for tests: one server with the sockets of OpenAI (or xAI), Gemini and ElevenLabs. What it hears
//! becomes the words of a script, what it is to say becomes a tone of the length of the text. Faults come on demand.
//!
//! The vendors' own clients are let loose on it (`make e2e-realtime`): where they cannot read it, it is wrong.

mod desk;
mod elevenlabs;
mod elevenlabs_agent;
mod gemini;
mod openai;
mod openai_saying;
mod openai_talk;
mod server;
mod tone;

pub use desk::{Mischief, Received, Reply};
pub use server::{ServiceDouble, Vendor};
