//! Every provider's real protocol, spoken by a local server that the test starts.

mod anthropic;
mod bodies;
mod cancellation;
mod choice;
mod compared;
mod defaults;
mod doors;
mod embedding;
mod embedding_failures;
mod failures;
mod fallback;
mod gemini;
mod lacking;
mod openai;
mod out_of_room;
mod parameters;
mod pieces;
mod requests;
mod responses;
mod screens;
mod secrets;
mod server;
mod servers;
mod thoughts;
mod tools;
mod windows;
