//! Seats in Discord's calls: joins whoever has the bot's main gateway with whoever is in calls.

use std::sync::Arc;

use discord_calls::{CallNames, Seating};
use discord_rooms::{CallerNames, TakenSeat};
use discord_voice::CallPlace;
use vocabulary::{Author, RoomId};

struct Callers(CallerNames);

impl CallNames for Callers {
    fn author(&self, user: u64) -> Author {
        (self.0)(user)
    }
}

/// Takes a seat in a call.
pub fn take_seat(room: RoomId, place: CallPlace, names: CallerNames) -> TakenSeat {
    let seating = Seating::begin(room, place, Arc::new(Callers(names)));
    TakenSeat {
        seat: Box::new(seating.seat),
        events: seating.events,
        connection: seating.connection,
        wanted: seating.wanted,
    }
}
