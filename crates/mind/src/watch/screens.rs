//! Whose screen is watched: one at most, and nobody's is guessed when several share.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{Glimpse, Moment, Now, RoomId, Share, ShareEnd, ShareId, WallTime};

use super::view::{SeenFrame, ShareView};
use crate::effect::{Effect, RoomWish};
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{UnwatchCause, WatchCause};
use crate::step_context::StepContext;

/// Shares of a room that are kept in mind at once: as many as the shell gives links out for.
const SHARES_MAX: usize = 240;

/// The screens that are shared in a room, and the one that is watched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Screens {
    shares: Vec<Sharing>,
    /// Watches so far. What belongs to an earlier one is not taken any more.
    generation: u64,
    /// Somebody chose that nobody's screen is watched, for as long as anybody shares.
    nobody: bool,
    /// So many share without anybody having said whose screen is watched, and that was told.
    left_open: usize,
    watched: Option<Watched>,
}

/// A screen that somebody shares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Sharing {
    share: Share,
    since: Now,
    frames: u64,
}

/// The screen that is watched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Watched {
    pub share: ShareId,
    /// Whose screen it is, by name.
    pub shared_by: String,
    pub since: Moment,
    newest: Option<Newest>,
}

/// The newest frame of the watched screen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Newest {
    glimpse: Glimpse,
    at: WallTime,
}

/// The watched screen, for whoever looks at it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screen<'a> {
    pub shared_by: &'a str,
    /// None before the first frame.
    pub newest: Option<Glimpse>,
}

/// What is to be done about whose screen is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Stay,
    Watch(ShareId, WatchCause),
    Unwatch(UnwatchCause),
}

impl Screens {
    /// Somebody started to share; whether that is news.
    pub fn begin(&mut self, share: Share, step: &mut StepContext<'_>) -> bool {
        if self.is_known(&share.share) || self.shares.len() >= SHARES_MAX {
            return false;
        }
        let event = JournalEvent::ShareStarted {
            share: share.share.clone(),
            person: share.person.clone(),
            shared_by: share.name.clone(),
            source: share.source,
            shares: self.shares.len() + 1,
        };
        step.ledger.write(Scope::room(&share.room), event);
        self.shares.push(Sharing {
            share,
            since: step.now(),
            frames: 0,
        });
        true
    }

    /// A share is over. It is not watched any more by then.
    pub fn end(&mut self, room: &RoomId, id: &ShareId, reason: ShareEnd, step: &mut StepContext<'_>) {
        let Some(place) = self.shares.iter().position(|known| known.share.share == *id) else {
            return;
        };
        let ended = self.shares.remove(place);
        let event = JournalEvent::ShareEnded {
            share: id.clone(),
            reason,
            lasted: step.took(ended.since.moment),
            frames: ended.frames,
        };
        step.ledger.write(Scope::room(room), event);
        if self.shares.is_empty() {
            self.nobody = false;
        }
    }

    /// Somebody chose whose screen is watched; whether that changes anything.
    pub fn choose(&mut self, id: Option<&ShareId>, settings: &Settings) -> bool {
        // A share that is not known has ended meanwhile.
        let gone = id.is_some_and(|id| !self.may_be_watched(id, settings));
        if gone || self.watched_share() == id && self.nobody == id.is_none() {
            return false;
        }
        self.nobody = id.is_none();
        true
    }

    /// What brings the watch in line with who shares and with the settings.
    pub fn turn_to(&mut self, room: &RoomId, step: &mut StepContext<'_>) -> Turn {
        if !step.settings.stream_watch.enabled {
            self.left_open = 0;
            return Turn::Unwatch(UnwatchCause::SwitchedOff);
        }
        let watched = self.watched_share();
        if watched.is_some_and(|id| !self.may_be_watched(id, step.settings)) {
            return Turn::Unwatch(UnwatchCause::SharerBlocked);
        }
        let mut left_open = 0;
        let mut turn = Turn::Stay;
        let shares = self.shares.iter();
        let shares: Vec<&Sharing> = shares
            .filter(|known| !is_blocked(&known.share, step.settings))
            .collect();
        match shares.as_slice() {
            _ if self.watched.is_some() || self.nobody => {}
            [] => {}
            [only] => turn = Turn::Watch(only.share.share.clone(), WatchCause::OnlyOne),
            shares => {
                left_open = shares.len();
                if left_open != self.left_open {
                    let event = JournalEvent::WatchTargetUnclear { shares: left_open };
                    step.ledger.write(Scope::room(room), event);
                }
            }
        }
        self.left_open = left_open;
        turn
    }

    /// Watches a share, unless another is; says whose screen it is.
    pub fn watch(
        &mut self,
        room: &RoomId,
        id: &ShareId,
        because: WatchCause,
        step: &mut StepContext<'_>,
    ) -> Option<String> {
        if self.watched.is_some() {
            return None;
        }
        let sharing = self.shares.iter().find(|known| known.share.share == *id)?;
        let shared_by = sharing.share.name.clone();
        self.generation += 1;
        let event = JournalEvent::WatchStarted {
            share: id.clone(),
            shared_by: shared_by.clone(),
            generation: self.generation,
            because,
        };
        step.ledger.write(Scope::room(room), event);
        let wish = RoomWish::WatchScreen { share: id.clone() };
        step.ledger.want(Effect::Room(room.clone(), wish));
        self.watched = Some(Watched {
            share: id.clone(),
            shared_by: shared_by.clone(),
            since: step.moment(),
            newest: None,
        });
        Some(shared_by)
    }

    /// Watches nobody's screen; what was watched.
    pub fn unwatch(&mut self) -> Option<Watched> {
        self.watched.take()
    }

    /// A frame came; whether it is of the screen that is watched.
    pub fn see(&mut self, share: &ShareId, glimpse: Glimpse, now: Now) -> bool {
        let Some(watched) = self.watched.as_mut().filter(|watched| watched.share == *share) else {
            // It was on its way when the watch moved on.
            return false;
        };
        watched.newest = Some(Newest {
            glimpse,
            at: now.wall,
        });
        if let Some(sharing) = self.shares.iter_mut().find(|known| known.share.share == *share) {
            sharing.frames += 1;
        }
        true
    }

    pub fn is_empty(&self) -> bool {
        self.shares.is_empty()
    }

    /// Every share is over now, since the process or the room has ended; none of them is succeeded.
    pub fn outlived(&mut self) -> Vec<ShareId> {
        self.nobody = true;
        let shares = self.shares.iter();
        shares.map(|known| known.share.share.clone()).collect()
    }

    /// All of them are told to be over: the next one that is shared alone is watched again.
    pub fn anybody_again(&mut self) {
        self.nobody = false;
    }

    pub fn screen(&self) -> Option<Screen<'_>> {
        self.watched.as_ref().map(|watched| Screen {
            shared_by: &watched.shared_by,
            newest: watched.newest.map(|newest| newest.glimpse),
        })
    }

    pub fn is_watched(&self, id: &ShareId) -> bool {
        self.watched_share() == Some(id)
    }

    pub fn watched_share(&self) -> Option<&ShareId> {
        self.watched.as_ref().map(|watched| &watched.share)
    }

    pub fn watched_since(&self) -> Option<Moment> {
        self.watched.as_ref().map(|watched| watched.since)
    }

    pub fn generation(&self) -> u64 {
        self.generation
    }

    pub fn newest(&self) -> Option<SeenFrame> {
        let newest = self.watched.as_ref()?.newest?;
        Some(SeenFrame {
            at: newest.at,
            glimpse: newest.glimpse,
        })
    }

    pub fn view(&self) -> Vec<ShareView> {
        let shares = self.shares.iter().map(|known| ShareView {
            share: known.share.share.clone(),
            person: known.share.person.clone(),
            name: known.share.name.clone(),
            source: known.share.source,
            since: known.since.wall,
            watched: self.is_watched(&known.share.share),
            frames: known.frames,
        });
        shares.collect()
    }

    /// Whether a share is known, and of somebody whom Denizen listens to.
    fn may_be_watched(&self, id: &ShareId, settings: &Settings) -> bool {
        let found = self.shares.iter().find(|known| known.share.share == *id);
        found.is_some_and(|known| !is_blocked(&known.share, settings))
    }

    fn is_known(&self, id: &ShareId) -> bool {
        self.shares.iter().any(|known| known.share.share == *id)
    }
}

/// Whether its sharer is one of those whom Denizen does not listen to.
fn is_blocked(share: &Share, settings: &Settings) -> bool {
    let blocked = &settings.replies.blocked_user_ids;
    blocked.iter().any(|id| id == share.person.as_str())
}
