//! Both sides of the Model Context Protocol: memory as tools for other agents, and other servers' tools for Denizen.
//!
//! [`serve`] is a server over standard input and output. Standard output carries the protocol and nothing else. What
//! the tools do goes through a [`MemoryAccess`], which is either a running Denizen or a data folder that nobody runs on;
//! this crate neither knows nor cares. [`client`] is the other side: the servers that the operator names in `mcp.json`.

mod access;
mod arguments;
pub mod client;
mod server;
mod telling;
mod tools;

pub use access::{ForgetTarget, MemoryAccess, Recall, RecallReply, Remember};
pub use server::{ServeError, serve, serve_on};
