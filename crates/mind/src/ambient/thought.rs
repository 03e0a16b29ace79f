//! The one thought that may be held: a draft with where it is meant for, how it came to be, and when it is over; and
//! the shelf it is held on.

use serde::{Deserialize, Serialize};
use vocabulary::{MediaWish, Moment, Now, RoomId, Span, WallTime};

use super::view::Revision;
use crate::effect::{Wake, WakeReason};

/// A held thought is left alone for so long at least.
const RESTS_AT_LEAST: Span = Span::seconds(30);
/// Looks after each of which it rests only that long.
const EARLY_LOOKS: u64 = 2;
/// … and so long at most, where people have written since, and where nobody has.
const RESTS_AMID_TALK: Span = Span::minutes(5);
const RESTS_AT_MOST: Span = Span::minutes(15);
/// No thought is held for longer, however often it is refined.
pub const HELD_AT_MOST: Span = Span::hours(2);
/// … nor longer than this, or twice the gap, without being looked at.
const UNSEEN_AT_MOST: Span = Span::minutes(30);
/// Looks at a thought that are kept.
const HISTORY_MAX: usize = 12;

/// A thought that waits for its moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HeldThought {
    pub text: String,
    pub room: RoomId,
    pub media: Option<MediaWish>,
    /// Why it was held the last time.
    pub reason: String,
    pub created: Moment,
    pub created_at: WallTime,
    pub expires: Moment,
    pub looked_at: Moment,
    /// How often it was looked at, the time it came up included.
    pub looks: u64,
    /// How often it was held, the first time included.
    pub revisions: u64,
    pub history: Vec<Revision>,
    /// Messages by people in the pool since it was last looked at.
    pub messages_since: usize,
}

/// Where the one thought is held.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct HeldThoughtShelf(Option<HeldThought>);

impl HeldThoughtShelf {
    pub fn thought(&self) -> Option<&HeldThought> {
        self.0.as_ref()
    }

    pub fn take(&mut self) -> Option<HeldThought> {
        self.0.take()
    }

    /// How often the thought was held.
    pub fn revisions(&self) -> u64 {
        self.0.as_ref().map_or(0, |held| held.revisions)
    }

    /// Holds a thought: the one there is in its new form, or a fresh one in its place.
    pub fn hold(&mut self, refined: Refined, revisits: bool, now: Now, gap: Span) {
        let before = self.0.take().filter(|_| revisits);
        self.0 = Some(settle(before, refined, now.moment, now.wall, gap));
    }

    /// Every look counts, also one that came to nothing.
    pub fn looked_at(&mut self, now: Moment) {
        if let Some(held) = &mut self.0 {
            held.looked_at = now;
            held.looks += 1;
        }
    }

    /// People wrote where it may be posted.
    pub fn somebody_wrote(&mut self) {
        if let Some(held) = &mut self.0 {
            held.messages_since += 1;
        }
    }

    pub fn is_over(&self, now: Moment) -> bool {
        self.0.as_ref().is_some_and(|held| held.expires <= now)
    }

    /// Since it was last looked at, and how long it is left alone; none: none is held.
    pub fn resting(&self, now: Moment) -> Option<(Span, Span)> {
        let held = self.0.as_ref()?;
        let rest = rest(held.looks, held.messages_since > 0);
        Some((now.since(held.looked_at), rest))
    }

    /// Whether the thought, its reason or an earlier form of it is told by one of these texts, all in small letters.
    pub fn speaks_of(&self, told: &[String]) -> bool {
        let speaks = |text: &str| {
            let text = text.to_lowercase();
            told.iter().any(|told| text.contains(told.as_str()))
        };
        self.0.as_ref().is_some_and(|held| {
            let history = held.history.iter().any(|revision| speaks(&revision.text));
            history || speaks(&held.text) || speaks(&held.reason)
        })
    }

    pub fn next_wake(&self) -> Option<Wake> {
        self.0.as_ref().map(|held| Wake {
            at: held.expires,
            reason: WakeReason::AmbientTick,
        })
    }
}

/// What a look at a thought came to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refined {
    pub text: String,
    pub room: RoomId,
    pub media: Option<MediaWish>,
    pub reason: String,
    pub revision: Revision,
}

/// Holds a thought, or holds the one there is in its new form. What was there keeps its age and its end.
pub(crate) fn settle(
    held: Option<HeldThought>,
    refined: Refined,
    now: Moment,
    wall: WallTime,
    gap: Span,
) -> HeldThought {
    let (created, created_at, expires, looks, revisions, mut history) = match held {
        Some(held) => (
            held.created,
            held.created_at,
            Some(held.expires),
            held.looks,
            held.revisions,
            held.history,
        ),
        None => (now, wall, None, 1, 0, Vec::new()),
    };
    history.push(refined.revision);
    if history.len() > HISTORY_MAX {
        // How it began stays.
        history.remove(1);
    }
    HeldThought {
        text: refined.text,
        room: refined.room,
        media: refined.media,
        reason: refined.reason,
        created,
        created_at,
        expires: expiry(expires, created, now, gap),
        looked_at: now,
        looks,
        revisions: revisions + 1,
        history,
        messages_since: 0,
    }
}

/// How long a thought is left alone after so many looks: the longer it is held, the longer it rests, or a model that
/// cannot make up its mind would be asked each minute for two hours.
pub fn rest(looks: u64, people_wrote: bool) -> Span {
    let doubled = looks.saturating_sub(EARLY_LOOKS).min(10);
    let most = if people_wrote {
        RESTS_AMID_TALK
    } else {
        RESTS_AT_MOST
    };
    Span(RESTS_AT_LEAST.0 << doubled).min(most)
}

/// When a thought is over: never later than it was to be, nor than two hours after it came up.
pub fn expiry(before: Option<Moment>, created: Moment, now: Moment, gap: Span) -> Moment {
    let unseen = Span((2 * gap.0).max(UNSEEN_AT_MOST.0));
    let soonest = (created + HELD_AT_MOST).min(now + unseen);
    before.map_or(soonest, |before| before.min(soonest))
}

#[cfg(test)]
#[path = "thought_tests.rs"]
mod thought_tests;
