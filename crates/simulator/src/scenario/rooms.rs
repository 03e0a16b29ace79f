//! Rooms in the script language: which one a line is about, and what the platform tells of one.

use mind::RoomEvent;
use vocabulary::{RoomFacts, RoomId, RoomKind};

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
        () if words.eat("the room has caught up") => RoomEvent::CaughtUp,
        () if words.eat("the room is private") => return described(words, |facts| facts.private = true),
        () if words.eat("the room is read-only") => return described(words, |facts| facts.read_only = true),
        () if words.eat("the room is a direct conversation") => {
            return described(words, |facts| facts.kind = RoomKind::Direct);
        }
        () if words.eat("the room is called") => {
            let name = words.expect_quoted()?;
            return described(words, |facts| facts.name = name);
        }
        () if words.eat("the room belongs to") => {
            let parent = RoomId::from(words.take().unwrap_or_default().trim_start_matches('#'));
            return described(words, |facts| facts.parent = Some(parent));
        }
        () => return Ok(None),
    };
    let room = room(words)?;
    Ok(Some(Deed::Told { room, event }))
}

/// The platform describes a room: an ordinary one, but for this.
fn described(words: &mut Words<'_>, but: impl FnOnce(&mut RoomFacts)) -> Result<Option<Deed<Cue>>, String> {
    let room = room(words)?;
    let mut facts = RoomFacts::undescribed(room.clone());
    but(&mut facts);
    let event = RoomEvent::Described(facts);
    Ok(Some(Deed::Told { room, event }))
}
