//! Memory on real servers, which the tests start themselves.

mod given;
mod known;
mod outbox;
mod qdrant_embedder;
mod qdrant_forgetting;
mod qdrant_outage;
mod qdrant_search;
mod qdrant_store;
mod redis_buffer;
mod redis_outage;
mod redis_sharing;
