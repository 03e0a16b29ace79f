//! The HTTP API over a real socket, with a store, a model and a driver that the test holds in its hand.

mod agents;
mod agents_recall;
mod burst;
mod caller;
mod description;
mod driver;
mod inspector;
mod live;
mod local_room;
mod memory;
mod memory_changes;
mod messages;
mod pages;
mod pictures;
mod refusals;
mod remembered;
mod security;
mod sessions;
mod settings;
mod stand_ins;
