//! Where it may post of its own accord.

use settings::Settings;
use vocabulary::RoomId;

use super::RoomsInView;
use crate::step_context::StepContext;

/// The channels of the pool that may be posted to, in the operator's order.
pub(super) fn eligible(settings: &Settings) -> Vec<RoomId> {
    let named = settings.replies.discovery_channel_ids.iter();
    let mut pool: Vec<RoomId> = Vec::new();
    for room in named.map(|id| RoomId::new(id.as_str())) {
        if refusal(&room, settings).is_none() && !pool.contains(&room) {
            pool.push(room);
        }
    }
    pool
}

/// Those of them that exist.
pub(super) fn existing(settings: &Settings, rooms: RoomsInView<'_>) -> Vec<RoomId> {
    let mut pool = eligible(settings);
    pool.retain(|room| rooms.room(room).is_some());
    pool
}

/// Those of them that do not.
pub(super) fn unknown(settings: &Settings, rooms: RoomsInView<'_>) -> Vec<RoomId> {
    let mut pool = eligible(settings);
    pool.retain(|room| rooms.room(room).is_none());
    pool
}

/// At most so many channels are told of; the ones where somebody wrote last.
const CHANNELS_MAX: usize = 20;

/// The channels a thought is told of, in the operator's order.
pub(super) fn lively(settings: &Settings, rooms: RoomsInView<'_>) -> Vec<RoomId> {
    let mut pool = existing(settings, rooms);
    if pool.len() > CHANNELS_MAX {
        let newest = |room: &RoomId| {
            let seen = rooms.room(room)?;
            seen.newest(1, settings).last().map(|message| message.at)
        };
        let mut by_age = pool.clone();
        by_age.sort_by_key(|room| std::cmp::Reverse(newest(room)));
        by_age.truncate(CHANNELS_MAX);
        pool.retain(|room| by_age.contains(room));
    }
    pool
}

/// Whether a room is private.
fn is_private(room: &RoomId, rooms: RoomsInView<'_>) -> bool {
    rooms.room(room).is_some_and(|seen| seen.private)
}

/// The channels of which one thought may know: what is said in a private one is known in no other. Where there are such,
/// chance decides whether it is one of them or all of the others; a held thought stays where it came up.
pub(super) fn known_together(
    held_in: Option<&RoomId>,
    rooms: RoomsInView<'_>,
    step: &mut StepContext<'_>,
) -> Vec<RoomId> {
    let (private, open): (Vec<RoomId>, Vec<RoomId>) =
        (lively(step.settings, rooms).into_iter()).partition(|room| is_private(room, rooms));
    if let Some(held_in) = held_in {
        let mut alone = private;
        alone.retain(|room| room == held_in);
        return if is_private(held_in, rooms) { alone } else { open };
    }
    let choices = private.len() + usize::from(!open.is_empty());
    if private.is_empty() || choices == 0 {
        return open;
    }
    let choice = match choices {
        1 => 0,
        choices => step.dice.roll() as usize % choices,
    };
    private.get(choice).map_or(open, |room| vec![room.clone()])
}

/// Whether something thought of with these channels in view may be told in a room.
pub(super) fn may_be_told(room: &RoomId, known: &[RoomId], rooms: RoomsInView<'_>) -> bool {
    let is_shared = known.iter().chain([room]).all(|room| !is_private(room, rooms));
    is_shared || known.iter().all(|known| known == room)
}

/// Why a channel of the pool may not be posted to.
pub(super) fn refusal(room: &RoomId, settings: &Settings) -> Option<&'static str> {
    let replies = &settings.replies;
    let among = |list: &[String]| list.iter().any(|id| id == room.as_str());
    if among(&replies.blocked_channel_ids) {
        Some("it is among permissions.replies.blockedChannelIds")
    } else if !replies.allowed_channel_ids.is_empty() && !among(&replies.allowed_channel_ids) {
        Some("it is not among permissions.replies.allowedChannelIds")
    } else {
        None
    }
}

/// Said of a channel that nobody knows.
pub(super) const UNKNOWN: &str =
    "there is no such channel: nobody has described it, and nothing was ever said in it";

/// A channel of the pool under the name a model reads and writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedRoom {
    pub room: RoomId,
    /// No other of the pool is called so.
    pub name: String,
}

/// Every channel that may be posted to, by name; where two share one, the later ones are numbered.
pub(super) fn names(settings: &Settings, rooms: RoomsInView<'_>) -> Vec<NamedRoom> {
    let pool = existing(settings, rooms);
    told_apart(pool.iter().map(|room| {
        let seen = rooms.room(room);
        let name = seen.map(|seen| seen.name.trim()).filter(|name| !name.is_empty());
        (room, name.unwrap_or(room.as_str()))
    }))
}

fn told_apart<'a>(named: impl Iterator<Item = (&'a RoomId, &'a str)>) -> Vec<NamedRoom> {
    let mut names: Vec<NamedRoom> = Vec::new();
    for (room, name) in named {
        let numbered = (2..).map(|number: usize| format!("{name} ({number})"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        let is_free = |candidate: &String| names.iter().all(|known| plain(&known.name) != plain(candidate));
        let name = candidates.find(is_free).unwrap_or_else(|| name.to_owned());
        names.push(NamedRoom {
            room: room.clone(),
            name,
        });
    }
    names
}

/// What a room of the pool is called; its id where it is none of them.
pub(super) fn name_of<'a>(room: &'a RoomId, names: &'a [NamedRoom]) -> &'a str {
    let known = names.iter().find(|named| named.room == *room);
    known.map_or(room.as_str(), |named| named.name.as_str())
}

/// The channel a model means; with none named, the one it was meant for, or the only one there is.
pub(super) fn meant<'a>(named: &str, before: Option<&RoomId>, pool: &'a [NamedRoom]) -> Option<&'a RoomId> {
    let named = plain(named);
    let found = if named.is_empty() {
        let kept = before.and_then(|before| pool.iter().find(|known| known.room == *before));
        kept.or(match pool {
            [only] => Some(only),
            _ => None,
        })
    } else {
        pool.iter().find(|known| plain(&known.name) == named)
    };
    found.map(|known| &known.room)
}

/// A name for comparing: without the mark of a channel, in small letters.
fn plain(name: &str) -> String {
    name.trim().trim_start_matches('#').to_lowercase()
}

#[cfg(test)]
#[path = "pool_tests.rs"]
mod pool_tests;
