//! Who has come into voice rooms by which credential: nobody takes the places of others by coming in under many names.

use std::sync::{Arc, Mutex, PoisonError};

use runtime::ports::{VoiceDoors, VoiceSession};
use vocabulary::{CommunityId, RoomId};

use crate::access::{Caller, Role};

/// Rooms that one credential may be in at a time.
const ROOMS_MAX: usize = 4;

/// The stays of those who are no administrators, in all communities together.
#[derive(Default)]
pub(crate) struct VoiceSeats(Mutex<Vec<Seat>>);

/// One stay.
pub(super) struct Seat {
    /// Whose credential it is.
    pub(super) owner: String,
    pub(super) doors: Arc<dyn VoiceDoors>,
    pub(super) community: CommunityId,
    pub(super) room: RoomId,
    pub(super) session: VoiceSession,
}

impl VoiceSeats {
    /// Somebody has come in. Another voice of theirs in that room is over with it, under whatever name, and so is the one
    /// that they have had longest where they are in too many rooms.
    pub(super) fn take(&self, caller: &Caller, seat: Seat) {
        // They may act under every name, and play recordings as several people.
        if caller.role == Role::Administrator {
            return;
        }
        let mut seats = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seats.retain(Seat::is_taken);
        let is_here = |other: &Seat| other.community == seat.community && other.room == seat.room;
        let own = |other: &Seat| other.owner == seat.owner;
        for other in seats.extract_if(.., |other| own(other) && is_here(other)) {
            other.doors.supersede(&other.room, &other.session);
        }
        let over = (seats.iter().filter(|other| own(other)).count() + 1).saturating_sub(ROOMS_MAX);
        for other in seats.extract_if(.., |other| own(other)).take(over) {
            other.doors.supersede(&other.room, &other.session);
        }
        seats.push(seat);
    }
}

impl Seat {
    fn is_taken(&self) -> bool {
        self.doors.whose(&self.room, &self.session).is_some()
    }
}
