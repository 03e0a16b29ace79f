//! Collecting from servers in the shape of the real ones, and from servers that mean ill, over real sockets.

mod families;
mod hostile;
mod politeness;
mod server;
mod world;
