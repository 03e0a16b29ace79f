//! The client against real servers: a process that speaks over its standard streams, and a server over HTTP.

mod bench;
mod configuration;
mod over_http;
mod processes;
mod secrets;
