//! What is heard of a realtime service that answers by itself.

use mind::RoomEvent;
use vocabulary::{DeliveryId, Moment, RoomId, Span};

use super::{A_CHARACTER, FIRST_HEARD, Talk, VoiceTick, Voices};
use crate::native_service::NativeFault;

impl Voices {
    /// A realtime service says more by itself: what comes of it, and after how long.
    pub fn native_sound(
        &mut self,
        id: &RoomId,
        delivery: &DeliveryId,
        text: &str,
        (last, fault): (bool, Option<NativeFault>),
        now: Moment,
    ) -> Vec<(Span, VoiceTick)> {
        let room = self.rooms.entry(id.clone()).or_default();
        let is_it = |talk: &Talk| talk.delivery == *delivery;
        let is_other = room.talk.as_ref().is_some_and(|talk| !is_it(talk));
        if is_other || !room.is_in || (room.talk.is_none() && text.is_empty()) {
            return Vec::new();
        }
        let mut ticks = Vec::new();
        if room.talk.is_none() {
            let begins = now + FIRST_HEARD;
            room.talk = Some(Talk {
                delivery: delivery.clone(),
                begins,
                ends: begins,
                characters: 0,
                breaks: false,
            });
            let started = RoomEvent::PlaybackStarted {
                delivery: delivery.clone(),
            };
            let times = if fault == Some(NativeFault::StartsTwice) {
                2
            } else {
                1
            };
            ticks.extend((0..times).map(|_| (FIRST_HEARD, VoiceTick::Event(started.clone()))));
        }
        if let Some(talk) = &mut room.talk {
            talk.characters += text.chars().count();
            talk.ends = talk.ends.max(now) + Span(A_CHARACTER.0 * text.chars().count() as u64);
            let said = talk.ends.since(now);
            ticks.push((said, VoiceTick::Progressed(delivery.clone(), talk.characters)));
            if last {
                ticks.push((said, VoiceTick::Ended(delivery.clone())));
            }
        }
        ticks
    }
}
