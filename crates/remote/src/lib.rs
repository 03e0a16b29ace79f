//! Memory on shared servers: turns wait in Redis, gems and turns are kept in Qdrant.
//!
//! Several processes may use the same servers at the same time. A server that cannot be reached loses nothing:
//! turns wait in a local buffer until it answers again.

mod buffer;
mod gems;
mod outbox;

pub use buffer::{RedisBuffer, RedisSettings};
pub use gems::{QdrantGems, QdrantSettings};
pub use outbox::OutboxBuffer;
