//! Shared screens through the door that adapters use: links, frames, refusals, the shelf and the sweep.

mod doors;
mod ends;
mod frames;
mod links;
mod refusals;
mod running;
mod stage;
mod stand_ins;
