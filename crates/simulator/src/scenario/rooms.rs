//! Rooms in the script language: which one a line is about, and what the platform tells of one.

use mind::RoomEvent;
use vocabulary::{RoomFacts, RoomId};

use super::cue::Cue;
use super::words::Words;
use crate::deed::Deed;

/// The room of a line that names none.
pub(super) const DEFAULT_ROOM: &str = "lobby";

/// `in #room` at the end of a line; the lobby otherwise.
pub(super) fn room(words: &mut Words<'_>) -> Result<RoomId, String> {
    let room = match words.eat("in") {
        true => {
            let word = words.take().unwrap_or_default();
            word.strip_prefix('#')
                .ok_or_else(|| format!("expected a room such as #dev, found {word:?}"))?
        }
        false => DEFAULT_ROOM,
    };
    words.expect_end()?;
    Ok(RoomId::from(room))
}

/// What the platform tells of a room; none where the line is about something else.
pub(super) fn told(words: &mut Words<'_>) -> Result<Option<Deed<Cue>>, String> {
    let event = match () {
        () if words.eat("session ends") => RoomEvent::SessionEnded,
        () if words.eat("the room is gone") => RoomEvent::Ended,
        () if words.eat("the room is private") => {
            let room = room(words)?;
            let facts = RoomFacts {
                private: true,
                ..RoomFacts::undescribed(room.clone())
            };
            let event = RoomEvent::Described(facts);
            return Ok(Some(Deed::Told { room, event }));
        }
        () if words.eat("the room is called") => {
            let name = words.expect_quoted()?;
            let room = room(words)?;
            let facts = RoomFacts {
                name,
                ..RoomFacts::undescribed(room.clone())
            };
            let event = RoomEvent::Described(facts);
            return Ok(Some(Deed::Told { room, event }));
        }
        () => return Ok(None),
    };
    let room = room(words)?;
    Ok(Some(Deed::Told { room, event }))
}
