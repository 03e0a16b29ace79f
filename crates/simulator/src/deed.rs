//! What people, operators and fate do.

use mind::RoomEvent;
use serde_json::Value;
use vocabulary::{FeedSource, MediaKind, OutsideTool, PersonId, RoomId, Span};

use crate::platform::{Person, Say};
use crate::screens::ScreenDeed;
use crate::voices::{MouthFault, VoiceDeed};

/// Something that people, operators or fate do at a planned time.
#[derive(Clone, Debug)]
pub enum Deed<C> {
    Say(Say),
    /// Somebody said this so long ago, while Denizen was away; the platform tells it now.
    Missed(Say, Span),
    EditLast {
        room: RoomId,
        person: PersonId,
        text: String,
    },
    DeleteLast {
        room: RoomId,
        person: PersonId,
    },
    /// The platform tells somebody's last message a second time.
    RepeatLast {
        room: RoomId,
        person: PersonId,
        /// As one that was written while Denizen was away.
        missed: bool,
    },
    Typing {
        room: RoomId,
        person: PersonId,
        typing: bool,
    },
    /// Something is seen on a screen that somebody shares.
    Note {
        room: RoomId,
        shared_by: String,
        text: String,
    },
    /// Somebody does something with a screen.
    Screen {
        room: RoomId,
        person: PersonId,
        name: String,
        deed: ScreenDeed,
    },
    /// Somebody does something with their voice.
    Voice {
        room: RoomId,
        person: Person,
        deed: VoiceDeed,
    },
    /// Denizen's voice will not do what it should, once.
    MouthFails(MouthFault),
    /// From the next session on nobody understands speech.
    Deafened,
    /// From the next session on its ears take so long to be loaded.
    EarsLoad(Span),
    /// The next short sound that is picked cannot be played.
    SoundFails,
    /// From the next session on there is one more short sound.
    SoundAdded(String),
    /// Denizen's connection to the voice of a room breaks.
    VoiceLost {
        room: RoomId,
    },
    /// The platform tells something of a room: that its conversation or the room itself is over, or what it is called.
    Told {
        room: RoomId,
        event: RoomEvent,
    },
    /// Somebody puts a reaction under somebody's last message, or takes it back.
    React {
        room: RoomId,
        person: PersonId,
        to: PersonId,
        emoji: String,
        added: bool,
    },
    /// The operator wants to see what it would think now.
    ThinkNow,
    /// The operator wants somebody's last message answered, once more or after all.
    ReplyAgain {
        room: RoomId,
        person: PersonId,
    },
    /// The operator drops the thought that is held.
    DropThought,
    /// The operator wants models tried that are left alone.
    TryModels,
    /// The model of replies has answered somebody else.
    ReplyModelAnswered,
    /// The operator drops a source that Denizen added.
    DropSource(FeedSource),
    /// Other tools and media can be had from now on.
    Capabilities {
        tools: Vec<OutsideTool>,
        media: Vec<MediaKind>,
    },
    /// Every model reads so many tokens at once, as its server says.
    ModelsRead(u64),
    /// Every model is on this machine or in its network.
    ModelsNearby,
    Set {
        key: String,
        value: Value,
    },
    /// The process ends, is gone for a while, and then hears the newest messages again.
    Restart {
        down_for: Span,
        repeats: usize,
    },
    /// The machine sleeps: its clock jumps, and whatever was to happen meanwhile happens late.
    Sleep(Span),
    Cue(C),
}

impl<C> Deed<C> {
    /// The platform tells somebody's last message a second time, as if it had just been written.
    pub fn repeated(room: RoomId, person: PersonId) -> Self {
        Self::RepeatLast {
            room,
            person,
            missed: false,
        }
    }

    /// The conversation of a room is over.
    pub fn session_ends(room: RoomId) -> Self {
        let event = RoomEvent::SessionEnded;
        Self::Told { room, event }
    }
}
