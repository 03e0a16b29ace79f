//! Attention, one for all of Denizen: ACTIVE while somebody talks with it, else AMBIENT. An exchange belongs to whoever
//! replies; thoughts of its own come only while it is ambient.

use serde::{Deserialize, Serialize};
use settings::AttentionSettings;
use vocabulary::{Moment, RoomId, Span};

/// When and where somebody last talked with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Attention {
    last: Option<(Moment, RoomId)>,
}

/// An exchange that goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exchange<'a> {
    pub room: &'a RoomId,
    pub ends_in: Span,
}

impl Attention {
    /// Somebody spoke to it, or it replied to them.
    pub fn exchanged(&mut self, room: RoomId, now: Moment) {
        self.last = Some((now, room));
    }

    /// The exchange that goes on now; none: it is ambient.
    pub fn active(&self, now: Moment, settings: &AttentionSettings) -> Option<Exchange<'_>> {
        let (at, room) = self.last.as_ref()?;
        let lasts = Span::seconds(settings.active_seconds);
        let passed = now.since(*at);
        (passed < lasts).then(|| Exchange {
            room,
            ends_in: Span(lasts.0 - passed.0),
        })
    }
}
