//! Calls on Discord as voice rooms of the house. [`Seating::begin`] takes a seat in a call where the main gateway has said
//! that there is one: each person in it is heard on a track of their own, and Denizen is heard.

mod seat;
mod speaker;
mod table;

pub use seat::{CallSeat, Seating};
pub use table::CallNames;

/// How Denizen's voice is encoded: Discord's own bit rate for a call, and nothing is sent in silence anyway.
const CODING: audio::codec::VoiceCoding = audio::codec::VoiceCoding {
    bits_per_second: 64_000,
    expected_loss: 5,
    leaves_silence_out: false,
};
