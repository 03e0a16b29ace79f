//! Realtime voice services as ears and mouth, each behind one port: OpenAI, xAI, Gemini and ElevenLabs.
//!
//! What a service says over the wire is read in `wire`; a `session` knows neither socket nor clock, and sees to it that each
//! clip and each text ends once; a `line` is a session with its socket; a `service` has as many lines as it needs. In a
//! `native` conversation the service thinks, too.

mod asked;
mod choice;
mod command;
mod ears;
mod event;
mod keys;
mod line;
mod link;
mod native;
mod plug;
mod prices;
mod probe;
mod seen;
mod service;
mod services;
mod session;
mod socket;
mod usual;
mod wire;

pub use keys::RealtimeKeys;
pub use services::Realtime;
