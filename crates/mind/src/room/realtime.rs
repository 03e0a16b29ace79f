//! What a realtime service does for the voice of the room, and what it is told of the room's text.

use vocabulary::Message;

use super::Room;
use super::talking::talk;
use crate::input::RoomEvent;
use crate::step_context::StepContext;
use crate::voice::{native, service};

/// Takes in what happened to the service.
pub(super) fn service_event(room: &mut Room, event: RoomEvent, step: &mut StepContext<'_>) {
    talk(room, step, |voice, context, step| match event {
        RoomEvent::VoiceServiceStands {
            service,
            event,
            works,
            detail,
            native,
        } => {
            let seat = service::Seat { service, event };
            service::stands(voice, seat, native, works, &detail, context, step);
        }
        RoomEvent::VoiceServiceKnows(known) => native::knows(voice, known, context, step),
        RoomEvent::SpeakersOverlapped { people, mixed } => {
            native::overlapped(voice, people, mixed, context, step);
        }
        _ => {}
    });
}

/// A message of Denizen's own stands in the room; a service that did not say it by itself is told of it.
pub(super) fn told_of(room: &mut Room, is_known: bool, message: &Message, step: &mut StepContext<'_>) {
    if !is_known && room.voice.is_in() {
        talk(room, step, |voice, context, step| {
            native::read(voice, message, context, step);
        });
    }
}
