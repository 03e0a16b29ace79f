//! What tests use in place of the real thing, and the contract that every store is held to. A dev-dependency, never
//! shipped: `walls.rs` sees to it.

mod ambient;
pub mod contract;
mod cross_encoder;
mod driverless;
mod heard;
mod memory_buffer;
mod memory_in_ram;
mod memory_scores;
pub mod models;
pub mod native;
mod screens;
mod servers;
pub mod speech;

pub use ambient::AmbientShown;
pub use cross_encoder::write_cross_encoder;
pub use driverless::{Acceptance, Arrivals, Parts, WasForgotten, handle, handle_with};
pub use heard::{Exchange, Heard};
pub use memory_in_ram::MemoryInRam;
pub use screens::{EverybodyThere, TestSight};
pub use servers::{QdrantServer, RedisServer};
