//! Shared screens: links for those who share, the ways frames come in, and what the room's page shows of it.

pub(crate) mod choose;
mod connection;
pub(crate) mod frame;
pub(crate) mod frames;
mod picture_body;
mod proof;
mod refusals;
pub(crate) mod shares;
mod sharing;
pub(crate) mod socket;
mod sockets;
mod state;
pub(crate) mod view;
pub(crate) mod what_if;
pub(crate) mod whip;
mod words;

pub(crate) use sockets::Sockets;
