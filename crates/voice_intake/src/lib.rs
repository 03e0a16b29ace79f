//! The doors of voice rooms: who is in them, what each of them hears, and how browsers and programs come in.
//!
//! A room's voice is a [`hall`] that knows no clock and no task; [`Halls`] holds those of a community, gives each its time
//! while there is sound in it, and is what Denizen and the doors see. A room in which nobody makes a sound has no task and
//! costs nothing.

mod ear;
mod hall;
mod halls;
mod line;
mod lobby;
mod news;
mod seat;
mod stay;
mod webrtc;

pub use halls::Halls;
pub use lobby::{Lobby, STAYS_MAX};
pub use stay::Stay;

/// How voices are encoded here: nothing is heard in silence anyway, and a steady sound is to be heard.
const CODING: audio::codec::VoiceCoding = audio::codec::VoiceCoding {
    bits_per_second: 32_000,
    expected_loss: 8,
    leaves_silence_out: false,
};

/// People in the voice of one room, at most: each hears all others.
pub const PEOPLE_MAX: usize = 25;
