//! What people, operators and fate do.

use serde_json::Value;
use vocabulary::{OutsideTool, PersonId, RoomId, Span};

use crate::platform::Say;
use crate::screens::ScreenDeed;

/// Something that people, operators or fate do at a planned time.
#[derive(Clone, Debug)]
pub enum Deed<C> {
    Say(Say),
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
    EndSession {
        room: RoomId,
    },
    Set {
        key: String,
        value: Value,
    },
    /// The process ends, is gone for a while, and then hears the newest messages again.
    Restart {
        down_for: Span,
        repeats: usize,
    },
    /// These tools, and no others, can be run out there from now on.
    Tools(Vec<OutsideTool>),
    Cue(C),
}
