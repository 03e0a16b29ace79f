//! Where it may post of its own accord.

use settings::Settings;
use vocabulary::RoomId;

use super::Around;

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

/// At most so many channels are told of; the ones where somebody wrote last.
const CHANNELS_MAX: usize = 20;

/// The channels a thought is told of, in the operator's order.
pub(super) fn lively(settings: &Settings, around: Around<'_>) -> Vec<RoomId> {
    let mut pool = eligible(settings);
    if pool.len() > CHANNELS_MAX {
        let newest = |room: &RoomId| around.rooms.get(room)?.newest(1).next().map(|message| message.at);
        let mut by_age = pool.clone();
        by_age.sort_by_key(|room| std::cmp::Reverse(newest(room)));
        by_age.truncate(CHANNELS_MAX);
        pool.retain(|room| by_age.contains(room));
    }
    pool
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

/// The channel a model means; with none named, the one it was meant for, or the only one there is.
pub(super) fn meant<'a>(named: &str, before: Option<&RoomId>, pool: &'a [RoomId]) -> Option<&'a RoomId> {
    let plain = |name: &str| name.trim().trim_start_matches('#').to_lowercase();
    let named = plain(named);
    if named.is_empty() {
        let kept = before.and_then(|before| pool.iter().find(|room| *room == before));
        return kept.or(match pool {
            [only] => Some(only),
            _ => None,
        });
    }
    pool.iter().find(|room| plain(room.as_str()) == named)
}

#[cfg(test)]
#[path = "pool_tests.rs"]
mod pool_tests;
