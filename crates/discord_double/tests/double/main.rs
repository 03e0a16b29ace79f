//! The double as a client sees it, over real sockets.

mod chat;
mod client;
mod gateway;
mod requests;
mod size;
