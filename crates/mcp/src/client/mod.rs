//! The other side: tools of MCP servers that the operator names in `mcp.json`, for Denizen's own use.

mod answer;
mod backoff;
mod child;
mod config;
mod connection;
mod file;
mod http;
mod link;
mod listing;
mod naming;
mod offer;
mod plain;
mod reconnecting;
mod redaction;
mod roster;
mod servers;
mod standing;
mod substitution;

pub use servers::{Environment, ReconnectPace, Servers};
