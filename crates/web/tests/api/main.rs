//! The HTTP API over a real socket, with a store, a model and a driver that the test holds in its hand.

mod burst;
mod caller;
mod description;
mod driver;
mod inspector;
mod live;
mod local_room;
mod messages;
mod pages;
mod pictures;
mod refusals;
mod security;
mod sessions;
mod settings;
mod stand_ins;
