//! Memory on real servers, which the tests start themselves.

mod given;
mod outbox;
mod redis_buffer;
mod redis_outage;
mod redis_sharing;
