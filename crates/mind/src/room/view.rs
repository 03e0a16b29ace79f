//! A room as others look at it: its page, memory, a comment on a screen and a thought.

use settings::Settings;
use vocabulary::{MessageId, Moment, Now, PersonId, RoomFacts, RoomId, WallTime};

use super::Room;
use crate::ambient::RoomSeen;
use crate::ambient::view::AloudView;
use crate::context::compaction::{SessionOutline, SessionView};
use crate::parcel::Errand;
use crate::replies::{AskUnderWay, ask_under_way, may_speak_in};
use crate::step_context::flight::Flights;
use crate::voice::held_aloud;
use crate::voice::remarks::{has_listeners, hears_somebody, understands_speech};
use crate::voice::view::VoiceView;
use crate::watch::commentary::FloorState;
use crate::watch::view::WatchView;

/// A room that is only looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoomView<'a> {
    pub(super) room: &'a Room,
}

impl<'a> RoomView<'a> {
    /// As its platform describes it; where that has not been said, a public room that is called by its id.
    pub fn described(self) -> RoomFacts {
        let told = self.room.facts.clone();
        told.unwrap_or_else(|| RoomFacts::undescribed(self.room.id.clone()))
    }

    /// Whether something is being said: it is on its way into the room, or heard.
    pub fn is_saying(self) -> bool {
        self.room.outbox.repeated() > 0 || self.room.voice.is_speaking()
    }

    /// Its session, for its page.
    pub fn session(self, settings: &Settings) -> SessionView {
        self.room.log.view(settings)
    }

    /// Its session in numbers.
    pub fn session_outline(self, settings: &Settings) -> SessionOutline {
        self.room.log.outline(settings)
    }

    /// The running summary as a prompt sees it.
    pub fn running_summary(self, settings: &Settings) -> &'a str {
        self.room.log.summary_shown(settings)
    }

    /// The question to a model that a message waits for, if there is one.
    pub fn ask_under_way(self, message: &MessageId, flights: &Flights, now: Now) -> Option<AskUnderWay> {
        ask_under_way(&self.room.replies, message, flights, now)
    }

    /// Its watch, for its page.
    pub fn watch(self, now: Now, settings: &Settings) -> WatchView {
        self.room
            .watch
            .view(now, &self.comment_floor(now, settings), settings)
    }

    /// Whether nothing is to be said here for a while.
    fn is_quiet(self, now: Moment) -> bool {
        self.room.quiet.is_some_and(|quiet| quiet.holds(now))
    }

    /// Until when nothing is to be said here, where that holds; `None` within: until somebody ends it.
    pub fn quiet_until(self, now: Moment) -> Option<Option<WallTime>> {
        let quiet = self.room.quiet.filter(|quiet| quiet.holds(now))?;
        Some(quiet.until())
    }

    /// Its voice, for its page.
    pub fn voice(self) -> VoiceView {
        self.room.voice.view()
    }

    /// What it holds in its voice, for the page of thoughts.
    pub fn held_aloud(self) -> Option<AloudView> {
        held_aloud(&self.room.voice, &self.room.id)
    }

    /// Whether what somebody says aloud in it may be kept.
    pub fn is_listened_to(self, person: &PersonId) -> bool {
        self.room.voice.is_listened_to(person)
    }

    /// What a thought may see of it.
    pub fn for_thoughts(self, now: Now, settings: &Settings) -> RoomSeen<'a> {
        RoomSeen {
            name: self.room.name(),
            log: self.room.log.log(),
            summary: self.room.log.summary_shown(settings),
            floor: FloorState {
                enabled: true,
                ..self.floor(now, settings)
            },
            private: self.room.is_private()
                || (settings.memory.private_room_ids.iter()).any(|id| id == self.room.id.as_str()),
            screen: self.room.watch.in_view(),
        }
    }

    /// How the room is for a comment: where it is said aloud, what is written there does not hold it up.
    pub fn comment_floor(self, now: Now, settings: &Settings) -> FloorState {
        let (floor, voice) = (self.floor(now, settings), &self.room.voice);
        if !has_listeners(voice, settings) || !understands_speech(voice) {
            return floor;
        }
        FloorState {
            hour_full: false,
            last_heard: voice.last_heard(),
            typing_until: None,
            spaced_at: Moment::default(),
            ..floor
        }
    }

    /// How the room is, as far as a comment or a thought has to mind.
    pub fn floor(self, now: Now, settings: &Settings) -> FloorState {
        let (pace, activity) = (self.room.outbox.pace(), &settings.activity);
        FloorState {
            enabled: settings.stream_watch.autonomous_commentary_enabled,
            channel_allowed: may_speak_in(&self.room.id, self.room.facts.as_ref(), settings)
                && !self.is_quiet(now.moment),
            hour_full: pace.hour_is_full(now.moment, activity),
            hour_full_until: pace.hour_full_until(activity),
            playback: [Errand::Reply, Errand::Comment, Errand::Thought]
                .iter()
                .any(|errand| self.room.outbox.is_sending(*errand))
                || self.room.voice.is_speaking(),
            queued_work: self.room.replies.has_work() || self.room.voice.has_work(),
            speaking: hears_somebody(&self.room.voice),
            last_heard: self.room.floor.last_heard().max(self.room.voice.last_heard()),
            typing_until: self.room.floor.typing_until(),
            spaced_at: pace.next_allowed(activity),
            // That is for the watch itself to say.
            call_at: Moment::default(),
        }
    }
}

/// What people call a room, and models too.
pub(super) fn name_of<'a>(facts: Option<&'a RoomFacts>, id: &'a RoomId) -> &'a str {
    let told = facts.map(|facts| facts.name.trim());
    told.filter(|name| !name.is_empty()).unwrap_or(id.as_str())
}
