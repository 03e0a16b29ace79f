//! Fetching from servers that mean ill, over real sockets.

mod addresses;
mod hostile;
mod server;
